// SPDX-License-Identifier: Apache-2.0
// Deoxys-II authenticated encryption, two cycles a block: seal, open, AD cache; one unrolled tweakable cipher of 14 rounds, its S-boxes
// in block RAM. Specification: docs/schemes/deoxys.md, docs/cores/deoxys.md, "A call a cycle". Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 2 a block of 16 bytes, 1 of associated data.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all secrets in at most 64 cycles and the store in 512.
module deoxysii_pipe_core
  import aead_pkg::*, aead_pipe_pkg::*, deoxysii_pipe_pkg::*;
#(
    parameter int unsigned DATA_BITS = 128,  // beat of ad, msg and out: 128, a block
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 120,  // 120
    parameter int unsigned TAG_BITS = 128,  // 128
    parameter int unsigned VERSION = 143,  // 141 or 143
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned MAX_MSG_BYTES = 16384  // longest message: a power of two from 256 to 65536
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "deoxysii_pipe_core: DATA_BITS = %0d, allowed: 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "deoxysii_pipe_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS != 120) begin : gen_bad_nonce
    $fatal(1, "deoxysii_pipe_core: NONCE_BITS = %0d, allowed: 120", NONCE_BITS);
  end
  if (TAG_BITS != 128) begin : gen_bad_tag
    $fatal(1, "deoxysii_pipe_core: TAG_BITS = %0d, allowed: 128", TAG_BITS);
  end
  if (VERSION != 141 && VERSION != 143) begin : gen_bad_version
    $fatal(1, "deoxysii_pipe_core: VERSION = %0d, allowed: 141, 143", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "deoxysii_pipe_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (MAX_MSG_BYTES < 256 || MAX_MSG_BYTES > 65536 || (MAX_MSG_BYTES & (MAX_MSG_BYTES - 1)) != 0) begin : gen_bad_max
    $fatal(1, "deoxysii_pipe_core: MAX_MSG_BYTES = %0d, allowed: powers of two from 256 to 65536", MAX_MSG_BYTES);
  end
  front_t   front;
  status_t  status;
  event_t   pulse;
  chunk_t   chunk;
  collect_t collect;
  beat_t    stored;
  made_t    made;
  logic wiping, out_wiping, take_text;
  logic store_rewind, store_stop, store_bad, store_wiping, store_ready, store_back_ready;
  logic [15:0] last_text;
  logic [127:0] no_first, block, tag;
  logic rests, begins, ends, opening, pipe_idle, tag_equal;
  call_t call;
  kind_e at_end;
  logic out_begins, out_empty, out_cut, out_room, out_idle;

  logic unused;
  assign unused = &{1'b0, no_first, store_back_ready};

  assign wiping = store_wiping || out_wiping;

  aead_pipe_shell #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (0)
  ) u_shell (
      .wiping(out_wiping),
      .take_msg(store_ready),
      .msg(stored),
      .msg_ready(take_text),
      .first(no_first),
      .second(block),
      .out_start(begins),
      .out_swap(1'b0),
      .*
  );

  deoxysii_pipe_schedule u_schedule (
      .idle(pipe_idle),
      .*
  );

  // SIV-OMD's: takes the message at any time and gives it back as often as wanted. Nothing is overwritten here.
  sivomd_store #(
      .DATA_BITS    (DATA_BITS),
      .MAX_MSG_BYTES(MAX_MSG_BYTES)
  ) u_store (
      .wiping(store_wiping),
      .start(front.accepts && port.cmd.op <= OP_OPEN),
      .stop(store_stop),
      .rewind(store_rewind),
      .bad(store_bad),
      .msg_valid(port.msg.valid && !clear),
      .msg_ready(store_ready),
      .msg_data(port.msg.data),
      .msg_bytes(port.msg.bytes),
      .msg_last(port.msg.last),
      .back_valid(1'b0),
      .back_ready(store_back_ready),
      .back_data('0),
      .read_ready(take_text),
      .read_valid(stored.valid),
      .read_data(stored.data),
      .read_bytes(stored.bytes),
      .read_last(stored.last),
      .*
  );

  deoxysii_pipe_datapath #(
      .VERSION(VERSION)
  ) u_datapath (
      .clk,
      .clear(out_wiping),
      .key_new(front.key_new),
      .key(port.key.data),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .tag_take(front.tag_taken),
      .tag_in(port.tag_in.data),
      .rests,
      .begins,
      .begin_cached(front.cached),
      .ends,
      .load_ad(front.op == OP_LOAD_AD),
      .opening,
      .block,
      .last_text,
      .call,
      .at_end,
      .idle(pipe_idle),
      .made,
      .tag,
      .tag_equal
  );

endmodule
