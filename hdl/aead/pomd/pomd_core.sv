// SPDX-License-Identifier: Apache-2.0
// p-OMD authenticated encryption over a compression function with n-byte blocks: seal and open, a block of associated
// data and one of the message in the same call. Specification: p-OMD (FSE 2015), docs/schemes/pomd.md; docs/cores/pomd.md.
// Ports: docs/core-ports.md.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles, with c a compression call (rounds + 1): total(n) = (n + 2) c + 3 with up to n + 1 blocks of AD; c for 2n bytes more.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok, and p-OMD
// falls to a forgery if it leaks: a release FIFO must take it. rst and clear zeroise all registers in one cycle.
module pomd_core
  import aead_pkg::*, pomd_pkg::*;
#(
    parameter bit BLAKE2B = 1'b0,  // compression function: 0 SHA-2, 1 BLAKE2b
    parameter int unsigned HALF_ROUNDS = 2,  // of it in a cycle
    parameter int unsigned N_BITS = 512,  // block and chaining value: 256 or 512
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64, 128, 256 or 512, at most N_BITS
    parameter int unsigned KEY_BITS = 512,  // 8 to N_BITS, whole bytes
    parameter int unsigned NONCE_BITS = 256,  // 8 to N_BITS - 8, whole bytes
    parameter int unsigned TAG_BITS = 256,  // 8 to N_BITS, whole bytes
    parameter int unsigned VERSION = 1,  // 1: there is one p-OMD
    parameter int unsigned CONTEXTS = 1  // 1
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (N_BITS != 256 && N_BITS != 512) begin : gen_bad_n
    $fatal(1, "pomd_core: N_BITS = %0d, allowed: 256, 512", N_BITS);
  end
  if (DATA_BITS < 32 || DATA_BITS > N_BITS || (DATA_BITS & (DATA_BITS - 1)) != 0) begin : gen_bad_data
    $fatal(1, "pomd_core: DATA_BITS = %0d, allowed: powers of two from 32 to %0d", DATA_BITS, N_BITS);
  end
  if (KEY_BITS < 8 || KEY_BITS > N_BITS || KEY_BITS % 8 != 0) begin : gen_bad_key
    $fatal(1, "pomd_core: KEY_BITS = %0d, allowed: whole bytes from 8 to %0d", KEY_BITS, N_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > N_BITS - 8 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "pomd_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to %0d", NONCE_BITS, N_BITS - 8);
  end
  if (TAG_BITS < 8 || TAG_BITS > N_BITS || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "pomd_core: TAG_BITS = %0d, allowed: whole bytes from 8 to %0d", TAG_BITS, N_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "pomd_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "pomd_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  localparam int unsigned SLOT_BITS = $clog2(2 * N_BITS / DATA_BITS);

  front_t  front;
  status_t status;
  event_t  pulse;
  collect_t ad_collect, msg_collect;
  chunk_t ad_chunk, msg_chunk;
  emit_t emit;
  datapath_t dp;
  logic take_wide, take_narrow, take_msg, msg_taken, emit_idle;
  logic ad_write, ad_wide, msg_write;
  logic [SLOT_BITS-1:0] ad_slot, msg_slot;
  logic [DATA_BITS-1:0] ad_data, msg_data;
  logic [DATA_BITS/8-1:0] msg_mask, unused_ad_mask;
  logic [  N_BITS-1:0] out_block;
  logic [TAG_BITS-1:0] tag;
  logic f_start, f_ready, unused_is_wide, unused_is_ad, unused_take_ad;
  logic [N_BITS-1:0] f_key, f_chain, f_msg, f_digest;

  assign msg_taken = port.msg.valid && port.msg_ready[0];

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .AD_CACHE(1'b0)
  ) u_front (
      .take_ad(take_wide || take_narrow),
      .*
  );

  pomd_schedule u_schedule (.*);

  // Blocks of 2n bytes fill both halves as the collector's associated data do, blocks of n bytes the second half: both are
  // associated data here, one after the other.
  aead_collector #(
      .DATA_BITS  (DATA_BITS),
      .CHUNK_BITS (2 * N_BITS),
      .MSG_IN_HALF(1'b1)
  ) u_ad_collector (
      .ctl(ad_collect),
      .chunk(ad_chunk),
      .is_ad(unused_is_wide),
      .take_ad(take_wide),
      .take_msg(take_narrow),
      .in_valid(port.ad.valid),
      .in_data(port.ad.data),
      .in_bytes(port.ad.bytes),
      .in_last(port.ad.last),
      .write(ad_write),
      .write_slot(ad_slot),
      .write_data(ad_data),
      .write_mask(unused_ad_mask),
      .*
  );

  aead_collector #(
      .DATA_BITS  (DATA_BITS),
      .CHUNK_BITS (2 * N_BITS),
      .MSG_IN_HALF(1'b1)
  ) u_msg_collector (
      .ctl(msg_collect),
      .chunk(msg_chunk),
      .is_ad(unused_is_ad),
      .take_ad(unused_take_ad),
      .in_valid(port.msg.valid),
      .in_data(port.msg.data),
      .in_bytes(port.msg.bytes),
      .in_last(port.msg.last),
      .write(msg_write),
      .write_slot(msg_slot),
      .write_data(msg_data),
      .write_mask(msg_mask),
      .*
  );

  pomd_datapath #(
      .N_BITS    (N_BITS),
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .ctl  (dp),
      .key  (port.key.data),
      .nonce(port.cmd.nonce),
      .*
  );

  compression #(
      .BLAKE2B    (BLAKE2B),
      .N_BITS     (N_BITS),
      .HALF_ROUNDS(HALF_ROUNDS)
  ) u_compression (
      .key(f_key),
      .key_new(front.key_new),
      .start(f_start),
      .chain(f_chain),
      .msg(f_msg),
      .ready(f_ready),
      .digest(f_digest),
      .*
  );

  aead_emitter #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(N_BITS)
  ) u_emitter (
      .ctl(emit),
      .block(out_block),
      .idle(emit_idle),
      .out_valid(port.out.valid),
      .out_ready(port.out_ready),
      .out_data(port.out.data),
      .out_bytes(port.out.bytes),
      .out_last(port.out.last),
      .*
  );
  assign port.out.ctx = '0;

endmodule
