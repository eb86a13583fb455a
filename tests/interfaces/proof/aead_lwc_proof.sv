// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of aead_lwc, small enough for a SAT solver: words and beats of 8 bits, tag of 8, stores of 4 beats.
// Property: no byte of the marked packet (marked_core.sv), which the core does not accept, shows as data on do.
module aead_lwc_proof #(
    parameter  int unsigned CONTEXTS = 1,
    localparam int unsigned CTX_BITS = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS)
) (
    input logic                clk,
    input logic                rst,
    input logic [         7:0] pdi_data,
    input logic                pdi_valid,
    input logic [         7:0] sdi_data,
    input logic                sdi_valid,
    input logic                do_ready,
    input logic [         1:0] marked,
    input logic                core_key_ready,
    input logic [CONTEXTS-1:0] core_cmd_ready,
    input logic [CONTEXTS-1:0] core_ad_ready,
    input logic [CONTEXTS-1:0] core_msg_ready,
    input logic [CONTEXTS-1:0] core_tag_in_ready,
    input logic                core_out_valid,
    input logic [CTX_BITS-1:0] core_out_ctx,
    input logic [         7:0] free_data,
    input logic [         0:0] core_out_bytes,
    input logic                core_out_last,
    input logic                core_result_valid,
    input logic [CTX_BITS-1:0] core_result_ctx,
    input logic                core_result_ok,
    input logic [         7:0] free_tag
);

  logic [7:0] do_data, core_out_data, core_result_tag;
  logic pdi_ready, sdi_ready, do_last, do_valid;
  logic core_busy, core_key_valid, core_cmd_valid, core_cmd_cached_ad, core_ad_valid, core_ad_last, core_msg_valid;
  logic core_msg_last, core_tag_in_valid, core_out_ready, core_result_ready;
  logic [15:0] core_key_data, core_cmd_nonce;
  logic [CTX_BITS-1:0] core_cmd_ctx, core_ad_ctx, core_msg_ctx, core_tag_in_ctx;
  logic [1:0] core_cmd_op;
  logic [7:0] core_ad_data, core_msg_data, core_tag_in_data;
  logic [0:0] core_ad_bytes, core_msg_bytes;
  assign core_busy = 1'b0;

  marked_core #(
      .DATA_BITS(8),
      .TAG_BITS (8),
      .CONTEXTS (CONTEXTS)
  ) core (
      .clk,
      .rst,
      .marked,
      .cmd_valid   (core_cmd_valid),
      .cmd_ready   (core_cmd_ready),
      .cmd_ctx     (core_cmd_ctx),
      .out_valid   (core_out_valid),
      .out_ctx     (core_out_ctx),
      .free_data,
      .out_bytes   (core_out_bytes),
      .out_last    (core_out_last),
      .out_data    (core_out_data),
      .result_valid(core_result_valid),
      .result_ctx  (core_result_ctx),
      .result_ok   (core_result_ok),
      .free_tag,
      .result_tag  (core_result_tag)
  );

  aead_lwc #(
      .W           (8),
      .SW          (8),
      .DATA_BITS   (8),
      .KEY_BITS    (16),
      .NONCE_BITS  (16),
      .TAG_BITS    (8),
      .CONTEXTS    (CONTEXTS),
      .STORE_BYTES (4),
      .PACKET_BYTES(CONTEXTS == 1 ? 4 : 2),
      .DESCRIPTORS (2)
  ) dut (
      .*
  );

  logic started;
  initial started = 1'b0;
  always_ff @(posedge clk) begin
    if (!started) assume (rst);
    started <= 1'b1;
    if (started && !rst) begin
      nothing_unverified_shows : assert (!(do_valid && dut.u_do.state == 2'd2 && do_data[7]));
    end
  end

endmodule
