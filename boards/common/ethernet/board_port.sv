// SPDX-License-Identifier: Apache-2.0
//
// An Ethernet port at 1 Gbit/s, from the RGMII pins of an ECP5 to frames without FCS as the link takes and gives them.
// Receiver and PHY are LiteEth's (liteeth_rgmii), the transmitter is mac_tx. Byte i of a beat is in bits [8i+7:8i].
// m_axis_tuser with m_axis_tlast: the frame is damaged (FCS, error of the line) or a runt of under 60 bytes.
// m_axis_tready may stay low for at most 31 beats: the line waits for nobody, and what it loses damages the frame.
// Every frame of the line appears at m_axis, but those without a start-of-frame delimiter or with nothing before the FCS;
// count_line counts all of them, so the difference to the link's count says how many did not.

module board_port
  import ethernet_pkg::*;
#(
    parameter int unsigned TX_TAPS = 0,  // delay of the transmit clock, 25 ps each, at most 127
    parameter int unsigned RX_TAPS = 0   // delay of what is received
) (
    input logic clk,  // of the streams, 40 MHz or more: the line has a beat in every 64 ns
    input logic rst,  // synchronous, active high
    input logic tx_clk,  // 125 MHz
    input logic count_clk,  // of whoever reads the counts
    input logic count_rst,
    input logic rgmii_rx_clk,
    input logic rgmii_rx_ctl,
    input logic [3:0] rgmii_rxd,
    output logic rgmii_tx_clk,
    output logic rgmii_tx_ctl,
    output logic [3:0] rgmii_txd,
    input logic [63:0] s_axis_tdata,  // to the line; a beat in every 64 ns once a frame has begun
    input logic [7:0] s_axis_tkeep,
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic s_axis_tlast,
    output logic [63:0] m_axis_tdata,  // from the line
    output logic [7:0] m_axis_tkeep,
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic m_axis_tlast,
    output logic m_axis_tuser,
    output logic link_up,  // clock of the line: the PHY's word that the cable runs at 1 Gbit/s, full duplex
    output logic [31:0] count_line,  // count_clk: frames that ended on the line; wraps
    output logic [31:0] count_underrun  // count_clk: frames spoilt because s_axis was late
);
  localparam int unsigned SHORT_BEATS = MIN_BYTES / 8;  // whole beats that the shortest frame has before its last one
  localparam int unsigned SHORT_BYTES = MIN_BYTES % 8;

  logic line_rst, tx_sync_rst, tx_rst, rx_rst;
  always_ff @(posedge clk) line_rst <= rst;
  reset_sync u_tx_rst (
      .clk(tx_clk),
      .rst_async_in(line_rst),
      .rst_in(1'b0),
      .rst(tx_sync_rst)
  );
  always_ff @(posedge tx_clk) tx_rst <= tx_sync_rst;  // a register for the wire, which is long
  reset_sync u_rx_rst (
      .clk(rgmii_rx_clk),
      .rst_async_in(line_rst),
      .rst_in(1'b0),
      .rst(rx_rst)
  );

  // To the line.
  logic [63:0] tx_tdata;
  logic [7:0] tx_tkeep, tx_byte;
  logic tx_tvalid, tx_tready, tx_tlast, tx_valid, underrun;
  stream_fifo_async #(
      .WIDTH(73),
      .DEPTH(16)
  ) u_tx_fifo (
      .s_clk  (clk),
      .s_rst  (rst),
      .s_valid(s_axis_tvalid),
      .s_ready(s_axis_tready),
      .s_data ({s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
      .m_clk  (tx_clk),
      .m_rst  (tx_rst),
      .m_valid(tx_tvalid),
      .m_ready(tx_tready),
      .m_data ({tx_tlast, tx_tkeep, tx_tdata})
  );
  mac_tx u_tx (
      .clk(tx_clk),
      .rst(tx_rst),
      .s_tdata(tx_tdata),
      .s_tkeep(tx_tkeep),
      .s_tvalid(tx_tvalid),
      .s_tready(tx_tready),
      .s_tlast(tx_tlast),
      .tx_valid,
      .tx_data(tx_byte),
      .underrun
  );

  // From the line.
  logic line_end, up, full_duplex;
  logic [1:0] speed;  // 10, 100, 1000 Mbit/s: 0, 1, 2
  assign link_up = up && full_duplex && speed == 2'd2;
  logic [7:0] last_be, error;
  liteeth_rgmii #(
      .TX_TAPS(TX_TAPS),
      .RX_TAPS(RX_TAPS)
  ) u_line (
      .clk,
      .rst,
      .line_rst,
      .tx_clk,
      .rgmii_clocks_rx(rgmii_rx_clk),
      .rgmii_clocks_tx(rgmii_tx_clk),
      .rgmii_rx_ctl,
      .rgmii_rx_data(rgmii_rxd),
      .rgmii_tx_ctl,
      .rgmii_tx_data(rgmii_txd),
      .tx_valid,
      .tx_data(tx_byte),
      .rx_valid(m_axis_tvalid),
      .rx_ready(m_axis_tready),
      .rx_last(m_axis_tlast),
      .rx_data(m_axis_tdata),
      .rx_last_be(last_be),
      .rx_error(error),
      .rx_end(line_end),
      .status_link(up),
      .status_speed(speed),
      .status_duplex(full_duplex)
  );

  // LiteEth marks the last byte of a frame and each byte with an error.
  logic [3:0] beats;  // of the frame, before this one; stays at SHORT_BEATS + 1
  logic runt;
  always_comb for (int unsigned i = 0; i < 8; i++) m_axis_tkeep[i] = !m_axis_tlast || (last_be >> i) != 0;
  assign runt = beats < 4'(SHORT_BEATS) || (beats == 4'(SHORT_BEATS) && !m_axis_tkeep[SHORT_BYTES-1]);
  assign m_axis_tuser = m_axis_tlast && (runt || (error & m_axis_tkeep) != 0);
  always_ff @(posedge clk) begin
    if (m_axis_tvalid && m_axis_tready) begin
      if (m_axis_tlast) beats <= '0;
      else if (beats <= 4'(SHORT_BEATS)) beats <= beats + 1'b1;
    end
    if (rst) beats <= '0;
  end

  cdc_counter #(
      .WIDTH(32)
  ) u_count_line (
      .s_clk  (rgmii_rx_clk),
      .s_rst  (rx_rst),
      .s_event(line_end),
      .m_clk  (count_clk),
      .m_rst  (count_rst),
      .m_clear(1'b0),
      .m_count(count_line)
  );
  cdc_counter #(
      .WIDTH(32)
  ) u_count_underrun (
      .s_clk  (tx_clk),
      .s_rst  (tx_rst),
      .s_event(underrun),
      .m_clk  (count_clk),
      .m_rst  (count_rst),
      .m_clear(1'b0),
      .m_count(count_underrun)
  );
endmodule
