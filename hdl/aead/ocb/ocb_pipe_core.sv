// SPDX-License-Identifier: Apache-2.0
// AES-OCB3 authenticated encryption, a block a cycle: seal, open, AD cache; one unrolled AES in both directions, its S-boxes in
// block RAM. Specification: RFC 7253, docs/cores/ocb.md, "One block a cycle". Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 1 a block of 16 bytes, of either string and in either direction.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all secrets, memories included, in at most 64 cycles.
module ocb_pipe_core
  import aead_pkg::*, aead_pipe_pkg::made_t, ocb_pipe_pkg::*;
#(
    parameter int unsigned DATA_BITS = 128,  // beat of ad, msg and out: 128, a block
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 96,  // 96
    parameter int unsigned TAG_BITS = 128,  // 64, 96 or 128
    parameter int unsigned VERSION = 1,  // 1
    parameter int unsigned CONTEXTS = 1  // 1
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "ocb_pipe_core: DATA_BITS = %0d, allowed: 128", DATA_BITS);
  end
  if (KEY_BITS != 128) begin : gen_bad_key
    $fatal(1, "ocb_pipe_core: KEY_BITS = %0d, allowed: 128", KEY_BITS);
  end
  if (NONCE_BITS != 96) begin : gen_bad_nonce
    $fatal(1, "ocb_pipe_core: NONCE_BITS = %0d, allowed: 96", NONCE_BITS);
  end
  if (TAG_BITS != 64 && TAG_BITS != 96 && TAG_BITS != 128) begin : gen_bad_tag
    $fatal(1, "ocb_pipe_core: TAG_BITS = %0d, allowed: 64, 96, 128", TAG_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "ocb_pipe_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "ocb_pipe_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  front_t   front;
  status_t  status;
  event_t   pulse;
  chunk_t   chunk;
  collect_t collect;
  made_t    made;
  logic wiping, table_wiping, out_wiping, take_msg;
  logic [15:0] last_text;
  logic [127:0] no_first, block, computed_tag;
  logic aes_key_ready, rests, begins, ends, prime, opening;
  logic sum_complete, pipe_idle;
  call_t call;
  kind_e at_end;
  logic out_begins, out_empty, out_cut, out_room, out_idle;

  logic unused;
  assign unused = &{1'b0, computed_tag, no_first, opening};

  assign wiping = table_wiping || out_wiping;

  aead_pipe_shell #(
      .TAG_BITS(TAG_BITS)
  ) u_shell (
      .wiping(out_wiping),
      .tag(computed_tag[TAG_BITS-1:0]),
      .msg('{port.msg.valid, port.msg.data, port.msg.bytes, port.msg.last}),
      .msg_ready(take_msg),
      .first(no_first),
      .second(block),
      .out_start(begins),
      .out_swap(1'b0),
      .*
  );

  ocb_pipe_schedule u_schedule (
      .key_ready(aes_key_ready),
      .idle(pipe_idle),
      .*
  );

  ocb_pipe_datapath #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .clk,
      .clear(wiping),
      .table_clear(clear),
      .key_new(front.key_new),
      .key(port.key.data),
      .key_ready(aes_key_ready),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .rests,
      .begins,
      .begin_cached(front.cached),
      .ends,
      .load_ad(front.op == OP_LOAD_AD),
      .prime,
      .block,
      .last_text,
      .call,
      .table_wiping,
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
