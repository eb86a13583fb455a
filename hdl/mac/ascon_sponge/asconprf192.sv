// SPDX-License-Identifier: Apache-2.0
// Ascon-PRF-192: rate 192, eight rounds between blocks. MAC with key and tag of 128 bits. EXPERIMENTAL: an instance of its own, not standardised.
// Specification: docs/cores/ascon-mac.md. Ports: docs/core-ports.md, MAC cores.
// Byte order: byte i of every string (key, tag, data) in bits [8i+7:8i].
// Cycles for w padded blocks of 192 bits: (24 + 8 (w - 1)) / ROUNDS_PER_CYCLE; w + 3 at eight rounds a cycle.
// Security: constant time for a given length; rst and clear zeroise all registers in one cycle.
module asconprf192 #(
    parameter  int unsigned ROUNDS_PER_CYCLE = 1,                         // 1, 2, 4 or 8
    parameter  int unsigned BYTES_LE         = 1,                         // 1: as SP 800-232, 0: as Ascon v1.2
    parameter  int unsigned DATA_BITS        = 192,                       // 192
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

  if (DATA_BITS != 192) begin : g_bad_data
    $fatal(1, "asconprf192: DATA_BITS = %0d, allowed: 192", DATA_BITS);
  end

  sponge_mac #(
      .DATA_BITS       (DATA_BITS),
      .SQUEEZE_BITS    (128),
      .ROUNDS_A        (12),
      .ROUNDS_B        (8),
      .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE),
      .IV              (BYTES_LE != 0 ? 64'h00101800808c0005 : 64'h80808c0418000080),
      .BYTES_LE        (BYTES_LE),
      .KEY_BITS        (KEY_BITS),
      .TAG_BITS        (TAG_BITS)
  ) u_mac (
      .*
  );  // ports of the contract

endmodule
