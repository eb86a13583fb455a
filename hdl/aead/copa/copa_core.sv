// SPDX-License-Identifier: Apache-2.0
// AES-COPA version 2 authenticated encryption over AES-128: seal, open, no AD cache; an AES in both directions of one
// round a cycle or of two half-length stages with two calls in flight. Specification: docs/schemes/copa.md,
// docs/cores/copa.md. Ports: docs/core-ports.md. What the designers' ciphertext has beyond the message's length is the
// tag, with zeros up to 33 bytes.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 20 a block of 16 bytes, whichever AES it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module copa_core #(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 128,  // 128
    parameter int unsigned TAG_BITS = 264,  // 264
    parameter int unsigned VERSION = 2,  // 2
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STAGES = 1  // of a round: 1, or 2 with two calls in flight
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "copa_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "copa_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS != 128) begin : gen_bad_nonce
    $fatal(1, "copa_core: NONCE_BITS = %0d, allowed: 128", NONCE_BITS);
  end
  if (TAG_BITS != 264) begin : gen_bad_tag
    $fatal(1, "copa_core: TAG_BITS = %0d, allowed: 264", TAG_BITS);
  end
  if (VERSION != 2) begin : gen_bad_version
    $fatal(1, "copa_core: VERSION = %0d, allowed: 2", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "copa_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "copa_core: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  chained_core #(
      .MODE      (chained_pkg::COPA),
      .DATA_BITS (DATA_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .STAGES    (STAGES)
  ) u_core (
      .*
  );

endmodule
