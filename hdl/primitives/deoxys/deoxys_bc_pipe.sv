// SPDX-License-Identifier: Apache-2.0
// Deoxys-BC with a key of 128 bits (docs/schemes/deoxys.md, "Definition"), encryption only, unrolled: 14 rounds side by side, a
// block a cycle, each with its own tweak, S-boxes in block RAM (aes_round_rom). It never stops: every cycle takes what stands at
// `block` and `tweak`, and what goes with a block travels beside it in the owner's shift registers.
// A round is two stages; its subtweakey is summed a cycle before it is added. The tweak travels beside the block, what a round
// takes of it and of the key is wires and a sum of a byte's bits: no round keys are stored.
// Byte order: byte i of key, tweak and block in bits [8i+7:8i].
// Cycles: `result` shows a block LATENCY = 29 edges after it stood at `block`. Blocks may start two edges after the one that takes
// key_new.
// Security: constant time; `clear` zeroises the key. Blocks and tweaks on their way are not wiped but pushed out: hold `clear` and
// zero at `block` and `tweak` for LATENCY + 1 cycles.
module deoxys_bc_pipe
  import deoxys_pkg::*;
#(
    parameter int unsigned VERSION = 143  // 141 or 143
) (
    input  logic         clk,
    input  logic         clear,
    input  logic         key_new,  // pulse: take `key`; only while no block is in flight
    input  logic [127:0] key,
    input  logic [127:0] tweak,
    input  logic [127:0] block,
    output logic [127:0] result
);

  localparam int unsigned ROUNDS = 14;

  if (VERSION != 141 && VERSION != 143) begin : gen_bad_version
    $fatal(1, "deoxys_bc_pipe: VERSION = %0d, allowed: 141, 143", VERSION);
  end

  // What round `round` adds of the key, its constant included, and of the tweak
  function automatic logic [127:0] of_key(input int unsigned round, input logic [127:0] word);
    of_key = word;
    for (int unsigned i = 0; i < round; i++) of_key = shift_up(permute(VERSION, of_key));
    of_key ^= constant_block(constant_of(round));
  endfunction

  function automatic logic [127:0] of_tweak(input int unsigned round, input logic [127:0] word);
    of_tweak = word;
    for (int unsigned i = 0; i < round; i++) of_tweak = permute(VERSION, of_tweak);
  endfunction

  logic [127:0] key_q;
  logic [2*ROUNDS-1:0][127:0] tweaks;  // of the block that entered so many cycles before
  logic [2*ROUNDS-1:1][127:0] tweaks_q;
  logic [ROUNDS:0][127:0] state;  // after the round of that number

  assign tweaks = {tweaks_q, tweak};
  always_ff @(posedge clk) begin
    tweaks_q <= tweaks[2*ROUNDS-2:0];
    if (key_new) key_q <= key;
    if (clear) key_q <= '0;
  end

  assign state[0] = block ^ tweak ^ of_key(0, key_q);

  for (genvar r = 1; r <= ROUNDS; r++) begin : gen_round
    logic [127:0] mixed, plain, subtweakey_q;
    logic unused;
    assign unused = &{1'b0, plain};
    aes_round_rom u_round (
        .clk,
        .state(state[r-1]),
        .plain,
        .mixed
    );
    always_ff @(posedge clk) subtweakey_q <= of_tweak(r, tweaks[2*r-1]) ^ of_key(r, key_q);
    assign state[r] = mixed ^ subtweakey_q;
  end

  always_ff @(posedge clk) result <= state[ROUNDS];

endmodule
