// SPDX-License-Identifier: Apache-2.0
// Ascon-MAC in the datapath of the serial sponge, for a test: the designers' answers prove the skeleton that the
// experimental instances share. Rate 256, twelve rounds between blocks.
module standard_mac #(
    parameter  int unsigned ROUNDS_PER_CYCLE = 2,
    parameter  int unsigned BYTES_LE         = 1,
    parameter  int unsigned DATA_BITS        = 256,
    parameter  int unsigned KEY_BITS         = 128,
    parameter  int unsigned TAG_BITS         = 128,
    localparam int unsigned BYTES_BITS       = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  clear,
    output logic                  busy,
    input  logic                  key_valid,
    output logic                  key_ready,
    input  logic [  KEY_BITS-1:0] key_data,
    input  logic                  cmd_valid,
    output logic                  cmd_ready,
    input  logic                  cmd_verify,
    input  logic                  msg_valid,
    output logic                  msg_ready,
    input  logic [ DATA_BITS-1:0] msg_data,
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic                  tag_in_ready,
    input  logic [  TAG_BITS-1:0] tag_in_data,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag
);

  mac_if #(
      .DATA_BITS(DATA_BITS),
      .KEY_BITS (KEY_BITS),
      .TAG_BITS (TAG_BITS)
  ) port ();

  assign port.key = '{valid: key_valid, data: key_data};
  assign port.cmd = '{valid: cmd_valid, verify: cmd_verify};
  assign port.msg = '{valid: msg_valid, data: msg_data, bytes: msg_bytes, last: msg_last};
  assign port.tag_in = '{valid: tag_in_valid, data: tag_in_data};
  assign {key_ready, cmd_ready, msg_ready, tag_in_ready} = {
    port.key_ready, port.cmd_ready, port.msg_ready, port.tag_in_ready
  };
  assign {result_valid, result_ok, result_tag} = port.result;
  assign port.result_ready = result_ready;
  assign busy = port.busy;

  sponge_mac #(
      .DATA_BITS       (DATA_BITS),
      .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE),
      .IV              (BYTES_LE != 0 ? 64'h0010200080cc0005 : 64'h80808c0000000080),
      .BYTES_LE        (BYTES_LE)
  ) u_mac (
      .clk,
      .clear(rst || clear),
      .port
  );

  mac_monitor u_monitor (
      .clk,
      .clear(rst || clear),
      .port
  );

endmodule
