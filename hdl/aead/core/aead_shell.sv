// SPDX-License-Identifier: Apache-2.0
// Shell of an AEAD mode that takes both strings from the ports, block by block, and holds its output itself: front end,
// collector with its block, and emitter, joined (docs/cores/front-end.md).
// Byte order: byte i of every string in bits [8i+7:8i].
// Security: what `out` carries in opening is unverified until `result.ok`.
module aead_shell
  import aead_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out
    parameter int unsigned CHUNK_BITS = 128,  // block
    parameter int unsigned TAG_BITS = 128,
    parameter bit AD_CACHE = 1'b1,
    parameter int unsigned VERDICT = 2,  // as in aead_front
    parameter bit PAD_EMPTY = 1'b0,  // as in aead_collector
    parameter logic [7:0] PAD_BYTE = 8'h80
) (
    input logic clk,
    input logic clear,
    aead_if port,

    input  status_t                status,
    input  event_t                 pulse,
    output front_t                 front,
    input  logic    [TAG_BITS-1:0] tag,

    input  collect_t                    collect,
    output chunk_t                      chunk,
    input  logic                        block_clear,
    output logic     [  CHUNK_BITS-1:0] in_block,     // as in aead_block
    output logic     [CHUNK_BITS/8-1:0] in_mask,

    input  emit_t                  emit,
    input  logic  [CHUNK_BITS-1:0] out_block,
    output logic                   emit_idle
);

  localparam int unsigned BEATS = CHUNK_BITS / DATA_BITS;
  localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1;

  logic is_ad, take_ad, take_msg, write;
  logic [  SLOT_BITS-1:0] write_slot;
  logic [  DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .AD_CACHE(AD_CACHE),
      .VERDICT (VERDICT)
  ) u_front (
      .*
  );

  aead_collector #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(CHUNK_BITS),
      .PAD_EMPTY (PAD_EMPTY),
      .PAD_BYTE  (PAD_BYTE),
      .LATE_WRITE(1'b1)
  ) u_collector (
      .ctl(collect),
      .in_valid(is_ad ? port.ad.valid : port.msg.valid),
      .in_data(is_ad ? port.ad.data : port.msg.data),
      .in_bytes(is_ad ? port.ad.bytes : port.msg.bytes),
      .in_last(is_ad ? port.ad.last : port.msg.last),
      .*
  );

  aead_block #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(CHUNK_BITS)
  ) u_block (
      .wipe(block_clear),
      .*
  );

  aead_emitter #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(CHUNK_BITS),
      .KEEP      (1'b0)
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
