// SPDX-License-Identifier: Apache-2.0
// AES-OCB3 authenticated encryption, a block a cycle: seal, open, AD cache; one unrolled AES in both directions, its S-boxes in
// block RAM. Specification: RFC 7253, docs/cores/ocb.md, "One block a cycle". Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 1 a block of 16 bytes, of either string and in either direction.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all secrets, memories included, in at most 64 cycles.
module ocb_pipe_core
  import aead_pkg::*, ocb_pipe_pkg::*;
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
  logic wiping, table_wiping, out_wiping, take_ad, take_msg;
  logic [15:0] text, last_text;
  logic [4:0] last_bytes;
  logic [127:0] no_first, block, made_block, computed_tag;
  logic aes_key_ready, rests, begins, ends, prime, opening;
  logic sum_complete, pipe_idle;
  call_t call;
  kind_e at_end;
  logic made, made_last;
  logic out_begins, out_empty, out_cut, out_room, out_idle;

  logic unused;
  assign unused = &{1'b0, computed_tag, no_first, opening};

  assign wiping = table_wiping || out_wiping;

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (2)
  ) u_front (
      .tag(computed_tag[TAG_BITS-1:0]),
      .*
  );

  ocb_pipe_schedule u_schedule (
      .key_ready(aes_key_ready),
      .idle(pipe_idle),
      .*
  );

  always_ff @(posedge clk) begin
    if (out_begins && chunk.last) begin
      last_text  <= text;
      last_bytes <= 5'(chunk.last_bytes);
    end
    if (clear) begin
      last_text  <= '0;
      last_bytes <= '0;
    end
  end

  aead_pipe_intake #(
      .PAIRS(1'b0)
  ) u_intake (
      .clk,
      .clear,
      .ctl(collect),
      .ad_valid(port.ad.valid),
      .ad_ready(take_ad),
      .ad_data(port.ad.data),
      .ad_bytes(port.ad.bytes),
      .ad_last(port.ad.last),
      .msg_valid(port.msg.valid),
      .msg_ready(take_msg),
      .msg_data(port.msg.data),
      .msg_bytes(port.msg.bytes),
      .msg_last(port.msg.last),
      .chunk,
      .text,
      .chunk_first(no_first),
      .chunk_second(block)
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
      .made_last,
      .made_block,
      .computed_tag
  );

  aead_pipe_outlet #(
      .PAIRS(1'b0),
      .SLOTS(64)
  ) u_outlet (
      .clk,
      .clear,
      .wiping(out_wiping),
      .start(begins),
      .empty(front.end_empty || out_empty),
      .chunk_begins(out_begins),
      .room(out_room),
      .swap(1'b0),
      .last_bytes,
      .cut(out_cut),
      .made,
      .made_late(1'b1),
      .made_last,
      .made_single(1'b1),
      .made_spent(1'b0),
      .made_block,
      .idle(out_idle),
      .out_valid(port.out.valid),
      .out_ready(port.out_ready),
      .out_data(port.out.data),
      .out_bytes(port.out.bytes),
      .out_last(port.out.last)
  );
  assign port.out.ctx = '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_start_only_when_ready : assert (call.token.kind == K_NONE || aes_key_ready);
      a_begin_only_when_idle : assert (!(begins || front.end_empty || out_empty) || out_idle);
    end
  end
`endif

endmodule
