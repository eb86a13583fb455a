// SPDX-License-Identifier: Apache-2.0
// AES key schedule (FIPS 197, 5.2) for an iterative encryption: shows the round key of one round at a time, from 1 on.
// Two forms: on the fly (made anew for every block), and stored (made once a key, then a ring of registers turns).
// Byte order: byte i of the key in bits [8i+7:8i].
// Cycles after `key_new`: STAGES + 1 (128-bit key) or 2 (256-bit), stored STAGES * ROUNDS more; then `ready`.
// After ROUNDS turns the key of round 1 stands again. With STAGES = 2 a key stands for two cycles at least.
// Security: constant time; `clear` zeroises everything.
module aes_key_schedule
  import aes_pkg::*;
#(
    parameter int unsigned KEY_BITS = 128,  // 128 or 256
    parameter int unsigned SBOX_FORM = SBOX_TABLE,  // SBOX_TABLE or SBOX_COMPOSITE
    parameter int unsigned STORED = 0,  // 1: keep the round keys
    parameter int unsigned STAGES = 1  // 2: the S-box is cut in the middle
) (
    input  logic                clk,
    input  logic                clear,
    input  logic                key_new,    // pulse: take `key`
    input  logic [KEY_BITS-1:0] key,
    output logic                ready,
    input  logic                turn,       // pulse: go on to the next round's key; from the last one to the first
    output logic [       127:0] first_key,  // of the addition before round 1; held
    output logic [       127:0] round_key   // held until `turn`
);

  localparam int unsigned ROUNDS = KEY_BITS == 256 ? 14 : 10;
  localparam logic [3:0] LAST_ROUND = 4'(ROUNDS);

  if (KEY_BITS != 128 && KEY_BITS != 256) begin : gen_bad_key
    $fatal(1, "aes_key_schedule: KEY_BITS = %0d, allowed: 128, 256", KEY_BITS);
  end
  if (SBOX_FORM > 1) begin : gen_bad_sbox
    $fatal(1, "aes_key_schedule: SBOX_FORM = %0d, allowed: 0 (table), 1 (composite field)", SBOX_FORM);
  end
  if (STORED > 1) begin : gen_bad_stored
    $fatal(1, "aes_key_schedule: STORED = %0d, allowed: 0, 1", STORED);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "aes_key_schedule: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  logic [KEY_BITS-1:0] key_q;
  logic [127:0] now_q;  // key of the round
  logic [7:0] rcon_q;
  logic [3:0] round_q;  // of now_q
  logic load_q;  // key_q is new
  logic setup_q, fill_q;  // making the key of round 1, filling the ring
  logic half_q;  // with STAGES = 2: now_q stands for the second cycle
  logic last_q;  // now_q is that of the last round
  logic step, advance, take_one;
  logic rotate;  // the next key takes RotWord and the round constant
  logic [127:0] base, next;
  logic [31:0] g, word, constant;

  assign first_key = key_q[127:0];

  // SubWord, in one cycle or two; what the next key takes from the old one meanwhile
  assign constant = rotate ? 32'(rcon_q) : '0;
  assign word = rotate ? rot_word(now_q[127:96]) : now_q[127:96];
  if (STAGES == 1) begin : gen_whole
    always_comb begin
      for (int unsigned i = 0; i < 4; i++) g[8*i+:8] = sub_byte(SBOX_FORM, word[8*i+:8]);
    end
    assign next = next_words(base, g ^ constant);
  end else begin : gen_halves
    logic [3:0][11:0] half_word_q;
    logic [127:0] half_next_q;
    always_ff @(posedge clk) begin
      for (int unsigned i = 0; i < 4; i++) half_word_q[i] <= sub_byte_front(SBOX_FORM, word[8*i+:8]);
      half_next_q <= next_words(base, constant);
      if (clear) begin
        half_word_q <= '0;
        half_next_q <= '0;
      end
    end
    always_comb begin
      for (int unsigned i = 0; i < 4; i++) g[8*i+:8] = sub_byte_back(SBOX_FORM, half_word_q[i]);
    end
    assign next = half_next_q ^ {4{g}};
  end

  // Key of round 1, to begin again with, and the key one word group before now_q
  logic [127:0] one;
  logic [  7:0] rcon_one;
  if (KEY_BITS == 256) begin : gen_256
    logic [127:0] before_q;
    assign one = key_q[KEY_BITS-1-:128];
    assign rcon_one = 8'h01;
    assign base = before_q;
    assign rotate = round_q[0];  // the next round is even
    always_ff @(posedge clk) begin
      if (advance) before_q <= take_one ? key_q[127:0] : now_q;
      if (clear) before_q <= '0;
    end
  end else begin : gen_128
    logic [127:0] one_q;
    assign one = one_q;
    assign rcon_one = 8'h02;
    assign base = now_q;
    assign rotate = 1'b1;
    always_ff @(posedge clk) begin
      if (setup_q) one_q <= next;
      if (clear) one_q <= '0;
    end
  end

  logic at_half;
  assign at_half = STAGES == 1 || half_q;
  assign step = fill_q ? at_half : STORED == 0 && turn;
  assign advance = step || (setup_q && (KEY_BITS == 256 || at_half));
  assign take_one = (STORED == 0 && last_q) || (KEY_BITS == 256 && setup_q);

  always_ff @(posedge clk) begin
    half_q <= !half_q;
    if (advance) begin
      now_q   <= take_one ? one : next;
      rcon_q  <= take_one ? rcon_one : rotate ? xtime(rcon_q) : rcon_q;
      round_q <= take_one ? 4'd1 : round_q + 4'd1;
      last_q  <= !take_one && round_q == LAST_ROUND - 4'd1;
    end
    if (step && last_q) fill_q <= 1'b0;
    if (setup_q && (KEY_BITS == 256 || at_half)) begin
      setup_q <= 1'b0;
      fill_q  <= STORED == 1;
      half_q  <= 1'b0;
    end
    load_q <= key_new;
    if (key_new) key_q <= key;
    if (load_q) begin
      now_q   <= key_q[127:0];
      rcon_q  <= 8'h01;
      round_q <= '0;
      last_q  <= 1'b0;
      setup_q <= 1'b1;
      fill_q  <= 1'b0;
      half_q  <= 1'b0;
    end
    if (clear) begin
      key_q   <= '0;
      now_q   <= '0;
      rcon_q  <= '0;
      round_q <= '0;
      last_q  <= 1'b0;
      load_q  <= 1'b0;
      setup_q <= 1'b0;
      fill_q  <= 1'b0;
      half_q  <= 1'b0;
    end
  end

  assign ready = !load_q && !setup_q && !fill_q;

  if (STORED == 1) begin : gen_stored
    logic [ROUNDS-1:0][127:0] ring_q;
    always_ff @(posedge clk) begin
      if (fill_q ? at_half : turn) ring_q <= {fill_q ? now_q : ring_q[0], ring_q[ROUNDS-1:1]};
      if (clear) ring_q <= '0;
    end
    assign round_key = ring_q[0];
  end else begin : gen_fly
    assign round_key = now_q;
  end

endmodule
