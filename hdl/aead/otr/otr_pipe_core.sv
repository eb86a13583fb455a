// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption, a block a cycle: seal, open, AD cache; AES-128, AD mode P, one unrolled AES.
// Specification: AES-OTR v3 (CAESAR), docs/cores/otr.md, "One block a cycle". Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 2 a chunk of two 16-byte blocks.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all secrets, the memory of the output included, in at most 64 cycles.
module otr_pipe_core
  import aead_pkg::*, aead_pipe_pkg::made_t, otr_pkg::*;
#(
    parameter int unsigned DATA_BITS = 128,  // beat of ad, msg and out: 128, a block
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned VERSION = 3,  // 3
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned STAGES = 2,  // of a round: 1, 2
    parameter int unsigned SBOX_FORM = 0  // 0: table, 1: composite field, 2: block RAM (STAGES 2)
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "otr_pipe_core: DATA_BITS = %0d, allowed: 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "otr_pipe_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 120 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "otr_pipe_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to 120", NONCE_BITS);
  end
  if (TAG_BITS < 32 || TAG_BITS > 128 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "otr_pipe_core: TAG_BITS = %0d, allowed: whole bytes from 32 to 128", TAG_BITS);
  end
  if (VERSION != 3) begin : gen_bad_version
    $fatal(1, "otr_pipe_core: VERSION = %0d, allowed: 3", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "otr_pipe_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  front_t   front;
  status_t  status;
  event_t   pulse;
  chunk_t   chunk;
  collect_t collect;
  made_t    made;
  logic wiping, take_msg;
  logic [15:0] last_text;
  logic [127:0] first, second, computed_tag;
  logic aes_key_ready, rests, begins, ends, opening;
  logic second_next, sum_complete, pipe_idle;
  call_t call;
  kind_e at_end;
  logic out_cut, out_room, out_idle;
  logic turn_q, begun_q;  // a chunk may go; one has

  logic unused;
  assign unused = &{1'b0, computed_tag};

  aead_pipe_shell #(
      .TAG_BITS(TAG_BITS),
      .PAIRS   (1'b1),
      .SLOTS   (16 * STAGES)
  ) u_shell (
      .tag(computed_tag[TAG_BITS-1:0]),
      .take_msg,
      .msg('{port.msg.valid, port.msg.data, port.msg.bytes, port.msg.last}),
      .msg_ready(take_msg),
      .out_start(begins),
      .out_empty(1'b0),
      .out_begins(pulse.out_made),
      .out_swap(!opening),
      .*
  );

  otr_schedule u_schedule (
      .key_ready   (aes_key_ready),
      .single_ready(!second_next),
      .ad_ready    (1'b1),
      .chunk_ready (turn_q && out_room),
      .idle        (pipe_idle),
      .*
  );

  // First calls of chunks go in every other cycle, so that second calls, an odd number of cycles later, find the cycles between.
  always_ff @(posedge clk) begin
    turn_q <= !turn_q || !begun_q;
    if (rests) begun_q <= 1'b0;
    if (pulse.out_made) begin
      begun_q <= 1'b1;
      turn_q  <= 1'b0;
    end
    if (clear) begun_q <= 1'b0;
  end

  otr_pipe_datapath #(
      .STAGES    (STAGES),
      .SBOX_FORM (SBOX_FORM),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .clk,
      .clear(wiping),
      .key_new(front.key_new),
      .key(port.key.data),
      .key_ready(aes_key_ready),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .begins,
      .begin_cached(front.cached),
      .ends,
      .load_ad(front.op == OP_LOAD_AD),
      .opening,
      .first,
      .second,
      .last_text,
      .call,
      .second_next,
      .at_end,
      .sum_complete,
      .idle(pipe_idle),
      .made,
      .computed_tag
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_start_only_when_ready : assert (call.token.kind == K_NONE || aes_key_ready);
    end
  end
`endif

endmodule
