// SPDX-License-Identifier: Apache-2.0
//
// The AEAD core of a suite behind the ports of docs/core-ports.md, with one context and a 512-bit key.
// Suites 01: omd_sha512_r1; 02: omd_blake2b_f. A further suite is one more branch here and a line in link_pkg.
// Byte order: byte i of every string is bits [8i+7:8i].
// Security: `out` is unverified plaintext when opening; only get_from_dec with its release FIFO may consume it.

module link_aead #(
    parameter logic [7:0] SUITE = 8'h01
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         clear,
    output logic         busy,
    input  logic         key_valid,
    output logic         key_ready,
    input  logic [511:0] key_data,
    input  logic         cmd_valid,
    output logic         cmd_ready,
    input  logic [  1:0] cmd_op,         // 0 seal, 1 open, 2 load AD
    input  logic         cmd_cached_ad,
    input  logic [255:0] cmd_nonce,
    input  logic         ad_valid,
    output logic         ad_ready,
    input  logic [ 63:0] ad_data,
    input  logic [  3:0] ad_bytes,
    input  logic         ad_last,
    input  logic         msg_valid,
    output logic         msg_ready,
    input  logic [ 63:0] msg_data,
    input  logic [  3:0] msg_bytes,
    input  logic         msg_last,
    input  logic         tag_in_valid,
    output logic         tag_in_ready,
    input  logic [255:0] tag_in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [ 63:0] out_data,
    output logic [  3:0] out_bytes,
    output logic         out_last,
    output logic         result_valid,
    input  logic         result_ready,
    output logic         result_ok,
    output logic [255:0] result_tag
);
  // One context: its number is always 0.
  logic cmd_ctx, ad_ctx, msg_ctx, tag_in_ctx, out_ctx, result_ctx, unused;
  assign {cmd_ctx, ad_ctx, msg_ctx, tag_in_ctx} = '0;
  assign unused = &{1'b0, out_ctx, result_ctx};

  if (SUITE == 8'h01) begin : g_omd_sha512
    omd_sha512_r1 #(
        .DATA_BITS (64),
        .KEY_BITS  (512),
        .NONCE_BITS(256),
        .TAG_BITS  (256),
        .VERSION   (2)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h02) begin : g_omd_blake2b
    omd_blake2b_f #(
        .DATA_BITS (64),
        .KEY_BITS  (512),
        .NONCE_BITS(256),
        .TAG_BITS  (256),
        .VERSION   (2)
    ) u_core (
        .*
    );
  end else begin : g_unknown
    $fatal(1, "link_aead: SUITE = %02x, must be 01 or 02", SUITE);
  end
endmodule
