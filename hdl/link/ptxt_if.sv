// SPDX-License-Identifier: Apache-2.0
//
// The trusted edge: plaintext Ethernet frames without FCS on AXI4-Stream, both directions.
// The only place on this side where tkeep is turned into byte counts and back. Combinational.
// Byte i of a frame is bits [8i+7:8i] of its beat; tkeep is contiguous from byte 0, partial only with tlast.

module ptxt_if (
    input  logic [63:0] s_axis_trusted_tdata,   // frames from the trusted network
    input  logic [ 7:0] s_axis_trusted_tkeep,
    input  logic        s_axis_trusted_tvalid,
    output logic        s_axis_trusted_tready,
    input  logic        s_axis_trusted_tlast,
    output logic        rx_valid,
    input  logic        rx_ready,
    output logic [63:0] rx_data,
    output logic [ 3:0] rx_bytes,
    output logic        rx_last,
    input  logic        tx_valid,
    output logic        tx_ready,
    input  logic [63:0] tx_data,
    input  logic [ 3:0] tx_bytes,
    input  logic        tx_last,
    output logic [63:0] m_axis_trusted_tdata,   // verified frames to the trusted network
    output logic [ 7:0] m_axis_trusted_tkeep,
    output logic        m_axis_trusted_tvalid,
    input  logic        m_axis_trusted_tready,
    output logic        m_axis_trusted_tlast
);
  axis_to_stream #(
      .DATA_BITS(64)
  ) u_rx (
      .s_axis_tdata(s_axis_trusted_tdata),
      .s_axis_tkeep(s_axis_trusted_tkeep),
      .s_axis_tvalid(s_axis_trusted_tvalid),
      .s_axis_tready(s_axis_trusted_tready),
      .s_axis_tlast(s_axis_trusted_tlast),
      .m_valid(rx_valid),
      .m_ready(rx_ready),
      .m_data(rx_data),
      .m_bytes(rx_bytes),
      .m_last(rx_last)
  );

  stream_to_axis #(
      .DATA_BITS(64)
  ) u_tx (
      .s_valid(tx_valid),
      .s_ready(tx_ready),
      .s_data(tx_data),
      .s_bytes(tx_bytes),
      .s_last(tx_last),
      .m_axis_tdata(m_axis_trusted_tdata),
      .m_axis_tkeep(m_axis_trusted_tkeep),
      .m_axis_tvalid(m_axis_trusted_tvalid),
      .m_axis_tready(m_axis_trusted_tready),
      .m_axis_tlast(m_axis_trusted_tlast)
  );
endmodule
