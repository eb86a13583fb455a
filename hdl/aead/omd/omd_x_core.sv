// SPDX-License-Identifier: Apache-2.0
// OMD authenticated encryption for several contexts, whose packets are interleaved in pipelined compression functions.
// Specification: OMD v1 and v2 (CAESAR); docs/cores/omd-x8.md and docs/cores/omd-sha512-x4.md.
// Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers and memories in 768 cycles, with busy high.
module omd_x_core
  import omd_x_pkg::*;
#(
    parameter bit BLAKE2B = 1'b0,  // compression function: 0 SHA-512, 1 BLAKE2b
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 64
    parameter int unsigned KEY_BITS = 512,  // 8 to 512, whole bytes
    parameter int unsigned NONCE_BITS = 256,  // 8 to 504, whole bytes
    parameter int unsigned TAG_BITS = 256,  // 8 to 512, whole bytes
    parameter int unsigned VERSION = 2,  // 1 or 2
    parameter int unsigned CONTEXTS = 4  // BLAKE2b: 8; SHA-512: 2 or 4, a round loop for two
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 64) begin : gen_bad_data
    $fatal(1, "omd_x_core: DATA_BITS = %0d, allowed: 64", DATA_BITS);
  end
  if (KEY_BITS < 8 || KEY_BITS > 512 || KEY_BITS % 8 != 0) begin : gen_bad_key
    $fatal(1, "omd_x_core: KEY_BITS = %0d, allowed: whole bytes from 8 to 512", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 504 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "omd_x_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to 504", NONCE_BITS);
  end
  if (TAG_BITS < 8 || TAG_BITS > 512 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "omd_x_core: TAG_BITS = %0d, allowed: whole bytes from 8 to 512", TAG_BITS);
  end
  if (VERSION != 1 && VERSION != 2) begin : gen_bad_version
    $fatal(1, "omd_x_core: VERSION = %0d, allowed: 1, 2", VERSION);
  end
  if (BLAKE2B ? CONTEXTS != 8 : CONTEXTS != 2 && CONTEXTS != 4) begin : gen_bad_contexts
    $fatal(1, "omd_x_core: CONTEXTS = %0d, allowed: 8 for BLAKE2b, 2 and 4 for SHA-512", CONTEXTS);
  end

  localparam int unsigned LOOPS = BLAKE2B ? 1 : CONTEXTS / 2;
  localparam int unsigned CTX_BITS = $clog2(CONTEXTS);

  // ---- clearing, readiness ----------------------------------------------------------------------------------------------

  localparam logic [9:0] WALK_START = 10'd256;

  logic wipe_q, wipe_wide_q, wipe_data_q;
  logic [9:0] walk_q;
  always_ff @(posedge clk) begin
    if (wipe_q) walk_q <= walk_q + 10'd1;
    if (walk_q == '1) wipe_q <= 1'b0;
    wipe_wide_q <= wipe_q;
    wipe_data_q <= wipe_q && walk_q[9:6] != '1;
    if (clear) begin
      wipe_q <= 1'b1;
      walk_q <= WALK_START;
    end
  end
  // shut: nothing is taken or given from the very edge on. wipe_q comes a cycle later; what was taken in between goes with the
  // rest. wipe_wide_q: wide registers. wipe_data_q: pipeline and engine. The walk begins early: on its first steps old values are still on their way to
  // memories.
  logic shut;
  assign shut = wipe_q || clear;

  logic key_open, out_there, result_there;
  logic [CONTEXTS-1:0] cmd_open, ad_open, msg_open, tag_open;
  assign port.key_ready    = key_open && !shut;
  assign port.cmd_ready    = cmd_open & {CONTEXTS{!shut}};
  assign port.ad_ready     = ad_open & {CONTEXTS{!shut}};
  assign port.msg_ready    = msg_open & {CONTEXTS{!shut}};
  assign port.tag_in_ready = tag_open & {CONTEXTS{!shut}};
  assign port.out.valid    = out_there && !shut;
  assign port.result.valid = result_there && !shut;

  // ---- input ----------------------------------------------------------------------------------------------------------

  logic ad_write, msg_write;
  logic [9:0] ad_addr;
  logic [8:0] msg_addr;
  logic [63:0] ad_word, msg_word;
  logic [3:0] unused_ad_word_bytes, msg_word_bytes;  // of the associated data only words and padding count

  omd_x_string_if #(
      .CONTEXTS  (CONTEXTS),
      .COUNT_BITS(8)
  ) ad ();
  omd_x_string_if #(
      .CONTEXTS  (CONTEXTS),
      .COUNT_BITS(7)
  ) msg ();
  omd_x_pipeline_if #(
      .CONTEXTS(CONTEXTS),
      .LOOPS   (LOOPS)
  ) pipe ();
  assign ad.refuse = '0;

  omd_x_intake #(
      .CONTEXTS(CONTEXTS),
      .BLOCK_WORDS(16)
  ) u_ad (
      .clk,
      .clear(wipe_q),
      .valid(port.ad.valid),
      .ready(ad_open),
      .ctx(port.ad.ctx),
      .data(port.ad.data),
      .bytes(port.ad.bytes),
      .last(port.ad.last),
      .str(ad),
      .write(ad_write),
      .write_addr(ad_addr),
      .write_data(ad_word),
      .write_bytes(unused_ad_word_bytes)
  );

  omd_x_intake #(
      .CONTEXTS(CONTEXTS),
      .BLOCK_WORDS(8)
  ) u_msg (
      .clk,
      .clear(wipe_q),
      .valid(port.msg.valid),
      .ready(msg_open),
      .ctx(port.msg.ctx),
      .data(port.msg.data),
      .bytes(port.msg.bytes),
      .last(port.msg.last),
      .str(msg),
      .write(msg_write),
      .write_addr(msg_addr),
      .write_data(msg_word),
      .write_bytes(msg_word_bytes)
  );

  // ---- contexts -------------------------------------------------------------------------------------------------------

  logic key_taken, idle, key_write, table_done;
  logic [3:0] key_addr;
  logic [CONTEXTS-1:0] cmd_taken, tag_in_taken;
  logic out_room, out_last_gone;
  logic start, ev_sum, ev_value, result_set, result_equal;
  logic [CTX_BITS-1:0] ev_sum_ctx, ev_value_ctx;
  pass_t pass;
  logic [CTX_BITS-1:0] done_ctx;
  logic done_bad, done_open, done_load_ad;

  always_comb begin
    for (int unsigned c = 0; c < CONTEXTS; c++)
    tag_in_taken[c] = port.tag_in.valid && tag_open[c] && port.tag_in.ctx == CTX_BITS'(c);
  end
  assign out_last_gone = out_there && port.out_ready && port.out.last;
  assign key_taken     = port.key.valid && key_open;
  assign port.busy     = !idle || result_there || shut;

  omd_x_contexts #(
      .VERSION(VERSION),
      .CONTEXTS(CONTEXTS),
      .LOOPS(LOOPS),
      .SHA2(!BLAKE2B)
  ) u_contexts (
      .clear(wipe_q),
      .clear_walk(walk_q[2:0]),
      .out_last_ctx(port.out.ctx),
      .result_ctx(done_ctx),
      .result_keeps(done_load_ad && !done_bad),
      .result_free(!result_there),
      .*
  );

  // ---- key words and <tau>, the tag length in bits as a big-endian number, on their way to the message memories -------

  logic [KEY_BITS-1:0] key_q;
  logic [7:0][63:0] key_words, tau_words, chosen;
  logic [63:0] key_word_q;
  logic [15:0] key_pick_q;
  logic key_pick_write_q, key_write_q;
  logic [3:0] key_pick_addr_q, key_addr_q;
  assign key_words = 512'(key_q);
  assign tau_words = {8'(TAG_BITS), 8'(TAG_BITS >> 8), 496'd0};
  always_comb begin
    for (int unsigned w = 0; w < 8; w++) begin
      chosen[w] = (key_words[w] & {64{key_pick_q[w]}}) | (tau_words[w] & {64{key_pick_q[8+w]}});
    end
  end
  always_ff @(posedge clk) begin
    if (key_taken) key_q <= port.key.data;
    key_pick_write_q <= key_write;
    key_pick_addr_q  <= key_addr;
    for (int unsigned w = 0; w < 16; w++) key_pick_q[w] <= key_addr == 4'(w);
    key_word_q  <= (chosen[0] | chosen[1] | chosen[2] | chosen[3]) | (chosen[4] | chosen[5] | chosen[6] | chosen[7]);
    key_write_q <= key_pick_write_q;
    key_addr_q  <= key_pick_addr_q;
    if (wipe_wide_q || (key_write_q && key_addr_q == 4'd15)) key_q <= '0;
    if (wipe_wide_q) begin
      key_word_q  <= '0;
      key_write_q <= 1'b0;
    end
  end

  // ---- engine and pipeline --------------------------------------------------------------------------------------------

  logic block_write, block_end;
  logic [2:0] block_word;
  logic [3:0] block_count;
  logic [71:0] block_beat, beat;
  logic [TAG_BITS-1:0] tag;

  omd_x_engine #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS(TAG_BITS),
      .CONTEXTS(CONTEXTS),
      .SHA2(!BLAKE2B)
  ) u_engine (
      .clear(wipe_data_q),
      .clear_walk(walk_q[8:0]),
      .nonce_write(cmd_taken),
      .nonce(port.cmd.nonce),
      .tag_write(tag_in_taken),
      .tag_in(port.tag_in.data),
      .ad_data(ad_word),
      .msg_data(msg_word),
      .msg_bytes(msg_word_bytes),
      .key_write(key_write_q),
      .key_addr(key_addr_q),
      .key_data(key_word_q),
      .*
  );

  omd_x_pipelines #(
      .BLAKE2B (BLAKE2B),
      .CONTEXTS(CONTEXTS),
      .LOOPS   (LOOPS)
  ) u_pipelines (
      .clear(wipe_data_q),
      .clear_walk(walk_q[8:0]),
      .*
  );

  // ---- output ---------------------------------------------------------------------------------------------------------

  omd_x_outlet u_outlet (
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
      .ready(port.out_ready),
      .beat
  );
  logic unused_ctx;
  assign {port.out.ctx, port.out.last, port.out.bytes, port.out.data} = (CTX_BITS + 69)'(beat);
  assign unused_ctx = &{1'b0, beat};

  always_ff @(posedge clk) begin
    if (result_set) begin
      result_there    <= 1'b1;
      port.result.ctx <= done_ctx;
      port.result.ok  <= !done_bad && (!done_open || result_equal);
    end else if (port.result_ready) begin
      result_there <= 1'b0;
    end
    if (wipe_q) begin
      result_there    <= 1'b0;
      port.result.ok  <= 1'b0;
      port.result.ctx <= '0;
    end
    // A register of its own, in place of gates on the port
    if (result_set) port.result.tag <= tag;
    if (wipe_wide_q || (port.result_ready && !result_set)) port.result.tag <= '0;
  end

endmodule
