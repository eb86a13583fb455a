// SPDX-License-Identifier: Apache-2.0
// AND of two shared bits, domain-oriented: the terms that join two domains get a random bit and a register before they
// meet the terms of one domain.  REGISTER = 0 leaves out the registers, RANDOM = 0 the random bit: both forms leak.
module dom_and #(
    parameter bit REGISTER = 1'b1,
    parameter bit RANDOM   = 1'b1
) (
    input  logic clk,
    input  logic a0,
    input  logic a1,
    input  logic b0,
    input  logic b1,
    input  logic r,
    output logic c0,
    output logic c1
);

  logic inner0, inner1, cross0, cross1, inner0_q, inner1_q, cross0_q, cross1_q;

  assign inner0 = a0 & b0;
  assign inner1 = a1 & b1;
  assign cross0 = (a0 & b1) ^ (r & RANDOM);
  assign cross1 = (a1 & b0) ^ (r & RANDOM);

  always_ff @(posedge clk) begin
    inner0_q <= inner0;
    inner1_q <= inner1;
    cross0_q <= cross0;
    cross1_q <= cross1;
  end

  assign c0 = REGISTER ? inner0_q ^ cross0_q : inner0 ^ cross0;
  assign c1 = REGISTER ? inner1_q ^ cross1_q : inner1 ^ cross1;

endmodule
