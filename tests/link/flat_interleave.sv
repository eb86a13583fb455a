// SPDX-License-Identifier: Apache-2.0
//
// link_interleave with flat ports, of packets to seal; of the core only the commands, which it takes when the bench says so.
module flat_interleave
  import link_pkg::*;
  import link_types_pkg::*;
#(
    localparam int unsigned CONTEXTS = 2
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    output logic                busy,
    input  logic                cmd_valid,
    output logic                cmd_ready,
    input  logic [       255:0] cmd_nonce,
    input  logic [LEN_BITS-1:0] cmd_length,
    input  beat_t               msg,
    output logic                msg_ready,
    output logic                core_cmd_valid,
    output logic                core_cmd_ctx,
    output logic [       255:0] core_cmd_nonce,
    input  logic [CONTEXTS-1:0] core_cmd_ready
);

  aead_if #(
      .KEY_BITS  (256),
      .NONCE_BITS(256),
      .TAG_BITS  (256),
      .CONTEXTS  (CONTEXTS)
  ) core ();
  assign core.cmd_ready = core_cmd_ready;
  assign core.busy = 1'b0;
  assign core.key_ready = 1'b0;
  assign core.ad_ready = '0;
  assign core.msg_ready = '1;
  assign core.tag_in_ready = '0;
  assign core.out = '0;
  assign core.result = '0;
  assign core_cmd_valid = core.cmd.valid;
  assign core_cmd_ctx = core.cmd.ctx;
  assign core_cmd_nonce = core.cmd.nonce;

  logic tag_in_ready;
  beat_t out;
  result_t result;
  link_interleave #(
      .CONTEXTS  (CONTEXTS),
      .WORK_BYTES(16384)
  ) dut (
      .*,
      .tag_in('0),
      .out_ready(1'b1),
      .result_ready(1'b1)
  );

endmodule
