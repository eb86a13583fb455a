// SPDX-License-Identifier: Apache-2.0
// Ascon-Farfalle, a parallel MAC: a six-stage pipeline that takes a block of 320 bits every cycle. EXPERIMENTAL: an instance
// of its own, not standardised. Compute and verify; the derivation of the mask is inside.
// Specification: docs/cores/ascon-mac.md. Ports: docs/core-ports.md, MAC cores.
// Byte order: byte i of every string (key, tag, data) in bits [8i+7:8i].
// Cycles for n padded blocks: n + 17; a key takes 12.
// Security: constant time for a given length; rst and clear zeroise all registers in one cycle.
module asconfarfalle #(
    parameter  int unsigned BYTES_LE   = 1,                         // 1: as SP 800-232, 0: as Ascon v1.2
    parameter  int unsigned DATA_BITS  = 320,                       // 320
    parameter  int unsigned KEY_BITS   = 128,                       // 128
    parameter  int unsigned TAG_BITS   = 128,                       // 128
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  rst,           // synchronous, as clear
    input  logic                  clear,         // pulse: zeroise everything, drop what is in flight
    output logic                  busy,          // key work or a command in flight, or clearing
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

  if (BYTES_LE > 1) begin : g_bad_order
    $fatal(1, "asconfarfalle: BYTES_LE = %0d, allowed: 0, 1", BYTES_LE);
  end
  if (DATA_BITS != 320 || KEY_BITS != 128 || TAG_BITS != 128) begin : g_bad_sizes
    $fatal(
        1,
        "asconfarfalle: DATA_BITS = %0d, KEY_BITS = %0d, TAG_BITS = %0d, allowed: 320, 128, 128",
        DATA_BITS,
        KEY_BITS,
        TAG_BITS
    );
  end

  logic wipe, key_taken, cmd_taken, msg_taken;
  logic full, refused, flowing, leaving;
  logic start, enter, absorb, alone, from_sum, early, roll_mask, take, add, key_done, finish, verify;
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

  farfalle_ctrl u_ctrl (
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
      .flowing,
      .leaving,
      .start,
      .enter,
      .absorb,
      .alone,
      .from_sum,
      .early,
      .roll_mask,
      .take,
      .add,
      .key_done,
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

  farfalle_datapath #(
      .BYTES_LE(BYTES_LE)
  ) u_datapath (
      .clk,
      .clear(wipe),
      .key_taken,
      .key  (key_data),
      .block,
      .start,
      .enter,
      .from_sum,
      .early,
      .roll_mask,
      .take,
      .add,
      .key_done,
      .finish,
      .flowing,
      .leaving,
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
