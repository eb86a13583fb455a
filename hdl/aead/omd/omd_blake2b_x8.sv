// SPDX-License-Identifier: Apache-2.0
// OMD authenticated encryption over the BLAKE2b compression function, eight packets interleaved in one pipeline.
// Specification: OMD v1 and v2 (CAESAR) over BLAKE2b (RFC 7693; t = 0, f = 0); docs/cores/omd-x8.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: over all contexts 12 a message block of 64 bytes in sealing, 13 in opening; a context alone takes 96 or 104.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers and memories in 768 cycles, with busy high.
module omd_blake2b_x8 #(
    parameter  int unsigned DATA_BITS  = 64,   // beat of ad, msg and out: 64
    parameter  int unsigned KEY_BITS   = 512,  // 8 to 512, whole bytes
    parameter  int unsigned NONCE_BITS = 256,  // 8 to 504, whole bytes
    parameter  int unsigned TAG_BITS   = 256,  // 8 to 512, whole bytes
    parameter  int unsigned VERSION    = 2,    // 1 or 2
    parameter  int unsigned CONTEXTS   = 8,    // 8
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned CTX_BITS   = $clog2(CONTEXTS)
) (
    input  logic                  clk,
    input  logic                  rst,            // synchronous, as clear
    input  logic                  clear,          // pulse: zeroise everything, drop what is in flight
    output logic                  busy,           // key work or a command in flight, or clearing
    input  logic                  key_valid,
    output logic                  key_ready,
    input  logic [  KEY_BITS-1:0] key_data,
    input  logic                  cmd_valid,
    output logic [  CONTEXTS-1:0] cmd_ready,
    input  logic [  CTX_BITS-1:0] cmd_ctx,        // one context: not looked at
    input  logic [           1:0] cmd_op,         // 0 seal, 1 open, 2 load AD
    input  logic                  cmd_cached_ad,  // use the AD cache, send no AD
    input  logic [NONCE_BITS-1:0] cmd_nonce,
    input  logic                  ad_valid,
    output logic [  CONTEXTS-1:0] ad_ready,
    input  logic [  CTX_BITS-1:0] ad_ctx,
    input  logic [ DATA_BITS-1:0] ad_data,
    input  logic [BYTES_BITS-1:0] ad_bytes,       // valid bytes of the beat
    input  logic                  ad_last,
    input  logic                  msg_valid,
    output logic [  CONTEXTS-1:0] msg_ready,
    input  logic [  CTX_BITS-1:0] msg_ctx,
    input  logic [ DATA_BITS-1:0] msg_data,       // message, or ciphertext without tag
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic [  CTX_BITS-1:0] tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,    // expected tag, open only
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [  CTX_BITS-1:0] out_ctx,
    output logic [ DATA_BITS-1:0] out_data,       // ciphertext, or plaintext NOT YET VERIFIED
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic [  CTX_BITS-1:0] result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag      // seal only, else 0
);

  if (CONTEXTS != 8) begin : gen_bad_contexts
    $fatal(1, "omd_blake2b_x8: CONTEXTS = %0d, allowed: 8", CONTEXTS);
  end

  logic f_clear, f_hold, m_write;
  logic [8:0] f_walk;
  logic ends_soon, dec_chain, dec_load, dec_from_sum;
  logic [2:0] ends_soon_ctx, dec_ctx, sum_ctx, sum_word;
  logic [1:0] dec_block;
  logic [7:0] m_addr, xy_write;
  logic [7:0][ 3:0] xy_addr;
  logic [1:0][63:0] xy_data;
  logic [63:0] m_data, sum_data;

  omd_x_core #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .VERSION   (VERSION),
      .CONTEXTS  (CONTEXTS)
  ) u_core (
      .dec_ask(1'b1),
      .*
  );  // ports of the contract, and those to the pipeline

  blake2b_pipeline_x8 u_pipeline (
      .clear(f_clear),
      .clear_walk(f_walk[2:0]),
      .hold(f_hold),
      .*
  );

  logic unused_walk;
  assign unused_walk = &{1'b0, f_walk};

endmodule
