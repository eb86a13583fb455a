// SPDX-License-Identifier: Apache-2.0
// AND of words in two shares (their sum is the word), bit by bit, domain-oriented (Gross, Mangard, Korak,
// "Domain-Oriented Masking", TIS 2016); first-order secure with glitches and transitions (docs/probing.md).
// Cycles: one register deep, a word a cycle; c0 and c1 are logic after the registers, linear in each domain.
// The operands' shares are independent of one another; `random` is uniform, new in each cycle, and taken by nobody else.
// Security: no enable and no reset; the user shifts other values in to overwrite secrets.
module masked_and #(
    parameter int unsigned WIDTH = 1
) (
    input logic clk,
    input logic [WIDTH-1:0] random,
    input logic [WIDTH-1:0] a0,
    input logic [WIDTH-1:0] a1,
    input logic [WIDTH-1:0] b0,
    input logic [WIDTH-1:0] b1,
    output logic [WIDTH-1:0] c0,
    output logic [WIDTH-1:0] c1
);

  logic [1:0][WIDTH-1:0] own, joint;

  always_ff @(posedge clk) begin
    own   <= {a1 & b1, a0 & b0};
    joint <= {(a1 & b0) ^ random, (a0 & b1) ^ random};
  end

  assign {c1, c0} = own ^ joint;

endmodule
