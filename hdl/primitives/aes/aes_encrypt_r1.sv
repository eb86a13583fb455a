// SPDX-License-Identifier: Apache-2.0
// AES encryption (FIPS 197), one round a cycle, one block at a time, in two lanes that take turns: `start` begins a block
// whose result appears at `result[lane]`, so that a user may hold one result while the other is made. A block that starts in
// the last round of the one before can take up bytes of its result, which `chain` names.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: ROUNDS after the edge that takes `start` the result is written; the next start may come with that last round.
// Security: constant time; `clear` zeroises everything.
module aes_encrypt_r1
  import aes_pkg::*;
#(
    parameter int unsigned KEY_BITS = 128,  // 128 or 256
    parameter int unsigned SBOX_FORM = SBOX_TABLE,  // SBOX_TABLE or SBOX_COMPOSITE
    parameter int unsigned STORED_KEYS = 0  // 1: keep the round keys
) (
    input logic clk,
    input logic clear,
    input logic key_new,  // pulse: take `key`; only while no block is in flight
    input logic [KEY_BITS-1:0] key,
    output logic key_ready,  // blocks may start
    input logic start,  // pulse: take `block`; in the last round of a block or while there is none
    input logic lane,
    input logic [127:0] block,
    input logic [15:0] chain,  // bytes of the result that the edge of `start` writes, which `block` still lacks
    output logic [1:0] flying,  // a block of the lane is under way
    output logic [1:0] done,  // its result was written by the edge before
    output logic [1:0][127:0] result  // held until the lane's next
);

  localparam int unsigned ROUNDS = KEY_BITS == 256 ? 14 : 10;

  logic [127:0] state_q, first_key, round_key, shifted, made, chained, added;
  logic [3:0] round_q;
  logic run, last;

  assign run  = flying != '0;
  assign last = round_q == 4'(ROUNDS);

  aes_key_schedule #(
      .KEY_BITS (KEY_BITS),
      .SBOX_FORM(SBOX_FORM),
      .STORED   (STORED_KEYS),
      .STAGES   (1)
  ) u_keys (
      .clk,
      .clear,
      .key_new,
      .key,
      .ready(key_ready),
      .turn (run),
      .first_key,
      .round_key
  );

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) shifted[8*i+:8] = sub_byte(SBOX_FORM, state_q[8*i+:8]);
    shifted = shift_rows(shifted);
  end
  assign made = shifted ^ round_key;

  // A chained start takes a result on its way. What is added to it does not wait for the S-boxes.
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) chained[8*i+:8] = {8{chain[i] && start}};
  end
  assign added = start ? block ^ first_key ^ (round_key & chained) : round_key;

  always_ff @(posedge clk) begin
    if (start || run) state_q <= (mix_columns(shifted) & {128{!start}}) ^ (shifted & chained) ^ added;
    if (run) round_q <= round_q + 4'd1;
    for (int unsigned i = 0; i < 2; i++) begin
      if (flying[i] && last) result[i] <= made;
    end
    done <= flying & {2{last}};
    if (last) flying <= '0;
    if (start) begin
      round_q <= 4'd1;
      flying  <= {lane, !lane};
    end
    if (clear) begin
      state_q <= '0;
      round_q <= '0;
      flying  <= '0;
      done    <= '0;
      result  <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) a_start_after_a_block : assert (!start || (key_ready && (!run || last)));
  end
`endif

endmodule
