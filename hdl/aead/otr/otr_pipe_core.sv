// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption, a block a cycle: seal, open, AD cache; AES-128, AD mode P, one unrolled AES.
// Specification: AES-OTR v3 (CAESAR), docs/cores/otr.md, "One block a cycle". Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 2 a chunk of two 16-byte blocks.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all secrets, the memory of the output included, in at most 64 cycles.
module otr_pipe_core
  import otr_pkg::*, otr_pipe_pkg::*;
#(
    parameter int unsigned DATA_BITS = 128,  // beat of ad, msg and out: 128, a block
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned VERSION = 3,  // 3
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STAGES = 2,  // of a round: 1, 2
    parameter int unsigned SBOX_FORM = 0,  // 0: table, 1: composite field
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  rst,            // synchronous, as clear
    input  logic                  clear,          // pulse: zeroise everything, drop what is in flight
    output logic                  busy,           // key work or a command in flight, or clearing
    input  logic                  key_valid,
    output logic                  key_ready,
    input  logic [  KEY_BITS-1:0] key_data,
    input  logic                  cmd_valid,
    output logic [  CONTEXTS-1:0] cmd_ready,
    input  logic                  cmd_ctx,        // one context: not looked at
    input  logic [           1:0] cmd_op,         // 0 seal, 1 open, 2 load AD
    input  logic                  cmd_cached_ad,  // use the AD cache, send no AD
    input  logic [NONCE_BITS-1:0] cmd_nonce,
    input  logic                  ad_valid,
    output logic [  CONTEXTS-1:0] ad_ready,
    input  logic                  ad_ctx,
    input  logic [ DATA_BITS-1:0] ad_data,
    input  logic [BYTES_BITS-1:0] ad_bytes,       // valid bytes of the beat
    input  logic                  ad_last,
    input  logic                  msg_valid,
    output logic [  CONTEXTS-1:0] msg_ready,
    input  logic                  msg_ctx,
    input  logic [ DATA_BITS-1:0] msg_data,       // message, or ciphertext without tag
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic                  tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,    // expected tag, open only
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic                  out_ctx,
    output logic [ DATA_BITS-1:0] out_data,       // ciphertext, or plaintext NOT YET VERIFIED
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic                  result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag      // seal only, else 0
);

  if (DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "otr_pipe_core: DATA_BITS = %0d, allowed: 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "otr_pipe_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 120 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "otr_pipe_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to 120", NONCE_BITS);
  end
  if (TAG_BITS < 32 || TAG_BITS > 128 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "otr_pipe_core: TAG_BITS = %0d, allowed: whole bytes from 32 to 128", TAG_BITS);
  end
  if (VERSION != 3) begin : gen_bad_version
    $fatal(1, "otr_pipe_core: VERSION = %0d, allowed: 3", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "otr_pipe_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  logic wipe, wiping;
  assign wipe = rst || clear;

  logic in_ad_ready, in_msg_ready, swallow_ad, swallow_msg;
  logic in_start_ad, in_start_msg, in_stop, in_take, in_hold, in_valid, in_last, in_empty, in_bad;
  logic [15:0] in_text, last_text;
  logic [4:0] in_bytes, last_bytes;
  logic [127:0] block, chunk_first, chunk_second, made_block, computed_tag;
  logic aes_key_new, aes_key_ready, nonce_take, begins, begin_cached, cache_load, opening;
  logic second_next, sum_complete, pipe_idle;
  call_t call;
  kind_e at_end;
  logic made, made_late, made_last, made_single, made_spent;
  logic out_start, out_chunk, out_cut, out_room, out_idle;
  logic tag_compare, tag_equal, tag_show, tag_hide;

  assign ad_ready = (in_ad_ready || swallow_ad) && !wipe;
  assign msg_ready = (in_msg_ready || swallow_msg) && !wipe;
  assign out_ctx = 1'b0;
  assign result_ctx = 1'b0;

  logic unused;
  assign unused = &{1'b0, cmd_ctx, ad_ctx, msg_ctx, tag_in_ctx, block, computed_tag};

  otr_pipe_ctrl u_ctrl (
      .clear(wipe),
      .cmd_ready(cmd_ready[0]),
      .ad_last_taken(ad_valid && ad_ready[0] && ad_last),
      .msg_last_taken(msg_valid && msg_ready[0] && msg_last),
      .tag_in_ready(tag_in_ready[0]),
      .*
  );

  otr_pipe_intake u_intake (
      .clk,
      .clear(wipe),
      .start_ad(in_start_ad),
      .start_msg(in_start_msg),
      .stop(in_stop),
      .ad_valid(ad_valid && !wipe),
      .ad_ready(in_ad_ready),
      .ad_data,
      .ad_bytes,
      .ad_last,
      .msg_valid(msg_valid && !wipe),
      .msg_ready(in_msg_ready),
      .msg_data,
      .msg_bytes,
      .msg_last,
      .valid(in_valid),
      .take(in_take),
      .block,
      .text(in_text),
      .bytes(in_bytes),
      .last(in_last),
      .empty(in_empty),
      .bad(in_bad),
      .hold(in_hold),
      .chunk_first,
      .chunk_second
  );

  otr_pipe_datapath #(
      .STAGES    (STAGES),
      .SBOX_FORM (SBOX_FORM),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .clk,
      .clear(wiping),
      .key_new(aes_key_new),
      .key(key_data),
      .key_ready(aes_key_ready),
      .nonce_take,
      .nonce(cmd_nonce),
      .begins,
      .begin_cached,
      .cache_load,
      .opening,
      .first(chunk_first),
      .second(chunk_second),
      .last_text,
      .call,
      .second_next,
      .at_end,
      .sum_complete,
      .idle(pipe_idle),
      .made,
      .made_late,
      .made_last,
      .made_single,
      .made_spent,
      .made_block,
      .computed_tag
  );

  otr_pipe_outlet #(
      .SLOTS(16 * STAGES)
  ) u_outlet (
      .clk,
      .clear(wipe),
      .wiping,
      .start(out_start),
      .chunk_begins(out_chunk),
      .room(out_room),
      .swap(!opening),
      .last_bytes,
      .cut(out_cut),
      .made,
      .made_late,
      .made_last,
      .made_single,
      .made_spent,
      .made_block,
      .idle(out_idle),
      .out_valid,
      .out_ready,
      .out_data,
      .out_bytes,
      .out_last
  );

  otr_pipe_tag #(
      .TAG_BITS(TAG_BITS)
  ) u_tag (
      .clk,
      .clear(wipe),
      .computed(computed_tag[TAG_BITS-1:0]),
      .compare(tag_compare),
      .tag_in(tag_in_data),
      .equal(tag_equal),
      .show(tag_show),
      .hide(tag_hide),
      .tag(result_tag)
  );

`ifndef SYNTHESIS
  omd_checks #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS)
  ) u_checks (
      .clk,
      .clear(wipe),
      .cmd_taken(cmd_valid && cmd_ready[0]),
      .cmd_op,
      .out_valid,
      .out_ready,
      .out_data,
      .out_bytes,
      .out_last,
      .result_valid,
      .result_ready,
      .result_ok,
      .result_tag,
      .f_start(call.token.kind != K_NONE),
      .f_ready(aes_key_ready),
      .emit_load(1'b0),
      .emit_empty(1'b0),
      .emit_idle(1'b1)
  );
`endif

endmodule
