// SPDX-License-Identifier: Apache-2.0
//
// The AEAD core of one direction under a session: loads key and AD (session_load), then packets come with nonce and length, one
// after the other, and come out in the same order, whatever the core: iterative, or interleaved with all its contexts busy.
// A core without an AD cache (p-OMD) gets the session's AD with every packet, in step with the message.
// Byte order: byte i of every string is bits [8i+7:8i]. Cycles: the core's own (docs/core-ports.md).
// Security: what leaves in opening is unverified until the result. `clear` zeroises core, key, cache and everything in work.

module session_aead
  import link_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [7:0] ARCHITECTURE = ARCH_ITERATIVE,
    parameter bit OPEN = 1'b0,  // 0 seals, 1 opens
    parameter int unsigned WORK_BYTES = 131072  // interleaved cores: link_interleave
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    output logic                busy,
    input  logic                load,          // level, see session_load
    input  logic [       511:0] load_key,
    input  logic [       255:0] load_ad,
    output logic                loaded,
    input  logic                cmd_valid,
    output logic                cmd_ready,
    input  logic [       255:0] cmd_nonce,
    input  logic [LEN_BITS-1:0] cmd_len,       // bytes of the message
    input  logic                msg_valid,
    output logic                msg_ready,
    input  logic [        63:0] msg_data,
    input  logic [         3:0] msg_bytes,
    input  logic                msg_last,
    input  logic                tag_in_valid,  // opening: the tag it came with
    output logic                tag_in_ready,
    input  logic [       255:0] tag_in_data,
    output logic                out_valid,
    input  logic                out_ready,
    output logic [        63:0] out_data,
    output logic [         3:0] out_bytes,
    output logic                out_last,
    output logic                result_valid,
    input  logic                result_ready,
    output logic                result_ok,
    output logic [       255:0] result_tag
);
  localparam suite_t INFO = suite_info(SUITE);
  localparam int unsigned CONTEXTS = contexts_of(SUITE, ARCHITECTURE);
  localparam int unsigned CTX_BITS = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS);
  // Key, salt and tag of a suite are the first bytes of what the ports have room for.
  localparam int unsigned KEY_BITS = 8 * INFO.key_bytes;
  localparam int unsigned NONCE_BITS = 8 * INFO.nonce_bytes;
  localparam int unsigned TAG_BITS = 8 * INFO.tag_bytes;

  // ------------------------------------------------------------------------------------------------ loading a session
  logic key_valid, key_ready;
  logic load_cmd_valid, load_result_ready, owns;
  logic load_ad_valid, load_ad_last;
  logic [63:0] load_ad_data;
  logic [ 3:0] load_ad_bytes;

  logic c_cmd_valid, p_cmd_valid, p_cmd_taken, c_ad_valid, c_ad_last, c_msg_valid, c_msg_last, c_tag_valid;
  logic c_out_valid, c_out_ready, c_out_last, c_result_valid, c_result_ready, p_result_ready, c_result_ok, c_busy;
  logic [CONTEXTS-1:0] c_cmd_ready, c_ad_ready, c_msg_ready, c_tag_ready;
  logic [CTX_BITS-1:0] p_cmd_ctx, c_cmd_ctx, c_msg_ctx, c_tag_ctx, c_out_ctx, c_result_ctx;
  logic [255:0] p_cmd_nonce, c_tag_data, c_result_tag;
  logic [TAG_BITS-1:0] c_core_tag;
  logic [63:0] c_ad_data, c_msg_data, c_out_data;
  logic [3:0] c_ad_bytes, c_msg_bytes, c_out_bytes;

  session_load #(
      .AD_CACHE(INFO.ad_cache)
  ) u_load (
      .clk,
      .rst,
      .clear,
      .load,
      .ad(load_ad),
      .loaded,
      .key_valid,
      .key_ready,
      .cmd_valid(load_cmd_valid),
      .cmd_ready(c_cmd_ready[0]),
      .ad_valid(load_ad_valid),
      .ad_ready(c_ad_ready[0]),
      .ad_data(load_ad_data),
      .ad_bytes(load_ad_bytes),
      .ad_last(load_ad_last),
      .result_valid(c_result_valid),
      .result_ready(load_result_ready),
      .owns
  );

  assign c_cmd_valid = owns ? load_cmd_valid : p_cmd_valid;
  assign c_cmd_ctx = owns ? '0 : p_cmd_ctx;
  assign c_result_ready = owns ? load_result_ready : p_result_ready;
  assign p_cmd_taken = p_cmd_valid && !owns && c_cmd_ready[p_cmd_ctx];

  // ------------------------------------------------------------------------------------------------ associated data
  if (INFO.ad_cache) begin : g_cached_ad
    logic unused;
    assign unused = &{1'b0, p_cmd_taken, c_ad_ready};  // only the loader sends AD, in context 0
    assign c_ad_valid = load_ad_valid;
    assign c_ad_data = load_ad_data;
    assign c_ad_bytes = load_ad_bytes;
    assign c_ad_last = load_ad_last;
  end else begin : g_ad_with_packet
    logic [255:0] ad_q;
    logic [2:0] left_q;  // beats of the packet in work
    logic unused;
    assign unused = &{1'b0, load_ad_valid, load_ad_data, load_ad_bytes, load_ad_last};
    assign c_ad_valid = left_q != '0;
    assign c_ad_data = ad_q[64*(2'(3'd4-left_q))+:64];
    assign c_ad_bytes = 4'd8;
    assign c_ad_last = left_q == 3'd1;
    always_ff @(posedge clk) begin
      if (load) ad_q <= load_ad;
      if (c_ad_valid && c_ad_ready[0]) left_q <= left_q - 3'd1;
      if (p_cmd_taken) left_q <= 3'd4;
      if (rst || clear) left_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ packets
  if (CONTEXTS == 1) begin : g_direct
    logic unused;
    assign unused = &{1'b0, cmd_len, c_out_ctx, c_result_ctx};
    assign busy = c_busy;
    assign p_cmd_valid = cmd_valid;
    assign p_cmd_ctx = '0;
    assign p_cmd_nonce = cmd_nonce;
    assign cmd_ready = c_cmd_ready[0] && !owns;
    assign c_msg_valid = msg_valid;
    assign c_msg_ctx = '0;
    assign c_msg_data = msg_data;
    assign c_msg_bytes = msg_bytes;
    assign c_msg_last = msg_last;
    assign msg_ready = c_msg_ready[0];
    assign c_tag_valid = OPEN && tag_in_valid;
    assign c_tag_ctx = '0;
    assign c_tag_data = tag_in_data;
    assign tag_in_ready = c_tag_ready[0];
    assign out_valid = c_out_valid;
    assign c_out_ready = out_ready;
    assign out_data = c_out_data;
    assign out_bytes = c_out_bytes;
    assign out_last = c_out_last;
    assign result_valid = c_result_valid && !owns;
    assign p_result_ready = result_ready;
    assign result_ok = c_result_ok;
    assign result_tag = c_result_tag;
  end else begin : g_interleaved
    logic lanes_busy, lanes_cmd_ready, unused;
    assign unused = &{1'b0, msg_bytes, c_out_bytes};  // the length says it
    assign busy = c_busy || lanes_busy;
    assign cmd_ready = lanes_cmd_ready && !owns;

    link_interleave #(
        .CONTEXTS  (CONTEXTS),
        .OPEN      (OPEN),
        .WORK_BYTES(WORK_BYTES)
    ) u_interleave (
        .clk,
        .rst,
        .clear,
        .busy(lanes_busy),
        .cmd_valid(cmd_valid && !owns),
        .cmd_ready(lanes_cmd_ready),
        .cmd_nonce,
        .cmd_len,
        .msg_valid,
        .msg_ready,
        .msg_data,
        .msg_last,
        .tag_in_valid,
        .tag_in_ready,
        .tag_in_data,
        .out_valid,
        .out_ready,
        .out_data,
        .out_bytes,
        .out_last,
        .result_valid,
        .result_ready,
        .result_ok,
        .result_tag,
        .core_cmd_valid(p_cmd_valid),
        .core_cmd_ready(c_cmd_ready),
        .core_cmd_ctx(p_cmd_ctx),
        .core_cmd_nonce(p_cmd_nonce),
        .core_msg_valid(c_msg_valid),
        .core_msg_ready(c_msg_ready),
        .core_msg_ctx(c_msg_ctx),
        .core_msg_data(c_msg_data),
        .core_msg_bytes(c_msg_bytes),
        .core_msg_last(c_msg_last),
        .core_tag_in_valid(c_tag_valid),
        .core_tag_in_ready(c_tag_ready),
        .core_tag_in_ctx(c_tag_ctx),
        .core_tag_in_data(c_tag_data),
        .core_out_valid(c_out_valid),
        .core_out_ready(c_out_ready),
        .core_out_ctx(c_out_ctx),
        .core_out_data(c_out_data),
        .core_out_last(c_out_last),
        .core_result_valid(c_result_valid && !owns),
        .core_result_ready(p_result_ready),
        .core_result_ctx(c_result_ctx),
        .core_result_ok(c_result_ok),
        .core_result_tag(c_result_tag)
    );
  end

  link_aead #(
      .SUITE(SUITE),
      .ARCHITECTURE(ARCHITECTURE)
  ) u_aead (
      .clk,
      .rst,
      .clear,
      .busy(c_busy),
      .key_valid,
      .key_ready,
      .key_data(load_key[KEY_BITS-1:0]),
      .cmd_valid(c_cmd_valid),
      .cmd_ready(c_cmd_ready),
      .cmd_ctx(c_cmd_ctx),
      .cmd_op(owns ? 2'd2 : 2'(OPEN)),
      .cmd_cached_ad(!owns && INFO.ad_cache),
      .cmd_nonce({p_cmd_nonce[255:192], p_cmd_nonce[NONCE_BITS-65:0]}),
      .ad_valid(c_ad_valid),
      .ad_ready(c_ad_ready),
      .ad_ctx('0),
      .ad_data(c_ad_data),
      .ad_bytes(c_ad_bytes),
      .ad_last(c_ad_last),
      .msg_valid(c_msg_valid),
      .msg_ready(c_msg_ready),
      .msg_ctx(c_msg_ctx),
      .msg_data(c_msg_data),
      .msg_bytes(c_msg_bytes),
      .msg_last(c_msg_last),
      .tag_in_valid(c_tag_valid),
      .tag_in_ready(c_tag_ready),
      .tag_in_ctx(c_tag_ctx),
      .tag_in_data(c_tag_data[TAG_BITS-1:0]),
      .out_valid(c_out_valid),
      .out_ready(c_out_ready),
      .out_ctx(c_out_ctx),
      .out_data(c_out_data),
      .out_bytes(c_out_bytes),
      .out_last(c_out_last),
      .result_valid(c_result_valid),
      .result_ready(c_result_ready),
      .result_ctx(c_result_ctx),
      .result_ok(c_result_ok),
      .result_tag(c_core_tag)
  );
  assign c_result_tag = 256'(c_core_tag);
endmodule
