// SPDX-License-Identifier: Apache-2.0
//
// Both edges of the clock out: D0 while it is high, D1 while it is low.
// An own model of this cell of the ECP5, after Lattice's description (FPGA-TN-02035).

module ODDRX1F (
    input  logic SCLK,
    input  logic D0,
    input  logic D1,
    output logic Q
);
  logic high, low;
  always_ff @(posedge SCLK) {high, low} <= {D0, D1};
  assign Q = SCLK ? high : low;
endmodule
