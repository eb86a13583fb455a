// SPDX-License-Identifier: Apache-2.0
//
// OMD over SHA-512 behind AXI4-Stream, release FIFO inside: core omd-sha512-r1 and adapter aead_axis.
// Packets, layouts of the command, key and status words: docs/interfaces.md. Core: docs/cores/omd.md.
// Byte i of every packet and string is in bits [8i+7:8i] of its beat.
// Cycles of a message block: 81 (docs/cores/omd.md); packets one after another.
// Security: nothing unverified leaves; rst and clear drop everything and wipe all registers and the store.
module omd_sha512_r1_axis #(
    parameter int unsigned AXIS_BITS = 64,  // tdata of cmd, key, ad, msg and m_axis: 64, 128, 256 or 512
    parameter int unsigned KEY_BITS = 512,  // 16 to 512, whole bytes
    parameter int unsigned NONCE_BITS = 256,  // 8 to 504, whole bytes
    parameter int unsigned TAG_BITS = 256,  // 8 to 512, whole bytes
    parameter int unsigned VERSION = 2,  // 1 or 2
    parameter int unsigned STORE_BYTES = 16384,  // longest packet on m_axis; a power of two
    parameter int unsigned DESCRIPTORS = 16  // packets waiting on m_axis; a power of two, 2 or more
) (
    input logic clk,
    input logic rst,  // synchronous
    input logic clear,  // pulse: as rst
    output logic busy,  // clearing, or a command or key in work
    input logic [AXIS_BITS-1:0] s_axis_cmd_tdata,  // operation, flags, nonce
    input logic [AXIS_BITS/8-1:0] s_axis_cmd_tkeep,
    input logic s_axis_cmd_tvalid,
    output logic s_axis_cmd_tready,
    input logic s_axis_cmd_tlast,
    input logic [AXIS_BITS-1:0] s_axis_key_tdata,
    input logic [AXIS_BITS/8-1:0] s_axis_key_tkeep,
    input logic s_axis_key_tvalid,
    output logic s_axis_key_tready,
    input logic s_axis_key_tlast,
    input logic [AXIS_BITS-1:0] s_axis_ad_tdata,  // associated data
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
    output logic m_axis_status_tlast
);

  localparam int unsigned DATA_BITS = 64;  // beat of the core
  localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1);

  logic core_busy;
  logic core_key_valid;
  logic core_key_ready;
  logic [KEY_BITS-1:0] core_key_data;
  logic core_cmd_valid;
  logic core_cmd_ready;
  logic [1:0] core_cmd_op;
  logic core_cmd_cached_ad;
  logic [NONCE_BITS-1:0] core_cmd_nonce;
  logic core_ad_valid;
  logic core_ad_ready;
  logic [DATA_BITS-1:0] core_ad_data;
  logic [BYTES_BITS-1:0] core_ad_bytes;
  logic core_ad_last;
  logic core_msg_valid;
  logic core_msg_ready;
  logic [DATA_BITS-1:0] core_msg_data;
  logic [BYTES_BITS-1:0] core_msg_bytes;
  logic core_msg_last;
  logic core_tag_in_valid;
  logic core_tag_in_ready;
  logic [TAG_BITS-1:0] core_tag_in_data;
  logic core_out_valid;
  logic core_out_ready;
  logic [DATA_BITS-1:0] core_out_data;
  logic [BYTES_BITS-1:0] core_out_bytes;
  logic core_out_last;
  logic core_result_valid;
  logic core_result_ready;
  logic core_result_ok;
  logic [TAG_BITS-1:0] core_result_tag;
  logic unused_out_ctx, unused_result_ctx;

  aead_axis #(
      .AXIS_BITS  (AXIS_BITS),
      .DATA_BITS  (DATA_BITS),
      .KEY_BITS   (KEY_BITS),
      .NONCE_BITS (NONCE_BITS),
      .TAG_BITS   (TAG_BITS),
      .STORE_BYTES(STORE_BYTES),
      .DESCRIPTORS(DESCRIPTORS)
  ) u_axis (
      .clk,
      .rst,
      .clear,
      .busy,
      .s_axis_cmd_tdata,
      .s_axis_cmd_tkeep,
      .s_axis_cmd_tvalid,
      .s_axis_cmd_tready,
      .s_axis_cmd_tlast,
      .s_axis_key_tdata,
      .s_axis_key_tkeep,
      .s_axis_key_tvalid,
      .s_axis_key_tready,
      .s_axis_key_tlast,
      .s_axis_ad_tdata,
      .s_axis_ad_tkeep,
      .s_axis_ad_tvalid,
      .s_axis_ad_tready,
      .s_axis_ad_tlast,
      .s_axis_msg_tdata,
      .s_axis_msg_tkeep,
      .s_axis_msg_tvalid,
      .s_axis_msg_tready,
      .s_axis_msg_tlast,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_status_tdata,
      .m_axis_status_tkeep,
      .m_axis_status_tvalid,
      .m_axis_status_tready,
      .m_axis_status_tlast,
      .core_busy,
      .core_key_valid,
      .core_key_ready,
      .core_key_data,
      .core_cmd_valid,
      .core_cmd_ready,
      .core_cmd_op,
      .core_cmd_cached_ad,
      .core_cmd_nonce,
      .core_ad_valid,
      .core_ad_ready,
      .core_ad_data,
      .core_ad_bytes,
      .core_ad_last,
      .core_msg_valid,
      .core_msg_ready,
      .core_msg_data,
      .core_msg_bytes,
      .core_msg_last,
      .core_tag_in_valid,
      .core_tag_in_ready,
      .core_tag_in_data,
      .core_out_valid,
      .core_out_ready,
      .core_out_data,
      .core_out_bytes,
      .core_out_last,
      .core_result_valid,
      .core_result_ready,
      .core_result_ok,
      .core_result_tag
  );

  omd_sha512_r1 #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .VERSION   (VERSION),
      .CONTEXTS  (1)
  ) u_core (
      .clk,
      .rst,
      .clear,
      .busy(core_busy),
      .key_valid(core_key_valid),
      .key_ready(core_key_ready),
      .key_data(core_key_data),
      .cmd_valid(core_cmd_valid),
      .cmd_ctx(1'b0),
      .cmd_ready(core_cmd_ready),
      .cmd_op(core_cmd_op),
      .cmd_cached_ad(core_cmd_cached_ad),
      .cmd_nonce(core_cmd_nonce),
      .ad_valid(core_ad_valid),
      .ad_ctx(1'b0),
      .ad_ready(core_ad_ready),
      .ad_data(core_ad_data),
      .ad_bytes(core_ad_bytes),
      .ad_last(core_ad_last),
      .msg_valid(core_msg_valid),
      .msg_ctx(1'b0),
      .msg_ready(core_msg_ready),
      .msg_data(core_msg_data),
      .msg_bytes(core_msg_bytes),
      .msg_last(core_msg_last),
      .tag_in_valid(core_tag_in_valid),
      .tag_in_ctx(1'b0),
      .tag_in_ready(core_tag_in_ready),
      .tag_in_data(core_tag_in_data),
      .out_valid(core_out_valid),
      .out_ctx(unused_out_ctx),
      .out_ready(core_out_ready),
      .out_data(core_out_data),
      .out_bytes(core_out_bytes),
      .out_last(core_out_last),
      .result_valid(core_result_valid),
      .result_ctx(unused_result_ctx),
      .result_ready(core_result_ready),
      .result_ok(core_result_ok),
      .result_tag(core_result_tag)
  );

endmodule
