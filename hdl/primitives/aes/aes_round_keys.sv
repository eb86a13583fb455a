// SPDX-License-Identifier: Apache-2.0
// All round keys of AES-128 (FIPS 197, 5.2) side by side, made once a key: for blocks in different rounds, or in both
// directions, at the same time.
// Byte order: byte i of a key in bits [8i+7:8i].
// Cycles: `ready` rises 23 edges after the one that takes `key_new`.
// Security: constant time; `clear` zeroises everything.
module aes_round_keys
  import aes_pkg::*;
#(
    parameter int unsigned SBOX_FORM = SBOX_TABLE,  // SBOX_TABLE or SBOX_COMPOSITE
    localparam int unsigned ROUNDS = 10
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic                   key_new,  // pulse: take `key`
    input  logic [   127:0]        key,
    output logic                   ready,
    output logic [ROUNDS:0][127:0] keys      // of the first addition, then of each round; held
);

  logic [127:0] first_key, round_key;
  logic [ROUNDS-1:0][127:0] keys_q;
  logic schedule_ready, fill_q, turn_q;
  logic [3:0] left_q;  // round keys still to be stored

  aes_key_schedule #(
      .KEY_BITS (128),
      .SBOX_FORM(SBOX_FORM),
      .STORED   (0),
      .STAGES   (2)
  ) u_keys (
      .clk,
      .clear,
      .key_new,
      .key,
      .ready(schedule_ready),
      .turn (turn_q),
      .first_key,
      .round_key
  );

  assign keys  = {keys_q, first_key};
  assign ready = !fill_q;

  // A round key stands for two cycles; in the second one it is stored and the schedule goes on.
  always_ff @(posedge clk) begin
    turn_q <= fill_q && schedule_ready && !turn_q && left_q != '0;
    if (turn_q) begin
      keys_q <= {round_key, keys_q[ROUNDS-1:1]};
      left_q <= left_q - 4'd1;
      if (left_q == 4'd1) fill_q <= 1'b0;
    end
    if (key_new) begin
      left_q <= 4'(ROUNDS);
      fill_q <= 1'b1;
      turn_q <= 1'b0;
    end
    if (clear) begin
      keys_q <= '0;
      left_q <= '0;
      fill_q <= 1'b0;
      turn_q <= 1'b0;
    end
  end

endmodule
