// SPDX-License-Identifier: Apache-2.0
// OMD authenticated encryption over the BLAKE2b compression function, eight packets interleaved in one pipeline.
// Specification: OMD v1 and v2 (CAESAR) over BLAKE2b (RFC 7693; t = 0, f = 0); docs/cores/omd-x8.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: over all contexts 12 a message block of 64 bytes in sealing, 13 in opening; a context alone takes 96 or 104.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers and memories in 768 cycles, with busy high.
module omd_blake2b_x8
  import omd_x8_pkg::*;
#(
    parameter  int unsigned DATA_BITS  = 64,   // beat of ad, msg and out: 64
    parameter  int unsigned KEY_BITS   = 512,  // 8 to 512, whole bytes
    parameter  int unsigned NONCE_BITS = 256,  // 8 to 504, whole bytes
    parameter  int unsigned TAG_BITS   = 256,  // 8 to 512, whole bytes
    parameter  int unsigned VERSION    = 2,    // 1 or 2
    parameter  int unsigned CONTEXTS   = 8,    // 8
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned CTX_BITS   = $clog2(CONTEXTS)
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
    input  logic [  CTX_BITS-1:0] cmd_ctx,        // one context: not looked at
    input  logic [           1:0] cmd_op,         // 0 seal, 1 open, 2 load AD
    input  logic                  cmd_cached_ad,  // use the AD cache, send no AD
    input  logic [NONCE_BITS-1:0] cmd_nonce,
    input  logic                  ad_valid,
    output logic [  CONTEXTS-1:0] ad_ready,
    input  logic [  CTX_BITS-1:0] ad_ctx,
    input  logic [ DATA_BITS-1:0] ad_data,
    input  logic [BYTES_BITS-1:0] ad_bytes,       // valid bytes of the beat
    input  logic                  ad_last,
    input  logic                  msg_valid,
    output logic [  CONTEXTS-1:0] msg_ready,
    input  logic [  CTX_BITS-1:0] msg_ctx,
    input  logic [ DATA_BITS-1:0] msg_data,       // message, or ciphertext without tag
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic [  CTX_BITS-1:0] tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,    // expected tag, open only
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [  CTX_BITS-1:0] out_ctx,
    output logic [ DATA_BITS-1:0] out_data,       // ciphertext, or plaintext NOT YET VERIFIED
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic [  CTX_BITS-1:0] result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag      // seal only, else 0
);

  if (DATA_BITS != 64) begin : gen_bad_data
    $fatal(1, "omd_blake2b_x8: DATA_BITS = %0d, allowed: 64", DATA_BITS);
  end
  if (KEY_BITS < 8 || KEY_BITS > 512 || KEY_BITS % 8 != 0) begin : gen_bad_key
    $fatal(1, "omd_blake2b_x8: KEY_BITS = %0d, allowed: whole bytes from 8 to 512", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 504 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "omd_blake2b_x8: NONCE_BITS = %0d, allowed: whole bytes from 8 to 504", NONCE_BITS);
  end
  if (TAG_BITS < 8 || TAG_BITS > 512 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "omd_blake2b_x8: TAG_BITS = %0d, allowed: whole bytes from 8 to 512", TAG_BITS);
  end
  if (VERSION != 1 && VERSION != 2) begin : gen_bad_version
    $fatal(1, "omd_blake2b_x8: VERSION = %0d, allowed: 1, 2", VERSION);
  end
  if (CONTEXTS != 8) begin : gen_bad_contexts
    $fatal(1, "omd_blake2b_x8: CONTEXTS = %0d, allowed: 8", CONTEXTS);
  end

  // ---- clearing, readiness ----------------------------------------------------------------------------------------------

  localparam logic [9:0] WALK_START = 10'd256;

  logic wipe_q, wipe_data_q, wiped;
  logic [9:0] walk_q;
  assign wiped = rst || clear;
  always_ff @(posedge clk) begin
    if (wipe_q) walk_q <= walk_q + 10'd1;
    if (walk_q == '1) wipe_q <= 1'b0;
    wipe_data_q <= wipe_q && walk_q[9:6] != '1;
    if (wiped) begin
      wipe_q <= 1'b1;
      walk_q <= WALK_START;
    end
  end
  // shut: nothing is taken or given from the very edge on. wipe_q comes a cycle later; what was taken in between goes with the
  // rest. wipe_data_q: pipeline and engine. The walk begins early: on its first steps old values are still on their way to
  // memories.
  logic shut;
  assign shut = wipe_q || wiped;

  logic key_open, out_there, result_there;
  logic [7:0] cmd_open, ad_open, msg_open, tag_open;
  assign key_ready    = key_open && !shut;
  assign cmd_ready    = cmd_open & {8{!shut}};
  assign ad_ready     = ad_open & {8{!shut}};
  assign msg_ready    = msg_open & {8{!shut}};
  assign tag_in_ready = tag_open & {8{!shut}};
  assign out_valid    = out_there && !shut;
  assign result_valid = result_there && !shut;

  // ---- input ----------------------------------------------------------------------------------------------------------

  logic [7:0] ad_begin, ad_none, ad_consume, ad_done, ad_whole, ad_bad, ad_waiting;
  logic [7:0][7:0] ad_words;
  logic [7:0][2:0] ad_block, msg_block;
  logic [7:0] msg_begin, msg_none, msg_refuse, msg_consume, msg_done, msg_whole, msg_bad, msg_waiting;
  logic [7:0][6:0] msg_words;
  logic ad_write, msg_write;
  logic [9:0] ad_addr;
  logic [8:0] msg_addr;
  logic [63:0] ad_word, msg_word;
  logic [3:0] ad_word_bytes, msg_word_bytes;

  omd_x8_intake #(
      .BLOCK_WORDS(16)
  ) u_ad (
      .clk,
      .clear(wipe_q),
      .valid(ad_valid),
      .ready(ad_open),
      .ctx(ad_ctx),
      .data(ad_data),
      .bytes(ad_bytes),
      .last(ad_last),
      .begin_string(ad_begin),
      .no_string(ad_none),
      .refuse('0),
      .consume(ad_consume),
      .words(ad_words),
      .block(ad_block),
      .done(ad_done),
      .whole(ad_whole),
      .bad(ad_bad),
      .waiting(ad_waiting),
      .write(ad_write),
      .write_addr(ad_addr),
      .write_data(ad_word),
      .write_bytes(ad_word_bytes)
  );

  omd_x8_intake #(
      .BLOCK_WORDS(8)
  ) u_msg (
      .clk,
      .clear(wipe_q),
      .valid(msg_valid),
      .ready(msg_open),
      .ctx(msg_ctx),
      .data(msg_data),
      .bytes(msg_bytes),
      .last(msg_last),
      .begin_string(msg_begin),
      .no_string(msg_none),
      .refuse(msg_refuse),
      .consume(msg_consume),
      .words(msg_words),
      .block(msg_block),
      .done(msg_done),
      .whole(msg_whole),
      .bad(msg_bad),
      .waiting(msg_waiting),
      .write(msg_write),
      .write_addr(msg_addr),
      .write_data(msg_word),
      .write_bytes(msg_word_bytes)
  );

  // Of the associated data only words and padding count.
  logic unused_bytes;
  assign unused_bytes = &{1'b0, ad_word_bytes};

  // ---- contexts -------------------------------------------------------------------------------------------------------

  logic key_taken, idle, rest, key_write, table_done;
  logic [3:0] key_addr;
  logic [7:0] cmd_taken, tag_in_taken;
  logic out_room, out_last_gone;
  logic ends_soon, dec_chain, dec_load, dec_from_sum;
  logic [2:0] ends_soon_ctx, dec_ctx;
  logic [1:0] dec_block;
  logic start, ev_sum, ev_value, result_set, result_equal, result_free;
  logic [2:0] ev_sum_ctx, ev_value_ctx;
  pass_t pass;
  logic [2:0] done_ctx;
  logic done_bad, done_open, done_load_ad;

  always_comb begin
    for (int unsigned c = 0; c < 8; c++) tag_in_taken[c] = tag_in_valid && tag_open[c] && tag_in_ctx == 3'(c);
  end
  assign out_last_gone = out_there && out_ready && out_last;
  assign key_taken     = key_valid && key_open;
  assign busy          = !idle || result_there || shut;

  omd_x8_contexts #(
      .VERSION(VERSION)
  ) u_contexts (
      .clk,
      .clear(wipe_q),
      .clear_walk(walk_q[2:0]),
      .key_taken,
      .key_ready(key_open),
      .idle,
      .rest,
      .key_write,
      .key_addr,
      .table_done,
      .cmd_valid,
      .cmd_ready(cmd_open),
      .cmd_ctx,
      .cmd_op,
      .cmd_cached_ad,
      .cmd_taken,
      .ad_begin,
      .ad_none,
      .ad_consume,
      .ad_words,
      .ad_block,
      .ad_done,
      .ad_whole,
      .ad_bad,
      .ad_waiting,
      .msg_begin,
      .msg_none,
      .msg_refuse,
      .msg_consume,
      .msg_words,
      .msg_block,
      .msg_done,
      .msg_whole,
      .msg_bad,
      .msg_waiting,
      .tag_in_ready(tag_open),
      .tag_in_taken,
      .out_room,
      .out_last_gone,
      .out_last_ctx(out_ctx),
      .ends_soon,
      .ends_soon_ctx,
      .dec_ctx,
      .dec_chain,
      .dec_load,
      .dec_from_sum,
      .dec_block,
      .start,
      .pass,
      .ev_sum,
      .ev_sum_ctx,
      .ev_value,
      .ev_value_ctx,
      .result_set,
      .result_ctx(done_ctx),
      .result_keeps(done_load_ad && !done_bad),
      .result_free
  );

  // ---- key words and <tau>, the tag length in bits as a big-endian number, on their way to the message memories -------

  logic [KEY_BITS-1:0] key_q;
  logic [7:0][63:0] key_words, tau_words;
  logic [63:0] key_word_q;
  logic key_write_q;
  logic [3:0] key_addr_q;
  assign key_words = 512'(key_q);
  assign tau_words = {8'(TAG_BITS), 8'(TAG_BITS >> 8), 496'd0};
  always_ff @(posedge clk) begin
    if (key_taken) key_q <= key_data;
    key_word_q  <= key_addr[3] ? tau_words[key_addr[2:0]] : key_words[key_addr[2:0]];
    key_write_q <= key_write;
    key_addr_q  <= key_addr;
    if (wipe_q || (key_write_q && key_addr_q == 4'd15)) key_q <= '0;
    if (wipe_q) begin
      key_word_q  <= '0;
      key_write_q <= 1'b0;
    end
  end

  // ---- engine and pipeline --------------------------------------------------------------------------------------------

  logic m_write;
  logic [7:0] m_addr;
  logic [63:0] m_data, sum_data;
  logic [7:0] xy_write;
  logic [7:0][3:0] xy_addr;
  logic [1:0][63:0] xy_data;
  logic [2:0] sum_ctx, sum_word;
  logic block_write, block_end;
  logic [2:0] block_word;
  logic [3:0] block_count;
  logic [71:0] block_beat, beat;
  logic [TAG_BITS-1:0] tag;

  omd_x8_engine #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_engine (
      .clk,
      .clear(wipe_data_q),
      .clear_walk(walk_q[8:0]),
      .start,
      .pass_d(pass),
      .nonce_write(cmd_taken),
      .nonce(cmd_nonce),
      .tag_write(tag_in_taken),
      .tag_in(tag_in_data),
      .ad_write,
      .ad_addr,
      .ad_data(ad_word),
      .msg_write,
      .msg_addr,
      .msg_data(msg_word),
      .msg_bytes(msg_word_bytes),
      .key_write(key_write_q),
      .key_addr(key_addr_q),
      .key_data(key_word_q),
      .m_write,
      .m_addr,
      .m_data,
      .xy_write,
      .xy_addr,
      .xy_data,
      .sum_ctx,
      .sum_word,
      .sum_data,
      .ev_sum,
      .ev_sum_ctx,
      .ev_value,
      .ev_value_ctx,
      .table_done,
      .out_write(block_write),
      .out_word(block_word),
      .out_end(block_end),
      .out_count(block_count),
      .out_beat(block_beat),
      .result_set,
      .result_ctx(done_ctx),
      .result_open(done_open),
      .result_load_ad(done_load_ad),
      .result_bad(done_bad),
      .result_equal,
      .tag
  );

  blake2b_pipeline_x8 u_pipeline (
      .clk,
      .clear(wipe_data_q),
      .clear_walk(walk_q[2:0]),
      .hold(rest),  // so that a command in an idle core always takes the same time
      .ends_soon,
      .ends_soon_ctx,
      .dec_ctx,
      .dec_chain,
      .dec_load,
      .dec_from_sum,
      .dec_block,
      .m_write,
      .m_addr,
      .m_data,
      .xy_write,
      .xy_addr,
      .xy_data,
      .sum_ctx,
      .sum_word,
      .sum_data
  );

  // ---- output ---------------------------------------------------------------------------------------------------------

  omd_x8_outlet u_outlet (
      .clk,
      .clear(wipe_q),
      .clear_walk(walk_q[8:0]),
      .write(block_write),
      .write_word(block_word),
      .write_beat(block_beat),
      .write_end(block_end),
      .write_count(block_count),
      .room(out_room),
      .valid(out_there),
      .ready(out_ready),
      .beat
  );
  assign {out_ctx, out_last, out_bytes, out_data} = beat;

  assign result_free = !result_there;
  assign result_tag = tag & {TAG_BITS{result_valid}};
  always_ff @(posedge clk) begin
    if (result_set) begin
      result_there <= 1'b1;
      result_ctx <= done_ctx;
      result_ok    <= !done_bad && (!done_open || result_equal);
    end else if (result_ready) begin
      result_there <= 1'b0;
    end
    if (wipe_q) begin
      result_there <= 1'b0;
      result_ok    <= 1'b0;
      result_ctx <= '0;
    end
  end

`ifndef SYNTHESIS
  omd_x8_checks #(
      .TAG_BITS(TAG_BITS)
  ) u_checks (
      .clk,
      .clear(shut),
      .cmd_taken,
      .cmd_op,
      .out_valid,
      .out_ready,
      .out_ctx,
      .out_data,
      .out_bytes,
      .out_last,
      .result_valid,
      .result_ready,
      .result_ctx,
      .result_ok,
      .result_tag,
      .ends_soon,
      .ends_soon_ctx,
      .pass_waits(u_contexts.post_q),
      .start,
      .engine_on(u_engine.on0),
      .engine_end(u_engine.end0),
      .queue_used(u_outlet.used),
      .queue_write(block_write)
  );
`endif

endmodule
