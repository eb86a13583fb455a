// SPDX-License-Identifier: Apache-2.0
// A register with an enable holds a value for a number of cycles that nobody knows: the check refuses it.
module enabled (
    input  logic clk,
    input  logic enable,
    input  logic a0,
    input  logic a1,
    output logic q0,
    output logic q1
);

  always_ff @(posedge clk) begin
    if (enable) q0 <= a0;
    q1 <= a1;
  end

endmodule
