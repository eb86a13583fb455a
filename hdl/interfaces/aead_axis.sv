// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream around any AEAD core of the port contract (docs/core-ports.md), release FIFO inside; layouts of the
// command, key and status words: docs/interfaces.md. The core sits outside, at the core_* ports.
// Byte i of every packet and string is in bits [8i+7:8i] of its beat. Packets come out in the order of their commands;
// a core of several contexts works on several at once.
// Cycles: docs/interfaces.md. Security: sealed and opened packets alike leave only from a release FIFO, after the core's
// result ok and if nothing was wrong with any input. rst and clear drop everything and wipe every register and store.
module aead_axis
  import aead_adapter_pkg::*;
#(
    parameter int unsigned AXIS_BITS = 64,  // tdata, status excepted: 64, 128, 256 or 512, at least DATA_BITS
    parameter int unsigned DATA_BITS = 64,  // beat of the core: 32, 64, 128, 256 or 512
    parameter int unsigned KEY_BITS = 512,  // whole bytes, 16 or more
    parameter int unsigned NONCE_BITS = 256,  // whole bytes
    parameter int unsigned TAG_BITS = 256,  // whole bytes; 0: no tag
    parameter int unsigned CONTEXTS = 1,  // of the core; a power of two
    parameter int unsigned STORE_BYTES = 16384,  // release store of a context; a power of two
    parameter int unsigned PACKET_BYTES = STORE_BYTES,  // longest packet on m_axis, in whole beats of the core
    parameter int unsigned DESCRIPTORS = 16,  // commands in work or waiting on m_axis; a power of two, 2 or more
    parameter int unsigned AD_FIFO_BYTES = 0,  // AD held back for a context, and its longest; 0: none, no limit
    parameter int unsigned MSG_FIFO_BYTES = 0,  // input message held back for a context; 0: none
    localparam int unsigned CTX_BITS = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS),
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned TAG_PORT = TAG_BITS == 0 ? 1 : TAG_BITS
) (
    input logic clk,
    input logic rst,
    input logic clear,  // pulse: as rst; goes to the core too
    output logic busy,  // clearing, or a command or key in work
    input logic [AXIS_BITS-1:0] s_axis_cmd_tdata,
    input logic [AXIS_BITS/8-1:0] s_axis_cmd_tkeep,
    input logic s_axis_cmd_tvalid,
    output logic s_axis_cmd_tready,
    input logic s_axis_cmd_tlast,
    input logic [AXIS_BITS-1:0] s_axis_key_tdata,
    input logic [AXIS_BITS/8-1:0] s_axis_key_tkeep,
    input logic s_axis_key_tvalid,
    output logic s_axis_key_tready,
    input logic s_axis_key_tlast,
    input logic [AXIS_BITS-1:0] s_axis_ad_tdata,
    input logic [AXIS_BITS/8-1:0] s_axis_ad_tkeep,
    input logic s_axis_ad_tvalid,
    output logic s_axis_ad_tready,
    input logic s_axis_ad_tlast,
    input logic [AXIS_BITS-1:0] s_axis_msg_tdata,  // plaintext, or ciphertext || tag
    input logic [AXIS_BITS/8-1:0] s_axis_msg_tkeep,
    input logic s_axis_msg_tvalid,
    output logic s_axis_msg_tready,
    input logic s_axis_msg_tlast,
    output logic [AXIS_BITS-1:0] m_axis_tdata,  // ciphertext || tag, or verified plaintext
    output logic [AXIS_BITS/8-1:0] m_axis_tkeep,
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic m_axis_tlast,
    output logic [63:0] m_axis_status_tdata,  // one beat for each command and key
    output logic [7:0] m_axis_status_tkeep,
    output logic m_axis_status_tvalid,
    input logic m_axis_status_tready,
    output logic m_axis_status_tlast,

    // The core
    input  logic                  core_busy,
    output logic                  core_key_valid,
    input  logic                  core_key_ready,
    output logic [  KEY_BITS-1:0] core_key_data,
    output logic                  core_cmd_valid,
    input  logic [  CONTEXTS-1:0] core_cmd_ready,
    output logic [  CTX_BITS-1:0] core_cmd_ctx,
    output logic [           1:0] core_cmd_op,
    output logic                  core_cmd_cached_ad,
    output logic [NONCE_BITS-1:0] core_cmd_nonce,
    output logic                  core_ad_valid,
    input  logic [  CONTEXTS-1:0] core_ad_ready,
    output logic [  CTX_BITS-1:0] core_ad_ctx,
    output logic [ DATA_BITS-1:0] core_ad_data,
    output logic [BYTES_BITS-1:0] core_ad_bytes,
    output logic                  core_ad_last,
    output logic                  core_msg_valid,
    input  logic [  CONTEXTS-1:0] core_msg_ready,
    output logic [  CTX_BITS-1:0] core_msg_ctx,
    output logic [ DATA_BITS-1:0] core_msg_data,
    output logic [BYTES_BITS-1:0] core_msg_bytes,
    output logic                  core_msg_last,
    output logic                  core_tag_in_valid,
    input  logic [  CONTEXTS-1:0] core_tag_in_ready,
    output logic [  CTX_BITS-1:0] core_tag_in_ctx,
    output logic [  TAG_PORT-1:0] core_tag_in_data,
    input  logic                  core_out_valid,      // unverified
    output logic                  core_out_ready,
    input  logic [  CTX_BITS-1:0] core_out_ctx,
    input  logic [ DATA_BITS-1:0] core_out_data,
    input  logic [BYTES_BITS-1:0] core_out_bytes,
    input  logic                  core_out_last,
    input  logic                  core_result_valid,
    output logic                  core_result_ready,
    input  logic [  CTX_BITS-1:0] core_result_ctx,
    input  logic                  core_result_ok,
    input  logic [  TAG_PORT-1:0] core_result_tag
);

  if (AXIS_BITS < 64 || AXIS_BITS > 512 || (AXIS_BITS & (AXIS_BITS - 1)) != 0) begin : g_bad_axis
    $fatal(1, "aead_axis: AXIS_BITS = %0d, allowed: 64, 128, 256, 512", AXIS_BITS);
  end
  if (DATA_BITS < 32 || DATA_BITS > AXIS_BITS || (DATA_BITS & (DATA_BITS - 1)) != 0) begin : g_bad_data
    $fatal(1, "aead_axis: DATA_BITS = %0d, allowed: powers of two from 32 to AXIS_BITS = %0d", DATA_BITS, AXIS_BITS);
  end
  localparam int unsigned HEAD_BYTES = 8;  // of a command, before the nonce
  localparam int unsigned CMD_BYTES = HEAD_BYTES + NONCE_BITS / 8;

  typedef enum logic [2:0] {
    S_IDLE,
    S_KEY,
    S_CHECK,    // look at the command
    S_ORDER,    // give it to the engine
    S_FEED,     // its strings
    S_SWALLOW,  // the strings of a refused command
    S_NOTE      // a status without work
  } state_e;

  state_e state;
  logic wipe, wiping, engine_busy;
  assign wipe = rst || clear;
  assign busy = wipe || engine_busy || core_busy || state != S_IDLE;

  // Inputs as legal strings
  logic cmd_valid, cmd_ready, cmd_last, cmd_err;
  logic key_valid, key_ready, key_last, key_err;
  logic ad_valid, ad_ready, ad_last, ad_err;
  logic msg_valid, msg_ready, msg_last, msg_err;
  logic [DATA_BITS-1:0] cmd_data, key_data, ad_data, msg_data;
  logic [BYTES_BITS-1:0] cmd_bytes, key_bytes, ad_bytes, msg_bytes;
  logic in_clear;
  assign in_clear = wipe || wiping;  // takes nothing while the stores are wiped

  axis_in #(
      .AXIS_BITS(AXIS_BITS),
      .DATA_BITS(DATA_BITS)
  ) u_cmd_in (
      .clk,
      .clear        (in_clear),
      .s_axis_tdata (s_axis_cmd_tdata),
      .s_axis_tkeep (s_axis_cmd_tkeep),
      .s_axis_tvalid(s_axis_cmd_tvalid),
      .s_axis_tready(s_axis_cmd_tready),
      .s_axis_tlast (s_axis_cmd_tlast),
      .m_valid      (cmd_valid),
      .m_ready      (cmd_ready),
      .m_data       (cmd_data),
      .m_bytes      (cmd_bytes),
      .m_last       (cmd_last),
      .m_err        (cmd_err)
  );

  axis_in #(
      .AXIS_BITS(AXIS_BITS),
      .DATA_BITS(DATA_BITS)
  ) u_key_in (
      .clk,
      .clear        (in_clear),
      .s_axis_tdata (s_axis_key_tdata),
      .s_axis_tkeep (s_axis_key_tkeep),
      .s_axis_tvalid(s_axis_key_tvalid),
      .s_axis_tready(s_axis_key_tready),
      .s_axis_tlast (s_axis_key_tlast),
      .m_valid      (key_valid),
      .m_ready      (key_ready),
      .m_data       (key_data),
      .m_bytes      (key_bytes),
      .m_last       (key_last),
      .m_err        (key_err)
  );

  axis_in #(
      .AXIS_BITS(AXIS_BITS),
      .DATA_BITS(DATA_BITS)
  ) u_ad_in (
      .clk,
      .clear        (in_clear),
      .s_axis_tdata (s_axis_ad_tdata),
      .s_axis_tkeep (s_axis_ad_tkeep),
      .s_axis_tvalid(s_axis_ad_tvalid),
      .s_axis_tready(s_axis_ad_tready),
      .s_axis_tlast (s_axis_ad_tlast),
      .m_valid      (ad_valid),
      .m_ready      (ad_ready),
      .m_data       (ad_data),
      .m_bytes      (ad_bytes),
      .m_last       (ad_last),
      .m_err        (ad_err)
  );

  axis_in #(
      .AXIS_BITS(AXIS_BITS),
      .DATA_BITS(DATA_BITS)
  ) u_msg_in (
      .clk,
      .clear        (in_clear),
      .s_axis_tdata (s_axis_msg_tdata),
      .s_axis_tkeep (s_axis_msg_tkeep),
      .s_axis_tvalid(s_axis_msg_tvalid),
      .s_axis_tready(s_axis_msg_tready),
      .s_axis_tlast (s_axis_msg_tlast),
      .m_valid      (msg_valid),
      .m_ready      (msg_ready),
      .m_data       (msg_data),
      .m_bytes      (msg_bytes),
      .m_last       (msg_last),
      .m_err        (msg_err)
  );

  // Command and key
  logic cmd_word_valid, cmd_word_ok, cmd_head_ok, cmd_done;
  logic key_word_valid, key_word_ok, key_done, unused_key_head;
  logic [8*CMD_BYTES-1:0] cmd_word;

  aead_word #(
      .DATA_BITS(DATA_BITS),
      .BYTES    (CMD_BYTES)
  ) u_cmd (
      .clk,
      .clear  (wipe),
      .s_valid(cmd_valid),
      .s_ready(cmd_ready),
      .s_data (cmd_data),
      .s_bytes(cmd_bytes),
      .s_last (cmd_last),
      .s_err  (cmd_err),
      .valid  (cmd_word_valid),
      .take   (cmd_done),
      .ok     (cmd_word_ok),
      .head_ok(cmd_head_ok),
      .data   (cmd_word)
  );

  aead_word #(
      .DATA_BITS(DATA_BITS),
      .BYTES    (KEY_BITS / 8)
  ) u_key (
      .clk,
      .clear  (wipe),
      .s_valid(key_valid),
      .s_ready(key_ready),
      .s_data (key_data),
      .s_bytes(key_bytes),
      .s_last (key_last),
      .s_err  (key_err),
      .valid  (key_word_valid),
      .take   (key_done),
      .ok     (key_word_ok),
      .head_ok(unused_key_head),
      .data   (core_key_data)
  );

  logic [7:0] cmd_op, cmd_flags;
  logic flag_cached, flag_no_ad, flag_no_msg, cmd_good;
  assign cmd_op = cmd_word[7:0];
  assign cmd_flags = cmd_word[15:8];
  assign {flag_no_msg, flag_no_ad, flag_cached} = cmd_flags[2:0];
  always_comb begin
    cmd_good = cmd_word_ok && cmd_flags[7:3] == '0 && cmd_word[8*HEAD_BYTES-1:16] == '0;
    unique case (cmd_op)
      OP_SEAL: if (flag_cached && flag_no_ad) cmd_good = 1'b0;
      OP_OPEN: if ((flag_cached && flag_no_ad) || flag_no_msg) cmd_good = 1'b0;
      OP_LOAD_AD: if (flag_cached || flag_no_msg) cmd_good = 1'b0;
      default: cmd_good = 1'b0;
    endcase
  end

  // What the command is
  logic [7:0] op;
  code_e note_code;
  logic key_in_force, order_ready, started;
  logic want_ad, want_msg;  // packets still to come from the streams
  logic make_ad, make_msg;  // empty strings still to be made here

  assign core_key_valid = state == S_KEY && key_word_ok;
  assign key_done = state == S_KEY && (!key_word_ok || core_key_ready);
  assign started = state == S_ORDER && order_ready;
  assign cmd_done = started || (state == S_CHECK && !cmd_good);

  // AD
  logic feed, swallow, ad_taken, msg_taken, engine_ad_valid, engine_ad_ready;
  assign feed = state == S_FEED;
  assign swallow = state == S_SWALLOW;
  assign engine_ad_valid = feed && (make_ad || (want_ad && ad_valid));
  assign ad_ready = want_ad && (swallow || (feed && engine_ad_ready && !make_ad));
  assign ad_taken = ad_valid && ad_ready;

  // Message, tag
  logic split_ready, split_valid, split_open, is_short, msg_bad;
  logic text_valid, text_ready, text_last, tag_valid, tag_ready;
  logic [DATA_BITS-1:0] text_data;
  logic [BYTES_BITS-1:0] text_bytes;
  logic [TAG_PORT-1:0] tag_data;
  code_e text_code;
  assign split_valid = feed && (make_msg || (want_msg && msg_valid));
  assign msg_ready   = want_msg && (swallow || (feed && split_ready && !make_msg));
  assign msg_taken   = msg_valid && msg_ready;
  assign text_code   = msg_bad ? BAD_STREAM : is_short ? TOO_SHORT : OK;

  aead_split #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS)
  ) u_split (
      .clk,
      .clear  (wipe),
      .start  (started),
      .open   (split_open),
      .s_valid(split_valid),
      .s_ready(split_ready),
      .s_data (make_msg ? '0 : msg_data),
      .s_bytes(make_msg ? '0 : msg_bytes),
      .s_last (make_msg || msg_last),
      .m_valid(text_valid),
      .m_ready(text_ready),
      .m_data (text_data),
      .m_bytes(text_bytes),
      .m_last (text_last),
      .tag_valid,
      .tag_ready,
      .tag_data,
      .is_short
  );

  // The core, and what leaves
  logic done_valid, done_ready, out_valid, out_ready, out_last, out_end;
  logic [7:0] done_op;
  code_e done_code;
  logic [31:0] done_length;
  logic [DATA_BITS-1:0] out_data;
  logic [BYTES_BITS-1:0] out_bytes;

  aead_engine #(
      .DATA_BITS     (DATA_BITS),
      .NONCE_BITS    (NONCE_BITS),
      .TAG_BITS      (TAG_BITS),
      .CONTEXTS      (CONTEXTS),
      .STORE_BYTES   (STORE_BYTES),
      .PACKET_BYTES  (PACKET_BYTES),
      .DESCRIPTORS   (DESCRIPTORS),
      .AD_FIFO_BYTES (AD_FIFO_BYTES),
      .MSG_FIFO_BYTES(MSG_FIFO_BYTES)
  ) u_engine (
      .clk,
      .rst,
      .clear,
      .wiping,
      .busy        (engine_busy),
      .order_valid (state == S_ORDER || state == S_NOTE),
      .order_ready,
      .order_note  (state == S_NOTE),
      .order_op    (op),
      .order_code  (note_code),
      .order_cached(flag_cached),
      .order_nonce (cmd_word[8*HEAD_BYTES+:NONCE_BITS]),
      .ad_valid    (engine_ad_valid),
      .ad_ready    (engine_ad_ready),
      .ad_data     (make_ad ? '0 : ad_data),
      .ad_bytes    (make_ad ? '0 : ad_bytes),
      .ad_last     (make_ad || ad_last),
      .ad_code     (!make_ad && ad_err ? BAD_STREAM : OK),
      .msg_valid   (text_valid),
      .msg_ready   (text_ready),
      .msg_data    (text_data),
      .msg_bytes   (text_bytes),
      .msg_last    (text_last),
      .msg_code    (text_code),
      .tag_valid,
      .tag_ready,
      .tag_data,
      .tag_code    (OK),
      .done_valid,
      .done_ready,
      .done_op,
      .done_code,
      .done_length,
      .out_valid,
      .out_ready,
      .out_data,
      .out_bytes,
      .out_last,
      .out_end,
      .core_cmd_valid,
      .core_cmd_ready,
      .core_cmd_ctx,
      .core_cmd_op,
      .core_cmd_cached_ad,
      .core_cmd_nonce,
      .core_ad_valid,
      .core_ad_ready,
      .core_ad_ctx,
      .core_ad_data,
      .core_ad_bytes,
      .core_ad_last,
      .core_msg_valid,
      .core_msg_ready,
      .core_msg_ctx,
      .core_msg_data,
      .core_msg_bytes,
      .core_msg_last,
      .core_tag_in_valid,
      .core_tag_in_ready,
      .core_tag_in_ctx,
      .core_tag_in_data,
      .core_out_valid,
      .core_out_ready,
      .core_out_ctx,
      .core_out_data,
      .core_out_bytes,
      .core_out_last,
      .core_result_valid,
      .core_result_ready,
      .core_result_ctx,
      .core_result_ok,
      .core_result_tag
  );

  localparam int unsigned WIDE_BITS = $clog2(AXIS_BITS / 8 + 1);
  logic wide_valid, wide_ready, wide_last, unused_out_last, unused_user;
  logic [AXIS_BITS-1:0] wide_data;
  logic [WIDE_BITS-1:0] wide_bytes;
  assign unused_out_last = &{1'b0, out_last};

  aead_repack #(
      .S_BITS(DATA_BITS),
      .M_BITS(AXIS_BITS)
  ) u_join (
      .clk,
      .clear  (wipe),
      .s_valid(out_valid),
      .s_ready(out_ready),
      .s_data (out_data),
      .s_bytes(out_bytes),
      .s_last (out_end),
      .s_user (1'b0),
      .m_valid(wide_valid),
      .m_ready(wide_ready),
      .m_data (wide_data),
      .m_bytes(wide_bytes),
      .m_last (wide_last),
      .m_user (unused_user)
  );

  stream_to_axis #(
      .DATA_BITS(AXIS_BITS)
  ) u_keep (
      .s_valid(wide_valid),
      .s_ready(wide_ready),
      .s_data (wide_data),
      .s_bytes(wide_bytes),
      .s_last (wide_last),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast
  );

  // Status: a register, so that the next one can be found while it waits
  assign m_axis_status_tkeep = '1;
  assign m_axis_status_tlast = 1'b1;
  assign done_ready = !m_axis_status_tvalid || m_axis_status_tready;

  always_ff @(posedge clk) begin
    if (m_axis_status_tready) m_axis_status_tvalid <= 1'b0;
    if (done_valid && done_ready) begin
      m_axis_status_tvalid <= 1'b1;
      m_axis_status_tdata  <= {done_length, 16'h0000, done_op, 4'h0, done_code};
    end
    if (engine_ad_valid && engine_ad_ready && make_ad) make_ad <= 1'b0;
    if (split_valid && split_ready && make_msg) make_msg <= 1'b0;
    if (ad_taken && ad_last) want_ad <= 1'b0;
    if (msg_taken && msg_last) want_msg <= 1'b0;
    if (msg_taken && msg_err) msg_bad <= 1'b1;

    unique case (state)
      S_IDLE: begin
        if (key_word_valid) begin
          op    <= OP_KEY;
          state <= S_KEY;
        end else if (cmd_word_valid && key_in_force) begin
          op    <= cmd_head_ok ? cmd_op : OP_NONE;
          state <= S_CHECK;
        end
      end

      S_KEY: begin
        note_code <= key_word_ok ? OK : BAD_KEY;
        if (!key_word_ok || core_key_ready) begin
          key_in_force <= key_word_ok;
          state        <= S_NOTE;
        end
      end

      S_CHECK: begin
        want_ad   <= cmd_head_ok && op <= OP_LOAD_AD && !flag_cached && !flag_no_ad;
        want_msg  <= cmd_head_ok && op <= OP_OPEN && !flag_no_msg;
        make_ad   <= cmd_good && flag_no_ad;
        make_msg  <= cmd_good && flag_no_msg;
        note_code <= BAD_COMMAND;
        state     <= cmd_good ? S_ORDER : S_SWALLOW;
      end

      S_ORDER:
      if (order_ready) begin
        split_open <= op == OP_OPEN;
        msg_bad    <= 1'b0;
        state      <= S_FEED;
      end

      S_FEED: if (!want_ad && !want_msg && !make_ad && !make_msg) state <= S_IDLE;

      S_SWALLOW: if (!want_ad && !want_msg) state <= S_NOTE;

      S_NOTE: if (order_ready) state <= S_IDLE;

      default: state <= S_IDLE;
    endcase

    if (wipe) begin
      state                <= S_IDLE;
      key_in_force         <= 1'b0;
      want_ad              <= 1'b0;
      want_msg             <= 1'b0;
      make_ad              <= 1'b0;
      make_msg             <= 1'b0;
      m_axis_status_tvalid <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // By counts of what goes in and out of the adapter, apart from the logic above: packets that leave on m_axis
  // are never more than the core's good results to commands other than "load AD".
  logic [31:0] good_results, packets_out;
  logic [CONTEXTS-1:0] loading;
  logic past_waiting;
  logic [AXIS_BITS+AXIS_BITS/8:0] past_beat;
  always_ff @(posedge clk) begin
    if (core_cmd_valid && core_cmd_ready[core_cmd_ctx]) loading[core_cmd_ctx] <= core_cmd_op == 2'(OP_LOAD_AD);
    if (core_result_valid && core_result_ready && core_result_ok && !loading[CONTEXTS==1?0 : core_result_ctx])
      good_results <= good_results + 1;
    if (m_axis_tvalid && m_axis_tready && m_axis_tlast) packets_out <= packets_out + 1;
    past_waiting <= m_axis_tvalid && !m_axis_tready && !wipe;
    past_beat    <= {m_axis_tdata, m_axis_tkeep, m_axis_tlast};
    if (wipe) begin
      good_results <= '0;
      packets_out  <= '0;
    end else begin
      nothing_unverified_leaves :
      assert (!m_axis_tvalid || packets_out != good_results)
      else $error("aead_axis: a beat shows without a good result");
      m_axis_holds :
      assert (!past_waiting || (m_axis_tvalid && past_beat == {m_axis_tdata, m_axis_tkeep, m_axis_tlast}))
      else $error("aead_axis: m_axis changed before it was taken");
    end
  end
`endif

endmodule
