// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128 authenticated encryption that keeps its key in two shares: seal and open; no AD cache. Levelled: the calls
// that the key enters, the first and the last, work on a state in shares, those between on the bare state.
// Specification: NIST SP 800-232 section 4, docs/cores/ascon-masked.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 8 a block of 16 bytes, 24 a call in shares.
// Security: first-order masking with glitches and transitions of the key (docs/cores/ascon-masked.md says what is shown, and
// what the bare state gives away). Nothing is taken before a seed came, nor after the random bits' alarm, which clears.
// Constant time for given lengths. What `out` carries in opening is unverified until result_ok. clear zeroises all secrets, one
// domain after the other, in at most 20 cycles.
module ascon_aead_masked_core
  import aead_pkg::*, ascon_aead_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128; the port has two shares
    parameter int unsigned NONCE_BITS = 128,  // 128
    parameter int unsigned TAG_BITS = 128,  // 128
    parameter int unsigned VERSION = 1,  // 1
    parameter int unsigned CONTEXTS = 1  // 1
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port,  // the key's data are share 0, and share 1 above it
    input logic seed_valid,
    output logic seed_ready,
    input logic [159:0] seed_data,
    output logic alarm  // level: the random bits are not; cleared until a seed comes
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "ascon_aead_masked_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128 || NONCE_BITS != 128 || TAG_BITS != 128) begin : gen_bad_sizes
    $fatal(
        1,
        "ascon_aead_masked_core: KEY_BITS = %0d, NONCE_BITS = %0d, TAG_BITS = %0d, allowed: 128 each",
        KEY_BITS,
        NONCE_BITS,
        TAG_BITS
    );
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "ascon_aead_masked_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "ascon_aead_masked_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  front_t front;
  status_t status, decided;
  event_t pulse, ordered;
  chunk_t chunk, chunk_seen;
  collect_t collect;
  emit_t emit;
  call_t call;
  logic run, block_clear, emit_idle, call_ready, call_idle, is_msg_q;
  logic [3:0] round;
  logic [127:0] in_block, out_block;
  logic [15:0] in_mask;
  logic [1:0][127:0] computed;
  logic tag_wait, good, wrong;
  logic [127:0] tag;
  logic wipe, wipe_late, random_valid, random_busy;
  logic [191:0] random;

  trivium_supply #(
      .WORDS(3)
  ) u_random (
      .wiping(1'b0),
      .busy  (random_busy),
      .*
  );

  aead_shell #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS),
      .AD_CACHE (1'b0),
      .VERDICT  (0),
      .PAD_EMPTY(1'b1),
      .PAD_BYTE (8'h01)
  ) u_shell (
      .clear(wipe),
      .*
  );

  // The schedule is that of one round a cycle; it does not see a block, nor the front end its end, before a call in shares is
  // through. The computed tag, which is in shares, is judged here.
  always_comb begin
    chunk_seen      = chunk;
    chunk_seen.full = chunk.full && call_ready;
    status          = decided;
    status.wiping   = random_busy;
    status.key_free = random_valid;
    status.finish   = good;
    status.tag_wait = tag_wait;
    pulse           = ordered;
    pulse.refuse    = ordered.refuse || wrong;
  end

  ascon_aead_schedule #(
      .ROUNDS_PER_CYCLE(1)
  ) u_schedule (
      .clear (wipe),
      .chunk (chunk_seen),
      .status(decided),
      .pulse (ordered),
      .*
  );

  aead_masked_verdict #(
      .TAG_BITS(TAG_BITS)
  ) u_verdict (
      .clear     (wipe),
      .clear_late(wipe_late),
      .random    (random[126:0]),
      .expected  (port.tag_in.data),
      .op        (front.op),
      .tag_taken (front.tag_taken),
      .finish    (decided.finish && call_idle),
      .*
  );

  always_ff @(posedge clk) begin
    if (front.begins) is_msg_q <= 1'b0;
    if (collect.start_msg) is_msg_q <= 1'b1;
    if (wipe) is_msg_q <= 1'b0;
  end

  // A key's shares are refreshed as they come.
  ascon_aead_masked_datapath u_datapath (
      .clear     (wipe),
      .clear_late(wipe_late),
      .rest      (front.rest),
      .stop      (ordered.refuse),
      .opening   (is_msg_q && front.op == OP_OPEN),
      .ready     (call_ready),
      .idle      (call_idle),
      .key_load  (front.key_new),
      .key       (port.key.data),
      .nonce     (port.cmd.nonce),
      .block     (in_block),
      .out_load  (emit.load),
      .*
  );

endmodule
