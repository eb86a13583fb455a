// SPDX-License-Identifier: Apache-2.0
// SIV-OMD authenticated encryption (experimental, misuse-resistant, a construction of our own) around any compression
// function with n-byte blocks: seal, open, AD cache; SERIAL chooses sivomds or sivomdp. Specification: docs/schemes/siv-omd.md;
// docs/cores/siv-omd.md. Ports: docs/core-ports.md, plus the f_* port to the compression function (that of omd_core).
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles, with c a compression call (rounds + 1), cached AD and n blocks: (n + ceil(n / 2) + 1) c and a constant; opening
// then lets the plaintext out, a beat a cycle; a block of AD c.
// Security: constant time for given lengths and verdict. In opening `out` carries nothing before the tag was found right;
// rst and clear zeroise all registers in one cycle and the store in 512 more.
module sivomd_core
  import sivomd_pkg::*;
#(
    parameter int unsigned SERIAL = 0,  // 0: parallel mode (sivomdp), 1: serial mode (sivomds)
    parameter int unsigned N_BITS = 512,  // block and chaining value of the compression function: 256 or 512
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64, 128, 256 or 512, at most N_BITS
    parameter int unsigned KEY_BITS = 512,  // 8 to N_BITS, whole bytes
    parameter int unsigned NONCE_BITS = 256,  // 8 to N_BITS - 8, whole bytes
    parameter int unsigned TAG_BITS = 256,  // 8 to N_BITS, whole bytes
    parameter int unsigned VERSION = 1,  // 1: there is one SIV-OMD
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned MAX_MSG_BYTES = 16384,  // longest message: a power of two from 256 to 65536
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
    input  logic [ DATA_BITS-1:0] msg_data,       // message, or ciphertext without tag, at most MAX_MSG_BYTES
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic                  tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,    // expected tag, open only
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic                  out_ctx,
    output logic [ DATA_BITS-1:0] out_data,       // ciphertext, or verified plaintext
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic                  result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag,     // seal only, else 0

    // Compression function: digest = F'(chain, key || msg)
    output logic              f_clear,
    output logic [N_BITS-1:0] f_key,      // held
    output logic              f_key_new,  // pulse: f_key changes with this edge
    output logic              f_start,
    output logic [N_BITS-1:0] f_chain,
    output logic [N_BITS-1:0] f_msg,
    input  logic              f_ready,
    input  logic [N_BITS-1:0] f_digest
);

  if (N_BITS != 256 && N_BITS != 512) begin : gen_bad_n
    $fatal(1, "sivomd_core: N_BITS = %0d, allowed: 256, 512", N_BITS);
  end
  if (DATA_BITS < 32 || DATA_BITS > N_BITS || (DATA_BITS & (DATA_BITS - 1)) != 0) begin : gen_bad_data
    $fatal(1, "sivomd_core: DATA_BITS = %0d, allowed: powers of two from 32 to %0d", DATA_BITS, N_BITS);
  end
  if (KEY_BITS < 8 || KEY_BITS > N_BITS || KEY_BITS % 8 != 0) begin : gen_bad_key
    $fatal(1, "sivomd_core: KEY_BITS = %0d, allowed: whole bytes from 8 to %0d", KEY_BITS, N_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > N_BITS - 8 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "sivomd_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to %0d", NONCE_BITS, N_BITS - 8);
  end
  if (TAG_BITS < 8 || TAG_BITS > N_BITS || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "sivomd_core: TAG_BITS = %0d, allowed: whole bytes from 8 to %0d", TAG_BITS, N_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "sivomd_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "sivomd_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (SERIAL > 1) begin : gen_bad_serial
    $fatal(1, "sivomd_core: SERIAL = %0d, allowed: 0, 1", SERIAL);
  end
  if (MAX_MSG_BYTES < 256 || MAX_MSG_BYTES > 65536 || (MAX_MSG_BYTES & (MAX_MSG_BYTES - 1)) != 0) begin : gen_bad_max
    $fatal(1, "sivomd_core: MAX_MSG_BYTES = %0d, allowed: powers of two from 256 to 65536", MAX_MSG_BYTES);
  end

  localparam int unsigned BEATS = N_BITS / DATA_BITS;
  localparam int unsigned SLOT_BITS = $clog2(2 * BEATS);
  localparam int unsigned COUNT_BITS = $clog2(BEATS + 1);

  logic wipe;
  assign wipe = rst || clear;

  datapath_t dp;
  logic tag_equal;
  logic store_start, store_rewind, store_taking, store_bad, store_wiping, store_ready;
  logic back_ready, read_valid, read_ready, read_last;
  logic [ DATA_BITS-1:0] read_data;
  logic [BYTES_BITS-1:0] read_bytes;
  logic swallow_ad, wide_from_store;
  logic col_start_wide, col_start_narrow, col_next, col_stop;
  logic col_full, col_last, col_partial, col_empty, col_bad, col_wide_ready, col_narrow_ready;
  logic [SLOT_BITS-1:0] col_beats;
  logic [BYTES_BITS-1:0] col_last_bytes;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic emit_load, emit_empty, emit_drop, emit_to_store, emit_idle, emit_valid, emit_last, drain;
  logic [ DATA_BITS-1:0] emit_data;
  logic [BYTES_BITS-1:0] emit_bytes;
  logic [    N_BITS-1:0] out_block;
  logic [  TAG_BITS-1:0] tag;

  assign ad_ready = ((col_wide_ready && !wide_from_store) || swallow_ad) && !wipe;
  assign msg_ready = store_ready && !wipe;
  assign out_ctx = 1'b0;
  assign result_ctx = 1'b0;
  assign result_tag = tag;
  assign f_clear = wipe;

  // What was deciphered shows at the port only once it is verified.
  assign out_valid = drain ? read_valid : emit_valid && !emit_to_store;
  assign out_data = drain ? read_data : emit_data & {DATA_BITS{!emit_to_store}};
  assign out_bytes = drain ? read_bytes : emit_bytes;
  assign out_last = drain ? read_last : emit_last;
  assign read_ready = drain ? out_ready : col_narrow_ready || (col_wide_ready && wide_from_store);

  logic unused_ctx;
  assign unused_ctx = &{1'b0, cmd_ctx, ad_ctx, msg_ctx, tag_in_ctx};

  sivomd_ctrl #(
      .SERIAL(SERIAL)
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
      .out_last_taken(out_valid && out_ready && out_last),
      .tag_in_valid,
      .tag_in_ready(tag_in_ready[0]),
      .swallow_ad,
      .store_start,
      .store_rewind,
      .store_taking,
      .store_bad,
      .store_wiping,
      .col_start_wide,
      .col_start_narrow,
      .wide_from_store,
      .col_next,
      .col_stop,
      .col_full,
      .col_last,
      .col_partial,
      .col_empty,
      .col_bad,
      .emit_load,
      .emit_empty,
      .emit_drop,
      .emit_to_store,
      .emit_idle,
      .drain,
      .f_key_new,
      .f_start,
      .f_ready,
      .dp,
      .tag_equal,
      .result_valid,
      .result_ready,
      .result_ok,
      .busy
  );

  sivomd_store #(
      .DATA_BITS    (DATA_BITS),
      .MAX_MSG_BYTES(MAX_MSG_BYTES)
  ) u_store (
      .clk,
      .clear(wipe),
      .wiping(store_wiping),
      .start(store_start),
      .rewind(store_rewind),
      .taking(store_taking),
      .bad(store_bad),
      .msg_valid(msg_valid && !wipe),
      .msg_ready(store_ready),
      .msg_data,
      .msg_bytes,
      .msg_last,
      .back_valid(emit_valid && emit_to_store),
      .back_ready,
      .back_data(emit_data),
      .read_valid,
      .read_ready,
      .read_data,
      .read_bytes,
      .read_last
  );

  // What OMD's collector calls associated data are blocks of 2n bytes, what it calls a message are blocks of n bytes. Here
  // the message comes in both.
  omd_collector #(
      .DATA_BITS(DATA_BITS),
      .N_BITS   (N_BITS)
  ) u_collector (
      .clk,
      .clear(wipe),
      .start_ad(col_start_wide),
      .start_msg(col_start_narrow),
      .next(col_next),
      .stop(col_stop),
      .ad_valid(wide_from_store ? read_valid : ad_valid && !wipe),
      .ad_ready(col_wide_ready),
      .ad_data(wide_from_store ? read_data : ad_data),
      .ad_bytes(wide_from_store ? read_bytes : ad_bytes),
      .ad_last(wide_from_store ? read_last : ad_last),
      .msg_valid(read_valid),
      .msg_ready(col_narrow_ready),
      .msg_data(read_data),
      .msg_bytes(read_bytes),
      .msg_last(read_last),
      .write,
      .write_slot,
      .write_data,
      .write_mask,
      .full(col_full),
      .last(col_last),
      .partial(col_partial),
      .empty(col_empty),
      .beats(col_beats),
      .last_bytes(col_last_bytes),
      .bad(col_bad)
  );

  sivomd_datapath #(
      .SERIAL    (SERIAL),
      .N_BITS    (N_BITS),
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .clk,
      .clear(wipe),
      .ctl(dp),
      .key(key_data),
      .nonce(cmd_nonce),
      .tag_in(tag_in_data),
      .write,
      .write_slot,
      .write_data,
      .write_mask,
      .f_key,
      .f_chain,
      .f_msg,
      .f_digest,
      .out_block,
      .tag,
      .tag_equal
  );

  // The whole message is known to be good before a block of it is made: no beat has to be held back.
  omd_emitter #(
      .DATA_BITS(DATA_BITS),
      .N_BITS   (N_BITS)
  ) u_emitter (
      .clk,
      .clear(wipe || emit_drop),
      .load(emit_load),
      .load_data(out_block),
      .load_beats(COUNT_BITS'(col_beats) + COUNT_BITS'(1'b1)),
      .load_bytes(col_last_bytes),
      .load_final(col_last),
      .load_empty(emit_empty),
      .more(1'b1),
      .cut(1'b0),
      .idle(emit_idle),
      .out_valid(emit_valid),
      .out_ready(emit_to_store ? back_ready : out_ready),
      .out_data(emit_data),
      .out_bytes(emit_bytes),
      .out_last(emit_last)
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
      .f_start,
      .f_ready,
      .emit_load,
      .emit_empty,
      .emit_idle
  );

  // Judged at the ports and by the two tags alone
  logic opening_q;
  always_ff @(posedge clk) begin
    if (cmd_valid && cmd_ready[0]) opening_q <= cmd_op == 2'd1;
    if (!wipe && opening_q && out_valid) begin
      a_plaintext_only_with_the_right_tag : assert (out_bytes == '0 || tag_equal);
    end
  end
`endif

endmodule
