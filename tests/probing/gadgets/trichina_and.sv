// SPDX-License-Identifier: Apache-2.0
// Trichina's AND: the order of its sums keeps each value independent of the secrets; in logic, glitches undo
// that order.
module trichina_and (
    input  logic clk,
    input  logic a0,
    input  logic a1,
    input  logic b0,
    input  logic b1,
    input  logic r,
    output logic c0,
    output logic c1
);

  assign c0 = r;
  assign c1 = (((r ^ (a0 & b0)) ^ (a0 & b1)) ^ (a1 & b0)) ^ (a1 & b1);

endmodule
