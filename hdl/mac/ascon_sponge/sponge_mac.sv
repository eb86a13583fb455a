// SPDX-License-Identifier: Apache-2.0
// Keyed-sponge MAC on Ascon-p, serial: any rate, rounds a call and rounds a cycle that fit. Compute and verify.
// Specification: Ascon-PRF (ePrint 2021/1574) section 2, with the instances of docs/cores/ascon-mac.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string in bits [8i+7:8i]. A beat is a block.
// Cycles, with a and b cycles of a long and a short call and n padded blocks: 2 a + (n - 1) b, another b with two squeezes.
// Security: constant time for a given length; tags are compared without an early exit; clear zeroises all registers in one
// cycle.
module sponge_mac
  import sponge_pkg::*;
#(
    parameter int unsigned DATA_BITS = 320,  // rate: 64, 128, 192, 256 or 320
    parameter int unsigned SQUEEZE_BITS = 128,  // 64 (two squeezes) or 128
    parameter int unsigned ROUNDS_A = 12,  // of the first call and after the last block
    parameter int unsigned ROUNDS_B = 12,  // of the other calls
    parameter int unsigned ROUNDS_PER_CYCLE = 1,  // divides ROUNDS_B, at most ROUNDS_A
    parameter int unsigned BYTES_LE = 1,  // 1: as SP 800-232, 0: as Ascon v1.2
    parameter logic [63:0] IV = instance_iv(DATA_BITS, SQUEEZE_BITS, ROUNDS_A, ROUNDS_B, BYTES_LE),
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned TAG_BITS = 128  // 128
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    mac_if.core port
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

  logic full, refused, absorb, alone, verify;
  logic [LEFT_BITS-1:0] left;
  logic [TAG_BITS-1:0] tag;
  step_t step;
  ascon_pkg::state_t block;

  mac_beats #(
      .DATA_BITS(DATA_BITS)
  ) u_beats (
      .*,
      .start(port.cmd.valid && port.cmd_ready),
      .taken(port.msg.valid && port.msg_ready),
      .bytes(port.msg.bytes),
      .last (port.msg.last)
  );

  sponge_ctrl #(
      .CYCLES_A(CYCLES_A),
      .CYCLES_B(CYCLES_B),
      .SQUEEZES(TAG_BITS / SQUEEZE_BITS)
  ) u_ctrl (
      .*,
      .busy        (port.busy),
      .key_valid   (port.key.valid),
      .key_ready   (port.key_ready),
      .cmd_valid   (port.cmd.valid),
      .cmd_ready   (port.cmd_ready),
      .cmd_verify  (port.cmd.verify),
      .msg_valid   (port.msg.valid),
      .msg_ready   (port.msg_ready),
      .msg_last    (port.msg.last),
      .msg_full    (full),
      .tag_in_valid(port.tag_in.valid),
      .tag_in_ready(port.tag_in_ready),
      .result_valid(port.result.valid)
  );

  mac_pad #(
      .DATA_BITS(DATA_BITS),
      .BYTES_LE (BYTES_LE)
  ) u_pad (
      .*,
      .data (port.msg.data),
      .bytes(port.msg.bytes)
  );

  sponge_datapath #(
      .ROUNDS_A        (ROUNDS_A),
      .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE),
      .SQUEEZE_BITS    (SQUEEZE_BITS),
      .BYTES_LE        (BYTES_LE),
      .IV              (IV)
  ) u_datapath (
      .*,
      .key_taken(port.key.valid && port.key_ready),
      .key      (port.key.data)
  );

  mac_result #(
      .TAG_BITS(TAG_BITS)
  ) u_result (
      .*,
      .finish      (step.finish),
      .tag_in      (port.tag_in.data),
      .result_valid(port.result.valid),
      .result_ready(port.result_ready),
      .result_ok   (port.result.ok),
      .result_tag  (port.result.tag)
  );

endmodule
