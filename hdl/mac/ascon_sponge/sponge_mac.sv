// SPDX-License-Identifier: Apache-2.0
// Keyed-sponge MAC on Ascon-p, serial: any rate, rounds a call and rounds a cycle that fit. Compute and verify.
// Specification: Ascon-PRF (ePrint 2021/1574) section 2, with the instances of docs/cores/ascon-mac.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string in bits [8i+7:8i]. A beat is a block.
// Cycles, with a and b cycles of a long and a short call and n padded blocks: 2 a + (n - 1) b, another b with two squeezes.
// Security: constant time for a given length; tags are compared without an early exit; rst and clear zeroise all registers
// in one cycle.
module sponge_mac #(
    parameter int unsigned DATA_BITS = 320,  // rate: 64, 128, 192, 256 or 320
    parameter int unsigned SQUEEZE_BITS = 128,  // 64 (two squeezes) or 128
    parameter int unsigned ROUNDS_A = 12,  // of the first call and after the last block
    parameter int unsigned ROUNDS_B = 12,  // of the other calls
    parameter int unsigned ROUNDS_PER_CYCLE = 1,  // divides ROUNDS_B, at most ROUNDS_A
    parameter logic [63:0] IV = '0,
    parameter int unsigned BYTES_LE = 1,  // 1: as SP 800-232, 0: as Ascon v1.2
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned TAG_BITS = 128,  // 128
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  rst,           // synchronous, as clear
    input  logic                  clear,         // pulse: zeroise everything, drop what is in flight
    output logic                  busy,          // a command in flight, or clearing
    input  logic                  key_valid,
    output logic                  key_ready,
    input  logic [  KEY_BITS-1:0] key_data,      // kept until replaced
    input  logic                  cmd_valid,
    output logic                  cmd_ready,
    input  logic                  cmd_verify,    // 0 compute a tag, 1 compare with an expected one
    input  logic                  msg_valid,
    output logic                  msg_ready,
    input  logic [ DATA_BITS-1:0] msg_data,
    input  logic [BYTES_BITS-1:0] msg_bytes,     // valid bytes of the beat
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic                  tag_in_ready,
    input  logic [  TAG_BITS-1:0] tag_in_data,   // expected tag, verify only
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag     // compute only, else 0
);

  if (DATA_BITS < 64 || DATA_BITS > 320 || DATA_BITS % 64 != 0) begin : g_bad_data
    $fatal(1, "sponge_mac: DATA_BITS = %0d, allowed: multiples of 64 from 64 to 320", DATA_BITS);
  end
  if (SQUEEZE_BITS != 64 && SQUEEZE_BITS != 128) begin : g_bad_squeeze
    $fatal(1, "sponge_mac: SQUEEZE_BITS = %0d, allowed: 64, 128", SQUEEZE_BITS);
  end
  if (ROUNDS_A > 12 || ROUNDS_B > ROUNDS_A || ROUNDS_B == 0) begin : g_bad_rounds
    $fatal(
        1, "sponge_mac: ROUNDS_A = %0d, ROUNDS_B = %0d, allowed: 1 <= ROUNDS_B <= ROUNDS_A <= 12", ROUNDS_A, ROUNDS_B
    );
  end
  if (ROUNDS_PER_CYCLE == 0 || ROUNDS_PER_CYCLE > ROUNDS_B || ROUNDS_B % ROUNDS_PER_CYCLE != 0) begin : g_bad_unrolling
    $fatal(1, "sponge_mac: ROUNDS_PER_CYCLE = %0d, allowed: divisors of ROUNDS_B = %0d", ROUNDS_PER_CYCLE, ROUNDS_B);
  end
  if (BYTES_LE > 1) begin : g_bad_order
    $fatal(1, "sponge_mac: BYTES_LE = %0d, allowed: 0, 1", BYTES_LE);
  end
  if (KEY_BITS != 128 || TAG_BITS != 128) begin : g_bad_sizes
    $fatal(1, "sponge_mac: KEY_BITS = %0d, TAG_BITS = %0d, allowed: 128, 128", KEY_BITS, TAG_BITS);
  end

  localparam int unsigned CYCLES_A = (ROUNDS_A - 1) / ROUNDS_PER_CYCLE + 1;
  localparam int unsigned CYCLES_B = ROUNDS_B / ROUNDS_PER_CYCLE;
  localparam int unsigned LEFT_BITS = CYCLES_A > 1 ? $clog2(CYCLES_A) : 1;

  logic wipe, key_taken, cmd_taken, msg_taken;
  logic full, refused;
  logic load, fresh, run, absorb, alone, domain, squeeze, finish, verify;
  logic [LEFT_BITS-1:0] left;
  logic [TAG_BITS-1:0] tag;
  ascon_pkg::state_t block;

  assign wipe = rst || clear;
  assign key_taken = key_valid && key_ready;
  assign cmd_taken = cmd_valid && cmd_ready;
  assign msg_taken = msg_valid && msg_ready;

  mac_beats #(
      .DATA_BITS(DATA_BITS)
  ) u_beats (
      .clk,
      .clear(wipe),
      .start(cmd_taken),
      .taken(msg_taken),
      .bytes(msg_bytes),
      .last (msg_last),
      .full,
      .refused
  );

  sponge_ctrl #(
      .CYCLES_A(CYCLES_A),
      .CYCLES_B(CYCLES_B),
      .SQUEEZES(TAG_BITS / SQUEEZE_BITS)
  ) u_ctrl (
      .clk,
      .clear(wipe),
      .key_valid,
      .key_ready,
      .cmd_valid,
      .cmd_ready,
      .cmd_verify,
      .msg_valid,
      .msg_ready,
      .msg_last,
      .msg_full(full),
      .tag_in_valid,
      .tag_in_ready,
      .result_valid,
      .busy,
      .load,
      .fresh,
      .run,
      .left,
      .absorb,
      .alone,
      .domain,
      .squeeze,
      .finish,
      .verify
  );

  mac_pad #(
      .DATA_BITS(DATA_BITS),
      .BYTES_LE (BYTES_LE)
  ) u_pad (
      .data (msg_data),
      .bytes(msg_bytes),
      .absorb,
      .alone,
      .block
  );

  sponge_datapath #(
      .ROUNDS_A        (ROUNDS_A),
      .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE),
      .SQUEEZE_BITS    (SQUEEZE_BITS),
      .BYTES_LE        (BYTES_LE),
      .IV              (IV)
  ) u_datapath (
      .clk,
      .clear(wipe),
      .key_taken,
      .key  (key_data),
      .load,
      .fresh,
      .run,
      .left,
      .block,
      .domain,
      .squeeze,
      .finish,
      .tag
  );

  mac_result #(
      .TAG_BITS(TAG_BITS)
  ) u_result (
      .clk,
      .clear (wipe),
      .finish,
      .verify,
      .refused,
      .tag,
      .tag_in(tag_in_data),
      .result_valid,
      .result_ready,
      .result_ok,
      .result_tag
  );

`ifndef SYNTHESIS
  mac_checks #(
      .TAG_BITS(TAG_BITS)
  ) u_checks (
      .clk,
      .clear(wipe),
      .busy,
      .key_taken,
      .cmd_taken,
      .cmd_verify,
      .msg_taken,
      .msg_last,
      .tag_in_taken(tag_in_valid && tag_in_ready),
      .result_valid,
      .result_ready,
      .result_ok,
      .result_tag
  );
`endif

endmodule
