// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of aead_axis, small enough for a SAT solver: beats of 32 bits, tag of 8, stores of 4 beats.
// Property: no byte of the marked packet (marked_core.sv), which the core does not accept, shows on m_axis.
module aead_axis_proof #(
    parameter  int unsigned CONTEXTS = 1,
    localparam int unsigned CTX_BITS = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS)
) (
    input logic                clk,
    input logic                rst,
    input logic                clear,
    input logic                m_axis_tready,
    input logic                m_axis_status_tready,
    input logic [         1:0] marked,
    input logic                core_key_ready,
    input logic [CONTEXTS-1:0] core_cmd_ready,
    input logic [CONTEXTS-1:0] core_ad_ready,
    input logic [CONTEXTS-1:0] core_msg_ready,
    input logic [CONTEXTS-1:0] core_tag_in_ready,
    input logic                core_out_valid,
    input logic [CTX_BITS-1:0] core_out_ctx,
    input logic [        31:0] free_data,
    input logic [         2:0] core_out_bytes,
    input logic                core_out_last,
    input logic                core_result_valid,
    input logic [CTX_BITS-1:0] core_result_ctx,
    input logic                core_result_ok,
    input logic [         7:0] free_tag
);

  // Behind the stubs nothing looks at these
  logic [63:0] s_axis_cmd_tdata, s_axis_key_tdata, s_axis_ad_tdata, s_axis_msg_tdata;
  logic [7:0] s_axis_cmd_tkeep, s_axis_key_tkeep, s_axis_ad_tkeep, s_axis_msg_tkeep;
  logic s_axis_cmd_tvalid, s_axis_key_tvalid, s_axis_ad_tvalid, s_axis_msg_tvalid;
  logic s_axis_cmd_tlast, s_axis_key_tlast, s_axis_ad_tlast, s_axis_msg_tlast;
  logic s_axis_cmd_tready, s_axis_key_tready, s_axis_ad_tready, s_axis_msg_tready;
  assign {s_axis_cmd_tdata, s_axis_key_tdata, s_axis_ad_tdata, s_axis_msg_tdata} = '0;
  assign {s_axis_cmd_tkeep, s_axis_key_tkeep, s_axis_ad_tkeep, s_axis_msg_tkeep} = '0;
  assign {s_axis_cmd_tvalid, s_axis_key_tvalid, s_axis_ad_tvalid, s_axis_msg_tvalid} = '0;
  assign {s_axis_cmd_tlast, s_axis_key_tlast, s_axis_ad_tlast, s_axis_msg_tlast} = '0;

  logic busy, m_axis_tvalid, m_axis_tlast, m_axis_status_tvalid, m_axis_status_tlast;
  logic [63:0] m_axis_tdata, m_axis_status_tdata;
  logic [7:0] m_axis_tkeep, m_axis_status_tkeep;
  logic core_busy, core_key_valid, core_cmd_valid, core_cmd_cached_ad, core_ad_valid, core_ad_last, core_msg_valid;
  logic core_msg_last, core_tag_in_valid, core_out_ready, core_result_ready;
  logic [15:0] core_key_data, core_cmd_nonce;
  logic [CTX_BITS-1:0] core_cmd_ctx, core_ad_ctx, core_msg_ctx, core_tag_in_ctx;
  logic [1:0] core_cmd_op;
  logic [31:0] core_ad_data, core_msg_data, core_out_data;
  logic [2:0] core_ad_bytes, core_msg_bytes;
  logic [7:0] core_tag_in_data, core_result_tag;
  assign core_busy = 1'b0;

  marked_core #(
      .DATA_BITS(32),
      .TAG_BITS (8),
      .CONTEXTS (CONTEXTS)
  ) core (
      .clk,
      .rst         (rst || clear),
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

  aead_axis #(
      .AXIS_BITS   (64),
      .DATA_BITS   (32),
      .KEY_BITS    (16),
      .NONCE_BITS  (16),
      .TAG_BITS    (8),
      .CONTEXTS    (CONTEXTS),
      .STORE_BYTES (16),
      .PACKET_BYTES(CONTEXTS == 1 ? 16 : 8),
      .DESCRIPTORS (2)
  ) dut (
      .*
  );

  logic marked_byte;
  always_comb begin
    marked_byte = 1'b0;
    for (int unsigned i = 0; i < 8; i++) if (m_axis_tdata[8*i+7]) marked_byte = 1'b1;
  end

  logic started;
  initial started = 1'b0;
  always_ff @(posedge clk) begin
    if (!started) assume (rst);
    started <= 1'b1;
    if (started && !rst && !clear) begin
      nothing_unverified_shows : assert (!(m_axis_tvalid && marked_byte));
    end
  end

endmodule
