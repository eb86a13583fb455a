// SPDX-License-Identifier: Apache-2.0
//
// The LWC hardware API around any AEAD core of the port contract (docs/core-ports.md), release FIFO inside
// (docs/interfaces.md). Order of segments: nonce, AD, plaintext; nonce, AD, ciphertext, tag. The core sits outside, at
// `core`. Bus: first byte in the high bits of a word; strings inside: byte i in bits [8i+7:8i].
// Cycles: docs/interfaces.md. Security: plaintext leaves after its tag was verified, never before; of a message that is
// not authentic or not well-formed nothing leaves but the status. rst drops everything and wipes all registers and stores.
module aead_lwc
  import aead_adapter_pkg::*;
  import lwc_pkg::*;
#(
    parameter int unsigned W = 32,  // pdi and do: 8, 16, 32, 64 or 128
    parameter int unsigned SW = W,  // sdi: 8, 16, 32, 64 or 128
    parameter int unsigned TAG_BITS = 256,  // whole bytes; 0: no tag
    parameter int unsigned STORE_BYTES = 16384,  // release store of a context; a power of two
    parameter int unsigned PACKET_BYTES = STORE_BYTES,  // longest message that leaves, tag included, in whole beats
    parameter int unsigned DESCRIPTORS = 16,  // messages in work or waiting on do; a power of two, 2 or more
    parameter int unsigned AD_FIFO_BYTES = 0,  // AD held back for a context, and its longest; 0: none, no limit
    parameter int unsigned MSG_FIFO_BYTES = 0  // input message held back for a context; 0: none
) (
    input logic clk,
    input logic rst,  // synchronous, active high
    input logic [W-1:0] pdi_data,  // instructions, nonce, AD, message, tag
    input logic pdi_valid,
    output logic pdi_ready,
    input logic [SW-1:0] sdi_data,  // key
    input logic sdi_valid,
    output logic sdi_ready,
    output logic [W-1:0] do_data,  // ciphertext and tag, or verified plaintext; status
    output logic do_last,  // the word is a status
    output logic do_valid,
    input logic do_ready,
    aead_if.user core  // beat of 32, 64, 128, 256 or 512 bits; key and nonce of whole bytes
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

  engine_if #(
      .KEY_BITS  (core.KEY_BITS),
      .NONCE_BITS(core.NONCE_BITS),
      .TAG_BITS  (core.TAG_BITS)
  ) engine ();
  string_if #(.DATA_BITS(core.DATA_BITS)) key (), str (), nonce (), ad (), text (), tag (), out ();

  // Key
  inst_t sdi_inst, inst;
  segments_t sdi_follow, follow;
  string_e unused_key_what, str_what;
  logic sdi_take, key_word_valid, key_word_ok, key_take, unused_key_head;
  assign sdi_take = sdi_inst.valid && state == S_LOAD;
  assign sdi_follow = '{
          run: sdi_inst.code == INST_LDKEY && sdi_inst.clean,
          drop: 1'b0,
          open: 1'b0,
          first: KEY,
          final_one: KEY
      };
  assign key_take = (state == S_LOAD && key_word_valid && !key_word_ok) || (state == S_KEY && engine.key_ready);
  assign engine.key.valid = state == S_KEY;

  lwc_reader #(
      .W(SW)
  ) u_sdi (
      .clk,
      .clear    (in_clear),
      .s_data   (sdi_data),
      .s_valid  (sdi_valid),
      .s_ready  (sdi_ready),
      .inst     (sdi_inst),
      .inst_take(sdi_take),
      .follow   (sdi_follow),
      .m        (key),
      .m_what   (unused_key_what)
  );

  aead_word #(
      .BYTES(core.KEY_BITS / 8)
  ) u_key (
      .clk,
      .clear  (in_clear),
      .s      (key),
      .valid  (key_word_valid),
      .take   (key_take),
      .ok     (key_word_ok),
      .head_ok(unused_key_head),
      .data   (engine.key.data)
  );

  // Messages
  logic inst_take, is_message, usable;
  string_e last_string;
  assign inst_take = state == S_INST && inst.valid;
  assign is_message = inst.code == INST_ENC || inst.code == INST_DEC;
  assign usable = is_message && inst.clean && key_in_force;
  assign last_string = inst.code == INST_DEC && TAG_BITS != 0 ? TAG : TEXT;
  assign follow = '{
          run: is_message || inst.code == INST_HASH,
          drop: !usable,
          open: inst.code == INST_DEC,
          first: NONCE,
          final_one: last_string
      };

  lwc_reader #(
      .W(W)
  ) u_pdi (
      .clk,
      .clear  (in_clear),
      .s_data (pdi_data),
      .s_valid(pdi_valid),
      .s_ready(pdi_ready),
      .inst,
      .inst_take,
      .follow,
      .m      (str),
      .m_what (str_what)
  );

  // Each string to its place, or to none
  logic swallow;
  assign swallow = state == S_SWALLOW;
  assign nonce.valid = str.valid && str_what == NONCE;
  assign ad.valid = str.valid && str_what == AD && !swallow;
  assign text.valid = str.valid && str_what == TEXT && !swallow;
  assign tag.valid = str.valid && str_what == TAG && !swallow;
  assign {nonce.data, nonce.bytes, nonce.last, nonce.code} = {str.data, str.bytes, str.last, str.code};
  assign {ad.data, ad.bytes, ad.last, ad.code} = {str.data, str.bytes, str.last, str.code};
  assign {text.data, text.bytes, text.last, text.code} = {str.data, str.bytes, str.last, str.code};
  assign {tag.data, tag.bytes, tag.last, tag.code} = {str.data, str.bytes, str.last, str.code};
  always_comb begin
    unique case (str_what)
      NONCE:   str.ready = nonce.ready;
      AD:      str.ready = ad.ready;
      TEXT:    str.ready = text.ready;
      default: str.ready = tag.ready;
    endcase
    if (swallow) str.ready = 1'b1;
  end

  logic nonce_valid, nonce_ok, nonce_take, unused_nonce_head, tag_ok;
  assign nonce_take = (state == S_NONCE && nonce_valid && !nonce_ok) || (state == S_ORDER && engine.order_ready);

  aead_word #(
      .BYTES(core.NONCE_BITS / 8)
  ) u_nonce (
      .clk,
      .clear  (in_clear),
      .s      (nonce),
      .valid  (nonce_valid),
      .take   (nonce_take),
      .ok     (nonce_ok),
      .head_ok(unused_nonce_head),
      .data   (engine.order.nonce)
  );

  if (TAG_BITS != 0) begin : g_tag
    logic unused_tag_head;
    aead_word #(
        .BYTES(TAG_BITS / 8)
    ) u_tag (
        .clk,
        .clear  (in_clear),
        .s      (tag),
        .valid  (engine.tag.valid),
        .take   (engine.tag.valid && engine.tag_ready),
        .ok     (tag_ok),
        .head_ok(unused_tag_head),
        .data   (engine.tag.data)
    );
  end else begin : g_no_tag
    logic unused_tag;
    assign unused_tag = &{1'b0, tag.valid, tag.data, tag.bytes, tag.last, tag.code, engine.tag_ready};
    assign tag.ready = 1'b1;
    assign tag_ok = 1'b1;
    assign engine.tag.valid = 1'b0;
    assign engine.tag.data = '0;
  end

  // The core, and what leaves
  logic unused_out_end, unused_busy;
  assign engine.tag.code = tag_ok ? OK : BAD_STREAM;
  assign engine.order.valid = state == S_ORDER || state == S_NOTE;
  assign engine.order.note = state == S_NOTE;
  assign engine.order.op = open ? OP_OPEN : OP_SEAL;
  assign engine.order.code = BAD_COMMAND;
  assign engine.order.cached = 1'b0;

  aead_engine #(
      .TAG_BITS      (TAG_BITS),
      .STORE_BYTES   (STORE_BYTES),
      .PACKET_BYTES  (PACKET_BYTES),
      .DESCRIPTORS   (DESCRIPTORS),
      .AD_FIFO_BYTES (AD_FIFO_BYTES),
      .MSG_FIFO_BYTES(MSG_FIFO_BYTES)
  ) u_engine (
      .*,
      .clear  (1'b0),
      .busy   (unused_busy),
      .adapter(engine),
      .msg    (text),
      .out_end(unused_out_end)
  );

  lwc_writer #(
      .W       (W),
      .TAG_BITS(TAG_BITS)
  ) u_do (
      .*,
      .clear      (rst),
      .done_valid (engine.done.valid),
      .done_ready (engine.done_ready),
      .done_open  (engine.done.op == OP_OPEN),
      .done_ok    (engine.done.code == OK),
      .done_length(engine.done.length),
      .s          (out)
  );

  always_ff @(posedge clk) begin
    unique case (state)
      S_INST:
      if (inst.valid) begin
        open      <= inst.code == INST_DEC;
        final_one <= last_string;
        if (usable) state <= S_NONCE;
        else state <= inst.code == INST_ACTKEY && inst.clean ? S_LOAD : S_NOTE;
      end

      S_LOAD:
      if (key_word_valid) begin
        key_in_force <= 1'b0;
        state        <= key_word_ok ? S_KEY : S_INST;
      end

      S_KEY:
      if (engine.key_ready) begin
        key_in_force <= 1'b1;
        state        <= S_INST;
      end

      S_NONCE: if (nonce_valid) state <= nonce_ok ? S_ORDER : S_SWALLOW;

      S_ORDER: if (engine.order_ready) state <= S_INST;

      S_SWALLOW: if (str.valid && str.last && str_what == final_one) state <= S_NOTE;

      S_NOTE: if (engine.order_ready) state <= S_INST;

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
    if (core.result.valid && core.result_ready && core.result.ok) good_results <= good_results + 1;
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
