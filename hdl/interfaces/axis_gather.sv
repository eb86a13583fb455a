// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream gathered into words of a string (docs/core-ports.md, rule 2). Byte i of the packet in bits [8i+7:8i] of its
// beat, byte i of a word in bits [8i+7:8i] of the word. All words are full but the last; a packet may be one beat with
// tkeep 0 (the empty string). A malformed packet (axis_beats) ends with the word at hand, marked BAD_STREAM.
// Cycles: a beat a cycle, one more a word. clear wipes what is held.
module axis_gather
  import aead_adapter_pkg::*;
(
    input logic clk,
    input logic clear,
    axis_if.sink s_axis,
    string_if.source m  // its width is a multiple of that of s_axis; zero beyond the bytes
);

  localparam int unsigned WORD_BITS = m.DATA_BITS;
  localparam int unsigned AXIS_BITS = s_axis.DATA_BITS;
  localparam int unsigned PARTS = WORD_BITS / AXIS_BITS;
  localparam int unsigned PART_BITS = $clog2(PARTS + 1);

  if (WORD_BITS % AXIS_BITS != 0) begin : g_bad_width
    $fatal(1, "axis_gather: words of %0d bits, allowed: multiples of those of the bus, %0d", WORD_BITS, AXIS_BITS);
  end

  string_if #(.DATA_BITS(AXIS_BITS)) beat ();

  axis_beats u_beats (
      .*,
      .m(beat)
  );

  logic [PART_BITS-1:0] part;
  assign beat.ready = !m.valid;

  always_ff @(posedge clk) begin
    if (beat.valid && beat.ready) begin
      m.valid <= beat.last || part == PART_BITS'(PARTS - 1);
      m.data  <= m.data | (WORD_BITS'(beat.data) << (AXIS_BITS * 32'(part)));
      m.bytes <= m.bytes + m.BYTES_BITS'(beat.bytes);
      m.last  <= beat.last;
      m.code  <= beat.code;
      part    <= part + 1'b1;
    end
    if (clear || (m.valid && m.ready)) begin
      m.valid <= 1'b0;
      m.data  <= '0;
      m.bytes <= '0;
      m.last  <= 1'b0;
      m.code  <= OK;
      part    <= '0;
    end
  end

endmodule
