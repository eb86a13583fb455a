// SPDX-License-Identifier: Apache-2.0
//
// The LWC hardware API around any AEAD core of the port contract (docs/core-ports.md), release FIFO inside
// (docs/interfaces.md). Order of segments: nonce, AD, plaintext; nonce, AD, ciphertext, tag. The core sits outside, at
// the core_* ports. Bus: first byte in the high bits of a word; strings inside: byte i in bits [8i+7:8i].
// Cycles: docs/interfaces.md. Security: plaintext leaves after its tag was verified, never before; of a message that is
// not authentic or not well-formed nothing leaves but the status. rst drops everything and wipes all registers and stores.
module aead_lwc
  import aead_adapter_pkg::*;
  import lwc_pkg::*;
#(
    parameter int unsigned W = 32,  // pdi and do: 8, 16, 32, 64 or 128
    parameter int unsigned SW = W,  // sdi: 8, 16, 32, 64 or 128
    parameter int unsigned DATA_BITS = 64,  // beat of the core: 32, 64, 128, 256 or 512
    parameter int unsigned KEY_BITS = 512,  // whole bytes
    parameter int unsigned NONCE_BITS = 256,  // whole bytes
    parameter int unsigned TAG_BITS = 256,  // whole bytes; 0: no tag
    parameter int unsigned CONTEXTS = 1,  // of the core; a power of two
    parameter int unsigned STORE_BYTES = 16384,  // release store of a context; a power of two
    parameter int unsigned PACKET_BYTES = STORE_BYTES,  // longest message that leaves, tag included, in whole beats
    parameter int unsigned DESCRIPTORS = 16,  // messages in work or waiting on do; a power of two, 2 or more
    parameter int unsigned AD_FIFO_BYTES = 0,  // AD held back for a context, and its longest; 0: none, no limit
    parameter int unsigned MSG_FIFO_BYTES = 0,  // input message held back for a context; 0: none
    localparam int unsigned CTX_BITS = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS),
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned TAG_PORT = TAG_BITS == 0 ? 1 : TAG_BITS
) (
    input  logic          clk,
    input  logic          rst,        // synchronous, active high
    input  logic [ W-1:0] pdi_data,   // instructions, nonce, AD, message, tag
    input  logic          pdi_valid,
    output logic          pdi_ready,
    input  logic [SW-1:0] sdi_data,   // key
    input  logic          sdi_valid,
    output logic          sdi_ready,
    output logic [ W-1:0] do_data,    // ciphertext and tag, or verified plaintext; status
    output logic          do_last,    // the word is a status
    output logic          do_valid,
    input  logic          do_ready,

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

  if (W != 8 && W != 16 && W != 32 && W != 64 && W != 128) begin : g_bad_w
    $fatal(1, "aead_lwc: W = %0d, allowed: 8, 16, 32, 64, 128", W);
  end
  if (SW != 8 && SW != 16 && SW != 32 && SW != 64 && SW != 128) begin : g_bad_sw
    $fatal(1, "aead_lwc: SW = %0d, allowed: 8, 16, 32, 64, 128", SW);
  end

  typedef enum logic [2:0] {
    S_INST,
    S_LOAD,     // a key comes on sdi
    S_KEY,      // give it to the core
    S_NONCE,
    S_ORDER,    // give the message to the engine
    S_SWALLOW,  // the strings of a refused message
    S_NOTE      // a status without work
  } state_e;

  state_e state;
  logic wiping, in_clear, key_in_force, open;
  string_e final_one;  // last string of the message
  assign in_clear = rst || wiping;  // takes nothing while the stores are wiped

  // Key
  logic sdi_inst_valid, sdi_inst_take, sdi_inst_clean, sdi_is_load, key_valid, key_ready, key_last, key_bad;
  logic [3:0] sdi_inst;
  logic [DATA_BITS-1:0] key_data;
  logic [BYTES_BITS-1:0] key_bytes;
  string_e unused_key_what;
  logic key_word_valid, key_word_ok, key_take, unused_key_head;
  assign sdi_is_load = sdi_inst == INST_LDKEY && sdi_inst_clean;
  assign sdi_inst_take = sdi_inst_valid && state == S_LOAD;
  assign key_take = (state == S_LOAD && key_word_valid && !key_word_ok) || (state == S_KEY && core_key_ready);
  assign core_key_valid = state == S_KEY;

  lwc_reader #(
      .W        (SW),
      .DATA_BITS(DATA_BITS)
  ) u_sdi (
      .clk,
      .clear     (in_clear),
      .s_data    (sdi_data),
      .s_valid   (sdi_valid),
      .s_ready   (sdi_ready),
      .inst_valid(sdi_inst_valid),
      .inst_take (sdi_inst_take),
      .inst      (sdi_inst),
      .inst_clean(sdi_inst_clean),
      .run       (sdi_is_load),
      .drop      (1'b0),
      .open      (1'b0),
      .first     (KEY),
      .final_one (KEY),
      .m_valid   (key_valid),
      .m_ready   (key_ready),
      .m_data    (key_data),
      .m_bytes   (key_bytes),
      .m_last    (key_last),
      .m_what    (unused_key_what),
      .m_bad     (key_bad)
  );

  aead_word #(
      .DATA_BITS(DATA_BITS),
      .BYTES    (KEY_BITS / 8)
  ) u_key (
      .clk,
      .clear  (in_clear),
      .s_valid(key_valid),
      .s_ready(key_ready),
      .s_data (key_data),
      .s_bytes(key_bytes),
      .s_last (key_last),
      .s_err  (key_bad),
      .valid  (key_word_valid),
      .take   (key_take),
      .ok     (key_word_ok),
      .head_ok(unused_key_head),
      .data   (core_key_data)
  );

  // Messages
  logic inst_valid, inst_take, inst_clean, is_message, usable;
  logic [3:0] inst;
  logic str_valid, str_ready, str_last, str_bad, swallow;
  logic [DATA_BITS-1:0] str_data;
  logic [BYTES_BITS-1:0] str_bytes;
  string_e str_what;
  assign inst_take = state == S_INST && inst_valid;
  assign is_message = inst == INST_ENC || inst == INST_DEC;
  assign usable = is_message && inst_clean && key_in_force;

  lwc_reader #(
      .W        (W),
      .DATA_BITS(DATA_BITS)
  ) u_pdi (
      .clk,
      .clear    (in_clear),
      .s_data   (pdi_data),
      .s_valid  (pdi_valid),
      .s_ready  (pdi_ready),
      .inst_valid,
      .inst_take,
      .inst,
      .inst_clean,
      .run      (is_message || inst == INST_HASH),
      .drop     (!usable),
      .open     (inst == INST_DEC),
      .first    (NONCE),
      .final_one(inst == INST_DEC && TAG_BITS != 0 ? TAG : TEXT),
      .m_valid  (str_valid),
      .m_ready  (str_ready),
      .m_data   (str_data),
      .m_bytes  (str_bytes),
      .m_last   (str_last),
      .m_what   (str_what),
      .m_bad    (str_bad)
  );

  logic nonce_ready, nonce_valid, nonce_ok, nonce_take, unused_nonce_head;
  logic ad_ready, text_ready, order_ready;
  logic [NONCE_BITS-1:0] nonce;
  logic tag_word_ready, tag_valid, tag_ready, tag_ok;
  logic [TAG_PORT-1:0] tag_data;
  code_e str_code;
  assign swallow  = state == S_SWALLOW;
  assign str_code = str_bad ? BAD_STREAM : OK;

  always_comb begin
    unique case (str_what)
      NONCE:   str_ready = nonce_ready;
      AD:      str_ready = ad_ready;
      TEXT:    str_ready = text_ready;
      default: str_ready = tag_word_ready;
    endcase
    if (swallow) str_ready = 1'b1;
  end

  assign nonce_take = (state == S_NONCE && nonce_valid && !nonce_ok) || (state == S_ORDER && order_ready);

  aead_word #(
      .DATA_BITS(DATA_BITS),
      .BYTES    (NONCE_BITS / 8)
  ) u_nonce (
      .clk,
      .clear  (in_clear),
      .s_valid(str_valid && str_what == NONCE),
      .s_ready(nonce_ready),
      .s_data (str_data),
      .s_bytes(str_bytes),
      .s_last (str_last),
      .s_err  (str_bad),
      .valid  (nonce_valid),
      .take   (nonce_take),
      .ok     (nonce_ok),
      .head_ok(unused_nonce_head),
      .data   (nonce)
  );

  if (TAG_BITS != 0) begin : g_tag
    logic unused_tag_head;
    aead_word #(
        .DATA_BITS(DATA_BITS),
        .BYTES    (TAG_BITS / 8)
    ) u_tag (
        .clk,
        .clear  (in_clear),
        .s_valid(str_valid && str_what == TAG && !swallow),
        .s_ready(tag_word_ready),
        .s_data (str_data),
        .s_bytes(str_bytes),
        .s_last (str_last),
        .s_err  (str_bad),
        .valid  (tag_valid),
        .take   (tag_valid && tag_ready),
        .ok     (tag_ok),
        .head_ok(unused_tag_head),
        .data   (tag_data)
    );
  end else begin : g_no_tag
    logic unused_tag_ready;
    assign unused_tag_ready = &{1'b0, tag_ready};
    assign tag_word_ready = 1'b1;
    assign tag_valid = 1'b0;
    assign tag_ok = 1'b1;
    assign tag_data = '0;
  end

  // The core, and what leaves
  logic done_valid, done_ready, out_valid, out_ready, out_last, unused_out_end, unused_busy;
  logic [7:0] done_op;
  code_e done_code;
  logic [31:0] done_length;
  logic [DATA_BITS-1:0] out_data;
  logic [BYTES_BITS-1:0] out_bytes;
  assign unused_busy = &{1'b0, core_busy};

  logic engine_busy, unused_engine_busy;
  assign unused_engine_busy = &{1'b0, engine_busy};

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
      .clear       (1'b0),
      .wiping,
      .busy        (engine_busy),
      .order_valid (state == S_ORDER || state == S_NOTE),
      .order_ready,
      .order_note  (state == S_NOTE),
      .order_op    (open ? OP_OPEN : OP_SEAL),
      .order_code  (BAD_COMMAND),
      .order_cached(1'b0),
      .order_nonce (nonce),
      .ad_valid    (str_valid && str_what == AD && !swallow),
      .ad_ready,
      .ad_data     (str_data),
      .ad_bytes    (str_bytes),
      .ad_last     (str_last),
      .ad_code     (str_code),
      .msg_valid   (str_valid && str_what == TEXT && !swallow),
      .msg_ready   (text_ready),
      .msg_data    (str_data),
      .msg_bytes   (str_bytes),
      .msg_last    (str_last),
      .msg_code    (str_code),
      .tag_valid,
      .tag_ready,
      .tag_data,
      .tag_code    (tag_ok ? OK : BAD_STREAM),
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
      .out_end     (unused_out_end),
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

  lwc_writer #(
      .W        (W),
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS)
  ) u_do (
      .clk,
      .clear    (rst),
      .done_valid,
      .done_ready,
      .done_open(done_op == OP_OPEN),
      .done_ok  (done_code == OK),
      .done_length,
      .s_valid  (out_valid),
      .s_ready  (out_ready),
      .s_data   (out_data),
      .s_bytes  (out_bytes),
      .s_last   (out_last),
      .do_data,
      .do_last,
      .do_valid,
      .do_ready
  );

  always_ff @(posedge clk) begin
    unique case (state)
      S_INST:
      if (inst_valid) begin
        open      <= inst == INST_DEC;
        final_one <= inst == INST_DEC && TAG_BITS != 0 ? TAG : TEXT;
        if (usable) state <= S_NONCE;
        else state <= inst == INST_ACTKEY && inst_clean ? S_LOAD : S_NOTE;
      end

      S_LOAD:
      if (key_word_valid) begin
        key_in_force <= 1'b0;
        state        <= key_word_ok ? S_KEY : S_INST;
      end

      S_KEY:
      if (core_key_ready) begin
        key_in_force <= 1'b1;
        state        <= S_INST;
      end

      S_NONCE: if (nonce_valid) state <= nonce_ok ? S_ORDER : S_SWALLOW;

      S_ORDER: if (order_ready) state <= S_INST;

      S_SWALLOW: if (str_valid && str_last && str_what == final_one) state <= S_NOTE;

      S_NOTE: if (order_ready) state <= S_INST;

      default: state <= S_INST;
    endcase
    if (rst) begin
      state        <= S_INST;
      key_in_force <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // By counts of what goes in and out of the adapter, apart from the logic above: words that are not a status leave only
  // while fewer messages than good results of the core have been said.
  logic [31:0] good_results, messages_out;
  logic past_waiting;
  logic [W:0] past_word;
  always_ff @(posedge clk) begin
    if (core_result_valid && core_result_ready && core_result_ok) good_results <= good_results + 1;
    if (do_valid && do_ready && do_last && do_data[W-1-:4] == STATUS_SUCCESS) messages_out <= messages_out + 1;
    past_waiting <= do_valid && !do_ready && !rst;
    past_word    <= {do_data, do_last};
    if (rst) begin
      good_results <= '0;
      messages_out <= '0;
    end else begin
      nothing_unverified_leaves :
      assert (!do_valid || (do_last && do_data[W-1-:4] == STATUS_FAILURE) || messages_out != good_results)
      else $error("aead_lwc: a word shows without a good result");
      do_holds :
      assert (!past_waiting || (do_valid && past_word == {do_data, do_last}))
      else $error("aead_lwc: do changed before it was taken");
    end
  end
`endif

endmodule
