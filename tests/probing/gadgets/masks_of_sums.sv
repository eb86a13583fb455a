// SPDX-License-Identifier: Apache-2.0
// Three values under sums of three random bits, each of which two values use: no mask is used once, but RANK = 3 sums of
// the masks are independent and hide all three values. With RANK = 2 the three masks cancel in the sum of the values.
module masks_of_sums #(
    parameter int unsigned RANK = 3
) (
    input  logic       clk,
    input  logic       a0,
    input  logic       a1,
    input  logic       b0,
    input  logic [3:0] r,
    input  logic       b1,
    output logic       sum
);

  logic [3:0] q;

  always_ff @(posedge clk) begin
    q[0] <= (a0 & b0) ^ r[0] ^ r[1];
    q[1] <= (a1 & b0) ^ r[1] ^ r[2];
    q[2] <= (a0 & b1) ^ r[2] ^ r[0] ^ (RANK == 3 ? r[3] : 1'b0);
    q[3] <= (a1 & b1) ^ r[0] ^ r[3];
  end

  assign sum = ^q;

endmodule
