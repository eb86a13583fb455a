// SPDX-License-Identifier: Apache-2.0
// The AND of Ishai, Sahai and Wagner with two shares, as logic without registers: each value alone is independent of
// the secrets, but a glitch at c1 shows all inputs.
module isw_and (
    input  logic clk,
    input  logic a0,
    input  logic a1,
    input  logic b0,
    input  logic b1,
    input  logic r,
    output logic c0,
    output logic c1
);

  logic z10;

  assign z10 = (r ^ (a0 & b1)) ^ (a1 & b0);
  assign c0  = (a0 & b0) ^ r;
  assign c1  = (a1 & b1) ^ z10;

endmodule
