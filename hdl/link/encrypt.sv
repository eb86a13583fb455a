// SPDX-License-Identifier: Apache-2.0
//
// The sealing core of the link with its session loader: packets come with a nonce, the AD is the session's, cached.
// Byte order: byte i of every string is bits [8i+7:8i].
// Cycles: the core's own (docs/core-ports.md); nothing is added between packets.
// Security: `clear` zeroises the core, its key and its cache.

module encrypt #(
    parameter logic [7:0] SUITE = 8'h01
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         clear,
    output logic         busy,
    input  logic         load,          // level, see session_load
    input  logic [511:0] load_key,
    input  logic [255:0] load_ad,
    output logic         loaded,
    input  logic         cmd_valid,
    output logic         cmd_ready,
    input  logic [255:0] cmd_nonce,
    input  logic         msg_valid,     // plaintext
    output logic         msg_ready,
    input  logic [ 63:0] msg_data,
    input  logic [  3:0] msg_bytes,
    input  logic         msg_last,
    output logic         out_valid,     // ciphertext
    input  logic         out_ready,
    output logic [ 63:0] out_data,
    output logic [  3:0] out_bytes,
    output logic         out_last,
    output logic         result_valid,
    input  logic         result_ready,
    output logic [255:0] result_tag
);
  logic key_valid, key_ready;
  logic load_cmd_valid, core_cmd_ready, core_result_valid, load_result_ready, owns;
  logic ad_valid, ad_ready, ad_last;
  logic [63:0] ad_data;
  logic [ 3:0] ad_bytes;

  session_load u_load (
      .clk,
      .rst,
      .clear,
      .load,
      .ad(load_ad),
      .loaded,
      .key_valid,
      .key_ready,
      .cmd_valid(load_cmd_valid),
      .cmd_ready(core_cmd_ready),
      .ad_valid,
      .ad_ready,
      .ad_data,
      .ad_bytes,
      .ad_last,
      .result_valid(core_result_valid),
      .result_ready(load_result_ready),
      .owns
  );

  assign cmd_ready = core_cmd_ready && !owns;
  assign result_valid = core_result_valid && !owns;

  logic tag_in_ready, result_ok, unused;
  assign unused = &{1'b0, tag_in_ready, result_ok};

  link_aead #(
      .SUITE(SUITE)
  ) u_aead (
      .clk,
      .rst,
      .clear,
      .busy,
      .key_valid,
      .key_ready,
      .key_data(load_key),
      .cmd_valid(owns ? load_cmd_valid : cmd_valid),
      .cmd_ready(core_cmd_ready),
      .cmd_op(owns ? 2'd2 : 2'd0),
      .cmd_cached_ad(!owns),
      .cmd_nonce(cmd_nonce),
      .ad_valid,
      .ad_ready,
      .ad_data,
      .ad_bytes,
      .ad_last,
      .msg_valid,
      .msg_ready,
      .msg_data,
      .msg_bytes,
      .msg_last,
      .tag_in_valid(1'b0),
      .tag_in_ready,
      .tag_in_data('0),
      .out_valid,
      .out_ready,
      .out_data,
      .out_bytes,
      .out_last,
      .result_valid(core_result_valid),
      .result_ready(owns ? load_result_ready : result_ready),
      .result_ok,
      .result_tag
  );
endmodule
