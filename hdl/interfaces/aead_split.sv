// SPDX-License-Identifier: Apache-2.0
//
// Takes ciphertext || tag apart: everything but the last TAG_BITS goes to m, the rest to tag. With open = 0 the whole
// string goes to m. Byte i of a string in bits [8i+7:8i]. The last TAG_BITS that have come are always kept back, so
// the length need not be known in advance. A string shorter than the tag gives an empty m, tag 0 and TOO_SHORT; what was
// wrong with s goes before that.
// Cycles: one a beat. clear wipes what is kept.
module aead_split
  import aead_adapter_pkg::*;
#(
    parameter  int unsigned TAG_BITS = 256,                          // whole bytes; 0: no tag
    localparam int unsigned TAG_PORT = TAG_BITS == 0 ? 1 : TAG_BITS
) (
    input logic clk,
    input logic clear,
    input logic start,  // pulse: a new string
    input logic open,  // held from start on
    string_if.sink s,  // beats of a power of two; zero beyond the bytes
    string_if.source m,
    output logic tag_valid,
    input logic tag_ready,
    output logic [TAG_PORT-1:0] tag_data
);

  localparam int unsigned DATA_BITS = s.DATA_BITS;
  localparam int unsigned BYTES_BITS = s.BYTES_BITS;
  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned TAG_BYTES = TAG_BITS / 8;
  // A beat may go when more than it and a tag is there: that many beats, one beyond, and one to keep pace
  localparam int unsigned SLOTS = TAG_BYTES / BEAT_BYTES + 3;
  localparam int unsigned COUNT_BITS = $clog2(SLOTS * BEAT_BYTES + 1);
  localparam int unsigned SHIFT = $clog2(BEAT_BYTES);
  typedef logic [COUNT_BITS-1:0] count_t;

  logic [SLOTS*DATA_BITS-1:0] kept, kept_next;
  count_t count, keep_back, rest, slot;
  logic running, ended, more, is_short, msg_done, tag_done, take, give;
  code_e fault;

  assign keep_back = open ? count_t'(TAG_BYTES) : '0;
  assign more = count > keep_back + count_t'(BEAT_BYTES);
  assign is_short = ended && count < keep_back;
  assign rest = is_short ? '0 : count - keep_back;

  assign s.ready = running && !ended && count <= count_t'((SLOTS - 1) * BEAT_BYTES);
  assign take = s.valid && s.ready;
  assign m.valid = running && (more || (ended && !msg_done));
  assign m.last = !more;
  assign m.code = fault == OK && is_short ? TOO_SHORT : fault;
  assign m.bytes = more ? BYTES_BITS'(BEAT_BYTES) : BYTES_BITS'(rest);
  assign give = m.valid && m.ready;
  assign tag_valid = running && open && ended && !more && !tag_done && TAG_BITS != 0;
  assign tag_data = is_short ? '0 : TAG_PORT'(kept >> {rest, 3'b000});

  always_comb begin
    for (int unsigned i = 0; i < BEAT_BYTES; i++) m.data[8*i+:8] = BYTES_BITS'(i) < m.bytes ? kept[8*i+:8] : 8'h00;
    kept_next = give && more ? kept >> DATA_BITS : kept;
    slot = (count >> SHIFT) - count_t'(give && more);
    for (int unsigned i = 0; i < SLOTS; i++)
    if (take && slot == count_t'(i)) kept_next[i*DATA_BITS+:DATA_BITS] = s.data;
  end

  always_ff @(posedge clk) begin
    kept  <= kept_next;
    count <= count + (take ? count_t'(s.bytes) : '0) - (give && more ? count_t'(BEAT_BYTES) : '0);
    if (take && s.last) begin
      ended <= 1'b1;
      fault <= s.code;
    end
    if (give && !more) msg_done <= 1'b1;
    if (tag_valid && tag_ready) tag_done <= 1'b1;
    if (start || clear) begin
      running  <= !clear;
      kept     <= '0;
      count    <= '0;
      ended    <= 1'b0;
      fault    <= OK;
      msg_done <= 1'b0;
      tag_done <= 1'b0;
    end
  end

endmodule
