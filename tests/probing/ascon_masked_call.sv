// SPDX-License-Identifier: Apache-2.0
// A call in shares of Ascon-AEAD128, cut short: the key enters the state, a round, and one column of the next round; and what
// the end of a call does with the round's last two words: key and fresh masks join them, in registers. One bit of each stands for
// all, which are alike. `random_before` are
// the round's random bits, a cycle ahead.
module ascon_masked_call
  import ascon_pkg::*, ascon_aead_masked_pkg::*;
#(
    parameter bit LAST = 1'b0  // the last call, else the first
) (
    input logic clk,
    input logic [2:0][63:0] random_before,
    input state_t plain,
    input state_t mask,
    input logic [1:0] end_mask,
    input logic [127:0] key0,
    input logic [127:0] key1,
    output logic [4:0] y0,
    output logic [4:0] y1,
    output logic [1:0] computed0,
    output logic [1:0] computed1
);

  state_t plain_q, mask_q, state0, state1;
  logic [127:0] key0_q, key1_q, end0, end1;
  logic [1:0] end_mask_q;
  logic [2:0][63:0] random;

  always_ff @(posedge clk) begin
    random     <= random_before;
    plain_q    <= plain;
    mask_q     <= mask;
    end_mask_q <= end_mask;
    key0_q     <= key0;
    key1_q     <= key1;
    computed0  <= {end0[64], end0[0]};
    computed1  <= {end1[64], end1[0]};
  end

  ascon_masked_round u_first (
      .clk,
      .random,
      .x0(entry(plain_q, key0_q, LAST, mask_q)),
      .x1(entry('0, key1_q, LAST, mask_q)),
      .y0(state0),
      .y1(state1)
  );

  assign end0 = sealed(state0[4:3], key0_q, {63'b0, end_mask_q[1], 63'b0, end_mask_q[0]});
  assign end1 = sealed(state1[4:3], key1_q, {63'b0, end_mask_q[1], 63'b0, end_mask_q[0]});

  ascon_masked_column u_second (
      .clk,
      .random,
      .x0(state0),
      .x1(state1),
      .y0,
      .y1
  );

endmodule
