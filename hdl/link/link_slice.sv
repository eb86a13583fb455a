// SPDX-License-Identifier: Apache-2.0
//
// Register slice of a stream: a beat that comes meets a register, and s_ready is one, so that no path goes through.
// A beat is a cycle on its way; while the reader waits, one waits behind it. Every beat passes once and in order, one a cycle.
// Security: a register without a beat is zero; a reset drops both beats.

module link_slice
  import link_types_pkg::*;
#(
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic  clk,
    input  logic  rst,
    input  beat_t s,
    output logic  s_ready,
    output beat_t m,
    input  logic  m_ready
);
  beat_t behind_q;

  assign s_ready = !behind_q.valid;

  always_ff @(posedge clk) begin
    if (!m.valid || m_ready) begin
      m        <= behind_q.valid ? behind_q : s.valid ? s : '0;
      behind_q <= '0;
    end else if (!behind_q.valid && s.valid) begin
      behind_q <= s;
    end
    if (rst) begin
      m        <= '0;
      behind_q <= '0;
    end
  end
endmodule
