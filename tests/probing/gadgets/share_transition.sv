// SPDX-License-Identifier: Apache-2.0
// One share meets the other share of the cycle before: nothing in one cycle, the secret in two cycles in succession.
module share_transition (
    input  logic clk,
    input  logic a0,
    input  logic a1,
    output logic sum
);

  logic a0_q;

  always_ff @(posedge clk) a0_q <= a0;

  assign sum = a0_q ^ a1;

endmodule
