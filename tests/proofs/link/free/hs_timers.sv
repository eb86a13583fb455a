// SPDX-License-Identifier: Apache-2.0
// In the place of the handshake's timers: they ring when the solver likes, but no message is sent again within 63 cycles, for
// 250 ticks come before, each in a cycle of its own.
module hs_timers (
    input  logic clk,
    input  logic rst,
    input  logic tick,
    input  logic sent,
    input  logic confirming,
    input  logic heard,
    input  logic answered,
    output logic resend,
    output logic give_up,
    output logic silent,
    output logic exhausted
);
  logic rings;  // free, as are give_up, silent and exhausted
  logic [5:0] since_q;
  assign resend = rings && since_q == '1;
  always_ff @(posedge clk) begin
    if (since_q != '1) since_q <= since_q + 6'd1;
    if (sent || rst) since_q <= '0;
  end
endmodule
