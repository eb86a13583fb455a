// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption: seal, open, AD cache; AD mode P or S, 128- or 256-bit key, and an AES of one
// round a cycle or of two half-length stages. Specification: AES-OTR v3 (CAESAR), docs/cores/otr.md.
// Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 2 ROUNDS (20 or 28) a chunk of two 16-byte blocks, whichever AES it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers in one cycle.
module otr_core
  import otr_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128 or 256
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned VERSION = 3,  // 3
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned AD_SERIAL = 0,  // 0: AD mode P, 1: AD mode S
    parameter int unsigned STAGES = 1,  // of a round: 1, or 2 with two blocks in flight
    parameter int unsigned SBOX_FORM = 0,  // 0: table, 1: composite field
    parameter int unsigned STORED_KEYS = 0,  // 0: round keys made on the fly, 1: stored
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

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "otr_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128 && KEY_BITS != 256) begin : gen_bad_key
    $fatal(1, "otr_core: KEY_BITS = %0d, allowed: 128, 256", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 120 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "otr_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to 120", NONCE_BITS);
  end
  if (TAG_BITS < 32 || TAG_BITS > 128 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "otr_core: TAG_BITS = %0d, allowed: whole bytes from 32 to 128", TAG_BITS);
  end
  if (VERSION != 3) begin : gen_bad_version
    $fatal(1, "otr_core: VERSION = %0d, allowed: 3", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "otr_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (AD_SERIAL > 1) begin : gen_bad_mode
    $fatal(1, "otr_core: AD_SERIAL = %0d, allowed: 0 (mode P), 1 (mode S)", AD_SERIAL);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "otr_core: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  localparam int unsigned ROUNDS = KEY_BITS == 256 ? 14 : 10;
  localparam int unsigned BEATS = 256 / DATA_BITS;
  localparam int unsigned SLOT_BITS = $clog2(BEATS);

  logic wipe;
  assign wipe = rst || clear;

  datapath_t orders;
  calls_t call_orders;
  logic nonce_take, tag_hide;
  logic tag_equal;
  logic swallow_ad, swallow_msg;
  logic col_start_ad, col_start_msg, col_stop;
  logic col_full, col_last, col_two, col_partial, col_empty, col_bad, col_ad_ready, col_msg_ready;
  logic [SLOT_BITS-1:0] col_beats;
  logic [BYTES_BITS-1:0] col_last_bytes;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic emit_load, emit_swap, emit_final, emit_empty, emit_more, emit_cut, emit_idle;
  logic [ SLOT_BITS-1:0] emit_beats;
  logic [BYTES_BITS-1:0] emit_bytes;
  logic [127:0] early_block, late_block;
  logic aes_key_new, aes_key_ready;
  logic [1:0] aes_flying, aes_done;
  logic [127:0] aes_block;
  logic [1:0][127:0] aes_result;
  logic [TAG_BITS-1:0] tag;

  assign ad_ready = (col_ad_ready || swallow_ad) && !wipe;
  assign msg_ready = (col_msg_ready || swallow_msg) && !wipe;
  assign out_ctx = 1'b0;
  assign result_ctx = 1'b0;
  assign result_tag = tag;

  logic unused;
  assign unused = &{1'b0, cmd_ctx, ad_ctx, msg_ctx, tag_in_ctx, aes_flying, aes_done[1]};

  otr_ctrl #(
      .ROUNDS     (ROUNDS),
      .LANE1_PHASE(STAGES == 2 ? 1 : ROUNDS),
      .AD_SERIAL  (AD_SERIAL),
      .SLOT_BITS  (SLOT_BITS),
      .BYTES_BITS (BYTES_BITS)
  ) u_ctrl (
      .clk,
      .clear(wipe),
      .key_valid,
      .key_ready,
      .cmd_valid,
      .cmd_ready(cmd_ready[0]),
      .cmd_op,
      .cmd_cached_ad,
      .ad_last_taken(ad_valid && ad_ready[0] && ad_last),
      .msg_last_taken(msg_valid && msg_ready[0] && msg_last),
      .tag_in_valid,
      .tag_in_ready(tag_in_ready[0]),
      .swallow_ad,
      .swallow_msg,
      .col_start_ad,
      .col_start_msg,

      .col_stop,
      .col_full,
      .col_last,
      .col_two,
      .col_partial,
      .col_empty,
      .col_bad,
      .col_beats,
      .col_last_bytes,
      .emit_load,
      .emit_swap,
      .emit_beats,
      .emit_bytes,
      .emit_final,
      .emit_empty,
      .emit_more,
      .emit_cut,
      .emit_idle,
      .aes_key_new,
      .aes_key_ready,

      .aes_done(aes_done[0]),
      .orders,
      .call_orders,
      .nonce_take,
      .tag_hide,
      .tag_equal,
      .result_valid,
      .result_ready,
      .result_ok,
      .busy
  );

  otr_collector #(
      .DATA_BITS(DATA_BITS)
  ) u_collector (
      .clk,
      .clear(wipe),
      .start_ad(col_start_ad),
      .start_msg(col_start_msg),
      .next(call_orders.next),
      .stop(col_stop),
      .ad_valid(ad_valid && !wipe),
      .ad_ready(col_ad_ready),
      .ad_data,
      .ad_bytes,
      .ad_last,
      .msg_valid(msg_valid && !wipe),
      .msg_ready(col_msg_ready),
      .msg_data,
      .msg_bytes,
      .msg_last,
      .write,
      .write_slot,
      .write_data,
      .write_mask,
      .full(col_full),
      .last(col_last),
      .two(col_two),
      .partial(col_partial),
      .empty(col_empty),
      .beats(col_beats),
      .last_bytes(col_last_bytes),
      .bad(col_bad)
  );

  otr_datapath #(
      .DATA_BITS (DATA_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .AD_SERIAL (AD_SERIAL)
  ) u_datapath (
      .clk,
      .clear(wipe),
      .ctl(orders),
      .nonce_take,
      .tag_hide,
      .nonce(cmd_nonce),
      .tag_in(tag_in_data),
      .write,
      .write_slot,
      .write_data,
      .write_mask,
      .two(col_two),
      .block(aes_block),
      .result(aes_result),
      .early_block,
      .late_block,
      .tag,
      .tag_equal
  );

  if (STAGES == 1) begin : gen_whole_round
    logic unused_tick;
    assign unused_tick = &{1'b0, call_orders.tick};
    aes_encrypt_r1 #(
        .KEY_BITS   (KEY_BITS),
        .SBOX_FORM  (SBOX_FORM),
        .STORED_KEYS(STORED_KEYS)
    ) u_aes (
        .clk,
        .clear(wipe),
        .key_new(aes_key_new),
        .key(key_data),
        .key_ready(aes_key_ready),
        .start(call_orders.start),
        .lane(call_orders.lane),
        .block(aes_block),
        .flying(aes_flying),
        .done(aes_done),
        .result(aes_result)
    );
  end else begin : gen_half_rounds
    aes_encrypt_p2 #(
        .KEY_BITS   (KEY_BITS),
        .SBOX_FORM  (SBOX_FORM),
        .STORED_KEYS(STORED_KEYS)
    ) u_aes (
        .clk,
        .clear(wipe),
        .key_new(aes_key_new),
        .key(key_data),
        .key_ready(aes_key_ready),
        .tick(call_orders.tick),
        .start(call_orders.start),
        .lane(call_orders.lane),
        .block(aes_block),
        .flying(aes_flying),
        .done(aes_done),
        .result(aes_result)
    );
  end

  otr_emitter #(
      .DATA_BITS(DATA_BITS)
  ) u_emitter (
      .clk,
      .clear(wipe),
      .load(emit_load),
      .load_swap(emit_swap),
      .load_beats(emit_beats),
      .load_bytes(emit_bytes),
      .load_final(emit_final),
      .load_empty(emit_empty),
      .more(emit_more),
      .cut(emit_cut),
      .early(early_block),
      .late(late_block),
      .idle(emit_idle),
      .out_valid,
      .out_ready,
      .out_data,
      .out_bytes,
      .out_last
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!wipe) a_chunk_is_whole : assert (!(write && orders.to_a));
  end

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
      .f_start(1'b0),  // AES watches its starts itself
      .f_ready(1'b1),
      .emit_load,
      .emit_empty,
      .emit_idle
  );
`endif

endmodule
