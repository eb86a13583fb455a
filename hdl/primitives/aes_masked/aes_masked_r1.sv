// SPDX-License-Identifier: Apache-2.0
// AES-128 encryption (FIPS 197) of blocks in two shares under a key in two shares (the sum of shares is the value), for
// first-order security with glitches and transitions (docs/probing.md says what is checked): 16 masked S-boxes, eight
// blocks in flight.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: 80 from the edge that takes a block to the edge that writes its result; eight blocks may start in eight
// cycles and the next eight 80 cycles later, 10 cycles a block. Results come in the order of their blocks. A key takes
// 81 cycles. A round is eight registers long, one of which is the state; a slot of the ring that a round makes holds a
// block or zeros. The state is in the tower field of `aes_masked_pkg`, so that a product of both domains sees registers
// alone. Round keys are stored in shares. Outside the S-boxes' products all logic is linear and of one domain.
// Random bits: 128 a cycle, from registers, new in each cycle. Without `random_valid` no key and no block is taken, and
// everything is overwritten.
// Security: constant time. `clear` overwrites the shares of domain 0, those of domain 1 a cycle later; the S-boxes have
// neither reset nor enable and are empty seven cycles after that: random bits should last so long.
module aes_masked_r1
  import aes_pkg::*;
  import aes_masked_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic random_valid,
    input logic [16*SBOX_RANDOM-1:0] random,
    output logic key_free,  // a key may come
    input logic key_new,  // take the key; only with `key_free`
    input logic [127:0] key0,
    input logic [127:0] key1,
    output logic key_ready,  // blocks may come
    output logic start_ready,
    input logic start,  // take the block; only with `start_ready`
    input logic [127:0] block0,
    input logic [127:0] block1,
    output logic done,  // pulse: a result was written by the edge before
    output logic [1:0][127:0] result  // shares; held until the next
);

  // Registers of a round
  localparam int unsigned SLOTS = 8;
  localparam int unsigned ROUNDS = 10;

  typedef struct packed {
    logic       valid;
    logic [3:0] round;  // that the S-boxes work on
  } token_t;

  // The first belongs to the state, the last to the S-boxes' results.
  token_t [SLOTS-1:0] token;
  token_t arriving;
  logic [1:0][127:0] state, inverse, key_shares, block_shares;
  logic [1:0] wipe;
  logic take_key, expanding, expanded, flying, last, go_on, take;
  logic [3:0] key_round, use_round;
  logic [2:0] key_phase;
  logic [7:0] round_constant;

  assign key_shares = {key1, key0};
  assign block_shares = {block1, block0};
  assign arriving = token[SLOTS-1];
  assign last = arriving.valid && arriving.round == 4'(ROUNDS);
  assign go_on = arriving.valid && !last;
  assign key_free = random_valid && wipe == '0 && !expanding && !flying;
  assign take_key = key_new && key_free;
  assign start_ready = key_ready && random_valid && wipe == '0 && !go_on && !take_key;
  assign take = start && start_ready;
  assign expanded = expanding && key_phase == 3'd7;
  assign use_round = expanding ? key_round - 4'd1 : arriving.round;

  always_comb begin
    flying = 1'b0;
    for (int unsigned i = 0; i < SLOTS; i++) flying |= token[i].valid;
  end

  for (genvar i = 0; i < 16; i++) begin : gen_byte
    aes_masked_inverse u_inverse (
        .clk,
        .random(random[SBOX_RANDOM*i+:SBOX_RANDOM]),
        .a0(state[0][8*i+:8]),
        .a1(state[1][8*i+:8]),
        .c0(inverse[0][8*i+:8]),
        .c1(inverse[1][8*i+:8])
    );
  end

  // ---- what a domain does with its own share ----

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    logic [ROUNDS:0][127:0] keys;
    logic [127:0] substituted, shifted, round_key, next_key, next;
    logic [31:0] word;

    always_comb begin
      // The constants belong to domain 0.
      for (int unsigned i = 0; i < 16; i++) begin
        substituted[8*i+:8] = from_tower(inverse[d][8*i+:8]) ^ (d == 0 ? AFFINE : 8'h00);
      end
      shifted = shift_rows(substituted);
      round_key = keys[use_round];
      next_key = next_words(round_key, substituted[31:0] ^ (d == 0 ? {24'b0, round_constant} : 32'b0));
      word = rot_word(take_key ? key_shares[d][127:96] : next_key[127:96]);
      // The last word of a round key goes through four S-boxes.
      if (take_key || expanded) next = {96'b0, word};
      else if (go_on) next = mix_columns(shifted) ^ round_key;
      else if (take) next = block_shares[d] ^ keys[0];
      else next = '0;
    end

    always_ff @(posedge clk) begin
      for (int unsigned i = 0; i < 16; i++) state[d][8*i+:8] <= to_tower(next[8*i+:8]);
      if (take_key) keys[0] <= key_shares[d];
      if (expanded) keys[key_round] <= next_key;
      if (last) result[d] <= shifted ^ round_key;
      if (wipe[d]) begin
        state[d]  <= '0;
        keys      <= '0;
        result[d] <= '0;
      end
    end
  end

  // ---- control ----

  always_ff @(posedge clk) begin
    token <= {token[SLOTS-2:0], token_t'('0)};
    if (go_on) token[0] <= '{valid: 1'b1, round: arriving.round + 4'd1};
    if (take) token[0] <= '{valid: 1'b1, round: 4'd1};
    done <= last;

    key_phase <= key_phase + 3'd1;
    if (expanded) begin
      key_round <= key_round + 4'd1;
      round_constant <= xtime(round_constant);
      if (key_round == 4'(ROUNDS)) begin
        expanding <= 1'b0;
        key_ready <= 1'b1;
      end
    end
    if (take_key) begin
      expanding <= 1'b1;
      key_ready <= 1'b0;
      key_round <= 4'd1;
      key_phase <= '0;
      round_constant <= 8'h01;
    end

    wipe <= {wipe[0], clear || !random_valid};
    if (clear || !random_valid) begin
      token <= '0;
      done <= 1'b0;
      expanding <= 1'b0;
      key_ready <= 1'b0;
      key_phase <= '0;  // it tells how long the core has worked
    end
  end

endmodule
