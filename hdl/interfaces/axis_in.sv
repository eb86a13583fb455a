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
  logic held, held_last, final_part;
  code_e held_code;

  assign final_part = held_bytes <= BEAT_BYTES;
  assign wide.ready = !held || (m.ready && final_part);
  assign m.valid = held;
  assign m.data = held_data[m.DATA_BITS-1:0];
  assign m.bytes = m.BYTES_BITS'(final_part ? held_bytes : BEAT_BYTES);
  assign m.last = held_last && final_part;
  assign m.code = held_code;

  always_ff @(posedge clk) begin
    if (held && m.ready) begin
      held       <= !final_part;
      held_data  <= AXIS_BITS'({m.DATA_BITS'(0), held_data} >> m.DATA_BITS);
      held_bytes <= held_bytes - BEAT_BYTES;
    end
    if (wide.valid && wide.ready) begin
      held       <= 1'b1;
      held_data  <= wide.code == OK ? wide.data : '0;
      held_bytes <= wide.code == OK ? wide.bytes : WIDE_BITS'(1'b1);
      held_last  <= wide.last;
      held_code  <= wide.code;
    end
    if (clear) begin
      held      <= 1'b0;
      held_data <= '0;
    end
  end

endmodule
