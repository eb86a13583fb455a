// SPDX-License-Identifier: Apache-2.0
//
// The AEAD core of one direction under the sessions, or its lanes (link_lanes): packets come one after the other, each with its
// slot, number and length, and come out in the same order, whatever the core: iterative, or interleaved with all its contexts busy,
// alone or several side by side. A slot's key and AD are brought in (key_switch) when the next packet needs them. A core without an
// AD cache (p-OMD) gets the AD with every packet, in step with the message.
// Byte order: byte i of every string is bits [8i+7:8i]. Cycles: the core's own (docs/core-ports.md); none between packets.
// Security: what leaves in opening is unverified until the result. A slot that is erased takes its key out of the core: core, key,
// cache and everything in work are zeroised in the cycle after.

module session_aead
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0,
    parameter bit OPEN = 1'b0,  // 0 seals, 1 opens
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic           clk,
    input  logic           rst,
    input  order_t         order,
    input  seed_t          seed,          // for cores in shares
    output logic           seedless,
    output logic           seed_ready,
    output logic           alarm,
    input  keys_t    [1:0] keys,          // by slot
    output logic           busy,          // key work, a packet, or zeroising
    output logic           working,       // a packet or a new key is in the core
    input  command_t       cmd,           // held until taken: it calls for its slot's key
    output logic           cmd_ready,
    input  beat_t          msg,
    output logic           msg_ready,
    input  tag_t           tag_in,        // opening: the tag it came with
    output logic           tag_in_ready,
    output beat_t          out,
    input  logic           out_ready,
    output result_t        result,
    input  logic           result_ready
);
  localparam suite_t INFO = suite_info(BUILD.suite);
  localparam int unsigned CONTEXTS = BUILD.lanes * contexts_of(BUILD.suite, BUILD.architecture);  // of all lanes
  // Key, salt and tag of a suite are the first bytes of what the structures have room for.
  localparam int unsigned DATA_BITS = $bits(msg.data);
  localparam int unsigned KEY_BITS = 8 * INFO.key_bytes;
  localparam int unsigned NONCE_BITS = 8 * INFO.nonce_bytes;
  localparam int unsigned TAG_BITS = 8 * INFO.tag_bytes;

  aead_if #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .CONTEXTS  (CONTEXTS)
  )
      core (), packets ();  // the core or lanes; what the packets alone ask of it

  logic clear;  // level: zeroise the core; a register, for thousands of flip-flops hear it
  logic forget;  // level: zeroise its random bits, too
  logic wants_seed, clears;
  assign clears = rst || order.clear || forget;  // a seed that is taken then is lost
  assign seed_ready = wants_seed && !clears;
  assign seedless = wants_seed || (BUILD.architecture == ARCH_MASKED && clears);
  logic owns;
  logic [255:0] packet_ad;  // for a core that keeps none
  if (BUILD.lanes == 1) begin : g_one
    link_aead #(
        .SUITE(BUILD.suite),
        .ARCHITECTURE(BUILD.architecture),
        .DATA_BITS(DATA_BITS)
    ) u_aead (
        .*,
        .seedless(wants_seed),
        .io(core)
    );
  end else begin : g_several
    link_lanes #(
        .SUITE(BUILD.suite),
        .ARCHITECTURE(BUILD.architecture),
        .LANES(BUILD.lanes),
        .beat_t(beat_t)
    ) u_lanes (
        .*,
        .seedless(wants_seed),
        .all(owns),
        .port(core)
    );
  end

  // ------------------------------------------------------------------------------------------------ the slot's key and AD
  logic [1:0] holds;  // slot whose key is in the core, or on its way
  logic right, load, load_cmd_valid, load_result_ready;
  logic [7:0] in_core_q;  // packets
  beat_t load_ad;
  keys_t loading;
  assign working = in_core_q != '0 || load;

  always_ff @(posedge clk) begin
    clear     <= rst || order.clear || (order.erase & holds) != '0;
    forget    <= rst || order.clear;
    in_core_q <= in_core_q + 8'(cmd.valid && cmd_ready) - 8'(result.valid && result_ready);
    if (rst || order.wipe) in_core_q <= '0;
  end

  key_switch #(
      .AD_CACHE(INFO.ad_cache),
      .beat_t  (beat_t)
  ) u_switch (
      .*,
      .want(cmd.valid),
      .want_slot(cmd.packet.slot),
      .empty(in_core_q == '0),
      .key_valid(core.key.valid),
      .key_ready(core.key_ready),
      .cmd_valid(load_cmd_valid),
      .cmd_ready(core.cmd_ready[0]),
      .ad(load_ad),
      .ad_ready(core.ad_ready[0]),
      .result_valid(core.result.valid),
      .result_ready(load_result_ready)
  );

  // key_switch owns the command and result channels while it brings in a key.
  logic packet_taken;
  assign packet_taken = packets.cmd.valid && !owns && core.cmd_ready[packets.cmd.ctx];
  always_comb begin
    core.cmd = packets.cmd;
    core.cmd.op = OPEN ? 2'd1 : 2'd0;
    core.cmd.cached_ad = INFO.ad_cache;
    if (owns) begin
      core.cmd.valid = load_cmd_valid;
      core.cmd.ctx = '0;
      core.cmd.op = 2'd2;
      core.cmd.cached_ad = 1'b0;
    end
  end
  assign core.key.data = loading.key[KEY_BITS-1:0];
  assign core.msg = packets.msg;
  assign core.tag_in = packets.tag_in;
  assign core.out_ready = packets.out_ready;
  assign core.result_ready = owns ? load_result_ready : packets.result_ready;

  assign packets.busy = core.busy;
  assign packets.key_ready = 1'b0;
  assign packets.cmd_ready = core.cmd_ready;
  assign packets.ad_ready = '0;
  assign packets.msg_ready = core.msg_ready;
  assign packets.tag_in_ready = core.tag_in_ready;
  assign packets.out = core.out;
  always_comb begin
    packets.result = core.result;
    if (owns) packets.result.valid = 1'b0;
  end

  // ------------------------------------------------------------------------------------------------ associated data
  if (INFO.ad_cache) begin : g_cached_ad
    // Only key_switch sends AD, in context 0.
    assign core.ad   = '{valid: load_ad.valid, ctx: '0, data: load_ad.data, bytes: load_ad.bytes, last: load_ad.last};
    assign packet_ad = '0;
  end else begin : g_ad_with_packet
    always_ff @(posedge clk) if (load) packet_ad <= loading.ad;
    beat_t beat;
    if (BUILD.lanes == 1) begin : g_beats
      ad_with_packet #(
          .beat_t(beat_t)
      ) u_ad (
          .*,
          .rst(rst || clear),
          .ad(packet_ad),
          .begins(packet_taken),
          .beat_ready(core.ad_ready[0])
      );
    end else begin : g_in_lanes
      assign beat = '0;
    end
    assign core.ad = '{valid: beat.valid, ctx: '0, data: beat.data, bytes: beat.bytes, last: beat.last};
  end

  // ------------------------------------------------------------------------------------------------ packets
  logic [255:0] nonce;
  logic [NONCE_BITS-1:0] core_nonce;
  logic start, ready;
  assign nonce = nonce_of(keys[cmd.packet.slot].salt, cmd.packet.number);
  assign core_nonce = {nonce[255:192], nonce[NONCE_BITS-65:0]};
  assign start = cmd.valid && right;
  assign cmd_ready = ready && right && !owns;

  logic wiping;
  assign busy = core.busy || wiping;
  if (CONTEXTS == 1) begin : g_direct
    assign ready = packets.cmd_ready[0];
    assign packets.key = '0;
    assign packets.ad = '0;
    assign packets.cmd = '{valid: start, ctx: '0, op: '0, cached_ad: 1'b0, nonce: core_nonce};
    if (BUILD.architecture == ARCH_UNROLLED) begin : g_ahead
      // Text and tags of packets behind each other wait for the core, which takes a tag at its packet's end. Tags are no secrets.
      beat_t text;
      logic tag_valid;
      logic [TAG_BITS-1:0] tag;
      text_ahead #(
          .beat_t(beat_t)
      ) u_text (
          .clk,
          .clear  (rst || clear),
          .busy   (wiping),
          .s      (msg),
          .s_ready(msg_ready),
          .m      (text),
          .m_ready(packets.msg_ready[0])
      );
      stream_fifo #(
          .WIDTH(TAG_BITS),
          .DEPTH(16)
      ) u_tags (
          .clk,
          .rst    (rst || clear),
          .s_valid(OPEN && tag_in.valid),
          .s_ready(tag_in_ready),
          .s_data (tag_in.data[TAG_BITS-1:0]),
          .m_valid(tag_valid),
          .m_ready(packets.tag_in_ready[0]),
          .m_data (tag)
      );
      assign packets.msg = '{valid: text.valid, ctx: '0, data: text.data, bytes: text.bytes, last: text.last};
      assign packets.tag_in = '{valid: tag_valid, ctx: '0, data: tag};
    end else begin : g_at_once
      assign wiping = 1'b0;
      assign packets.msg = '{valid: msg.valid, ctx: '0, data: msg.data, bytes: msg.bytes, last: msg.last};
      assign msg_ready = packets.msg_ready[0];
      assign packets.tag_in = '{valid: OPEN && tag_in.valid, ctx: '0, data: tag_in.data[TAG_BITS-1:0]};
      assign tag_in_ready = packets.tag_in_ready[0];
    end
    assign out = '{
            valid: packets.out.valid,
            data: packets.out.data,
            bytes: packets.out.bytes,
            last: packets.out.last
        };
    assign packets.out_ready = out_ready;
    assign result = '{valid: packets.result.valid, ok: packets.result.ok, tag: 256'(packets.result.tag)};
    assign packets.result_ready = result_ready;
  end else begin : g_interleaved
    link_interleave #(
        .CONTEXTS  (CONTEXTS),
        .OPEN      (OPEN),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .WORK_BYTES(BUILD.work_bytes),
        .PACKETS   (turns_of(BUILD.suite, BUILD.architecture, BUILD.lanes)),
        .beat_t    (beat_t)
    ) u_interleave (
        .*,
        .busy(wiping),
        .cmd_valid(start && !owns),
        .cmd_ready(ready),
        .cmd_nonce(core_nonce),
        .cmd_length(cmd.packet.length),
        .core(packets.user)
    );
  end

  // A form of this module reads some of what it gets.
  wire unused = &{1'b0, order, cmd, msg, tag_in, load_ad, loading, packet_taken, packet_ad, packets.busy, packets.key,
                    packets.key_ready, packets.ad, packets.ad_ready, packets.cmd, packets.out, packets.result};
endmodule
