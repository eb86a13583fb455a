// SPDX-License-Identifier: Apache-2.0
//
// Delay of a pin, which simulation leaves out.
// An own model of this cell of the ECP5, after Lattice's description (FPGA-TN-02035).
// Unused: the mode, which is that of a delay; LiteX gives DEL_VALUE in as many bits as it needs.
// verilator lint_off UNUSEDPARAM
// verilator lint_off WIDTHEXPAND
module DELAYG #(
    parameter string DEL_MODE  = "USER_DEFINED",
    parameter int    DEL_VALUE = 0                // taps of 25 ps, at most 127
) (
    input  logic A,
    output logic Z
);
  if (DEL_VALUE < 0 || DEL_VALUE > 127) begin : g_bad_value
    $fatal(1, "DELAYG: DEL_VALUE = %0d, must be 0 to 127", DEL_VALUE);
  end
  assign Z = A;
endmodule
// verilator lint_on WIDTHEXPAND
// verilator lint_on UNUSEDPARAM
