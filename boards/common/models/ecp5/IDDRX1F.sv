// SPDX-License-Identifier: Apache-2.0
//
// Both edges of the clock in: a rising edge's bit on Q0 with that of the falling edge after it on Q1, a cycle later.
// An own model of this cell of the ECP5, after Lattice's description (FPGA-TN-02035).

module IDDRX1F (
    input  logic D,
    input  logic SCLK,
    output logic Q0,
    output logic Q1
);
  logic rose, fell;
  always_ff @(posedge SCLK) {rose, Q0, Q1} <= {D, rose, fell};
  always_ff @(negedge SCLK) fell <= D;
endmodule
