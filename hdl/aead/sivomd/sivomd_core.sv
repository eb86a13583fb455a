// SPDX-License-Identifier: Apache-2.0
// SIV-OMD authenticated encryption (experimental, misuse-resistant, a construction of our own) around any compression
// function with n-byte blocks: seal, open, AD cache; SERIAL chooses sivomds or sivomdp. Specification: docs/schemes/siv-omd.md;
// docs/cores/siv-omd.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles, with c a compression call (rounds + 1), cached AD and n blocks: (n + ceil(n / 2) + 1) c and a constant; opening
// then lets the plaintext out, a beat a cycle; a block of AD c.
// Security: constant time for given lengths and verdict. In opening `out` carries nothing before the tag was found right;
// rst and clear zeroise all registers in one cycle and the store in 512 more.
module sivomd_core
  import aead_pkg::*, sivomd_pkg::*;
#(
    parameter int unsigned SERIAL = 0,  // 0: parallel mode (sivomdp), 1: serial mode (sivomds)
    parameter bit BLAKE2B = 1'b0,  // compression function: 0 SHA-2, 1 BLAKE2b
    parameter int unsigned HALF_ROUNDS = 2,  // of it in a cycle
    parameter int unsigned N_BITS = 512,  // block and chaining value: 256 or 512
    parameter int unsigned DATA_BITS = 64,  // beat of ad, msg and out: 32, 64, 128, 256 or 512, at most N_BITS
    parameter int unsigned KEY_BITS = 512,  // 8 to N_BITS, whole bytes
    parameter int unsigned NONCE_BITS = 256,  // 8 to N_BITS - 8, whole bytes
    parameter int unsigned TAG_BITS = 256,  // 8 to N_BITS, whole bytes
    parameter int unsigned VERSION = 1,  // 1: there is one SIV-OMD
    parameter int unsigned CONTEXTS = 1,  // 1
    parameter int unsigned MAX_MSG_BYTES = 16384  // longest message: a power of two from 256 to 65536
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    aead_if port
);

  if (N_BITS != 256 && N_BITS != 512) begin : gen_bad_n
    $fatal(1, "sivomd_core: N_BITS = %0d, allowed: 256, 512", N_BITS);
  end
  if (DATA_BITS < 32 || DATA_BITS > N_BITS || (DATA_BITS & (DATA_BITS - 1)) != 0) begin : gen_bad_data
    $fatal(1, "sivomd_core: DATA_BITS = %0d, allowed: powers of two from 32 to %0d", DATA_BITS, N_BITS);
  end
  if (KEY_BITS < 8 || KEY_BITS > N_BITS || KEY_BITS % 8 != 0) begin : gen_bad_key
    $fatal(1, "sivomd_core: KEY_BITS = %0d, allowed: whole bytes from 8 to %0d", KEY_BITS, N_BITS);
  end
  if (NONCE_BITS < 8 || NONCE_BITS > N_BITS - 8 || NONCE_BITS % 8 != 0) begin : gen_bad_nonce
    $fatal(1, "sivomd_core: NONCE_BITS = %0d, allowed: whole bytes from 8 to %0d", NONCE_BITS, N_BITS - 8);
  end
  if (TAG_BITS < 8 || TAG_BITS > N_BITS || TAG_BITS % 8 != 0) begin : gen_bad_tag
    $fatal(1, "sivomd_core: TAG_BITS = %0d, allowed: whole bytes from 8 to %0d", TAG_BITS, N_BITS);
  end
  if (VERSION != 1) begin : gen_bad_version
    $fatal(1, "sivomd_core: VERSION = %0d, allowed: 1", VERSION);
  end
  if (CONTEXTS != 1) begin : gen_bad_contexts
    $fatal(1, "sivomd_core: CONTEXTS = %0d, allowed: 1", CONTEXTS);
  end
  if (SERIAL > 1) begin : gen_bad_serial
    $fatal(1, "sivomd_core: SERIAL = %0d, allowed: 0, 1", SERIAL);
  end
  if (MAX_MSG_BYTES < 256 || MAX_MSG_BYTES > 65536 || (MAX_MSG_BYTES & (MAX_MSG_BYTES - 1)) != 0) begin : gen_bad_max
    $fatal(1, "sivomd_core: MAX_MSG_BYTES = %0d, allowed: powers of two from 256 to 65536", MAX_MSG_BYTES);
  end

  localparam int unsigned SLOT_BITS = $clog2(2 * N_BITS / DATA_BITS);
  localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1);

  front_t front;
  status_t status;
  event_t pulse;
  collect_t collect;
  chunk_t chunk;
  emit_t emit;
  datapath_t dp;
  logic store_rewind, store_bad, store_wiping, store_ready;
  logic back_ready, read_valid, read_ready, read_last;
  logic [ DATA_BITS-1:0] read_data;
  logic [BYTES_BITS-1:0] read_bytes;
  logic is_ad, take_wide, take_narrow, wide_from_store, from_port;
  logic write;
  logic [SLOT_BITS-1:0] write_slot;
  logic [DATA_BITS-1:0] write_data;
  logic [DATA_BITS/8-1:0] write_mask;
  logic emit_drop, emit_to_store, emit_idle, emit_valid, emit_last, drain;
  logic [ DATA_BITS-1:0] emit_data;
  logic [BYTES_BITS-1:0] emit_bytes;
  logic [    N_BITS-1:0] out_block;
  logic [  TAG_BITS-1:0] tag;
  logic f_start, f_ready, tag_equal;
  logic [N_BITS-1:0] f_key, f_chain, f_msg, f_digest;

  assign from_port = is_ad && !wide_from_store;

  // What was deciphered shows at the port only once it is verified.
  assign port.out.valid = drain ? read_valid : emit_valid && !emit_to_store;
  assign port.out.ctx = '0;
  assign port.out.data = drain ? read_data : emit_data & {DATA_BITS{!emit_to_store}};
  assign port.out.bytes = drain ? read_bytes : emit_bytes;
  assign port.out.last = drain ? read_last : emit_last;
  assign read_ready = drain ? port.out_ready : take_narrow || (take_wide && wide_from_store);

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (0)
  ) u_front (
      .take_ad (take_wide && !wide_from_store),
      .take_msg(store_ready),
      .*
  );

  sivomd_schedule #(
      .SERIAL(SERIAL)
  ) u_schedule (
      .out_last_taken(port.out.valid && port.out_ready && port.out.last),
      .*
  );

  sivomd_store #(
      .DATA_BITS    (DATA_BITS),
      .MAX_MSG_BYTES(MAX_MSG_BYTES)
  ) u_store (
      .wiping(store_wiping),
      .start(front.accepts && port.cmd.op <= OP_OPEN),
      .stop(emit_drop),
      .rewind(store_rewind),
      .bad(store_bad),
      .msg_valid(port.msg.valid && !clear),
      .msg_ready(store_ready),
      .msg_data(port.msg.data),
      .msg_bytes(port.msg.bytes),
      .msg_last(port.msg.last),
      .back_valid(emit_valid && emit_to_store),
      .back_data(emit_data),
      .*
  );

  aead_collector #(
      .DATA_BITS  (DATA_BITS),
      .CHUNK_BITS (2 * N_BITS),
      .MSG_IN_HALF(1'b1)
  ) u_collector (
      .ctl(collect),
      .take_ad(take_wide),
      .take_msg(take_narrow),
      .in_valid(from_port ? port.ad.valid : read_valid),
      .in_data(from_port ? port.ad.data : read_data),
      .in_bytes(from_port ? port.ad.bytes : read_bytes),
      .in_last(from_port ? port.ad.last : read_last),
      .*
  );

  sivomd_datapath #(
      .SERIAL    (SERIAL),
      .N_BITS    (N_BITS),
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_datapath (
      .ctl(dp),
      .key(port.key.data),
      .nonce(port.cmd.nonce),
      .tag_in(port.tag_in.data),
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
      .clear(clear || emit_drop),
      .ctl(emit),
      .block(out_block),
      .idle(emit_idle),
      .out_valid(emit_valid),
      .out_ready(emit_to_store ? back_ready : port.out_ready),
      .out_data(emit_data),
      .out_bytes(emit_bytes),
      .out_last(emit_last),
      .*
  );

`ifndef SYNTHESIS
  // Judged at the ports and by the two tags alone
  logic opening_q;
  always_ff @(posedge clk) begin
    if (front.accepts) opening_q <= port.cmd.op == OP_OPEN;
    if (!clear && opening_q && port.out.valid) begin
      a_plaintext_only_with_the_right_tag : assert (port.out.bytes == '0 || tag_equal);
    end
  end
`endif

endmodule
