// SPDX-License-Identifier: Apache-2.0
// FSKS-64, a full-state keyed sponge that squeezes 64 bits twice. MAC with key and tag of 128 bits. EXPERIMENTAL: an instance of its own, not standardised.
// Specification: docs/cores/ascon-mac.md. Ports: docs/core-ports.md, MAC cores.
// Byte order: byte i of every string (key, tag, data) in bits [8i+7:8i].
// Cycles for w padded blocks of 320 bits: (w + 2) 12 / ROUNDS_PER_CYCLE.
// Security: constant time for a given length; rst and clear zeroise all registers in one cycle.
module fsks64 #(
    parameter  int unsigned ROUNDS_PER_CYCLE = 1,                         // 1, 2, 3, 4, 6 or 12
    parameter  int unsigned BYTES_LE         = 1,                         // 1: as SP 800-232, 0: as Ascon v1.2
    parameter  int unsigned DATA_BITS        = 320,                       // 320
    parameter  int unsigned KEY_BITS         = 128,                       // 128
    parameter  int unsigned TAG_BITS         = 128,                       // 128
    localparam int unsigned BYTES_BITS       = $clog2(DATA_BITS / 8 + 1)
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

  if (DATA_BITS != 320) begin : g_bad_data
    $fatal(1, "fsks64: DATA_BITS = %0d, allowed: 320", DATA_BITS);
  end

  sponge_mac #(
      .DATA_BITS       (DATA_BITS),
      .SQUEEZE_BITS    (64),
      .ROUNDS_A        (12),
      .ROUNDS_B        (12),
      .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE),
      .IV              (BYTES_LE != 0 ? 64'h0008280080cc0005 : 64'h80408c0028000080),
      .BYTES_LE        (BYTES_LE),
      .KEY_BITS        (KEY_BITS),
      .TAG_BITS        (TAG_BITS)
  ) u_mac (
      .*
  );  // ports of the contract

endmodule
