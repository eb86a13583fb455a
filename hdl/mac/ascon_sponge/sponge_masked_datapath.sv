// SPDX-License-Identifier: Apache-2.0
// Serial sponge MAC, masked, data path: every call on a state in two shares, the block beside them, which is public.
// Specification: docs/cores/ascon-mac-masked.md. Byte order: byte i of key, block and tag in bits [8i+7:8i] of its port.
// Cycles: with `sponge_ctrl` a call takes two cycles a round and one more, the first, in which it enters the round. The last
// one's outcome stands in `tag` from the cycle after `finish` on, until `tag_drop`.
// Security: no data-dependent control. Blocks meet domain 0 straight from registers. `clear` zeroises domain 0 and what is not
// in shares, `clear_late` domain 1; the round is empty two cycles later.
module sponge_masked_datapath
  import ascon_pkg::*;
  import sponge_pkg::*;
#(
    parameter  int unsigned        ROUNDS_A  = 12,
    parameter  int unsigned        ROUNDS_B  = 12,
    parameter  int unsigned        BYTES_LE  = 1,
    parameter  logic        [63:0] IV        = '0,
    localparam int unsigned        LEFT_BITS = $clog2(2 * ROUNDS_A + 1)
) (
    input logic clk,
    input logic clear,
    input logic clear_late, // `clear`, one cycle later

    input logic [2:0][63:0] random,  // new in each cycle

    input  logic                          key_taken,
    input  logic   [          1:0][127:0] key,
    input  step_t                         step,
    input  logic   [LEFT_BITS-1:0]        left,
    input  state_t                        block,      // padded; zero when nothing is absorbed
    input  logic                          tag_drop,
    output logic   [          1:0][127:0] tag         // shares of the state's first words
);

  localparam logic LE = BYTES_LE != 0;
  localparam logic [3:0] FROM_A = 4'(ROUNDS - ROUNDS_A), FROM_B = 4'(ROUNDS - ROUNDS_B);

  state_t [1:0] state, x, y;
  state_t block_q, absorbed, mask;
  logic enter_q, long_q, made;

  // Only a tag of one squeeze comes out, and what the state takes does not depend on the call.
  logic idle, unused;
  assign unused = &{1'b0, step.squeeze, step.fresh, idle};

  always_comb begin
    absorbed = block;
    absorbed[4][LE?63 : 0] ^= step.domain;
  end

  always_ff @(posedge clk) begin
    enter_q <= step.load || (step.run && left == '0 && !step.finish);
    long_q  <= step.load || step.domain;
    block_q <= absorbed & {320{step.run}};
    if (clear) begin
      enter_q <= 1'b0;
      long_q  <= 1'b0;
      block_q <= '0;
    end
  end

  ascon_masked_permutation u_permutation (
      .clk,
      .clear,
      .stop(1'b0),
      .random,
      .load(enter_q),
      .from(long_q ? FROM_A : FROM_B),
      .x,
      .y,
      .made,
      .idle,
      .mask
  );

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    sponge_masked_share #(
        .LE(LE)
    ) u_share (
        .clk,
        .clear(d == 0 ? clear : clear_late),
        .key_load(key_taken),
        .key(key[d]),
        .key_renew(step.load),
        .random(random[1:0]),
        .mask,
        .begins(step.load),
        .iv(d == 0 ? IV : '0),
        .made,
        .y(y[d]),
        .drop(enter_q || tag_drop),
        .state(state[d]),
        .tag(tag[d])
    );
    assign x[d] = state[d] ^ (d == 0 ? block_q : '0);
  end

endmodule
