// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream around any AEAD core of the port contract (docs/core-ports.md), release FIFO inside; layouts of the
// command, key and status words: docs/interfaces.md. The core sits outside, at `core`.
// Byte i of every packet and string is in bits [8i+7:8i] of its beat. Packets come out in the order of their commands;
// a core of several contexts works on several at once.
// Cycles: docs/interfaces.md. Security: sealed and opened packets alike leave only from a release FIFO, after the core's
// result ok and if nothing was wrong with any input. rst and clear drop everything and wipe every register and store.
module aead_axis
  import aead_adapter_pkg::*;
#(
    parameter int unsigned TAG_BITS = 256,  // whole bytes; 0: no tag
    parameter int unsigned STORE_BYTES = 16384,  // release store of a context; a power of two
    parameter int unsigned PACKET_BYTES = STORE_BYTES,  // longest packet on m_axis, in whole beats of the core
    parameter int unsigned DESCRIPTORS = 16,  // commands in work or waiting on m_axis; a power of two, 2 or more
    parameter int unsigned AD_FIFO_BYTES = 0,  // AD held back for a context, and its longest; 0: none, no limit
    parameter int unsigned MSG_FIFO_BYTES = 0  // input message held back for a context; 0: none
) (
    input logic clk,
    input logic rst,
    input logic clear,  // pulse: as rst; goes to the core too
    output logic busy,  // clearing, or a command or key in work
    axis_if.sink s_axis_cmd,  // all of one width, status excepted: 64, 128, 256 or 512, at least the core's
    axis_if.sink s_axis_key,
    axis_if.sink s_axis_ad,
    axis_if.sink s_axis_msg,  // plaintext, or ciphertext || tag
    axis_if.source m_axis,  // ciphertext || tag, or verified plaintext
    axis_if.source m_axis_status,  // 64 bits: one beat for each command and key
    aead_if.user core  // beat of 32, 64, 128, 256 or 512 bits; key of 16 bytes or more, nonce of whole bytes
);

  localparam int unsigned AXIS_BITS = m_axis.DATA_BITS;
  localparam int unsigned DATA_BITS = core.DATA_BITS;
  localparam int unsigned NONCE_BITS = core.NONCE_BITS;

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
  logic wipe, wiping, engine_busy, out_end;
  assign wipe = rst || clear;
  assign busy = wipe || engine_busy || state != S_IDLE;

  // Inputs as legal strings
  string_if #(.DATA_BITS(DATA_BITS)) cmd_in (), key_in (), ad_in (), msg_in ();
  logic in_clear;
  assign in_clear = wipe || wiping;  // takes nothing while the stores are wiped

  axis_in u_cmd_in (
      .clk,
      .clear (in_clear),
      .s_axis(s_axis_cmd),
      .m     (cmd_in)
  );

  axis_in u_key_in (
      .clk,
      .clear (in_clear),
      .s_axis(s_axis_key),
      .m     (key_in)
  );

  axis_in u_ad_in (
      .clk,
      .clear (in_clear),
      .s_axis(s_axis_ad),
      .m     (ad_in)
  );

  axis_in u_msg_in (
      .clk,
      .clear (in_clear),
      .s_axis(s_axis_msg),
      .m     (msg_in)
  );

  // Command and key
  engine_if #(
      .KEY_BITS  (core.KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (core.TAG_BITS)
  ) engine ();
  logic cmd_word_valid, cmd_word_ok, cmd_head_ok, cmd_done;
  logic key_word_valid, key_word_ok, key_done, unused_key_head;
  logic [8*CMD_BYTES-1:0] cmd_word;

  aead_word #(
      .BYTES(CMD_BYTES)
  ) u_cmd (
      .clk,
      .clear  (wipe),
      .s      (cmd_in),
      .valid  (cmd_word_valid),
      .take   (cmd_done),
      .ok     (cmd_word_ok),
      .head_ok(cmd_head_ok),
      .data   (cmd_word)
  );

  aead_word #(
      .BYTES(core.KEY_BITS / 8)
  ) u_key (
      .clk,
      .clear  (wipe),
      .s      (key_in),
      .valid  (key_word_valid),
      .take   (key_done),
      .ok     (key_word_ok),
      .head_ok(unused_key_head),
      .data   (engine.key.data)
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
  logic key_in_force, started;
  logic want_ad, want_msg;  // packets still to come from the streams
  logic make_ad, make_msg;  // empty strings still to be made here

  assign engine.key.valid = state == S_KEY && key_word_ok;
  assign key_done = state == S_KEY && (!key_word_ok || engine.key_ready);
  assign engine.order = '{
          valid: state == S_ORDER || state == S_NOTE,
          note: state == S_NOTE,
          op: op,
          code: note_code,
          cached: flag_cached,
          nonce: cmd_word[8*HEAD_BYTES+:NONCE_BITS]
      };
  assign started = state == S_ORDER && engine.order_ready;
  assign cmd_done = started || (state == S_CHECK && !cmd_good);

  // The strings
  string_if #(.DATA_BITS(DATA_BITS)) ad (), msg (), text (), out ();
  logic feed, swallow, ad_taken, msg_taken;
  assign feed = state == S_FEED;
  assign swallow = state == S_SWALLOW;
  assign ad.valid = feed && (make_ad || (want_ad && ad_in.valid));
  assign ad.data = make_ad ? '0 : ad_in.data;
  assign ad.bytes = make_ad ? '0 : ad_in.bytes;
  assign ad.last = make_ad || ad_in.last;
  assign ad.code = make_ad ? OK : ad_in.code;
  assign ad_in.ready = want_ad && (swallow || (feed && ad.ready && !make_ad));
  assign ad_taken = ad_in.valid && ad_in.ready;

  logic split_open;
  assign msg.valid = feed && (make_msg || (want_msg && msg_in.valid));
  assign msg.data = make_msg ? '0 : msg_in.data;
  assign msg.bytes = make_msg ? '0 : msg_in.bytes;
  assign msg.last = make_msg || msg_in.last;
  assign msg.code = make_msg ? OK : msg_in.code;
  assign msg_in.ready = want_msg && (swallow || (feed && msg.ready && !make_msg));
  assign msg_taken = msg_in.valid && msg_in.ready;
  assign engine.tag.code = OK;

  aead_split #(
      .TAG_BITS(TAG_BITS)
  ) u_split (
      .clk,
      .clear    (wipe),
      .start    (started),
      .open     (split_open),
      .s        (msg),
      .m        (text),
      .tag_valid(engine.tag.valid),
      .tag_ready(engine.tag_ready),
      .tag_data (engine.tag.data)
  );

  // The core, and what leaves
  aead_engine #(
      .TAG_BITS      (TAG_BITS),
      .STORE_BYTES   (STORE_BYTES),
      .PACKET_BYTES  (PACKET_BYTES),
      .DESCRIPTORS   (DESCRIPTORS),
      .AD_FIFO_BYTES (AD_FIFO_BYTES),
      .MSG_FIFO_BYTES(MSG_FIFO_BYTES)
  ) u_engine (
      .*,
      .busy   (engine_busy),
      .adapter(engine),
      .msg    (text)
  );

  // The tag goes behind its ciphertext
  string_if #(.DATA_BITS(DATA_BITS)) packet ();
  string_if #(.DATA_BITS(AXIS_BITS)) wide ();
  logic unused;
  assign packet.valid = out.valid;
  assign packet.data = out.data;
  assign packet.bytes = out.bytes;
  assign packet.last = out_end;
  assign packet.code = out.code;
  assign out.ready = packet.ready;
  assign unused = &{1'b0, out.last, wide.code};

  aead_repack u_join (
      .clk,
      .clear(wipe),
      .s    (packet),
      .m    (wide)
  );

  stream_to_axis #(
      .DATA_BITS(AXIS_BITS)
  ) u_keep (
      .s_valid      (wide.valid),
      .s_ready      (wide.ready),
      .s_data       (wide.data),
      .s_bytes      (wide.bytes),
      .s_last       (wide.last),
      .m_axis_tdata (m_axis.tdata),
      .m_axis_tkeep (m_axis.tkeep),
      .m_axis_tvalid(m_axis.tvalid),
      .m_axis_tready(m_axis.tready),
      .m_axis_tlast (m_axis.tlast)
  );

  // Status: a register, so that the next one can be found while it waits
  assign m_axis_status.tkeep = '1;
  assign m_axis_status.tlast = 1'b1;
  assign engine.done_ready   = !m_axis_status.tvalid || m_axis_status.tready;

  always_ff @(posedge clk) begin
    if (m_axis_status.tready) m_axis_status.tvalid <= 1'b0;
    if (engine.done.valid && engine.done_ready) begin
      m_axis_status.tvalid <= 1'b1;
      m_axis_status.tdata  <= {engine.done.length, 16'h0000, engine.done.op, 4'h0, engine.done.code};
    end
    if (ad.valid && ad.ready && make_ad) make_ad <= 1'b0;
    if (msg.valid && msg.ready && make_msg) make_msg <= 1'b0;
    if (ad_taken && ad_in.last) want_ad <= 1'b0;
    if (msg_taken && msg_in.last) want_msg <= 1'b0;

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
        if (!key_word_ok || engine.key_ready) begin
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
      if (engine.order_ready) begin
        split_open <= op == OP_OPEN;
        state      <= S_FEED;
      end

      S_FEED: if (!want_ad && !want_msg && !make_ad && !make_msg) state <= S_IDLE;

      S_SWALLOW: if (!want_ad && !want_msg) state <= S_NOTE;

      S_NOTE: if (engine.order_ready) state <= S_IDLE;

      default: state <= S_IDLE;
    endcase

    if (wipe) begin
      state                <= S_IDLE;
      key_in_force         <= 1'b0;
      want_ad              <= 1'b0;
      want_msg             <= 1'b0;
      make_ad              <= 1'b0;
      make_msg             <= 1'b0;
      m_axis_status.tvalid <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // By counts of what goes in and out of the adapter, apart from the logic above: packets that leave on m_axis
  // are never more than the core's good results to commands other than "load AD".
  logic [31:0] good_results, packets_out;
  logic [core.CONTEXTS-1:0] loading;
  logic past_waiting;
  logic [AXIS_BITS+AXIS_BITS/8:0] past_beat;
  always_ff @(posedge clk) begin
    if (core.cmd.valid && core.cmd_ready[core.cmd.ctx]) loading[core.cmd.ctx] <= core.cmd.op == 2'(OP_LOAD_AD);
    if (core.result.valid && core.result_ready && core.result.ok && !loading[core.CONTEXTS==1?0 : core.result.ctx])
      good_results <= good_results + 1;
    if (m_axis.tvalid && m_axis.tready && m_axis.tlast) packets_out <= packets_out + 1;
    past_waiting <= m_axis.tvalid && !m_axis.tready && !wipe;
    past_beat    <= {m_axis.tdata, m_axis.tkeep, m_axis.tlast};
    if (wipe) begin
      good_results <= '0;
      packets_out  <= '0;
    end else begin
      nothing_unverified_leaves :
      assert (!m_axis.tvalid || packets_out != good_results)
      else $error("aead_axis: a beat shows without a good result");
      m_axis_holds :
      assert (!past_waiting || (m_axis.tvalid && past_beat == {m_axis.tdata, m_axis.tkeep, m_axis.tlast}))
      else $error("aead_axis: m_axis changed before it was taken");
    end
  end
`endif

endmodule
