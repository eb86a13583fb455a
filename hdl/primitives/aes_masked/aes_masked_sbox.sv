// SPDX-License-Identifier: Apache-2.0
// The AES S-box on bytes in two shares (their sum is the byte), in the standard's own basis: `aes_masked_inverse`
// between two linear maps of each domain. First-order secure with glitches and transitions (docs/probing.md).
// Cycles: eight registers deep, one byte a cycle; y is logic after the last registers. Ports as `aes_masked_inverse`
// says.
module aes_masked_sbox
  import aes_masked_pkg::*;
(
    input logic clk,
    input logic [SBOX_RANDOM-1:0] random,
    input logic [7:0] x0,
    input logic [7:0] x1,
    output logic [7:0] y0,
    output logic [7:0] y1
);

  // Registers after the map: a glitch in a product of both domains must not show more than the product's own bits.
  logic [7:0] tower0, tower1, inverse0, inverse1;

  always_ff @(posedge clk) begin
    tower0 <= to_tower(x0);
    tower1 <= to_tower(x1);
  end

  aes_masked_inverse u_inverse (
      .clk,
      .random,
      .a0(tower0),
      .a1(tower1),
      .c0(inverse0),
      .c1(inverse1)
  );

  assign y0 = from_tower(inverse0) ^ AFFINE;
  assign y1 = from_tower(inverse1);

endmodule
