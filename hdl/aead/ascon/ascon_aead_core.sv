// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128 authenticated encryption: seal and open; it has no AD cache, for associated data pass through the state.
// Specification: NIST SP 800-232 section 4, docs/cores/ascon-aead.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 8 / ROUNDS_PER_CYCLE a block of 16 bytes, as far as beats bring one in that time.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module ascon_aead_core
  import aead_pkg::*, ascon_aead_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 128,  // 128
    parameter int unsigned TAG_BITS = 128,  // 128
    parameter int unsigned VERSION = 1,  // 1
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned ROUNDS_PER_CYCLE = 1  // 1, 2 or 4
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "ascon_aead_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128 || NONCE_BITS != 128 || TAG_BITS != 128) begin : gen_bad_sizes
    $fatal(
        1,
        "ascon_aead_core: KEY_BITS = %0d, NONCE_BITS = %0d, TAG_BITS = %0d, allowed: 128 each",
        KEY_BITS,
        NONCE_BITS,
        TAG_BITS
    );
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "ascon_aead_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "ascon_aead_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (ROUNDS_PER_CYCLE != 1 && ROUNDS_PER_CYCLE != 2 && ROUNDS_PER_CYCLE != 4) begin : gen_bad_rounds
    $fatal(1, "ascon_aead_core: ROUNDS_PER_CYCLE = %0d, allowed: 1, 2, 4", ROUNDS_PER_CYCLE);
  end

  localparam int unsigned BEATS = 128 / DATA_BITS;
  localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1;

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  call_t call;
  logic run, block_clear;
  logic [3:0] round;
  logic is_ad, take_ad, take_msg, emit_idle;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic [127:0] out_block;
  logic [TAG_BITS-1:0] tag;

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .AD_CACHE(1'b0),
      .VERDICT (2)
  ) u_front (
      .*
  );

  aead_collector #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(128),
      .PAD_EMPTY (1'b1),
      .PAD_BYTE  (8'h01),
      .OVERLAP   (ROUNDS_PER_CYCLE == 4)
  ) u_collector (
      .ctl(collect),
      .in_valid(is_ad ? port.ad.valid : port.msg.valid),
      .in_data(is_ad ? port.ad.data : port.msg.data),
      .in_bytes(is_ad ? port.ad.bytes : port.msg.bytes),
      .in_last(is_ad ? port.ad.last : port.msg.last),
      .*
  );

  ascon_aead_schedule #(.ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE)) u_schedule (.*);

  ascon_aead_datapath #(
      .DATA_BITS       (DATA_BITS),
      .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE)
  ) u_datapath (
      .rest(front.rest),
      .fill(front.pending),
      .key_load(front.key_new),
      .open(front.op == OP_OPEN),
      .key(port.key.data),
      .nonce(port.cmd.nonce),
      .write_msg(!is_ad),
      .*
  );

  aead_emitter #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(128),
      .OVERLAP   (ROUNDS_PER_CYCLE != 1)
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
