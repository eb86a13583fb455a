// SPDX-License-Identifier: Apache-2.0
// Help for proofs of the contract: what a schedule counts is what is there. Each count is asserted, so it is proved with the
// contract, and the search need not find it. Of each count a bit of `there` for everything that it counts.
module at_work #(
    parameter int unsigned COUNTS = 1,
    parameter int unsigned PLACES = 8
) (
    input logic clk,
    input logic clear,
    input logic [COUNTS-1:0][2:0] counted,
    input logic [COUNTS-1:0][PLACES-1:0] there
);
  always_ff @(posedge clk) begin
    if (!clear)
      for (int unsigned i = 0; i < COUNTS; i++) a_counts : assert (4'(counted[i]) == 4'($countones(there[i])));
  end
endmodule
