// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption over a ring of AES: seal, open, AD cache; AES-128, AD mode P, a round in three or four
// stages with a block in flight for each. Specification: AES-OTR v3 (CAESAR), docs/cores/otr.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 10 a 16-byte block, whichever ring it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle and the memories in 16.
module otr_ring_core
  import aead_pkg::*, aead_pipe_pkg::made_t, otr_pkg::*;
#(
    parameter int unsigned DATA_BITS = 128,  // beat of ad, msg and out: 128, a block
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned VERSION = 3,  // 3
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STAGES = 3  // of a round, and blocks in flight: 3, 4
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "otr_ring_core: DATA_BITS = %0d, allowed: 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "otr_ring_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 120 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "otr_ring_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to 120", NONCE_BITS);
  end
  if (TAG_BITS < 32 || TAG_BITS > 128 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "otr_ring_core: TAG_BITS = %0d, allowed: whole bytes from 32 to 128", TAG_BITS);
  end
  if (VERSION != 3) begin : gen_bad_version
    $fatal(1, "otr_ring_core: VERSION = %0d, allowed: 3", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "otr_ring_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (STAGES != 3 && STAGES != 4) begin : gen_bad_stages
    $fatal(1, "otr_ring_core: STAGES = %0d, allowed: 3, 4", STAGES);
  end

  front_t  front;
  status_t status;
  event_t  pulse;
  chunk_t  chunk;
  collect_t collect, collect_q;
  call_t call;
  kind_e at_end;
  logic rests, begins, ends, opening, wiping, take_msg;
  logic [15:0] last_text;
  logic [127:0] first, second;
  made_t made;
  logic key_ready, call_ready, sum_complete, idle, out_cut, out_room, out_idle;
  logic [TAG_BITS-1:0] tag;

  logic unused;
  assign unused = &{1'b0, rests};

  // `call` stands a cycle later as well, and speaks of the chunk that is then taken.
  always_ff @(posedge clk) begin
    collect_q <= collect;
    if (clear) collect_q <= '0;
  end

  aead_pipe_shell #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (2),
      .PAIRS   (1'b1),
      .SLOTS   (8)
  ) u_shell (
      .msg('{port.msg.valid, port.msg.data, port.msg.bytes, port.msg.last}),
      .msg_ready(take_msg),
      .collect(collect_q),
      .out_start(begins),
      .out_empty(1'b0),
      .out_begins(pulse.out_made),
      .out_swap(!opening),
      .*
  );

  otr_schedule u_schedule (
      .key_ready   (key_ready && call_ready),
      .single_ready(call_ready),
      .ad_ready    (call_ready),
      .chunk_ready (call_ready && out_room),
      .*
  );

  otr_ring_datapath #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .STAGES    (STAGES)
  ) u_datapath (
      .key_new(front.key_new),
      .key(port.key.data),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .begin_cached(front.cached),
      .load_ad(front.op == OP_LOAD_AD),
      .*
  );

endmodule
