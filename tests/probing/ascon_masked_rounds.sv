// SPDX-License-Identifier: Apache-2.0
// One column of the S-box of Ascon-p in shares, behind the S-boxes and the linear layer of the round before, without
// registers between the rounds. Both take the random bits of the cycle, as rounds of two states in one ring do.
// All columns are alike; logic of the first round that this one does not see is removed.
module ascon_masked_rounds
  import ascon_pkg::*;
(
    input logic clk,
    input logic [2:0][63:0] random,
    input state_t x0,
    input state_t x1,
    output logic [4:0] y0,
    output logic [4:0] y1
);

  state_t state0, state1;

  ascon_masked_round u_first (
      .clk,
      .random,
      .x0,
      .x1,
      .y0(state0),
      .y1(state1)
  );

  ascon_masked_column u_second (
      .clk,
      .random,
      .x0(state0),
      .x1(state1),
      .y0,
      .y1
  );

endmodule
