// SPDX-License-Identifier: Apache-2.0
// AES-128 encryption (FIPS 197) of blocks in two shares under a key in two shares (the sum of shares is the value), for
// first-order security with glitches and transitions (docs/probing.md says what is checked): eight masked S-boxes, half a
// round a cycle, five blocks in flight.
// Byte order: byte i of key and block in bits [8i+7:8i]; byte i of a half in bits [8i+7:8i], the lower half first.
// Cycles: a block is taken with `start`; its halves stand at `block0` and `block1` one and two cycles later. Its result shows
// 103 and 104 cycles after `start`. A slot of the ring, which a round makes with its ten registers, holds a block, or the
// round key that is expanded, or zeros; a block takes eleven rounds, the first and the last of which only add a round key:
// 22 cycles a block. Results come in the order of their blocks. A key takes 161 or 162 cycles. The state is in the tower field of
// `aes_masked_pkg`, so that a product of both domains sees registers alone. Round keys are stored in shares, in LUT memory.
// Outside the S-boxes' products all logic is linear and of one domain (`aes_masked_share`).
// Random bits: 64 a cycle, from registers, new in each cycle. Without `random_valid` no key and no block is taken, and
// everything is overwritten. A key takes up those of the two cycles after its own, equal in both domains.
// Security: constant time. `clear` overwrites the shares of domain 0, those of domain 1 a cycle later, the round keys in 18
// cycles, likewise; the S-boxes have neither reset nor enable and are empty seven cycles after their inputs: random bits should
// last so long.
module aes_masked_r1
  import aes_masked_pkg::*;
(
    input logic clk,
    input logic clear,
    output logic wiping,  // round keys, after a clear
    input logic random_valid,
    input logic [8*SBOX_RANDOM-1:0] random,
    output logic key_free,  // a key may come
    input logic key_new,  // take the key; only with `key_free`, and not in the cycle of a start or of the next
    input logic [127:0] key0,
    input logic [127:0] key1,
    output logic key_ready,  // blocks may come
    output logic start_ready,
    input logic start,  // take a block; only with `start_ready`
    input logic [63:0] block0,  // zero unless one comes
    input logic [63:0] block1,
    output logic ends,  // a half of a result shows a cycle later
    output logic ends_upper,  // and it is the upper one
    output logic done,  // a half of a result shows
    output logic done_upper,  // which of them
    output logic [1:0][63:0] result  // shares, while `done`
);

  // Slots of a round, two cycles each
  localparam int unsigned SLOTS = 5;
  localparam logic [3:0] LAST = 4'd10;

  typedef struct packed {
    logic       block;
    logic       expand;  // or a round key, the last word of which goes through the S-boxes
    logic [3:0] round;   // key that is added
  } token_t;

  // The first belongs to the halves behind the affine map. The slot that comes there next has its token in `next`.
  token_t [SLOTS-1:0] token;
  token_t next, next_d;
  logic upper;  // the upper half stands behind the affine map
  logic mix, show, go;
  logic key_new_q, take, goes_on, flying;
  logic expanding, expand_due, expanded, step, stepped;
  logic [3:0] expand_round;
  logic [7:0] round_constant;
  logic [1:0] wipe, walking;
  logic [1:0][3:0] walk;
  logic [1:0][63:0] state, inverse, block_halves;
  logic [1:0][127:0] key_shares;

  assign key_shares = {key1, key0};
  assign block_halves = {block1, block0};
  assign wiping = walking != '0;
  assign goes_on = token[SLOTS-1].block;
  assign start_ready = !upper && key_ready && !goes_on;
  assign take = start && start_ready;
  assign step = expanded && upper;
  assign ends_upper = ends && upper;

  always_comb begin
    flying = next.block || next.expand;
    for (int unsigned i = 0; i < SLOTS; i++) flying |= token[i].block || token[i].expand;
    next_d.block  = goes_on || take;
    next_d.expand = expand_due;
    next_d.round  = goes_on ? token[SLOTS-1].round + 4'd1 : take ? 4'd0 : expand_round;
  end

  for (genvar i = 0; i < 8; i++) begin : gen_byte
    aes_masked_inverse u_inverse (
        .clk,
        .random(random[SBOX_RANDOM*i+:SBOX_RANDOM]),
        .a0(state[0][8*i+:8]),
        .a1(state[1][8*i+:8]),
        .c0(inverse[0][8*i+:8]),
        .c1(inverse[1][8*i+:8])
    );
  end

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    aes_masked_share #(
        .CONSTANTS(d == 0)
    ) u_share (
        .clk,
        .clear(wipe[d]),
        .wiping(walking[d]),
        .walk(walk[d]),
        .upper,
        .round(next.round),
        .live(next.block || next.expand),
        .mix,
        .show,
        .out(ends),
        .go,
        .key_load(key_new),
        .key(key_shares[d]),
        .mask(random),
        .key_step(step),
        .round_constant,
        .block(block_halves[d]),
        .inverse(inverse[d]),
        .state(state[d]),
        .result(result[d])
    );
  end

  // ---- control ----

  always_ff @(posedge clk) begin
    upper      <= !upper;
    done       <= ends;
    done_upper <= ends_upper;
    if (upper) begin
      token    <= {token[SLOTS-2:1], ends ? token_t'('0) : token[0], next};
      expanded <= token[SLOTS-1].expand;
      ends     <= next.block && next.round == LAST;
    end else begin
      next <= next_d;
      mix  <= goes_on && token[SLOTS-1].round != LAST - 4'd1;
      show <= (goes_on && token[SLOTS-1].round == LAST - 4'd1) || token[SLOTS-1].expand;
      go   <= (token[0].block && token[0].round != LAST) || token[0].expand;
    end

    // A round key follows from the one before, which goes round the ring.
    if (!upper) expand_due <= 1'b0;
    stepped <= step;
    if (stepped) begin
      round_constant <= {round_constant[6:0], 1'b0} ^ (8'h1b & {8{round_constant[7]}});
      expand_round   <= expand_round + 4'd1;
      expand_due     <= 1'b1;
      if (expand_round == LAST - 4'd1) begin
        expand_round <= '0;
        expand_due   <= 1'b0;
        expanding    <= 1'b0;
        key_ready    <= 1'b1;
      end
    end
    key_new_q <= key_new;
    if (key_new) key_ready <= 1'b0;
    if (key_new_q) begin
      expanding      <= 1'b1;
      expand_due     <= 1'b1;
      round_constant <= 8'h01;
    end

    // A cycle late, for the sake of the clock: nobody starts a block beside a key.
    key_free <= wipe == '0 && walking == '0 && !expanding && !flying && !key_new && !key_new_q && next.round == '0;

    // A walk through the memories is enough until they have been written again.
    wipe <= {wipe[0], clear || !random_valid};
    walking <= {walking[0], (walking[0] && walk[0] != '1) || (wipe == 2'b01 && !walking[0])};
    walk <= {walk[0], walking[0] ? walk[0] + 4'd1 : 4'd0};
    if (clear || !random_valid) begin
      upper        <= 1'b0;
      token        <= '0;
      ends         <= 1'b0;
      done         <= 1'b0;
      done_upper   <= 1'b0;
      key_free     <= 1'b0;
      next         <= '0;
      mix          <= 1'b0;
      show         <= 1'b0;
      go           <= 1'b0;
      key_new_q    <= 1'b0;
      expanding    <= 1'b0;
      expand_due   <= 1'b0;
      expand_round <= '0;
      expanded     <= 1'b0;
      stepped      <= 1'b0;
      key_ready    <= 1'b0;
    end
  end

endmodule
