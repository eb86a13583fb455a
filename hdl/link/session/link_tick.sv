// SPDX-License-Identifier: Apache-2.0
//
// The link's clock of milliseconds: a pulse every `cfg_ms_cycles` cycles. With 0 time stands still.

module link_tick (
    input  logic        clk,
    input  logic        rst,
    input  logic [19:0] cfg_ms_cycles,  // cycles of clk a millisecond; quasi-static
    output logic        tick
);
  logic [19:0] left_q;

  always_ff @(posedge clk) begin
    tick   <= left_q == 20'd1;
    left_q <= (left_q <= 20'd1) ? cfg_ms_cycles : left_q - 20'd1;
    if (rst) begin
      tick   <= 1'b0;
      left_q <= cfg_ms_cycles;
    end
  end
endmodule
