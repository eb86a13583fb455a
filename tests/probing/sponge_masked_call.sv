// SPDX-License-Identifier: Apache-2.0
// What a masked sponge MAC does around a call in shares, cut short: IV and key make the state, or a state is there (FIRST = 0);
// a round; the state stands in registers, with fresh masks, between two calls; a block joins it and one column of the next
// call's round follows; bits of both words of the tag are prepared for their comparison. `random_before` are the round's random
// bits, a cycle ahead.
module sponge_masked_call
  import ascon_pkg::*, sponge_masked_pkg::*;
#(
    parameter bit FIRST = 1'b1  // behind the first call, else behind another
) (
    input logic clk,
    input logic [2:0][63:0] random_before,
    input state_t mask,
    input state_t end_mask,
    input state_t block,
    input logic [1:0] expected,
    input logic [127:0] key0,
    input logic [127:0] key1,
    input state_t before0,
    input state_t before1,
    output logic [4:0] y0,
    output logic [4:0] y1,
    output logic [1:0] equal0,
    output logic [1:0] equal1
);

  state_t mask_q, end_mask_q, block_q, start0, start1, behind0, behind1, state0, state1;
  logic [127:0] key0_q, key1_q;
  logic [1:0] expected_q;
  logic [2:0][63:0] random;

  always_ff @(posedge clk) begin
    random     <= random_before;
    mask_q     <= mask;
    end_mask_q <= end_mask;
    block_q    <= block;
    expected_q <= expected;
    key0_q     <= key0;
    key1_q     <= key1;
    start0     <= FIRST ? begun(64'h0010200080cc0005, key0_q, mask_q) : before0;
    start1     <= FIRST ? begun('0, key1_q, mask_q) : before1;
    state0     <= kept(behind0, end_mask_q);
    state1     <= kept(behind1, end_mask_q);
    equal0     <= {state0[1][0], state0[0][0]} ^ ~expected_q;
    equal1     <= {state1[1][0], state1[0][0]};
  end

  ascon_masked_round u_first (
      .clk,
      .random,
      .x0(start0 ^ block_q),
      .x1(start1),
      .y0(behind0),
      .y1(behind1)
  );

  ascon_masked_column u_second (
      .clk,
      .random,
      .x0(state0 ^ block_q),
      .x1(state1),
      .y0,
      .y1
  );

endmodule
