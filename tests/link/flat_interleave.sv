// SPDX-License-Identifier: Apache-2.0
//
// link_interleave with flat ports, of packets to seal, around a core that takes commands when the bench says so and gives every
// message back as it is, a cycle later.
module flat_interleave
  import link_pkg::*;
  import link_types_pkg::*;
#(
    localparam int unsigned CONTEXTS = 2
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 clear,
    output logic                 busy,
    input  logic                 cmd_valid,
    output logic                 cmd_ready,
    input  logic  [       255:0] cmd_nonce,
    input  logic  [LEN_BITS-1:0] cmd_length,
    input  beat_t                msg,
    output logic                 msg_ready,
    output logic                 core_cmd_valid,
    output logic                 core_cmd_ctx,
    output logic  [       255:0] core_cmd_nonce,
    input  logic  [CONTEXTS-1:0] core_cmd_ready,
    output beat_t                out
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
  logic out_valid_q, out_ctx_q, out_last_q, result_valid_q, result_ctx_q;
  logic [63:0] out_data_q;
  logic [ 3:0] out_bytes_q;
  always_ff @(posedge clk) begin
    out_valid_q <= core.msg.valid && !rst && !clear;
    out_ctx_q <= core.msg.ctx;
    out_data_q <= core.msg.data;
    out_bytes_q <= core.msg.bytes;
    out_last_q <= core.msg.last;
    result_valid_q <= out_valid_q && out_last_q && !rst && !clear;
    result_ctx_q <= out_ctx_q;
  end
  assign core.out = '{valid: out_valid_q, ctx: out_ctx_q, data: out_data_q, bytes: out_bytes_q, last: out_last_q};
  assign core.result = '{valid: result_valid_q, ctx: result_ctx_q, ok: 1'b1, tag: '0};
  assign core_cmd_valid = core.cmd.valid;
  assign core_cmd_ctx = core.cmd.ctx;
  assign core_cmd_nonce = core.cmd.nonce;

  logic tag_in_ready;
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
