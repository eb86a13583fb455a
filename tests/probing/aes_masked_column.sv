// SPDX-License-Identifier: Apache-2.0
// A column of masked AES over more than a round, as a pipeline: four S-boxes, the affine map and the linear layer of each
// domain with the registers of `aes_masked_share`, and the S-boxes of the next round to which ShiftRows brings the bytes, with
// the random bits of a cycle shared by both as in `aes_masked_r1`. There is no round key: its shares would be masks as well,
// and the check is to do without them.
// `aes_masked_share` itself is none of a pipeline: it holds a memory of round keys, and registers that depend on themselves.
module aes_masked_column
  import aes_pkg::*;
  import aes_masked_pkg::*;
#(
    parameter bit UPPER = 1'b0  // the column is in the upper half of the state: the first of either half
) (
    input logic clk,
    input logic [8*SBOX_RANDOM-1:0] random,
    input logic [31:0] x0,
    input logic [31:0] x1,
    output logic [31:0] y0,
    output logic [31:0] y1
);

  logic [1:0][31:0] first, inverse, second, result;
  assign {y1, y0} = result;

  for (genvar i = 0; i < 4; i++) begin : gen_byte
    // Odd rows go to a second column of a half.
    localparam int unsigned NEXT = i % 2 == 0 ? i : 4 + i;
    aes_masked_inverse u_first (
        .clk,
        .random(random[SBOX_RANDOM*i+:SBOX_RANDOM]),
        .a0(first[0][8*i+:8]),
        .a1(first[1][8*i+:8]),
        .c0(inverse[0][8*i+:8]),
        .c1(inverse[1][8*i+:8])
    );
    aes_masked_inverse u_second (
        .clk,
        .random(random[SBOX_RANDOM*NEXT+:SBOX_RANDOM]),
        .a0(second[0][8*i+:8]),
        .a1(second[1][8*i+:8]),
        .c0(result[0][8*i+:8]),
        .c1(result[1][8*i+:8])
    );
  end

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    logic [31:0] substituted, mixed, mapped, mix_q, lower_q, later_q, early;
    always_comb begin
      for (int unsigned i = 0; i < 4; i++) substituted[8*i+:8] = from_tower(inverse[d][8*i+:8]);
      mixed = 32'(mix_columns(128'(mix_q)));
      for (int unsigned i = 0; i < 4; i++) mapped[8*i+:8] = to_tower(mixed[8*i+:8]);
    end
    assign early = UPPER ? mapped : lower_q;
    always_ff @(posedge clk) begin
      mix_q   <= substituted;
      lower_q <= mapped;
      later_q <= early;
      for (int unsigned i = 0; i < 4; i++) begin
        // Two rows go to the next round's lower half, which is the earlier one.
        second[d][8*i+:8] <= UPPER == (i == 1 || i == 2) ? early[8*i+:8] : later_q[8*i+:8];
      end
    end
  end

  always_ff @(posedge clk) first <= {x1, x0};

endmodule
