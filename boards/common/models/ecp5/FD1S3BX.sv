// SPDX-License-Identifier: Apache-2.0
//
// Flip-flop with asynchronous preset.
// An own model of this cell of the ECP5, after Lattice's description (FPGA-TN-02035).

module FD1S3BX (
    input  logic CK,
    input  logic D,
    input  logic PD,
    output logic Q
);
  always_ff @(posedge CK or posedge PD)
    if (PD) Q <= 1'b1;
    else Q <= D;
endmodule
