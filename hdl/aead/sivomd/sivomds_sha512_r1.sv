// SPDX-License-Identifier: Apache-2.0
// SIV-OMD, serial mode (experimental, misuse-resistant, a construction of our own), over the SHA-512 compression function,
// one round a cycle. Specification: docs/schemes/siv-omd.md over SHA-512 (FIPS 180-4); docs/cores/siv-omd.md.
// Ports: docs/core-ports.md. Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles, with cached AD and n message blocks of 64 bytes: sealing 81 (n + ceil(n / 2) + 1) + 33; opening 11 and n times
// 512 / DATA_BITS more, for the plaintext leaves when all is done; 81 a 128-byte block of AD.
// Security: constant time for given lengths and verdict. In opening `out` carries nothing before the tag was found right;
// rst and clear zeroise all registers in one cycle and the store in 512 more.
module sivomds_sha512_r1 #(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64, 128, 256 or 512
    parameter int unsigned KEY_BITS = 512,  // 8 to 512, whole bytes
    parameter int unsigned NONCE_BITS = 256,  // 8 to 504, whole bytes
    parameter int unsigned TAG_BITS = 256,  // 8 to 512, whole bytes
    parameter int unsigned VERSION = 1,  // 1: there is one SIV-OMD
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned MAX_MSG_BYTES = 16384,  // longest message: a power of two from 256 to 65536
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
    input  logic [ DATA_BITS-1:0] msg_data,       // message, or ciphertext without tag, at most MAX_MSG_BYTES
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic                  tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,    // expected tag, open only
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic                  out_ctx,
    output logic [ DATA_BITS-1:0] out_data,       // ciphertext, or verified plaintext
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic                  result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag      // seal only, else 0
);

  logic f_clear, f_key_new, f_start, f_ready;
  logic [511:0] f_key, f_chain, f_msg, f_digest;

  sivomd_core #(
      .SERIAL       (1),
      .N_BITS       (512),
      .DATA_BITS    (DATA_BITS),
      .KEY_BITS     (KEY_BITS),
      .NONCE_BITS   (NONCE_BITS),
      .TAG_BITS     (TAG_BITS),
      .VERSION      (VERSION),
      .CONTEXTS     (CONTEXTS),
      .MAX_MSG_BYTES(MAX_MSG_BYTES)
  ) u_core (
      .*
  );  // ports of the contract, and f_* to the compression function

  sha2_compress #(
      .WORD_BITS       (64),
      .ROUNDS_PER_CYCLE(1)
  ) u_compress (
      .clk,
      .clear(f_clear),
      .key   (f_key),
      .key_new(f_key_new),
      .start (f_start),
      .chain (f_chain),
      .msg   (f_msg),
      .ready (f_ready),
      .digest(f_digest)
  );

endmodule
