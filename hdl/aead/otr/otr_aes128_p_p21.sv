// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption with AES-128, AD mode P, a block a cycle: ten rounds side by side, each cut in two, and
// the addition in front of them hold 21 blocks of one message.
// Specification: AES-OTR v3 (CAESAR), FIPS 197; docs/cores/otr.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 1 a 16-byte block of message or associated data.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all secrets in at most 64 cycles.
module otr_aes128_p_p21 #(
    parameter int unsigned DATA_BITS = 128,  // beat of ad, msg and out: 128
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned VERSION = 3,  // 3
    parameter int unsigned CONTEXTS = 1,  // 1
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
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
    input  logic                  cmd_ctx,        // one context: not looked at
    input  logic [           1:0] cmd_op,         // 0 seal, 1 open, 2 load AD
    input  logic                  cmd_cached_ad,  // use the AD cache, send no AD
    input  logic [NONCE_BITS-1:0] cmd_nonce,
    input  logic                  ad_valid,
    output logic [  CONTEXTS-1:0] ad_ready,
    input  logic                  ad_ctx,
    input  logic [ DATA_BITS-1:0] ad_data,
    input  logic [BYTES_BITS-1:0] ad_bytes,       // valid bytes of the beat
    input  logic                  ad_last,
    input  logic                  msg_valid,
    output logic [  CONTEXTS-1:0] msg_ready,
    input  logic                  msg_ctx,
    input  logic [ DATA_BITS-1:0] msg_data,       // message, or ciphertext without tag
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic                  tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,    // expected tag, open only
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic                  out_ctx,
    output logic [ DATA_BITS-1:0] out_data,       // ciphertext, or plaintext NOT YET VERIFIED
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic                  result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag      // seal only, else 0
);

  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "otr_aes128_p_p21: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end

  otr_pipe_core #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .VERSION   (VERSION),
      .CONTEXTS  (CONTEXTS),
      .STAGES    (2),
      .SBOX_FORM (0)
  ) u_core (
      .*
  );  // ports of the contract

endmodule
