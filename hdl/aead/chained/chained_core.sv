// SPDX-License-Identifier: Apache-2.0
// Core of COLM and AES-COPA but for the sizes that each allows (docs/cores/colm.md, docs/cores/copa.md): shell,
// schedule, data path and an AES in both directions of one round a cycle or of two half-length stages with two calls in
// flight, joined.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 20 a block of 16 bytes, whichever AES it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module chained_core
  import aead_pkg::*, chained_pkg::*;
#(
    parameter mode_e MODE = COLM,
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned NONCE_BITS = 64,
    parameter int unsigned TAG_BITS = 128,
    parameter int unsigned STAGES = 1  // of a round: 1, or 2 with two calls in flight
) (
    input logic clk,
    input logic clear,
    aead_if port
);

  localparam int unsigned PLACES = STAGES + 2;

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  datapath_t orders;
  logic emit_idle, opening;
  logic [127:0] in_block;
  logic [ 15:0] in_mask;
  logic aes_key_ready, aes_free, aes_start, aes_flying, aes_done, inverse;
  token_t token, aes_token;
  logic [127:0] block, aes_result, out_block;
  logic total_made, text_made, tag_made, tag_take, authentic;
  logic [PLACES-1:1] move;
  logic [TAG_BITS-1:0] tag;

  logic unused;
  assign unused = &{1'b0, aes_flying};

  // The expected tag is taken before the last block, for its first bytes are the ciphertext's last ones, and is
  // compared in the data path with the padding. The front end compares what stands at its port when a command ends: the
  // computed tag, or another one.
  aead_if #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (128),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .CONTEXTS  (1)
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
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS),
      .AD_CACHE (MODE == COLM),
      .VERDICT  (2),
      .PAD_EMPTY(1'b1)
  ) u_shell (
      .block_clear(orders.block_clear),
      .port(inner),
      .*
  );

  chained_schedule #(
      .MODE     (MODE),
      .DATA_BITS(DATA_BITS),
      .PLACES   (PLACES),
      .LATE     (MODE == COLM && STAGES > 1)  // the slowest path of AES-COPA is in AES
  ) u_schedule (
      .*
  );

  chained_datapath #(
      .MODE      (MODE),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .PLACES    (PLACES)
  ) u_datapath (
      .ctl(orders),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .tag_in(port.tag_in.data),
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
