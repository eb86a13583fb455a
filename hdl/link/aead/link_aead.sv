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
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  clear,
    output logic                  busy,
    input  logic                  key_valid,
    output logic                  key_ready,
    input  logic [  KEY_BITS-1:0] key_data,
    input  logic                  cmd_valid,
    output logic [  CONTEXTS-1:0] cmd_ready,
    input  logic [  CTX_BITS-1:0] cmd_ctx,
    input  logic [           1:0] cmd_op,         // 0 seal, 1 open, 2 load AD
    input  logic                  cmd_cached_ad,
    input  logic [NONCE_BITS-1:0] cmd_nonce,
    input  logic                  ad_valid,
    output logic [  CONTEXTS-1:0] ad_ready,
    input  logic [  CTX_BITS-1:0] ad_ctx,
    input  logic [          63:0] ad_data,
    input  logic [           3:0] ad_bytes,
    input  logic                  ad_last,
    input  logic                  msg_valid,
    output logic [  CONTEXTS-1:0] msg_ready,
    input  logic [  CTX_BITS-1:0] msg_ctx,
    input  logic [          63:0] msg_data,
    input  logic [           3:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic [  CTX_BITS-1:0] tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [  CTX_BITS-1:0] out_ctx,
    output logic [          63:0] out_data,
    output logic [           3:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic [  CTX_BITS-1:0] result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag
);
  if (SUITE == 8'h01 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_omd_sha512
    omd_sha512_r1 #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (2),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h01 && ARCHITECTURE == ARCH_INTERLEAVED) begin : g_omd_sha512_x4
    omd_sha512_x4 #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (2),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h02 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_omd_blake2b
    omd_blake2b_f #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (2),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h02 && ARCHITECTURE == ARCH_SMALL) begin : g_omd_blake2b_h
    omd_blake2b_h #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (2),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h02 && ARCHITECTURE == ARCH_INTERLEAVED) begin : g_omd_blake2b_x8
    omd_blake2b_x8 #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (2),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h03 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_pomd_sha512
    pomd_sha512_r1 #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (1),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h04 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_pomd_blake2b
    pomd_blake2b_f #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (1),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h11 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_otr_aes128
    otr_aes128_p_r1 #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (3),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h11 && ARCHITECTURE == ARCH_PIPELINED) begin : g_otr_aes128_p2
    otr_aes128_p_p2 #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (3),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else if (SUITE == 8'h12 && ARCHITECTURE == ARCH_ITERATIVE) begin : g_otr_aes256
    otr_aes256_p_r1 #(
        .DATA_BITS (64),
        .KEY_BITS  (KEY_BITS),
        .NONCE_BITS(NONCE_BITS),
        .TAG_BITS  (TAG_BITS),
        .VERSION   (3),
        .CONTEXTS  (CONTEXTS)
    ) u_core (
        .*
    );
  end else begin : g_unknown
    $fatal(1, "link_aead: no core for SUITE = %02x, ARCHITECTURE = %0d", SUITE, ARCHITECTURE);
  end
endmodule
