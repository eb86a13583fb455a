// SPDX-License-Identifier: Apache-2.0
//
// Takes ciphertext || tag apart: everything but the last TAG_BITS goes to m, the rest to tag. With open = 0 the whole
// string goes to m. Byte i of a string in bits [8i+7:8i]. The last beats that have come are kept back in a line, whole, as
// many as a tag can lie in and one more, so the length need not be known in advance. When the string has ended, the line
// turns once: each beat of the tag leaves at its lower end and comes back at the upper one, in its place to the byte.
// A string shorter than the tag gives an empty m, any tag and TOO_SHORT; what was wrong with s goes before that.
// Cycles: one a beat. The tag shows as many cycles after the last beat of m as it has beats. clear wipes what is kept.
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
  localparam int unsigned TAG_BEATS = (TAG_PORT + DATA_BITS - 1) / DATA_BITS;
  localparam int unsigned SLOTS = TAG_BEATS + 1;
  localparam int unsigned SLOT_BITS = $clog2(SLOTS + 1);
  localparam int unsigned PLACE_BITS = $clog2(BEAT_BYTES);  // of a byte in its beat
  typedef logic [SLOT_BITS-1:0] slots_t;
  typedef logic [PLACE_BITS+1:0] bytes_t;  // fewer than two beats
  localparam bytes_t BEAT = bytes_t'(BEAT_BYTES);
  // Bytes in the line that are not of the tag, but for those of the last beat
  localparam bytes_t BEFORE_TAG = bytes_t'(TAG_BEATS * BEAT_BYTES - TAG_BITS / 8);

  typedef struct packed {
    logic [DATA_BITS-1:0]  data;
    logic [BYTES_BITS-1:0] bytes;
    logic                  last;
    code_e                 code;
  } beat_t;

  logic [SLOTS*DATA_BITS-1:0] line;  // the beat that came last is uppermost
  logic [DATA_BITS-1:0] aligned;  // a beat of the tag, from the two lowest ones
  slots_t filled, left;  // beats that have come, and those of the tag that are not in their places
  bytes_t excess;  // bytes in the line before the tag, once the string has ended
  logic running, ended, sent, tag_done, is_short, take, cuts, drains, turns, push;
  logic [1:0] waits;  // beats on the way to m
  beat_t head, second, made;
  code_e fault;

  assign cuts = open && TAG_BITS != 0;
  assign s.ready = running && !ended && !waits[1];
  assign take = s.valid && s.ready;

  // What the line gives after the end: whole beats, then the bytes before the tag.
  assign drains = ended && cuts && !sent && !waits[1];
  assign is_short = filled < slots_t'(TAG_BEATS) || (filled == slots_t'(TAG_BEATS) && excess < BEAT);
  assign turns = ended && sent && left != '0;
  assign aligned = DATA_BITS'(line[2*DATA_BITS-1:0] >> {excess[PLACE_BITS-1:0], 3'b000});

  always_comb begin
    made = '{data: s.data, bytes: s.bytes, last: s.last, code: s.code};
    push = take;
    if (cuts) begin
      made = '{data: line[DATA_BITS-1:0], bytes: BYTES_BITS'(BEAT_BYTES), last: 1'b0, code: fault};
      push = (take && filled == slots_t'(SLOTS)) || drains;
      if (ended) begin
        if (is_short) begin
          made.bytes = '0;
          made.last  = 1'b1;
          if (fault == OK) made.code = TOO_SHORT;
        end else if (filled != slots_t'(SLOTS)) begin
          push = 1'b0;  // nothing is left before a beat that never came
        end else if (excess <= BEAT) begin
          made.bytes = BYTES_BITS'(excess);
          made.last  = 1'b1;
        end
      end
      for (int unsigned i = 0; i < BEAT_BYTES; i++) if (BYTES_BITS'(i) >= made.bytes) made.data[8*i+:8] = '0;
    end
  end

  assign m.valid = waits != '0;
  assign m.data = head.data;
  assign m.bytes = head.bytes;
  assign m.last = head.last;
  assign m.code = head.code;
  assign tag_valid = ended && cuts && sent && left == '0 && !tag_done;
  assign tag_data = line[DATA_BITS+:TAG_PORT];

  always_ff @(posedge clk) begin
    if (start || clear) line <= '0;
    else if ((take && cuts) || (drains && excess >= BEAT) || turns)
      line <= {take ? s.data : aligned, line[SLOTS*DATA_BITS-1:DATA_BITS]};
  end

  always_ff @(posedge clk) begin
    if (take && cuts) begin
      if (filled != slots_t'(SLOTS)) filled <= filled + slots_t'(1'b1);
      excess <= BEFORE_TAG + bytes_t'(s.bytes);
    end
    if (take && s.last) begin
      ended <= 1'b1;
      fault <= s.code;
    end
    if (drains) begin
      sent <= push && made.last;
      if (excess >= BEAT) begin
        excess <= excess - BEAT;
        filled <= slots_t'(SLOTS);
      end
    end
    if (turns) left <= left - slots_t'(1'b1);
    if (tag_valid && tag_ready) tag_done <= 1'b1;

    if (m.ready || waits == '0) begin
      if (push || waits[1]) head <= waits[1] ? second : made;
      waits <= {1'b0, push || waits[1]};
    end else if (push) begin
      second <= made;
      waits  <= 2'b11;
    end

    if (start || clear) begin
      running  <= !clear;
      filled   <= '0;
      left     <= slots_t'(TAG_BEATS);
      excess   <= '0;
      ended    <= 1'b0;
      sent     <= 1'b0;
      tag_done <= 1'b0;
      fault    <= OK;
      head     <= beat_t'(0);
      second   <= beat_t'(0);
      waits    <= '0;
    end
  end

`ifndef SYNTHESIS
  logic past_waiting;
  logic [TAG_PORT-1:0] past_tag;
  always_ff @(posedge clk) begin
    past_waiting <= tag_valid && !tag_ready && !start && !clear;
    past_tag     <= tag_data;
    tag_holds :
    assert (!past_waiting || (tag_valid && past_tag == tag_data))
    else $error("aead_split: the tag changed before it was taken");
  end
`endif

endmodule
