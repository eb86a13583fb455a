// SPDX-License-Identifier: Apache-2.0
// OMD authenticated encryption over a compression function with n-byte blocks: seal, open, AD cache.
// Specification: OMD v1 and v2 (CAESAR), docs/cores/omd.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles, with c a compression call (rounds + 1): total(n) = (n + 2) c + 3 with cached AD; a block of AD c.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers in one cycle.
module omd_core
  import aead_pkg::*, omd_pkg::*;
#(
    parameter bit BLAKE2B = 1'b0,  // compression function: 0 SHA-2, 1 BLAKE2b
    parameter int unsigned HALF_ROUNDS = 2,  // of it in a cycle
    parameter int unsigned N_BITS = 512,  // block and chaining value: 256 or 512
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64, 128, 256 or 512, at most N_BITS
    parameter int unsigned KEY_BITS = 512,  // 8 to N_BITS, whole bytes
    parameter int unsigned NONCE_BITS = 256,  // 8 to N_BITS - 8, whole bytes
    parameter int unsigned TAG_BITS = 256,  // 8 to N_BITS, whole bytes
    parameter int unsigned VERSION = 2,  // 1 or 2
    parameter int unsigned CONTEXTS = 1  // 1
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (N_BITS != 256 && N_BITS != 512) begin : gen_bad_n
    $fatal(1, "omd_core: N_BITS = %0d, allowed: 256, 512", N_BITS);
  end
  if (DATA_BITS < 32 || DATA_BITS > N_BITS || (DATA_BITS & (DATA_BITS - 1)) != 0) begin : gen_bad_data
    $fatal(1, "omd_core: DATA_BITS = %0d, allowed: powers of two from 32 to %0d", DATA_BITS, N_BITS);
  end
  if (KEY_BITS < 8 || KEY_BITS > N_BITS || KEY_BITS % 8 != 0) begin : gen_bad_key
    $fatal(1, "omd_core: KEY_BITS = %0d, allowed: whole bytes from 8 to %0d", KEY_BITS, N_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > N_BITS - 8 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "omd_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to %0d", NONCE_BITS, N_BITS - 8);
  end
  if (TAG_BITS < 8 || TAG_BITS > N_BITS || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "omd_core: TAG_BITS = %0d, allowed: whole bytes from 8 to %0d", TAG_BITS, N_BITS);
  end
  if (VERSION != 1 && VERSION != 2) begin : gen_bad_version
    $fatal(1, "omd_core: VERSION = %0d, allowed: 1, 2", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "omd_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  localparam int unsigned SLOT_BITS = $clog2(2 * N_BITS / DATA_BITS);

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  datapath_t dp;
  logic is_ad, take_ad, take_msg, emit_idle;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic [N_BITS-1:0] out_block;
  logic [TAG_BITS-1:0] tag;
  logic f_start, f_ready;
  logic [N_BITS-1:0] f_key, f_chain, f_msg, f_digest;

  aead_front #(.TAG_BITS(TAG_BITS)) u_front (.*);

  aead_collector #(
      .DATA_BITS  (DATA_BITS),
      .CHUNK_BITS (2 * N_BITS),
      .MSG_IN_HALF(1'b1)
  ) u_collector (
      .ctl(collect),
      .in_valid(is_ad ? port.ad.valid : port.msg.valid),
      .in_data(is_ad ? port.ad.data : port.msg.data),
      .in_bytes(is_ad ? port.ad.bytes : port.msg.bytes),
      .in_last(is_ad ? port.ad.last : port.msg.last),
      .*
  );

  omd_schedule #(.VERSION(VERSION)) u_schedule (.*);

  omd_datapath #(
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
