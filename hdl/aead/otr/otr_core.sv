// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 authenticated encryption: seal, open, AD cache; AD mode P or S, 128- or 256-bit key, and an AES of one
// round a cycle or of two half-length stages. Specification: AES-OTR v3 (CAESAR), docs/cores/otr.md.
// Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 2 ROUNDS (20 or 28) a chunk of two 16-byte blocks, whichever AES it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. clear zeroises all registers in one cycle.
module otr_core
  import aead_pkg::*, otr_pkg::*, otr_round_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128 or 256
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned VERSION = 3,  // 3
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned AD_SERIAL = 0,  // 0: AD mode P, 1: AD mode S
    parameter int unsigned STAGES = 1,  // of a round: 1, or 2 with two blocks in flight
    parameter int unsigned SBOX_FORM = 0,  // 0: table, 1: composite field
    parameter int unsigned STORED_KEYS = 0  // 0: round keys made on the fly, 1: stored
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "otr_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128 && KEY_BITS != 256) begin : gen_bad_key
    $fatal(1, "otr_core: KEY_BITS = %0d, allowed: 128, 256", KEY_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > 120 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "otr_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to 120", NONCE_BITS);
  end
  if (TAG_BITS < 32 || TAG_BITS > 128 || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "otr_core: TAG_BITS = %0d, allowed: whole bytes from 32 to 128", TAG_BITS);
  end
  if (VERSION != 3) begin : gen_bad_version
    $fatal(1, "otr_core: VERSION = %0d, allowed: 3", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "otr_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (AD_SERIAL > 1) begin : gen_bad_mode
    $fatal(1, "otr_core: AD_SERIAL = %0d, allowed: 0 (mode P), 1 (mode S)", AD_SERIAL);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "otr_core: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  localparam int unsigned ROUNDS = KEY_BITS == 256 ? 14 : 10;
  localparam int unsigned SLOT_BITS = $clog2(256 / DATA_BITS);

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  emit_t emit_block;
  call_t call;
  kind_e at_end;
  load_t load;
  take_t take;
  start_t start;
  way_t way, late;
  kind_e ended_kind;
  collect_t order;
  logic is_ad, take_ad, take_msg, emit_idle, next_q;
  logic rests, begins, ends, opening, single_ready, ad_ready, chunk_ready, sum_complete, idle, out_cut, out_idle;
  logic ended0, ended1, no_call, gate, taken0, taken1, other_call, results_busy;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic [127:0] out_block;
  logic aes_key_ready;
  logic [1:0] aes_flying, aes_done;
  logic [127:0] aes_block;
  logic [15:0] aes_chain;
  logic [1:0][127:0] aes_result;
  logic [TAG_BITS-1:0] tag;

  logic unused;
  assign unused = &{1'b0, aes_flying, aes_done};

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (2)
  ) u_front (
      .*
  );

  aead_collector #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(256),
      .BLOCKS    (2),
      .PAD_EMPTY (1'b1),
      .LATE_WRITE(1'b1)
  ) u_collector (
      .ctl(collect),
      .in_valid(is_ad ? port.ad.valid : port.msg.valid),
      .in_data(is_ad ? port.ad.data : port.msg.data),
      .in_bytes(is_ad ? port.ad.bytes : port.msg.bytes),
      .in_last(is_ad ? port.ad.last : port.msg.last),
      .*
  );

  // The chunk goes to its place two cycles after the schedule takes it.
  always_ff @(posedge clk) begin
    next_q <= order.next;
    if (clear) next_q <= 1'b0;
  end
  always_comb begin
    collect      = order;
    collect.next = next_q;
  end

  otr_schedule #(
      .AD_SERIAL(AD_SERIAL == 1),
      .TA_FIRST (1'b1)
  ) u_schedule (
      .wiping   (1'b0),
      .key_ready(1'b1),  // the call waits at the input of AES
      .collect  (order),
      .*
  );

  otr_calls #(
      .ROUNDS   (ROUNDS),
      .STAGES   (STAGES),
      .AD_SERIAL(AD_SERIAL)
  ) u_calls (
      .with_ad(front.with_ad),
      .*
  );

  otr_results #(
      .DATA_BITS(DATA_BITS),
      .TURNS    (STAGES == 2)
  ) u_results (
      .load_ad(front.op == OP_LOAD_AD),
      .busy   (results_busy),
      .emit   (emit_block),
      .*
  );

  always_comb begin
    emit       = emit_block;
    emit.empty = front.end_empty;
    emit.more  = !idle || chunk.full;
    emit.cut   = out_cut;
  end

  otr_datapath #(
      .DATA_BITS (DATA_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .AD_SERIAL (AD_SERIAL),
      .STAGES    (STAGES)
  ) u_datapath (
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .two(chunk.two),
      .cached(front.cached),
      .block(aes_block),
      .chain(aes_chain),
      .result(aes_result),
      .*
  );

  if (STAGES == 1) begin : gen_whole_round
    logic unused_tick;
    assign unused_tick = &{1'b0, start.tick};
    aes_encrypt_r1 #(
        .KEY_BITS   (KEY_BITS),
        .SBOX_FORM  (SBOX_FORM),
        .STORED_KEYS(STORED_KEYS)
    ) u_aes (
        .clk,
        .clear,
        .key_new(front.key_new),
        .key(port.key.data),
        .key_ready(aes_key_ready),
        .start(start.start),
        .lane(start.lane),
        .block(aes_block),
        .chain(aes_chain),
        .flying(aes_flying),
        .done(aes_done),
        .result(aes_result)
    );
  end else begin : gen_half_rounds
    logic unused_chain;
    assign unused_chain = &{1'b0, aes_chain};
    aes_encrypt_p2 #(
        .KEY_BITS   (KEY_BITS),
        .SBOX_FORM  (SBOX_FORM),
        .STORED_KEYS(STORED_KEYS)
    ) u_aes (
        .clk,
        .clear,
        .key_new(front.key_new),
        .key(port.key.data),
        .key_ready(aes_key_ready),
        .tick(start.tick),
        .start(start.start),
        .lane(start.lane),
        .block(aes_block),
        .flying(aes_flying),
        .done(aes_done),
        .result(aes_result)
    );
  end

  aead_emitter #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(128),
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

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) a_chunk_is_whole : assert (!(write && (load.to_first || load.chunk_clear)));
  end
`endif

endmodule
