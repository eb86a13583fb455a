// SPDX-License-Identifier: Apache-2.0
// OMD authenticated encryption over the BLAKE2b compression function, one full round a cycle.
// Specification: OMD v1 and v2 (CAESAR) over BLAKE2b (RFC 7693; t = 0, f = 0); docs/cores/omd.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: total(n) = 13 n + 29 for n message blocks of 64 bytes with cached AD; a 128-byte block of AD is bound by
// its beats (18 at 64 bits).
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers in one cycle.
module omd_blake2b_f #(
    parameter  int unsigned DATA_BITS  = 64,   // beat of ad, msg and out: 32, 64, 128, 256 or 512
    parameter  int unsigned KEY_BITS   = 512,  // 8 to 512, whole bytes
    parameter  int unsigned NONCE_BITS = 256,  // 8 to 504, whole bytes
    parameter  int unsigned TAG_BITS   = 256,  // 8 to 512, whole bytes
    parameter  int unsigned VERSION    = 2,    // 1 or 2
    parameter  int unsigned CONTEXTS   = 1,    // 1
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

  logic f_clear, f_key_new, f_start, f_ready;
  logic [511:0] f_key, f_chain, f_msg, f_digest;

  omd_core #(
      .N_BITS    (512),
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .VERSION   (VERSION),
      .CONTEXTS  (CONTEXTS)
  ) u_core (
      .*
  );  // ports of the contract, and f_* to the compression function

  blake2b_compress_f u_compress (
      .clk,
      .clear (f_clear),
      .key   (f_key),
      .start (f_start),
      .chain (f_chain),
      .msg   (f_msg),
      .ready (f_ready),
      .digest(f_digest)
  );

  // This compression function keeps nothing that depends on the key alone.
  logic unused_key_new;
  assign unused_key_new = &{1'b0, f_key_new};

endmodule
