// SPDX-License-Identifier: Apache-2.0
// SCREAM version 3, authenticated encryption, seal and open; historical, for it has weak keys: a tweakable cipher in both
// directions of one round a cycle or of two half-length stages with two blocks in flight. Specification:
// docs/schemes/scream.md, docs/cores/scream.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 20 a block of 16 bytes with 10 steps, 24 with 12, whichever cipher it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module scream_core
  import aead_pkg::*, thetacb_pkg::*, scream_tweak_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 88,  // 88
    parameter int unsigned TAG_BITS = 128,  // 128
    parameter int unsigned VERSION = 3,  // 3
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STEPS = 10,  // of two rounds: 10 or 12
    parameter int unsigned STAGES = 1  // of a round: 1, or 2 with two blocks in flight
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "scream_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "scream_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS != 88) begin : gen_bad_nonce
    $fatal(1, "scream_core: NONCE_BITS = %0d, allowed: 88", NONCE_BITS);
  end
  if (TAG_BITS != 128) begin : gen_bad_tag
    $fatal(1, "scream_core: TAG_BITS = %0d, allowed: 128", TAG_BITS);
  end
  if (VERSION != 3) begin : gen_bad_version
    $fatal(1, "scream_core: VERSION = %0d, allowed: 3", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "scream_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (STEPS != 10 && STEPS != 12) begin : gen_bad_steps
    $fatal(1, "scream_core: STEPS = %0d, allowed: 10, 12", STEPS);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "scream_core: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  localparam int unsigned PLACES = STAGES + 2;

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  datapath_t orders;
  logic emit_idle;
  logic [127:0] in_block;
  logic [15:0] in_mask;
  logic cipher_key_ready, cipher_waiting, cipher_done, sum_made;
  token_t token, cipher_token;
  logic [87:0] nonce;
  logic [127:0] block, cipher_result, out_block, tag;
  logic [PLACES-1:1] move;

  aead_shell #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS),
      .AD_CACHE (1'b0)
  ) u_shell (
      .block_clear(orders.block_clear),
      .*
  );

  thetacb_schedule #(
      .DATA_BITS(DATA_BITS),
      .NUMBER_BITS(NUMBER_BITS),
      .COUNT_SHORT(1'b0),
      .AD_CACHE(1'b0),
      .PLACES(PLACES)
  ) u_schedule (
      .*
  );

  thetacb_datapath #(
      .NONCE_BITS(NONCE_BITS),
      .AD_CACHE(1'b0),
      .SUM_PADDED(1'b0),
      .PLACES(PLACES)
  ) u_datapath (
      .ctl(orders),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .nonce_stands(nonce),
      .short_block(short_block_of(orders.about.rest)),
      .*
  );

  scream_cipher #(
      .STEPS     (STEPS),
      .STAGES    (STAGES),
      .TOKEN_BITS(TOKEN_BITS)
  ) u_cipher (
      .clk,
      .clear,
      .key_new(front.key_new),
      .key(port.key.data),
      .key_ready(cipher_key_ready),
      .waiting(cipher_waiting),
      .load(orders.load),
      .inverse(orders.inverse),
      .tweak(tweak_of(orders.about, nonce)),
      .block,
      .token,
      .done(cipher_done),
      .done_token(cipher_token),
      .result(cipher_result)
  );

endmodule
