// SPDX-License-Identifier: Apache-2.0
//
// The AEAD core of a suite and an architecture behind the ports of docs/core-ports.md.
// A further core is one more branch here, its contexts a line in link_pkg.
// Byte order: byte i of every string is bits [8i+7:8i].
// Security: `out` is unverified plaintext when opening; only get_from_dec with its release FIFO may consume it.

module link_aead
  import link_pkg::*;
#(
    parameter  logic        [7:0] SUITE        = 8'h01,
    parameter  logic        [7:0] ARCHITECTURE = ARCH_ITERATIVE,
    localparam int unsigned       CONTEXTS     = contexts_of(SUITE, ARCHITECTURE),
    localparam int unsigned       CTX_BITS     = CONTEXTS <= 1 ? 1 : $clog2(CONTEXTS),
    localparam int unsigned       KEY_BITS     = 8 * suite_info(SUITE).key_bytes,
    localparam int unsigned       NONCE_BITS   = 8 * suite_info(SUITE).nonce_bytes,
    localparam int unsigned       TAG_BITS     = 8 * suite_info(SUITE).tag_bytes
) (
    input logic clk,
    input logic rst,
    input logic clear,
    aead_if.core io
);
  // The named cores have flat ports; their defaults are the sizes of their suite.
  wire key_valid, cmd_valid, cmd_cached_ad, ad_valid, ad_last, msg_valid, msg_last, tag_in_valid;
  wire key_ready, out_valid, out_last, result_valid, result_ok;
  wire [CONTEXTS-1:0] cmd_ready, ad_ready, msg_ready, tag_in_ready;
  wire [CTX_BITS-1:0] cmd_ctx, ad_ctx, msg_ctx, tag_in_ctx, out_ctx, result_ctx;
  wire [63:0] ad_data, msg_data, out_data;
  wire [3:0] ad_bytes, msg_bytes, out_bytes;
  wire [1:0] cmd_op;
  wire [KEY_BITS-1:0] key_data;
  wire [NONCE_BITS-1:0] cmd_nonce;
  wire [TAG_BITS-1:0] tag_in_data, result_tag;
  wire busy;
  wire out_ready = io.out_ready;
  wire result_ready = io.result_ready;
  assign {key_valid, key_data} = io.key;
  assign {cmd_valid, cmd_ctx, cmd_op, cmd_cached_ad, cmd_nonce} = io.cmd;
  assign {ad_valid, ad_ctx, ad_data, ad_bytes, ad_last} = io.ad;
  assign {msg_valid, msg_ctx, msg_data, msg_bytes, msg_last} = io.msg;
  assign {tag_in_valid, tag_in_ctx, tag_in_data} = io.tag_in;
  assign io.out = {out_valid, out_ctx, out_data, out_bytes, out_last};
  assign io.result = {result_valid, result_ctx, result_ok, result_tag};
  assign io.busy = busy;
  assign io.key_ready = key_ready;
  assign io.cmd_ready = cmd_ready;
  assign io.ad_ready = ad_ready;
  assign io.msg_ready = msg_ready;
  assign io.tag_in_ready = tag_in_ready;

  if (SUITE == 8'h01 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_omd_sha512
    omd_sha512_r1 u_core (.*);
  end else if (SUITE == 8'h01 && ARCHITECTURE == ARCH_INTERLEAVED) begin : g_omd_sha512_x4
    omd_sha512_x4 u_core (.*);
  end else if (SUITE == 8'h02 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_omd_blake2b
    omd_blake2b_f u_core (.*);
  end else if (SUITE == 8'h02 && ARCHITECTURE == ARCH_SMALL) begin : g_omd_blake2b_h
    omd_blake2b_h u_core (.*);
  end else if (SUITE == 8'h02 && ARCHITECTURE == ARCH_INTERLEAVED) begin : g_omd_blake2b_x8
    omd_blake2b_x8 u_core (.*);
  end else if (SUITE == 8'h03 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_pomd_sha512
    pomd_sha512_r1 u_core (.*);
  end else if (SUITE == 8'h04 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_pomd_blake2b
    pomd_blake2b_f u_core (.*);
  end else if (SUITE == 8'h11 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_otr_aes128
    otr_aes128_p_r1 u_core (.*);
  end else if (SUITE == 8'h11 && ARCHITECTURE == ARCH_PIPELINED) begin : g_otr_aes128_p2
    otr_aes128_p_p2 u_core (.*);
  end else if (SUITE == 8'h12 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_otr_aes256
    otr_aes256_p_r1 u_core (.*);
  end else begin : g_unknown
    $fatal(1, "link_aead: no core for SUITE = %02x, ARCHITECTURE = %0d", SUITE, ARCHITECTURE);
  end
endmodule
