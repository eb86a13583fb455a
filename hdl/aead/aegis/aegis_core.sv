// SPDX-License-Identifier: Apache-2.0
// AEGIS-128L authenticated encryption: seal and open; it has no AD cache, for associated data pass through the state.
// Specification: RFC 10032, docs/cores/aegis.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: one a block of 32 bytes, as far as beats bring one in that time.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module aegis_core
  import aead_pkg::*, aead_block_pkg::*, aegis_pkg::*;
#(
    parameter int unsigned DATA_BITS = 256,  // beat of ad, msg and out: 32, 64, 128 or 256
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned NONCE_BITS = 128,  // 128
    parameter int unsigned TAG_BITS = 128,  // 128 or 256
    parameter int unsigned VERSION = 1,  // 1
    parameter int unsigned CONTEXTS = 1  // 1
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128 && DATA_BITS != 256) begin : gen_bad_data
    $fatal(1, "aegis_core: DATA_BITS = %0d, allowed: 32, 64, 128, 256", DATA_BITS);
  end
  if (KEY_BITS != 128 || NONCE_BITS != 128) begin : gen_bad_sizes
    $fatal(1, "aegis_core: KEY_BITS = %0d, NONCE_BITS = %0d, allowed: 128 each", KEY_BITS, NONCE_BITS);
  end
  if (TAG_BITS != 128 && TAG_BITS != 256) begin : gen_bad_tag
    $fatal(1, "aegis_core: TAG_BITS = %0d, allowed: 128, 256", TAG_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "aegis_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "aegis_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end

  localparam int unsigned BEATS = 256 / DATA_BITS;
  localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1;

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  datapath_t orders;
  logic [127:0] lengths;
  logic is_ad, take_ad, take_msg;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic [255:0] out_block;
  logic put, out_nothing, out_more, out_room, out_waiting, out_idle;
  output_t put_about;
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
      .CHUNK_BITS(256),
      .PAD_BYTE  (8'h00),
      .OVERLAP   (1'b1)
  ) u_collector (
      .ctl(collect),
      .in_valid(is_ad ? port.ad.valid : port.msg.valid),
      .in_data(is_ad ? port.ad.data : port.msg.data),
      .in_bytes(is_ad ? port.ad.bytes : port.msg.bytes),
      .in_last(is_ad ? port.ad.last : port.msg.last),
      .*
  );

  aegis_schedule #(.DATA_BITS(DATA_BITS)) u_schedule (.*);

  aegis_datapath #(
      .DATA_BITS(DATA_BITS),
      .TAG_BITS (TAG_BITS)
  ) u_datapath (
      .ctl(orders),
      .rest(front.rest),
      .fill(front.pending),
      .key_load(front.key_new),
      .open(front.op == OP_OPEN),
      .key(port.key.data),
      .nonce(port.cmd.nonce),
      .write_msg(!is_ad),
      .*
  );

  aegis_outlet #(
      .DATA_BITS(DATA_BITS)
  ) u_outlet (
      .wipe(front.rest),
      .block(out_block),
      .about(put_about),
      .nothing(out_nothing),
      .more(out_more),
      .cut(front.refused),
      .room(out_room),
      .waiting(out_waiting),
      .idle(out_idle),
      .out_valid(port.out.valid),
      .out_ready(port.out_ready),
      .out_data(port.out.data),
      .out_bytes(port.out.bytes),
      .out_last(port.out.last),
      .*
  );
  assign port.out.ctx = '0;

endmodule
