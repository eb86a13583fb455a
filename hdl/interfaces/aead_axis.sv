// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream around any AEAD core of the port contract (docs/core-ports.md), release FIFO inside; layouts of the
// command, key and status words: docs/interfaces.md. The core sits outside, at the core_* ports (its context 0).
// Byte i of every packet and string is in bits [8i+7:8i] of its beat. One packet at a time, in order.
// Cycles: first beat on m_axis 10 (seal, tag of four beats) or 6 (open) after the core's result (docs/interfaces.md).
// Security: sealed and opened packets alike leave only from the release FIFO, after the core's result ok and if
// nothing was wrong with any input. rst and clear drop everything and wipe every register and the store.
module aead_axis #(
    parameter int unsigned AXIS_BITS = 64,  // tdata, status excepted: 64, 128, 256 or 512, at least DATA_BITS
    parameter int unsigned DATA_BITS = 64,  // beat of the core: 32, 64, 128, 256 or 512
    parameter int unsigned KEY_BITS = 512,  // whole bytes, 16 or more
    parameter int unsigned NONCE_BITS = 256,  // whole bytes
    parameter int unsigned TAG_BITS = 256,  // whole bytes, 8 or more
    parameter int unsigned STORE_BYTES = 16384,  // longest packet on m_axis; a power of two
    parameter int unsigned DESCRIPTORS = 16,  // packets waiting on m_axis; a power of two, 2 or more
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
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
    input  logic                  core_cmd_ready,
    output logic [           1:0] core_cmd_op,
    output logic                  core_cmd_cached_ad,
    output logic [NONCE_BITS-1:0] core_cmd_nonce,
    output logic                  core_ad_valid,
    input  logic                  core_ad_ready,
    output logic [ DATA_BITS-1:0] core_ad_data,
    output logic [BYTES_BITS-1:0] core_ad_bytes,
    output logic                  core_ad_last,
    output logic                  core_msg_valid,
    input  logic                  core_msg_ready,
    output logic [ DATA_BITS-1:0] core_msg_data,
    output logic [BYTES_BITS-1:0] core_msg_bytes,
    output logic                  core_msg_last,
    output logic                  core_tag_in_valid,
    input  logic                  core_tag_in_ready,
    output logic [  TAG_BITS-1:0] core_tag_in_data,
    input  logic                  core_out_valid,      // unverified
    output logic                  core_out_ready,
    input  logic [ DATA_BITS-1:0] core_out_data,
    input  logic [BYTES_BITS-1:0] core_out_bytes,
    input  logic                  core_out_last,
    input  logic                  core_result_valid,
    output logic                  core_result_ready,
    input  logic                  core_result_ok,
    input  logic [  TAG_BITS-1:0] core_result_tag
);

  if (AXIS_BITS < 64 || AXIS_BITS > 512 || (AXIS_BITS & (AXIS_BITS - 1)) != 0) begin : g_bad_axis
    $fatal(1, "aead_axis: AXIS_BITS = %0d, allowed: 64, 128, 256, 512", AXIS_BITS);
  end
  if (DATA_BITS < 32 || DATA_BITS > AXIS_BITS || (DATA_BITS & (DATA_BITS - 1)) != 0) begin : g_bad_data
    $fatal(1, "aead_axis: DATA_BITS = %0d, allowed: powers of two from 32 to AXIS_BITS = %0d", DATA_BITS, AXIS_BITS);
  end
  if (TAG_BITS < 8 || TAG_BITS % 8 != 0) begin : g_bad_tag
    $fatal(1, "aead_axis: TAG_BITS = %0d, allowed: whole bytes, 8 or more", TAG_BITS);
  end

  localparam int unsigned HEAD_BYTES = 8;  // of a command, before the nonce
  localparam int unsigned CMD_BYTES = HEAD_BYTES + NONCE_BITS / 8;

  localparam logic [7:0] OP_SEAL = 8'd0;
  localparam logic [7:0] OP_OPEN = 8'd1;
  localparam logic [7:0] OP_LOAD_AD = 8'd2;
  localparam logic [7:0] OP_KEY = 8'd3;  // in a status only

  typedef enum logic [7:0] {
    OK          = 8'd0,
    NOT_AUTH    = 8'd1,  // open: the core says no
    CORE_REFUSE = 8'd2,  // seal or load AD: the core says no
    BAD_COMMAND = 8'd3,
    BAD_STREAM  = 8'd4,  // tkeep of AD or message
    TOO_SHORT   = 8'd5,  // ciphertext || tag shorter than a tag
    TOO_LONG    = 8'd6,  // longer than the store
    BAD_KEY     = 8'd7
  } code_e;

  typedef enum logic [2:0] {
    S_IDLE,
    S_KEY,
    S_CHECK,    // look at the command
    S_COMMAND,  // offer it to the core
    S_RUN,
    S_SWALLOW,  // the strings of a refused command
    S_VERDICT,
    S_STATUS
  } state_e;

  state_e state;
  logic wipe, store_busy;
  assign wipe = rst || clear;
  assign busy = wipe || store_busy || core_busy || state != S_IDLE;

  // Inputs as legal strings
  logic cmd_valid, cmd_ready, cmd_last, cmd_err;
  logic key_valid, key_ready, key_last, key_err;
  logic ad_valid, ad_ready, ad_last, ad_err;
  logic msg_valid, msg_ready, msg_last, msg_err;
  logic [DATA_BITS-1:0] cmd_data, key_data, ad_data, msg_data;
  logic [BYTES_BITS-1:0] cmd_bytes, key_bytes, ad_bytes, msg_bytes;
  logic in_clear;
  assign in_clear = wipe || store_busy;  // takes nothing while the store is wiped

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

  axis_word #(
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

  axis_word #(
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

  // What the command is, held until its status
  logic [7:0] op;
  code_e code;
  logic is_seal, is_load, key_in_force, has_result, result_ok;
  logic want_ad, want_msg;  // packets still to come from the streams
  logic make_ad, make_msg;  // empty strings still to be made here
  assign is_seal = op == OP_SEAL;
  assign is_load = op == OP_LOAD_AD;

  assign core_key_valid = state == S_KEY && key_word_ok;
  assign key_done = state == S_KEY && (!key_word_ok || core_key_ready);
  assign core_cmd_valid = state == S_COMMAND;
  assign core_cmd_op = cmd_op[1:0];
  assign core_cmd_cached_ad = flag_cached;
  assign core_cmd_nonce = cmd_word[8*HEAD_BYTES+:NONCE_BITS];
  assign cmd_done = (state == S_COMMAND && core_cmd_ready) || (state == S_CHECK && !cmd_good);

  // AD
  logic running, swallow, ad_taken, msg_taken;
  assign running = state == S_RUN;
  assign swallow = state == S_SWALLOW;
  assign core_ad_valid = running && (make_ad || (want_ad && ad_valid));
  assign core_ad_data = make_ad ? '0 : ad_data;
  assign core_ad_bytes = make_ad ? '0 : ad_bytes;
  assign core_ad_last = make_ad || ad_last;
  assign ad_ready = want_ad && (swallow || (running && core_ad_ready));
  assign ad_taken = ad_valid && ad_ready;

  // Message, tag
  logic split_ready, split_valid, is_short, start;
  assign split_valid = running && (make_msg || (want_msg && msg_valid));
  assign msg_ready = want_msg && (swallow || (running && split_ready));
  assign msg_taken = msg_valid && msg_ready;
  assign start = state == S_COMMAND && core_cmd_ready;

  aead_split #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS)
  ) u_split (
      .clk,
      .clear    (wipe),
      .start,
      .open     (op == OP_OPEN),
      .s_valid  (split_valid),
      .s_ready  (split_ready),
      .s_data   (make_msg ? '0 : msg_data),
      .s_bytes  (make_msg ? '0 : msg_bytes),
      .s_last   (make_msg || msg_last),
      .m_valid  (core_msg_valid),
      .m_ready  (core_msg_ready),
      .m_data   (core_msg_data),
      .m_bytes  (core_msg_bytes),
      .m_last   (core_msg_last),
      .tag_valid(core_tag_in_valid),
      .tag_ready(core_tag_in_ready),
      .tag_data (core_tag_in_data),
      .is_short
  );

  // Output
  logic packet_valid, packet_ready, packet_last;
  logic [ DATA_BITS-1:0] packet_data;
  logic [BYTES_BITS-1:0] packet_bytes;
  logic append_ready, result_taken;
  assign core_result_ready = running && !has_result && append_ready;
  assign result_taken = core_result_valid && core_result_ready;

  aead_append #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS)
  ) u_append (
      .clk,
      .clear    (wipe),
      .seal     (is_seal),
      .s_valid  (core_out_valid && running),
      .s_ready  (core_out_ready),
      .s_data   (core_out_data),
      .s_bytes  (core_out_bytes),
      .s_last   (core_out_last),
      .tag_valid(core_result_valid && running),
      .tag_ready(append_ready),
      .tag_data (core_result_tag),
      .m_valid  (packet_valid),
      .m_ready  (packet_ready),
      .m_data   (packet_data),
      .m_bytes  (packet_bytes),
      .m_last   (packet_last)
  );

  logic packet_ended, cut, verdict_ready, verdict_ok;
  logic [31:0] length;
  logic out_valid, out_ready, out_last;
  logic [ DATA_BITS-1:0] out_data;
  logic [BYTES_BITS-1:0] out_bytes;
  assign verdict_ok = result_ok && code == OK && !is_short && !cut;

  aead_store #(
      .DATA_BITS  (DATA_BITS),
      .STORE_BYTES(STORE_BYTES),
      .DESCRIPTORS(DESCRIPTORS)
  ) u_store (
      .clk,
      .rst,
      .clear,
      .busy         (store_busy),
      .start,
      .s_valid      (packet_valid),
      .s_ready      (packet_ready),
      .s_data       (packet_data),
      .s_bytes      (packet_bytes),
      .s_last       (packet_last),
      .ended        (packet_ended),
      .cut,
      .length,
      .verdict_valid(state == S_VERDICT),
      .verdict_ready,
      .verdict_ok,
      .m_valid      (out_valid),
      .m_ready      (out_ready),
      .m_data       (out_data),
      .m_bytes      (out_bytes),
      .m_last       (out_last)
  );

  axis_out #(
      .AXIS_BITS(AXIS_BITS),
      .DATA_BITS(DATA_BITS)
  ) u_out (
      .clk,
      .clear  (wipe),
      .s_valid(out_valid),
      .s_ready(out_ready),
      .s_data (out_data),
      .s_bytes(out_bytes),
      .s_last (out_last),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast
  );

  // Status: a register, so that the next packet runs while it waits
  logic [31:0] out_length;
  code_e final_code;
  assign m_axis_status_tkeep = '1;
  assign m_axis_status_tlast = 1'b1;

  always_comb begin
    final_code = code;
    if (code == OK && op != OP_KEY) begin
      if (is_short) final_code = TOO_SHORT;
      else if (cut) final_code = TOO_LONG;
      else if (!result_ok) final_code = op == OP_OPEN ? NOT_AUTH : CORE_REFUSE;
    end
  end

  always_ff @(posedge clk) begin
    if (m_axis_status_tready) m_axis_status_tvalid <= 1'b0;
    if (core_ad_valid && core_ad_ready && make_ad) make_ad <= 1'b0;
    if (split_valid && split_ready && make_msg) make_msg <= 1'b0;
    if (ad_taken && ad_last) want_ad <= 1'b0;
    if (msg_taken && msg_last) want_msg <= 1'b0;
    if (code == OK && ((ad_taken && ad_err) || (msg_taken && msg_err))) code <= BAD_STREAM;
    if (result_taken) begin
      has_result <= 1'b1;
      result_ok  <= core_result_ok;
    end

    unique case (state)
      S_IDLE: begin
        code       <= OK;
        out_length <= '0;
        has_result <= 1'b0;
        result_ok  <= 1'b0;
        if (key_word_valid) begin
          op    <= OP_KEY;
          state <= S_KEY;
        end else if (cmd_word_valid && key_in_force) begin
          op    <= cmd_head_ok ? cmd_op : 8'hff;
          state <= S_CHECK;
        end
      end

      S_KEY: begin
        if (!key_word_ok) begin
          key_in_force <= 1'b0;
          code         <= BAD_KEY;
          state        <= S_STATUS;
        end else if (core_key_ready) begin
          key_in_force <= 1'b1;
          state        <= S_STATUS;
        end
      end

      S_CHECK: begin
        want_ad  <= cmd_head_ok && op <= OP_LOAD_AD && !flag_cached && !flag_no_ad;
        want_msg <= cmd_head_ok && op <= OP_OPEN && !flag_no_msg;
        make_ad  <= cmd_good && flag_no_ad;
        make_msg <= cmd_good && flag_no_msg;
        state    <= cmd_good ? S_COMMAND : S_SWALLOW;
        if (!cmd_good) code <= BAD_COMMAND;
      end

      S_COMMAND: if (core_cmd_ready) state <= S_RUN;

      S_RUN: if (has_result && (is_load || packet_ended)) state <= is_load ? S_STATUS : S_VERDICT;

      S_SWALLOW: if (!want_ad && !want_msg) state <= S_STATUS;

      S_VERDICT: begin
        if (verdict_ok) out_length <= length;
        if (verdict_ready) state <= S_STATUS;
      end

      S_STATUS: begin
        if (!m_axis_status_tvalid || m_axis_status_tready) begin
          m_axis_status_tvalid <= 1'b1;
          m_axis_status_tdata  <= {out_length, 16'h0000, op, final_code};
          state                <= S_IDLE;
        end
      end

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
  // are never more than the core's good results.
  logic [31:0] good_results, packets_out;
  logic past_waiting;
  logic [AXIS_BITS+AXIS_BITS/8:0] past_beat;
  always_ff @(posedge clk) begin
    if (core_result_valid && core_result_ready && core_result_ok && !is_load) good_results <= good_results + 1;
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
      no_release_of_a_refused_packet :
      assert (state != S_VERDICT || !verdict_ok || (has_result && result_ok && final_code == OK))
      else $error("aead_axis: verdict ok for a packet that was refused");
    end
  end
`endif

endmodule
