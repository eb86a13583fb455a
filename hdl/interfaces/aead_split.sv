// SPDX-License-Identifier: Apache-2.0
//
// Takes ciphertext || tag apart: everything but the last TAG_BITS goes to m, the rest to tag. With open = 0 the whole
// string goes to m. Byte i of a string in bits [8i+7:8i]. The last TAG_BITS that have come are always kept back, so
// the length need not be known in advance. A string shorter than the tag gives an empty m, tag 0 and is_short.
// Cycles: one a beat. clear wipes what is kept.
module aead_split #(
    parameter  int unsigned DATA_BITS  = 64,                           // a power of two
    parameter  int unsigned TAG_BITS   = 256,                          // whole bytes; 0: no tag
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned TAG_PORT   = TAG_BITS == 0 ? 1 : TAG_BITS
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  start,      // pulse: a new string
    input  logic                  open,       // held from start on
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,     // zero beyond the bytes
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    output logic                  m_valid,
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last,
    output logic                  tag_valid,
    input  logic                  tag_ready,
    output logic [  TAG_PORT-1:0] tag_data,
    output logic                  is_short    // held until the next start
);

  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned TAG_BYTES = TAG_BITS / 8;
  // A beat may go when more than it and a tag is there: that many beats, one beyond, and one to keep pace
  localparam int unsigned SLOTS = TAG_BYTES / BEAT_BYTES + 3;
  localparam int unsigned COUNT_BITS = $clog2(SLOTS * BEAT_BYTES + 1);
  localparam int unsigned SHIFT = $clog2(BEAT_BYTES);
  typedef logic [COUNT_BITS-1:0] count_t;

  logic [SLOTS*DATA_BITS-1:0] kept, kept_next;
  count_t count, keep_back, rest, slot;
  logic running, ended, more, msg_done, tag_done, take, give;

  assign keep_back = open ? count_t'(TAG_BYTES) : '0;
  assign more = count > keep_back + count_t'(BEAT_BYTES);
  assign is_short = ended && count < keep_back;
  assign rest = is_short ? '0 : count - keep_back;

  assign s_ready = running && !ended && count <= count_t'((SLOTS - 1) * BEAT_BYTES);
  assign take = s_valid && s_ready;
  assign m_valid = running && (more || (ended && !msg_done));
  assign m_last = !more;
  assign m_bytes = more ? BYTES_BITS'(BEAT_BYTES) : BYTES_BITS'(rest);
  assign give = m_valid && m_ready;
  assign tag_valid = running && open && ended && !more && !tag_done && TAG_BITS != 0;
  assign tag_data = is_short ? '0 : TAG_PORT'(kept >> {rest, 3'b000});

  always_comb begin
    for (int unsigned i = 0; i < BEAT_BYTES; i++) m_data[8*i+:8] = BYTES_BITS'(i) < m_bytes ? kept[8*i+:8] : 8'h00;
    kept_next = give && more ? kept >> DATA_BITS : kept;
    slot = (count >> SHIFT) - count_t'(give && more);
    for (int unsigned i = 0; i < SLOTS; i++)
    if (take && slot == count_t'(i)) kept_next[i*DATA_BITS+:DATA_BITS] = s_data;
  end

  always_ff @(posedge clk) begin
    kept  <= kept_next;
    count <= count + (take ? count_t'(s_bytes) : '0) - (give && more ? count_t'(BEAT_BYTES) : '0);
    if (take && s_last) ended <= 1'b1;
    if (give && !more) msg_done <= 1'b1;
    if (tag_valid && tag_ready) tag_done <= 1'b1;
    if (start || clear) begin
      running  <= !clear;
      kept     <= '0;
      count    <= '0;
      ended    <= 1'b0;
      msg_done <= 1'b0;
      tag_done <= 1'b0;
    end
  end

endmodule
