// SPDX-License-Identifier: Apache-2.0
//
// aead_engine with flat ports, which cocotb needs; without a key, which only passes through it.
module flat_engine
  import aead_adapter_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned NONCE_BITS = 64,
    parameter int unsigned TAG_BITS = 64,
    parameter int unsigned CONTEXTS = 2,
    parameter int unsigned STORE_BYTES = 64,
    parameter int unsigned PACKET_BYTES = 32,
    localparam int unsigned CTX_BITS = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS),
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   clear,
    output logic                   wiping,
    output logic                   busy,
    input  logic                   order_valid,
    output logic                   order_ready,
    input  logic                   order_note,
    input  logic  [           7:0] order_op,
    input  code_e                  order_code,
    input  logic                   order_cached,
    input  logic  [NONCE_BITS-1:0] order_nonce,
    input  logic                   ad_valid,
    output logic                   ad_ready,
    input  logic  [ DATA_BITS-1:0] ad_data,
    input  logic  [BYTES_BITS-1:0] ad_bytes,
    input  logic                   ad_last,
    input  code_e                  ad_code,
    input  logic                   msg_valid,
    output logic                   msg_ready,
    input  logic  [ DATA_BITS-1:0] msg_data,
    input  logic  [BYTES_BITS-1:0] msg_bytes,
    input  logic                   msg_last,
    input  code_e                  msg_code,
    input  logic                   tag_valid,
    output logic                   tag_ready,
    input  logic  [  TAG_BITS-1:0] tag_data,
    input  code_e                  tag_code,
    output logic                   done_valid,
    input  logic                   done_ready,
    output logic  [           7:0] done_op,
    output code_e                  done_code,
    output logic  [          31:0] done_length,
    output logic                   out_valid,
    input  logic                   out_ready,
    output logic  [ DATA_BITS-1:0] out_data,
    output logic  [BYTES_BITS-1:0] out_bytes,
    output logic                   out_last,
    output logic                   out_end,
    output logic                   core_cmd_valid,
    input  logic  [  CONTEXTS-1:0] core_cmd_ready,
    output logic  [  CTX_BITS-1:0] core_cmd_ctx,
    output logic  [           1:0] core_cmd_op,
    output logic                   core_cmd_cached_ad,
    output logic  [NONCE_BITS-1:0] core_cmd_nonce,
    output logic                   core_ad_valid,
    input  logic  [  CONTEXTS-1:0] core_ad_ready,
    output logic  [  CTX_BITS-1:0] core_ad_ctx,
    output logic  [ DATA_BITS-1:0] core_ad_data,
    output logic  [BYTES_BITS-1:0] core_ad_bytes,
    output logic                   core_ad_last,
    output logic                   core_msg_valid,
    input  logic  [  CONTEXTS-1:0] core_msg_ready,
    output logic  [  CTX_BITS-1:0] core_msg_ctx,
    output logic  [ DATA_BITS-1:0] core_msg_data,
    output logic  [BYTES_BITS-1:0] core_msg_bytes,
    output logic                   core_msg_last,
    output logic                   core_tag_in_valid,
    input  logic  [  CONTEXTS-1:0] core_tag_in_ready,
    output logic  [  CTX_BITS-1:0] core_tag_in_ctx,
    output logic  [  TAG_BITS-1:0] core_tag_in_data,
    input  logic                   core_out_valid,
    output logic                   core_out_ready,
    input  logic  [  CTX_BITS-1:0] core_out_ctx,
    input  logic  [ DATA_BITS-1:0] core_out_data,
    input  logic  [BYTES_BITS-1:0] core_out_bytes,
    input  logic                   core_out_last,
    input  logic                   core_result_valid,
    output logic                   core_result_ready,
    input  logic  [  CTX_BITS-1:0] core_result_ctx,
    input  logic                   core_result_ok,
    input  logic  [  TAG_BITS-1:0] core_result_tag
);

  string_if #(.DATA_BITS(DATA_BITS)) ad (), msg (), out ();
  engine_if #(
      .KEY_BITS  (8),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) adapter ();
  aead_if #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (8),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .CONTEXTS  (CONTEXTS)
  ) core ();

  assign {ad.valid, ad.data, ad.bytes, ad.last, ad.code} = {ad_valid, ad_data, ad_bytes, ad_last, ad_code};
  assign {msg.valid, msg.data, msg.bytes, msg.last, msg.code} = {msg_valid, msg_data, msg_bytes, msg_last, msg_code};
  assign {out_valid, out_data, out_bytes, out_last} = {out.valid, out.data, out.bytes, out.last};
  assign {ad_ready, msg_ready, out.ready} = {ad.ready, msg.ready, out_ready};

  assign adapter.key = '0;
  assign adapter.order = '{order_valid, order_note, order_op, order_code, order_cached, order_nonce};
  assign adapter.tag = '{tag_valid, tag_code, tag_data};
  assign {done_valid, done_op, done_code, done_length} = adapter.done;
  assign {order_ready, tag_ready, adapter.done_ready} = {adapter.order_ready, adapter.tag_ready, done_ready};

  assign core.busy = 1'b0;
  assign core.key_ready = 1'b0;
  assign {core_cmd_valid, core_cmd_ctx, core_cmd_op, core_cmd_cached_ad, core_cmd_nonce} = core.cmd;
  assign {core_ad_valid, core_ad_ctx, core_ad_data, core_ad_bytes, core_ad_last} = core.ad;
  assign {core_msg_valid, core_msg_ctx, core_msg_data, core_msg_bytes, core_msg_last} = core.msg;
  assign {core_tag_in_valid, core_tag_in_ctx, core_tag_in_data} = core.tag_in;
  assign core.cmd_ready = core_cmd_ready;
  assign core.ad_ready = core_ad_ready;
  assign core.msg_ready = core_msg_ready;
  assign core.tag_in_ready = core_tag_in_ready;
  assign core.out = {core_out_valid, core_out_ctx, core_out_data, core_out_bytes, core_out_last};
  assign core.result = {core_result_valid, core_result_ctx, core_result_ok, core_result_tag};
  assign {core_out_ready, core_result_ready} = {core.out_ready, core.result_ready};

  aead_engine #(
      .TAG_BITS    (TAG_BITS),
      .STORE_BYTES (STORE_BYTES),
      .PACKET_BYTES(PACKET_BYTES)
  ) dut (
      .*
  );

endmodule
