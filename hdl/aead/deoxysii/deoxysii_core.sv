// SPDX-License-Identifier: Apache-2.0
// Deoxys-II authenticated encryption: seal, open, AD cache; a tweakable cipher of one round a cycle or of two half-length
// stages with two blocks in flight. Specification: docs/schemes/deoxys.md, docs/cores/deoxys.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: 28 a block of 16 bytes with a key of 128 bits, 32 with one of 256, whichever cipher it is.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers in one cycle, and the store and what was read from it
// in 512 more.
module deoxysii_core
  import aead_pkg::*, deoxysii_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64 or 128
    parameter int unsigned KEY_BITS = 128,  // 128 or 256
    parameter int unsigned NONCE_BITS = 120,  // 120
    parameter int unsigned TAG_BITS = 128,  // 128
    parameter int unsigned VERSION = 143,  // 141 or 143
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned MAX_MSG_BYTES = 16384,  // longest message: a power of two from 256 to 65536
    parameter int unsigned STAGES = 1  // of a round: 1, or 2 with two blocks in flight
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : gen_bad_data
    $fatal(1, "deoxysii_core: DATA_BITS = %0d, allowed: 32, 64, 128", DATA_BITS);
  end
  if (KEY_BITS != 128 && KEY_BITS != 256) begin : gen_bad_key
    $fatal(1, "deoxysii_core: KEY_BITS = %0d, allowed: 128, 256", KEY_BITS);
  end
  if (NONCE_BITS != 120) begin : gen_bad_nonce
    $fatal(1, "deoxysii_core: NONCE_BITS = %0d, allowed: 120", NONCE_BITS);
  end
  if (TAG_BITS != 128) begin : gen_bad_tag
    $fatal(1, "deoxysii_core: TAG_BITS = %0d, allowed: 128", TAG_BITS);
  end
  if (VERSION != 141 && VERSION != 143) begin : gen_bad_version
    $fatal(1, "deoxysii_core: VERSION = %0d, allowed: 141, 143", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "deoxysii_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (MAX_MSG_BYTES < 256 || MAX_MSG_BYTES > 65536 || (MAX_MSG_BYTES & (MAX_MSG_BYTES - 1)) != 0) begin : gen_bad_max
    $fatal(1, "deoxysii_core: MAX_MSG_BYTES = %0d, allowed: powers of two from 256 to 65536", MAX_MSG_BYTES);
  end
  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "deoxysii_core: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  localparam int unsigned BEATS = 128 / DATA_BITS;
  localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1;
  localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1);
  localparam int unsigned PLACES = STAGES + 2;

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  datapath_t orders;
  logic is_ad, take_ad, take_text, emit_idle, opening, tag_equal;
  logic store_rewind, store_stop, store_bad, store_wiping, store_ready;
  logic read_valid, read_last;
  logic [DATA_BITS-1:0] read_data;
  logic [BYTES_BITS-1:0] read_bytes;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic [127:0] in_block;
  logic [15:0] in_mask;
  logic bc_key_ready, bc_waiting, bc_done, store_back_ready;
  token_t token, bc_token;
  logic [127:0] block, tweak, bc_result, out_block, tag;
  logic [PLACES-1:1] move;

  logic unused;
  assign unused = &{1'b0, store_back_ready};

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (STAGES == 2 ? 3 : 0)
  ) u_front (
      .take_msg(store_ready),
      .*
  );

  // SIV-OMD's: takes the message at any time and gives it back as often as wanted. Nothing is overwritten here.
  sivomd_store #(
      .DATA_BITS    (DATA_BITS),
      .MAX_MSG_BYTES(MAX_MSG_BYTES),
      .FAST         (STAGES == 2)
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
      .*
  );

  aead_collector #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(128),
      .LATE_WRITE(1'b1)
  ) u_collector (
      .ctl(collect),
      .take_msg(take_text),
      .in_valid(is_ad ? port.ad.valid : read_valid),
      .in_data(is_ad ? port.ad.data : read_data),
      .in_bytes(is_ad ? port.ad.bytes : read_bytes),
      .in_last(is_ad ? port.ad.last : read_last),
      .*
  );

  aead_block #(
      .DATA_BITS(DATA_BITS)
  ) u_block (
      .wipe(orders.block_clear),
      .*
  );

  deoxysii_schedule #(
      .PLACES(PLACES),
      .LATE  (STAGES == 2)
  ) u_schedule (
      .*
  );

  // The tag that comes, a cycle late: to its register is a long way.
  if (STAGES == 2) begin : gen_tag
    logic taken;
    logic [127:0] data;
    always_ff @(posedge clk) begin
      taken <= front.tag_taken && !clear;
      data  <= clear ? '0 : port.tag_in.data;
    end
  end else begin : gen_tag
    // verilog_lint: waive-start parameter-name-style (it stands for a signal)
    localparam bit taken = 1'b0;
    localparam logic [127:0] data = '0;
    // verilog_lint: waive-stop parameter-name-style
  end

  deoxysii_datapath #(
      .PLACES(PLACES)
  ) u_datapath (
      .ctl(orders),
      .nonce_take(front.rest),  // the one that stands when a command is taken
      .nonce(port.cmd.nonce),
      .tag_take(STAGES == 2 ? gen_tag.taken : front.tag_taken),
      .tag_in(STAGES == 2 ? gen_tag.data : port.tag_in.data),
      .*
  );

  deoxys_bc #(
      .KEY_BITS  (KEY_BITS),
      .VERSION   (VERSION),
      .STAGES    (STAGES),
      .TOKEN_BITS(TOKEN_BITS)
  ) u_bc (
      .clk,
      .clear,
      .key_new(front.key_new),
      .key(port.key.data),
      .key_ready(bc_key_ready),
      .waiting(bc_waiting),
      .load(orders.load),
      .inverse(1'b0),
      .tweak,
      .block,
      .token,
      .done(bc_done),
      .done_token(bc_token),
      .result(bc_result)
  );

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

endmodule
