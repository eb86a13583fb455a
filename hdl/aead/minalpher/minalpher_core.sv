// SPDX-License-Identifier: Apache-2.0
// Minalpher version 1.1 authenticated encryption: seal, open, AD cache; a permutation of one round a cycle or of two
// half-length stages with two calls in flight. Specification: docs/schemes/minalpher.md, docs/cores/minalpher.md.
// Ports: docs/core-ports.md. What the designers' ciphertext has beyond the message is the beginning of the tag, zeros
// are its end.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 36 a block of 32 bytes, whichever permutation it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module minalpher_core
  import aead_pkg::*, minalpher_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64, 128 or 256
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 104,  // 104
    parameter int unsigned TAG_BITS = 384,  // 384
    parameter int unsigned VERSION = 1,  // 1
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STAGES = 1  // of a round: 1, or 2 with two calls in flight
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128 && DATA_BITS != 256) begin : gen_bad_data
    $fatal(1, "minalpher_core: DATA_BITS = %0d, allowed: 32, 64, 128, 256", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "minalpher_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS != 104) begin : gen_bad_nonce
    $fatal(1, "minalpher_core: NONCE_BITS = %0d, allowed: 104", NONCE_BITS);
  end
  if (TAG_BITS != 8 * TAG_BYTES) begin : gen_bad_tag
    $fatal(1, "minalpher_core: TAG_BITS = %0d, allowed: 384", TAG_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "minalpher_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "minalpher_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "minalpher_core: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  localparam int unsigned CHUNK_BITS = 8 * BLOCK_BYTES;
  localparam int unsigned PLACES = STAGES + 2;

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  datapath_t orders;
  logic emit_idle, opening;
  logic [CHUNK_BITS-1:0] in_block, block, p_result, out_block;
  logic [BLOCK_BYTES-1:0] in_mask;
  logic p_waiting, p_done;
  token_t token, p_token;
  logic text_made, tag_made, tag_take, authentic;
  logic [  PLACES-1:1] move;
  logic [TAG_BITS-1:0] tag;

  // The expected tag is taken before the last block, for its first bytes are the ciphertext's last ones, and is
  // compared in the data path with padding and filling. The front end compares what stands at its port when a command
  // ends: the computed tag, or another one.
  aead_if #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .CONTEXTS  (CONTEXTS)
  ) inner ();
  assign inner.key = port.key;
  assign inner.cmd = port.cmd;
  assign inner.ad = port.ad;
  assign inner.msg = port.msg;
  assign inner.tag_in.valid = port.tag_in.valid;
  assign inner.tag_in.ctx = port.tag_in.ctx;
  assign inner.tag_in.data = tag ^ TAG_BITS'(!authentic);
  assign inner.out_ready = port.out_ready;
  assign inner.result_ready = port.result_ready;
  assign port.busy = inner.busy;
  assign port.key_ready = inner.key_ready;
  assign port.cmd_ready = inner.cmd_ready;
  assign port.ad_ready = inner.ad_ready;
  assign port.msg_ready = inner.msg_ready;
  assign port.tag_in_ready = inner.tag_in_ready;
  assign port.out = inner.out;
  assign port.result = inner.result;

  aead_shell #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(CHUNK_BITS),
      .TAG_BITS  (TAG_BITS),
      .VERDICT   (2),
      .PAD_EMPTY (1'b1)
  ) u_shell (
      .block_clear(orders.block_clear),
      .port(inner),
      .*
  );

  minalpher_schedule #(
      .DATA_BITS(DATA_BITS),
      .PLACES   (PLACES)
  ) u_schedule (
      .*
  );

  minalpher_datapath #(
      .PLACES(PLACES)
  ) u_datapath (
      .ctl(orders),
      .key_take(front.key_new),
      .key(port.key.data),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .tag_in(port.tag_in.data),
      .*
  );

  minalpher_p #(
      .STAGES    (STAGES),
      .TOKEN_BITS(TOKEN_BITS)
  ) u_p (
      .clk,
      .clear,
      .waiting(p_waiting),
      .load(orders.load),
      .inverse(orders.inverse),
      .block,
      .token,
      .done(p_done),
      .done_token(p_token),
      .result(p_result)
  );

endmodule
