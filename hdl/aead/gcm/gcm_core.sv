// SPDX-License-Identifier: Apache-2.0
// AES-GCM authenticated encryption with AES-128: seal, open, AD cache; an AES of one round a cycle or of two half-length
// stages with two blocks in flight. Specification: NIST SP 800-38D, docs/cores/gcm.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 10 a block of 16 bytes, whichever AES it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module gcm_core
  import aead_pkg::*, gcm_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 96,  // 96
    parameter int unsigned TAG_BITS = 128,  // 128
    parameter int unsigned VERSION = 1,  // 1
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STAGES = 1  // of a round: 1, or 2 with two blocks in flight
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "gcm_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "gcm_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS != 96) begin : gen_bad_nonce
    $fatal(1, "gcm_core: NONCE_BITS = %0d, allowed: 96", NONCE_BITS);
  end
  if (TAG_BITS != 128) begin : gen_bad_tag
    $fatal(1, "gcm_core: TAG_BITS = %0d, allowed: 128", TAG_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "gcm_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "gcm_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "gcm_core: STAGES = %0d, allowed: 1, 2", STAGES);
  end


  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  datapath_t orders;
  logic [127:0] lengths;
  logic emit_idle;
  logic [127:0] in_block;
  logic [15:0] in_mask;
  logic run, hash_key, calls_idle, stream_valid;
  logic [95:0] nonce_held;
  logic [127:0] stream, out_block, tag;

  aead_shell #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS),
      .PAD_BYTE (8'h00)
  ) u_shell (
      .block_clear(orders.block_clear),
      .*
  );

  gcm_schedule #(.DATA_BITS(DATA_BITS)) u_schedule (.*);

  gcm_calls #(
      .STAGES(STAGES)
  ) u_calls (
      .key_new(front.key_new),
      .key(port.key.data),
      .nonce(nonce_held),
      .idle(calls_idle),
      .valid(stream_valid),
      .pop(orders.pop),
      .*
  );

  gcm_datapath u_datapath (
      .ctl  (orders),
      .rest (front.rest),
      .nonce(port.cmd.nonce),
      .*
  );

endmodule
