// SPDX-License-Identifier: Apache-2.0
// Deoxys-BC (docs/schemes/deoxys.md, "Definition") for modes whose calls do not depend on one another: one round's hardware
// in STAGES stages, as many blocks in flight, each with its own tweak, round and direction. One more call waits in front of
// the round, the first subtweakey already added. A token travels with every block and comes back with its result.
// The S-box is a table. With two stages the cut lies behind it, and behind the addition of the subtweakey in decryption.
// Byte order: byte i of key, tweak and block in bits [8i+7:8i].
// Cycles: R rounds are 14 (KEY_BITS 128) or 16 (256). A result is written R STAGES edges after its call leaves the waiting
// place: how calls wait and fly, round_flights says. A key takes no time if the cipher only encrypts, else R edges.
// Security: constant time, also as to the direction; `clear` zeroises everything.
module deoxys_bc
  import aes_pkg::*, aes_inverse_pkg::*, deoxys_pkg::*, deoxys_inverse_pkg::*;
#(
    parameter int unsigned KEY_BITS = 128,  // 128 or 256
    parameter int unsigned VERSION = 143,  // 141 or 143
    parameter int unsigned STAGES = 1,  // of a round, and blocks in flight: 1, 2
    parameter bit BOTH = 1'b0,  // 1: it decrypts, too
    parameter int unsigned TOKEN_BITS = 4
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  key_new,     // pulse: take `key`; only while no call is at work
    input  logic [  KEY_BITS-1:0] key,
    output logic                  key_ready,   // calls may be loaded
    output logic                  waiting,     // a call waits in front of the round
    input  logic                  load,        // take a call; only while none is `waiting`
    input  logic                  inverse,     // decrypt
    input  logic [         127:0] tweak,
    input  logic [         127:0] block,
    input  logic [TOKEN_BITS-1:0] token,
    output logic                  done,        // a result was written by the edge before
    output logic [TOKEN_BITS-1:0] done_token,  // its token; held until the next
    output logic [         127:0] result       // held until the next
);

  localparam int unsigned ROUNDS = KEY_BITS == 256 ? 16 : 14;

  if (KEY_BITS != 128 && KEY_BITS != 256) begin : gen_bad_key
    $fatal(1, "deoxys_bc: KEY_BITS = %0d, allowed: 128, 256", KEY_BITS);
  end
  if (VERSION != 141 && VERSION != 143) begin : gen_bad_version
    $fatal(1, "deoxys_bc: VERSION = %0d, allowed: 141, 143", VERSION);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "deoxys_bc: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  // The words that a subtweakey is the sum of
  typedef struct packed {
    logic [KEY_BITS-1:0] key;
    logic [127:0]        tweak;
    logic [7:0]          constant;
  } tweakey_t;

  function automatic logic [KEY_BITS-1:0] key_on(input logic [KEY_BITS-1:0] words);
    if (KEY_BITS == 256) key_on[127:0] = shift_down(permute(VERSION, words[127:0]));
    key_on[KEY_BITS-1-:128] = shift_up(permute(VERSION, words[KEY_BITS-1-:128]));
  endfunction

  function automatic logic [KEY_BITS-1:0] key_back(input logic [KEY_BITS-1:0] words);
    if (KEY_BITS == 256) key_back[127:0] = permute_back(VERSION, shift_up(words[127:0]));
    key_back[KEY_BITS-1-:128] = permute_back(VERSION, shift_down(words[KEY_BITS-1-:128]));
  endfunction

  function automatic logic [127:0] key_sum(input logic [KEY_BITS-1:0] words);
    return words[KEY_BITS-1-:128] ^ (KEY_BITS == 256 ? words[127:0] : 128'h0);
  endfunction

  // The tweak of the last round
  function automatic logic [127:0] tweak_end(input logic [127:0] word);
    tweak_end = word;
    for (int unsigned i = 0; i < ROUNDS; i++) tweak_end = permute(VERSION, tweak_end);
  endfunction

  logic [KEY_BITS-1:0] key_q, end_key;  // of the first subtweakey and of the last one
  logic backwards, start, start_plain, layer_back, last, last_inverse, ahead_inverse, unused_left;
  logic [3:0] ahead_left;
  assign backwards   = BOTH && inverse;
  assign unused_left = &{1'b0, ahead_left};

  round_flights #(
      .ROUNDS    (ROUNDS),
      .STAGES    (STAGES),
      .TOKEN_BITS(TOKEN_BITS)
  ) u_flights (
      .inverse(backwards),
      .*
  );

  // ---- the last round's key, made once a key ----

  if (BOTH) begin : gen_both_keys
    logic [KEY_BITS-1:0] end_q;
    logic walk_q;
    logic [3:0] steps_q;  // after this one
    assign end_key   = end_q;
    assign key_ready = !walk_q;
    always_ff @(posedge clk) begin
      if (key_new) end_q <= key;
      else if (walk_q) end_q <= key_on(end_q);
      if (key_new) begin
        walk_q  <= 1'b1;
        steps_q <= 4'(ROUNDS - 1);
      end else if (walk_q) begin
        walk_q  <= steps_q != '0;
        steps_q <= steps_q - 4'd1;
      end
      if (clear) begin
        end_q   <= '0;
        walk_q  <= 1'b0;
        steps_q <= '0;
      end
    end
  end else begin : gen_one_key
    assign end_key   = '0;
    assign key_ready = 1'b1;
  end

  // ---- the call that waits ----

  logic [127:0] whitened_q, tweak_q, from_tweak;
  logic wait_inverse_q;
  logic step;  // the block is to be decrypted: it begins to mix columns while it waits, which takes two cycles or more
  tweakey_t first;  // of the round that comes first for it

  assign from_tweak = backwards ? tweak_end(tweak) : tweak;
  assign first.key = wait_inverse_q ? key_back(end_key) : key_on(key_q);
  assign first.tweak = tweak_q;
  assign first.constant = wait_inverse_q ? constant_of(ROUNDS - 1) : constant_of(1);

  always_ff @(posedge clk) begin
    if (key_new) key_q <= key;
    if (step) whitened_q <= before_mix_back(whitened_q);
    if (load) begin
      wait_inverse_q <= backwards;
      tweak_q <= backwards ? permute_back(VERSION, from_tweak) : permute(VERSION, from_tweak);
      whitened_q <= block ^ from_tweak ^ key_sum(
          backwards ? end_key : key_q
      ) ^ constant_block(
          backwards ? constant_of(ROUNDS) : constant_of(0)
      );
    end
    if (clear) begin
      key_q          <= '0;
      wait_inverse_q <= 1'b0;
      tweak_q        <= '0;
      whitened_q     <= '0;
    end
  end

  if (BOTH) begin : gen_step
    logic step_q;
    assign step = step_q;
    always_ff @(posedge clk) step_q <= load && backwards && !clear;
  end else begin : gen_no_step
    assign step = 1'b0;
  end

  // ---- subtweakeys: `subtweakey_q` stands while its round mixes columns ----

  tweakey_t entering, current, next_q;
  logic [127:0] subtweakey_next, subtweakey_q;
  assign entering = start ? first : next_q;
  assign subtweakey_next = key_sum(current.key) ^ current.tweak ^ constant_block(current.constant);

  always_ff @(posedge clk) begin
    next_q.key      <= ahead_inverse ? key_back(current.key) : key_on(current.key);
    next_q.tweak    <= ahead_inverse ? permute_back(VERSION, current.tweak) : permute(VERSION, current.tweak);
    next_q.constant <= ahead_inverse ? half(current.constant) : xtime(current.constant);
    subtweakey_q    <= subtweakey_next;
    if (clear) begin
      next_q       <= '0;
      subtweakey_q <= '0;
    end
  end

  // ---- the round ----

  logic [127:0] state_q, substituted_next, substituted, unmixed, mixed;
  logic [127:0] forward, backward;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      forward[8*i+:8]  = sub_byte(SBOX_TABLE, state_q[8*i+:8]);
      backward[8*i+:8] = BOTH ? inverse_table(state_q[8*i+:8]) : 8'h00;
    end
    forward = shift_rows(forward);
    // Decrypting adds the subtweakey before the columns are mixed, encrypting after it.
    backward = shift_rows_back(backward) ^ (STAGES == 2 ? subtweakey_next : subtweakey_q);
    substituted_next = BOTH && (STAGES == 2 ? ahead_inverse : last_inverse) ? backward : forward;
  end

  if (STAGES == 2) begin : gen_cut
    logic [127:0] substituted_q;
    tweakey_t current_q;
    always_ff @(posedge clk) begin
      substituted_q    <= substituted_next;
      current_q <= entering;
      if (clear) begin
        substituted_q    <= '0;
        current_q <= '0;
      end
    end
    assign substituted = substituted_q;
    assign current = current_q;
  end else begin : gen_whole
    assign substituted = substituted_next;
    assign current = entering;
  end

  logic [127:0] made;  // in a block's last round: its result
  if (BOTH) begin : gen_both
    assign unmixed = !layer_back ? substituted : start ? whitened_q : before_mix_back(substituted);
    assign mixed = mix_columns(unmixed) ^ (subtweakey_q & {128{!layer_back}});
    assign made = last_inverse ? substituted : mixed;
  end else begin : gen_forward
    logic unused;
    assign unused = &{1'b0, layer_back, last_inverse};
    assign unmixed = substituted;
    assign mixed = mix_columns(unmixed) ^ subtweakey_q;
    assign made = mixed;
  end

  always_ff @(posedge clk) begin
    if (start_plain) state_q <= whitened_q;
    else state_q <= mixed;
    if (last) result <= made;
    if (clear) begin
      state_q <= '0;
      result  <= '0;
    end
  end

`ifndef SYNTHESIS
  logic [2:0] calls_q;  // loaded, and not done
  always_ff @(posedge clk) begin
    calls_q <= clear ? '0 : calls_q + 3'(load) - 3'(last);
    if (!clear) begin
      a_load_with_a_key : assert (!load || key_ready);
      a_key_at_rest : assert (!key_new || calls_q == '0);
    end
  end
`endif

endmodule
