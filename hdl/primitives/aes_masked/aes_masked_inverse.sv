// SPDX-License-Identifier: Apache-2.0
// Inversion in GF(256) of bytes in two shares (their sum is the byte), in the tower field of `aes_masked_pkg`;
// first-order secure with glitches and transitions (docs/probing.md). Domain-oriented (Gross, Mangard, Korak,
// "Domain-Oriented Masking", TIS 2016): a value of one domain is made of that domain's share alone, but for the terms
// that join both, each of which gets a random bit and a register of its own. A further register holds each sum before
// it is multiplied, which saves the random bits of a multiplier with dependent inputs.
// Cycles: seven registers deep, one byte a cycle. a0, a1 are registers outside; the last layer of sums is logic after
// the last registers, linear in each domain. The random bits are uniform and new in each cycle, and no other module
// takes them. Layers share them within a cycle: a byte takes its bits at cycles 0, 2, 4 and 6 of its way, and a probe
// sees bytes of two cycles in succession, so no probe sees a bit of one cycle in two layers.
// Security: no enables and no reset; the user shifts random bytes in to overwrite secrets.
module aes_masked_inverse
  import aes_masked_pkg::*;
(
    input logic clk,
    input logic [SBOX_RANDOM-1:0] random,
    input logic [7:0] a0,
    input logic [7:0] a1,
    output logic [7:0] c0,
    output logic [7:0] c1
);

  logic [1:0][7:0] a;
  logic [1:0][7:0] result;
  assign a = {a1, a0};
  assign {c1, c0} = result;

  // The name tells the value, the number after it how many registers lie between it and a.
  logic [1:0][7:0] a_1, a_2, a_3, a_4, a_5, a_6;
  logic [1:0][3:0] norm_cross_1, norm_2, norm_3, norm_4, norm_5;
  logic [1:0][1:0] inner_cross_3, inner_4, inner_5;
  logic [1:0][3:0] root_cross_5, root_6;
  logic [1:0][7:0] result_cross_7, result_own_7;

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    always_ff @(posedge clk) begin
      {a_6[d], a_5[d], a_4[d], a_3[d], a_2[d], a_1[d]} <= {a_5[d], a_4[d], a_3[d], a_2[d], a_1[d], a[d]};
      {norm_5[d], norm_4[d], norm_3[d]} <= {norm_4[d], norm_3[d], norm_2[d]};
      inner_5[d] <= inner_4[d];

      // Norm in GF(16)
      norm_cross_1[d] <= gf16_times(a[d][7:4], a[1-d][3:0]) ^ random[3:0];
      norm_2[d] <= gf16_times(a_1[d][7:4], a_1[d][3:0]) ^ gf256_norm_linear(a_1[d]) ^ norm_cross_1[d];

      // Its norm in GF(4), inverted
      inner_cross_3[d] <= gf4_times(norm_2[d][3:2], norm_2[1-d][1:0]) ^ random[5:4];
      inner_4[d] <= gf4_inverse(
          gf4_times(norm_3[d][3:2], norm_3[d][1:0]) ^ gf16_norm_linear(norm_3[d]) ^ inner_cross_3[d]
      );

      // The inverse of the norm in GF(16)
      root_cross_5[d] <= {gf4_times(
          norm_4[1-d][1:0], inner_4[d]
      ), gf4_times(
          norm_4[1-d][3:2], inner_4[d]
      )} ^ random[3:0];
      root_6[d] <= {gf4_times(norm_5[d][1:0], inner_5[d]), gf4_times(norm_5[d][3:2], inner_5[d])} ^ root_cross_5[d];

      // The inverse in GF(256)
      result_cross_7[d] <= {gf16_times(a_6[1-d][3:0], root_6[d]), gf16_times(a_6[1-d][7:4], root_6[d])} ^ random;
      result_own_7[d] <= {gf16_times(a_6[d][3:0], root_6[d]), gf16_times(a_6[d][7:4], root_6[d])};
    end

    assign result[d] = result_own_7[d] ^ result_cross_7[d];
  end

endmodule
