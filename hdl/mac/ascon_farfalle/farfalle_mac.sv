// SPDX-License-Identifier: Apache-2.0
// Ascon-Farfalle, a parallel MAC: a six-stage pipeline that takes a block of 320 bits every cycle. EXPERIMENTAL: an instance
// of its own, not standardised. Compute and verify; the derivation of the mask is inside.
// Specification: docs/cores/ascon-mac.md. Ports: docs/core-ports.md, MAC cores.
// Byte order: byte i of every string (key, tag, data) in bits [8i+7:8i].
// Cycles for n padded blocks: n + 17; a key takes 12.
// Security: constant time for a given length; clear zeroises all registers in one cycle.
module farfalle_mac #(
    parameter int unsigned BYTES_LE  = 1,    // 1: as SP 800-232, 0: as Ascon v1.2
    parameter int unsigned DATA_BITS = 320,  // 320
    parameter int unsigned KEY_BITS  = 128,  // 128
    parameter int unsigned TAG_BITS  = 128   // 128
) (
    input logic clk,
    input logic clear,  // pulse: zeroise everything, drop what is in flight
    mac_if.core port
);

  if (BYTES_LE > 1) begin : g_bad_order
    $fatal(1, "farfalle_mac: BYTES_LE = %0d, allowed: 0, 1", BYTES_LE);
  end
  if (DATA_BITS != 320 || KEY_BITS != 128 || TAG_BITS != 128) begin : g_bad_sizes
    $fatal(
        1,
        "farfalle_mac: DATA_BITS = %0d, KEY_BITS = %0d, TAG_BITS = %0d, allowed: 320, 128, 128",
        DATA_BITS,
        KEY_BITS,
        TAG_BITS
    );
  end

  logic full, refused, absorb, alone, flowing, leaving, verify;
  logic [TAG_BITS-1:0] tag;
  farfalle_pkg::step_t step;
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

  farfalle_ctrl u_ctrl (
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

  farfalle_datapath #(
      .BYTES_LE(BYTES_LE)
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
