// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption that keeps its key in two shares: seal, open, AD cache; AES-128, AD mode P, masked
// AES with five blocks in flight. Specification: AES-OTR v3 (CAESAR), docs/cores/otr-masked.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 22 a 16-byte block, while five calls are in flight.
// Security: first-order masking with glitches and transitions of what depends on the key (docs/cores/otr-masked.md says
// what is shown); messages, associated data, nonces and verdicts are public. Nothing is taken before a seed came, nor
// after the random bits' alarm, which clears. Constant time for given lengths. What `out` carries in opening is unverified
// until result_ok. clear zeroises all secrets, one domain after the other, in at most 40 cycles.
module otr_masked_core
  import aead_pkg::*, aead_pipe_pkg::made_t, otr_pkg::*;
#(
    parameter int unsigned DATA_BITS = 128,  // beat of ad, msg and out: 128, a block
    parameter int unsigned KEY_BITS = 128,  // 128; the port has two shares
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned VERSION = 3,  // 3
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

  if (DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "otr_masked_core: DATA_BITS = %0d, allowed: 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "otr_masked_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 120 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "otr_masked_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to 120", NONCE_BITS);
  end
  if (TAG_BITS < 32 || TAG_BITS > 128 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "otr_masked_core: TAG_BITS = %0d, allowed: whole bytes from 32 to 128", TAG_BITS);
  end
  if (VERSION != 3) begin : gen_bad_version
    $fatal(1, "otr_masked_core: VERSION = %0d, allowed: 3", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "otr_masked_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  front_t front;
  status_t status, decided;
  event_t pulse, ordered;
  chunk_t   chunk;
  collect_t collect;
  call_t    call;
  kind_e    at_end;
  logic rests, begins, ends, opening, wiping, wipe, take_msg;
  logic [15:0] last_text;
  logic [127:0] first, second;
  made_t made;
  logic call_ready, sum_complete, idle;
  logic out_cut, out_room, out_idle;
  logic aes_key_free, aes_key_ready, aes_ready, aes_start, aes_done;
  logic aes_ends, aes_ends_upper, aes_upper, aes_wiping, out_wiping;
  logic [1:0][63:0] aes_block, aes_result;
  logic [1:0][127:0] computed;
  logic tag_wait, good, wrong, good_q, wrong_q, wipe_q, wipe_late_q, wiping_q, key_free_q;
  collect_t collect_q;
  logic [TAG_BITS-1:0] tag, expected_q;
  logic tag_taken_q;
  logic random_valid, random_busy;
  (* keep *) logic [63:0] random;  // the leakage test finds it by its name in a netlist
  logic [126:0] tree_random;

  logic unused;
  assign unused = &{1'b0, rests};

  // ---- random bits ----

  assign wiping = out_wiping || aes_wiping;  // the one begins at once, the other ends last

  // A cycle late, for the sake of the clock, and from a clear on; a key is free until one is taken, or a command.
  always_ff @(posedge clk) begin
    wiping_q    <= wiping || wipe;
    key_free_q  <= aes_key_free && random_valid && !random_busy && !wiping && !wipe;
    wipe_late_q <= wipe_q;
  end

  trivium_supply #(
      .WORDS(1)
  ) u_random (
      .wiping(wiping_q),
      .busy(random_busy),
      .wipe_late(wipe_q),
      .*
  );

  // ---- front end and schedule ----

  aead_pipe_shell #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (3),
      .PAIRS   (1'b1),
      .SLOTS   (8)
  ) u_shell (
      .clear(wipe),
      .wiping(out_wiping),
      .msg('{port.msg.valid, port.msg.data, port.msg.bytes, port.msg.last}),
      .msg_ready(take_msg),
      .collect(collect_q),
      .out_start(begins),
      .out_empty(1'b0),
      .out_begins(ordered.out_made),
      .out_swap(!opening),
      .*
  );

  // The computed tag, which is in shares, is judged here.
  always_comb begin
    status          = decided;
    status.key_free = key_free_q;
    status.finish   = good_q && decided.finish;
    status.tag_wait = tag_wait;
    pulse           = ordered;
    pulse.refuse    = ordered.refuse || wrong_q;
  end

  otr_schedule u_schedule (
      .clear       (wipe),
      .wiping      (wiping_q),
      .status      (decided),
      .pulse       (ordered),
      .key_ready   (aes_key_ready && call_ready),
      .single_ready(call_ready),
      .ad_ready    (call_ready),
      .chunk_ready (call_ready && out_room),
      .*
  );

  // A cycle late, for the sake of the clock: the comparison is far from the port.
  always_ff @(posedge clk) begin
    expected_q  <= port.tag_in.data;
    tag_taken_q <= front.tag_taken;
    if (wipe) begin
      expected_q  <= '0;
      tag_taken_q <= 1'b0;
    end
  end

  // The tree of ANDs takes 127 bits. Its levels share them so that no AND has a bit of those below it or its neighbour
  // (docs/probing.md).
  assign tree_random = {random[62:32], random[16], random[31:17], random[0], random[15:1], random};

  aead_masked_verdict #(
      .TAG_BITS(TAG_BITS)
  ) u_verdict (
      .clk,
      .clear     (wipe_q),
      .clear_late(wipe_late_q),
      .random    (tree_random),
      .expected  (expected_q),
      .op        (front.op),
      .tag_taken (tag_taken_q),
      .finish    (decided.finish),
      .*
  );

  // A cycle late, for the sake of the clock: AES takes the next call later than that.
  always_ff @(posedge clk) begin
    collect_q <= collect;
    good_q    <= good;
    wrong_q   <= wrong;
    if (wipe) begin
      collect_q <= '0;
      good_q    <= 1'b0;
      wrong_q   <= 1'b0;
    end
  end

  // ---- data path and AES ----

  otr_masked_datapath #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .clear(wipe_q),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .begin_cached(front.cached),
      .load_ad(front.op == OP_LOAD_AD),
      .*
  );

  // A key's shares take up random bits as they come; the S-boxes are empty then.
  aes_masked_r1 u_aes (
      .clk,
      .clear(wipe),
      .wiping(aes_wiping),
      .random_valid,
      .random,
      .key_free(aes_key_free),
      .key_new(front.key_new),
      .key0(port.key.data[127:0]),
      .key1(port.key.data[255:128]),
      .key_ready(aes_key_ready),
      .start_ready(aes_ready),
      .start(aes_start),
      .block0(aes_block[0]),
      .block1(aes_block[1]),
      .ends(aes_ends),
      .ends_upper(aes_ends_upper),
      .done(aes_done),
      .done_upper(aes_upper),
      .result(aes_result)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!wipe) begin
      a_start_only_when_ready : assert (call.token.kind == K_NONE || aes_key_ready);
      a_key_only_when_free : assert (!front.key_new || aes_key_free);
    end
  end
`endif

endmodule
