// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption, a block a cycle: seal, open, AD cache; AES-128, AD mode P, one unrolled AES.
// Specification: AES-OTR v3 (CAESAR), docs/cores/otr.md, "One block a cycle". Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 2 a chunk of two 16-byte blocks; a packet of four blocks every 8, with associated data of a block.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all secrets, the memory of the output included, in at most 68 cycles.
module otr_pipe_core
  import aead_pkg::*, aead_pipe_pkg::*, otr_pipe_pkg::*;
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

  // Calls are decided on this many cycles before their results have gone on to the outlet, and a bit.
  localparam int unsigned QUIET = 10 * STAGES + 12;

  // A clear spreads: to the control; one cycle later to the data path; one later to the keys.
  logic wiping, clear_control, clear_data, clear_keys, clearing;
  always_ff @(posedge clk) begin
    clear_control <= clear || wiping;
    clear_data    <= clear_control;
    clear_keys    <= clear_data;
    clearing      <= clear || wiping || clear_control || clear_data;
  end

  logic key_new, key_done, aes_key_ready;
  number_t accepted, given;
  logic nonce_take, nonce_waits, nonce_goes, cache_ok;
  packet_t nonce_packet, tag_packet, packet;
  command_t [PACKETS-1:0] commands;
  logic [PACKETS-1:0] tag_there;
  logic tag_scrub, tag_made, alone, refused, result_gone;
  logic [TAG_BITS-1:0] tag;
  collect_t collect;
  chunk_t chunk;
  logic follows, is_ad, take, take_ad, take_msg, swallow_ad, swallow_msg, ad_end, msg_end, refuses, strings_over;
  logic [15:0] text;
  logic [127:0] block, held, first, second;
  logic head_valid, pop;
  queued_t head;
  call_t   call;
  token_t near, at_end;
  logic second_next, load_a;
  made_t made;
  logic made_swap;
  logic [4:0] made_bytes;
  logic out_room, out_begins, out_empty, out_cut, out_sent;

  logic unused;
  assign unused = &{1'b0, text, held, near, at_end};

  aead_pipe_commands #(
      .TAG_BITS(TAG_BITS)
  ) u_commands (
      .wiping(clearing),
      .*
  );

  assign port.ad_ready[0] = (take_ad || swallow_ad) && !clear && !wiping;
  assign port.msg_ready[0] = (take_msg || swallow_msg) && !clear && !wiping;
  assign ad_end = port.ad.valid && port.ad_ready[0] && port.ad.last;
  assign msg_end = port.msg.valid && port.msg_ready[0] && port.msg.last;

  otr_pipe_door u_door (
      .clear(clear_control),
      .*
  );

  aead_pipe_intake #(
      .PAIRS(1'b0)
  ) u_intake (
      .clk,
      .clear(clear_control),
      .ctl(collect),
      .follows,
      .ad('{port.ad.valid, port.ad.data, port.ad.bytes, port.ad.last}),
      .ad_ready(take_ad),
      .msg('{port.msg.valid, port.msg.data, port.msg.bytes, port.msg.last}),
      .msg_ready(take_msg),
      .chunk,
      .is_ad,
      .text,
      .first(held),
      .second(block)
  );

  otr_pipe_queue u_queue (
      .wipe(clear_control),
      .*
  );

  otr_pipe_schedule #(
      .QUIET(QUIET)
  ) u_schedule (
      .clear    (clear_control),
      .key_ready(aes_key_ready),
      .*
  );

  otr_pipe_datapath #(
      .STAGES    (STAGES),
      .SBOX_FORM (SBOX_FORM),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .clear(clear_data),
      .key(port.key.data),
      .key_ready(aes_key_ready),
      .nonce(port.cmd.nonce),
      .*
  );

  otr_pipe_outlet u_outlet (
      .clk,
      .clear,
      .wiping,
      .start(result_gone),
      .empty(out_empty),
      .chunk_begins(out_begins),
      .room(out_room),
      .swap(made_swap),
      .last_bytes(made_bytes),
      .cut(out_cut),
      .made,
      .sent(out_sent),
      .out_valid(port.out.valid),
      .out_ready(port.out_ready),
      .out_data(port.out.data),
      .out_bytes(port.out.bytes),
      .out_last(port.out.last)
  );
  assign port.out.ctx = '0;

endmodule
