// SPDX-License-Identifier: Apache-2.0
// A register holds one share, another the other share masked by a function of three random bits: by their majority,
// which is uniform, or (MAJORITY = 0) by their AND, which is not.  No rule about single masks decides this, but an
// enumeration does.
module masked_by_function #(
    parameter bit MAJORITY = 1'b1
) (
    input  logic       clk,
    input  logic       a0,
    input  logic       a1,
    input  logic [2:0] r,
    output logic       sum
);

  logic one_q, other_q, mask;

  assign mask = MAJORITY ? (r[0] & r[1]) | (r[0] & r[2]) | (r[1] & r[2]) : &r;

  always_ff @(posedge clk) begin
    one_q   <= a0;
    other_q <= a1 ^ mask;
  end

  assign sum = one_q ^ other_q;

endmodule
