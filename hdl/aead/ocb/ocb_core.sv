// SPDX-License-Identifier: Apache-2.0
// AES-OCB3 authenticated encryption: seal, open, AD cache; an AES in both directions of one round a cycle or of two
// to four stages a round, with a block in flight for each. Specification: RFC 7253, docs/cores/ocb.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 10 a block of 16 bytes, whichever AES it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module ocb_core
  import aead_pkg::*, ocb_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 96,  // 96
    parameter int unsigned TAG_BITS = 128,  // 64, 96 or 128
    parameter int unsigned VERSION = 1,  // 1
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STAGES = 1  // of a round, and blocks in flight: 1 to 4
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "ocb_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "ocb_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS != 96) begin : gen_bad_nonce
    $fatal(1, "ocb_core: NONCE_BITS = %0d, allowed: 96", NONCE_BITS);
  end
  if (TAG_BITS != 64 && TAG_BITS != 96 && TAG_BITS != 128) begin : gen_bad_tag
    $fatal(1, "ocb_core: TAG_BITS = %0d, allowed: 64, 96, 128", TAG_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "ocb_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "ocb_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (STAGES < 1 || STAGES > 4) begin : gen_bad_stages
    $fatal(1, "ocb_core: STAGES = %0d, allowed: 1 to 4", STAGES);
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
  logic aes_key_ready, aes_free, aes_start, aes_flying, aes_done, inverse;
  token_t token, aes_token;
  logic [127:0] block, aes_result, out_block;
  logic sum_made, shift;
  logic [1:0] unit, turn;
  logic [PLACES-1:1] move;
  logic [TAG_BITS-1:0] tag;

  logic unused;
  assign unused = &{1'b0, aes_flying};

  aead_shell #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS)
  ) u_shell (
      .block_clear(orders.block_clear),
      .*
  );

  ocb_schedule #(.PLACES(PLACES)) u_schedule (.*);

  ocb_datapath #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .PLACES    (PLACES)
  ) u_datapath (
      .ctl(orders),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .*
  );

  aes_crypt #(
      .STAGES    (STAGES),
      .TOKEN_BITS(TOKEN_BITS)
  ) u_aes (
      .clk,
      .clear,
      .key_new(front.key_new),
      .key(port.key.data),
      .key_ready(aes_key_ready),
      .free(aes_free),
      .start(aes_start),
      .inverse,
      .token,
      .block,
      .flying(aes_flying),
      .done(aes_done),
      .done_token(aes_token),
      .result(aes_result)
  );

endmodule
