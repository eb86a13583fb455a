// SPDX-License-Identifier: Apache-2.0
// Keyed-sponge MAC on Ascon-p that keeps its key, its state and its tag in two shares, serial: Ascon-MAC, or another rate and
// other rounds with a tag of one squeeze. Compute and verify.
// Specification: Ascon-PRF (ePrint 2021/1574) section 2, docs/cores/ascon-mac-masked.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string in bits [8i+7:8i]. A beat is a block.
// Cycles: a call of r rounds takes 2 r + 1; a message of n padded blocks one call more than blocks, and 3 to compute the tag, 12
// to verify it.
// Security: first-order masking with glitches and transitions of key, state and computed tag (docs/cores/ascon-mac-masked.md
// says what is shown). Nothing is taken before a seed came, nor after the random bits' alarm, which clears. Constant time for
// a given length. Only the verdict on a tag is added up, or the tag of a computation. clear zeroises all secrets, one domain
// after the other, in at most 20 cycles.
module sponge_masked_core
  import sponge_pkg::*;
#(
    parameter int unsigned DATA_BITS = 256,  // rate: 64, 128, 192, 256 or 320
    parameter int unsigned ROUNDS_A = 12,  // of the first call and after the last block
    parameter int unsigned ROUNDS_B = 12,  // of the other calls
    parameter int unsigned BYTES_LE = 1,  // 1: as SP 800-232, 0: as Ascon v1.2
    // Ascon v1.2 has no rate in its IV.
    parameter logic [63:0] IV = instance_iv(BYTES_LE != 0 ? DATA_BITS : 0, 128, ROUNDS_A, ROUNDS_B, BYTES_LE),
    parameter int unsigned KEY_BITS = 128,  // 128; the port has two shares
    parameter int unsigned TAG_BITS = 128  // 128
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    mac_if.core port,  // the key's data are share 0, and share 1 above it
    input logic seed_valid,
    output logic seed_ready,
    input logic [159:0] seed_data,
    output logic alarm  // level: the random bits are not; cleared until a seed comes
);

  if (DATA_BITS < 64 || DATA_BITS > 320 || DATA_BITS % 64 != 0) begin : gen_bad_data
    $fatal(1, "sponge_masked_core: DATA_BITS = %0d, allowed: multiples of 64 from 64 to 320", DATA_BITS);
  end
  if (ROUNDS_A > 12 || ROUNDS_B > ROUNDS_A || ROUNDS_B == 0) begin : gen_bad_rounds
    $fatal(
        1,
        "sponge_masked_core: ROUNDS_A = %0d, ROUNDS_B = %0d, allowed: 1 <= ROUNDS_B <= ROUNDS_A <= 12",
        ROUNDS_A,
        ROUNDS_B
    );
  end
  if (BYTES_LE > 1) begin : gen_bad_order
    $fatal(1, "sponge_masked_core: BYTES_LE = %0d, allowed: 0, 1", BYTES_LE);
  end
  if (KEY_BITS != 128 || TAG_BITS != 128) begin : gen_bad_sizes
    $fatal(1, "sponge_masked_core: KEY_BITS = %0d, TAG_BITS = %0d, allowed: 128, 128", KEY_BITS, TAG_BITS);
  end

  localparam int unsigned CYCLES_A = 2 * ROUNDS_A + 1;
  localparam int unsigned CYCLES_B = 2 * ROUNDS_B + 1;
  localparam int unsigned LEFT_BITS = $clog2(CYCLES_A);

  logic open, busy, key_ready, cmd_ready, cmd_valid, key_valid;
  logic full, refused, absorb, alone, verify, judging, done;
  logic [LEFT_BITS-1:0] left;
  logic [1:0][127:0] computed;
  logic wipe, wipe_late, random_valid, random_busy, wiping;
  logic [2:0] emptying_q;  // registers with random bits of before a clear: two of masks, and those of the round
  logic [2:0][63:0] random;
  step_t step;
  ascon_pkg::state_t block;

  trivium_supply #(
      .WORDS(3)
  ) u_random (
      .wiping,
      .busy(random_busy),
      .*
  );

  assign wiping = |emptying_q;
  always_ff @(posedge clk) emptying_q <= {emptying_q[1:0], random_busy};

  // A command waits while a tag is judged: the state is the tag's, and the comparison takes the round's random bits.
  assign open = random_valid && !random_busy && !judging;
  assign key_valid = port.key.valid && open;
  assign cmd_valid = port.cmd.valid && open;
  assign port.key_ready = key_ready && open;
  assign port.cmd_ready = cmd_ready && open;
  assign port.busy = busy || random_busy || wiping;

  mac_beats #(
      .DATA_BITS(DATA_BITS)
  ) u_beats (
      .clk,
      .clear(wipe),
      .full,
      .refused,
      .start(cmd_valid && cmd_ready),
      .taken(port.msg.valid && port.msg_ready),
      .bytes(port.msg.bytes),
      .last (port.msg.last)
  );

  sponge_ctrl #(
      .CYCLES_A(CYCLES_A),
      .CYCLES_B(CYCLES_B),
      .SQUEEZES(1)
  ) u_ctrl (
      .*,
      .clear       (wipe),
      .cmd_verify  (port.cmd.verify),
      .msg_valid   (port.msg.valid),
      .msg_ready   (port.msg_ready),
      .msg_last    (port.msg.last),
      .msg_full    (full),
      .tag_in_valid(port.tag_in.valid),
      .tag_in_ready(port.tag_in_ready),
      .result_valid(port.result.valid || judging)
  );

  mac_pad #(
      .DATA_BITS(DATA_BITS),
      .BYTES_LE (BYTES_LE)
  ) u_pad (
      .*,
      .data (port.msg.data),
      .bytes(port.msg.bytes)
  );

  // A key's shares are refreshed as they come, and with every command.
  sponge_masked_datapath #(
      .ROUNDS_A(ROUNDS_A),
      .ROUNDS_B(ROUNDS_B),
      .BYTES_LE(BYTES_LE),
      .IV      (IV)
  ) u_datapath (
      .*,
      .clear     (wipe),
      .clear_late(wipe_late),
      .key_taken (key_valid && key_ready),
      .key       (port.key.data),
      .tag_drop  (done),
      .tag       (computed)
  );

  mac_masked_result #(
      .TAG_BITS(TAG_BITS)
  ) u_result (
      .*,
      .clear       (wipe),
      .clear_late  (wipe_late),
      .random      (127'(random[1:0])),
      .finish      (step.finish),
      .tag_in      (port.tag_in.data),
      .result_valid(port.result.valid),
      .result_ready(port.result_ready),
      .result_ok   (port.result.ok),
      .result_tag  (port.result.tag)
  );

endmodule
