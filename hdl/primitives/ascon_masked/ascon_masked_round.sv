// SPDX-License-Identifier: Apache-2.0
// A round of Ascon-p, but for its constant, on a state in two shares (their sum is the state): S-box and linear layer.
// First-order secure with glitches and transitions, alone and from one round into the next (docs/probing.md).
// Specification: NIST SP 800-232 section 3, through ascon_pkg. The user adds the constant to x0[2].
// Cycles: two registers deep, a state a cycle; y0 and y1 are logic after the last registers, linear in each domain.
// Security: 192 random bits a cycle, uniform, new in each, and taken by nobody else for a state in work. No enable and no reset;
// the user shifts other values in to overwrite secrets.
module ascon_masked_round
  import ascon_pkg::*;
(
    input logic clk,
    input logic [2:0][63:0] random,
    input state_t x0,
    input state_t x1,
    output state_t y0,
    output state_t y1
);

  state_t columns0, columns1;

  ascon_masked_sbox u_sbox (
      .clk,
      .random,
      .x0,
      .x1,
      .y0(columns0),
      .y1(columns1)
  );

  assign y0 = diffuse(columns0);
  assign y1 = diffuse(columns1);

endmodule
