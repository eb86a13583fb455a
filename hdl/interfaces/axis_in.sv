// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream of any width to legal strings of narrower beats. A malformed packet (axis_beats) ends with one byte of zero
// and BAD_STREAM. So the receiver always gets a legal string, and knows.
// Cycles: a beat of the bus takes as many as it has beats of the string, sustained. clear wipes the beat that is held.
module axis_in
  import aead_adapter_pkg::*;
(
    input logic clk,
    input logic clear,
    axis_if.sink s_axis,  // of DATA_BITS times a power of two
    string_if.source m  // DATA_BITS a power of two, 16 or more; zero beyond the bytes
);

  localparam int unsigned AXIS_BITS = s_axis.DATA_BITS;
  localparam int unsigned WIDE_BITS = $clog2(AXIS_BITS / 8 + 1);
  localparam logic [WIDE_BITS-1:0] BEAT_BYTES = WIDE_BITS'(m.DATA_BITS / 8);

  if (AXIS_BITS % m.DATA_BITS != 0) begin : g_bad_width
    $fatal(1, "axis_in: a bus of %0d bits, allowed: multiples of the beats of the string, %0d", AXIS_BITS, m.DATA_BITS);
  end

  string_if #(.DATA_BITS(AXIS_BITS)) wide ();

  axis_beats u_beats (
      .*,
      .m(wide)
  );

  logic [AXIS_BITS-1:0] held_data;
  logic [WIDE_BITS-1:0] held_bytes;
  logic held, held_last, final_part, enters, leaves, unused;
  code_e held_code;

  assign final_part = held_bytes <= BEAT_BYTES;
  assign wide.ready = !held || (m.ready && final_part);
  assign enters = wide.valid && wide.ready;
  assign leaves = held && m.ready;
  assign unused = &{1'b0, wide.data};
  assign m.valid = held;
  assign m.data = held_data[m.DATA_BITS-1:0];
  assign m.bytes = m.BYTES_BITS'(final_part ? held_bytes : BEAT_BYTES);
  assign m.last = held_last && final_part;
  assign m.code = held_code;

  always_ff @(posedge clk) begin
    if (leaves) begin
      held       <= !final_part;
      held_bytes <= held_bytes - BEAT_BYTES;
    end
    if (enters) begin
      held       <= 1'b1;
      held_bytes <= wide.code == OK ? wide.bytes : WIDE_BITS'(1'b1);
      held_last  <= wide.last;
      held_code  <= wide.code;
    end
    if (clear) held <= 1'b0;
  end

  // Each byte by itself: what a packet does not have, or is at fault, is the reset of a register and costs no logic.
  for (genvar i = 0; i < int'(AXIS_BITS / 8); i++) begin : g_byte
    localparam int unsigned BEHIND = 8 * i + m.DATA_BITS;  // the byte that comes into this place when a beat leaves
    always_ff @(posedge clk) begin
      if (clear || (enters && (wide.code != OK || !s_axis.tkeep[i])) || (leaves && !enters && BEHIND >= AXIS_BITS))
        held_data[8*i+:8] <= '0;
      else if (enters) held_data[8*i+:8] <= s_axis.tdata[8*i+:8];
      else if (leaves) held_data[8*i+:8] <= held_data[BEHIND%AXIS_BITS+:8];
    end
  end

`ifndef SYNTHESIS
  for (genvar i = 0; i < int'(m.DATA_BITS / 8); i++) begin : g_beyond
    always_ff @(posedge clk) begin
      zero_beyond_the_bytes :
      assert (!m.valid || 32'(m.bytes) > i || m.data[8*i+:8] == '0)
      else $error("axis_in: byte %0d lies beyond the string and is not zero", i);
    end
  end
`endif

endmodule
