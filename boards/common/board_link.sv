// SPDX-License-Identifier: Apache-2.0
//
// A board but for pins, PLL and what masters its registers: two Ethernet ports and the link between them, suite 11 (AES-OTR
// over AES-128, iterative cores), memories for an LFE5U-45F.
// rst is brought into every clock; the registers' master runs in core_clk and is reset by core_rst.
// R of each handshake comes over s_random, from whatever answers for its being new.

module board_link #(
    parameter int unsigned TX_TAPS = 0,  // delays of the ports' pins, see board_port
    parameter int unsigned RX_TAPS = 0,
    parameter bit SLICES = 1'b0  // the link's: registers on its longest paths
) (
    input logic rst,  // asynchronous, active high, free of glitches
    input logic stream_clk,  // 40 MHz or more
    input logic core_clk,
    input logic tx_clk,  // 125 MHz
    output logic core_rst,  // rst in core_clk
    input logic trusted_rx_clk,  // RGMII of the trusted port: plaintext
    input logic trusted_rx_ctl,
    input logic [3:0] trusted_rxd,
    output logic trusted_tx_clk,
    output logic trusted_tx_ctl,
    output logic [3:0] trusted_txd,
    output logic trusted_up,  // the PHY's word on its cable, in trusted_rx_clk
    input logic untrusted_rx_clk,  // RGMII of the untrusted port: link packets
    input logic untrusted_rx_ctl,
    input logic [3:0] untrusted_rxd,
    output logic untrusted_tx_clk,
    output logic untrusted_tx_ctl,
    output logic [3:0] untrusted_txd,
    output logic untrusted_up,  // the PHY's word on its cable, in untrusted_rx_clk
    // core_clk
    input logic [11:0] s_axil_awaddr,  // the link's registers: docs/control.md
    input logic [2:0] s_axil_awprot,
    input logic s_axil_awvalid,
    output logic s_axil_awready,
    input logic [31:0] s_axil_wdata,
    input logic [3:0] s_axil_wstrb,
    input logic s_axil_wvalid,
    output logic s_axil_wready,
    output logic [1:0] s_axil_bresp,
    output logic s_axil_bvalid,
    input logic s_axil_bready,
    input logic [11:0] s_axil_araddr,
    input logic [2:0] s_axil_arprot,
    input logic s_axil_arvalid,
    output logic s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic s_axil_rvalid,
    input logic s_axil_rready,
    input logic s_random_valid,  // 32 fresh random bytes
    output logic s_random_ready,
    input logic [255:0] s_random_data,
    output logic [31:0] trusted_count_line,  // frames that ended on the line, see board_port
    output logic [31:0] trusted_count_underrun,  // frames begun and lost: 0 for ever
    output logic [31:0] untrusted_count_line,
    output logic [31:0] untrusted_count_underrun
);
  logic stream_rst;
  reset_sync u_stream_rst (
      .clk(stream_clk),
      .rst_async_in(rst),
      .rst_in(1'b0),
      .rst(stream_rst)
  );
  reset_sync u_core_rst (
      .clk(core_clk),
      .rst_async_in(rst),
      .rst_in(1'b0),
      .rst(core_rst)
  );

  // From the line: s_axis of the link; to the line: m_axis.
  logic [63:0] s_axis_trusted_tdata, m_axis_trusted_tdata;
  logic [7:0] s_axis_trusted_tkeep, m_axis_trusted_tkeep;
  logic s_axis_trusted_tvalid, s_axis_trusted_tready, s_axis_trusted_tlast, s_axis_trusted_tuser;
  logic m_axis_trusted_tvalid, m_axis_trusted_tready, m_axis_trusted_tlast;
  board_port #(
      .TX_TAPS(TX_TAPS),
      .RX_TAPS(RX_TAPS)
  ) u_trusted (
      .clk(stream_clk),
      .rst(stream_rst),
      .tx_clk,
      .count_clk(core_clk),
      .count_rst(core_rst),
      .rgmii_rx_clk(trusted_rx_clk),
      .rgmii_rx_ctl(trusted_rx_ctl),
      .rgmii_rxd(trusted_rxd),
      .rgmii_tx_clk(trusted_tx_clk),
      .rgmii_tx_ctl(trusted_tx_ctl),
      .rgmii_txd(trusted_txd),
      .s_axis_tdata(m_axis_trusted_tdata),
      .s_axis_tkeep(m_axis_trusted_tkeep),
      .s_axis_tvalid(m_axis_trusted_tvalid),
      .s_axis_tready(m_axis_trusted_tready),
      .s_axis_tlast(m_axis_trusted_tlast),
      .m_axis_tdata(s_axis_trusted_tdata),
      .m_axis_tkeep(s_axis_trusted_tkeep),
      .m_axis_tvalid(s_axis_trusted_tvalid),
      .m_axis_tready(s_axis_trusted_tready),
      .m_axis_tlast(s_axis_trusted_tlast),
      .m_axis_tuser(s_axis_trusted_tuser),
      .link_up(trusted_up),
      .count_line(trusted_count_line),
      .count_underrun(trusted_count_underrun)
  );

  logic [63:0] s_axis_untrusted_tdata, m_axis_untrusted_tdata;
  logic [7:0] s_axis_untrusted_tkeep, m_axis_untrusted_tkeep;
  logic s_axis_untrusted_tvalid, s_axis_untrusted_tready, s_axis_untrusted_tlast, s_axis_untrusted_tuser;
  logic m_axis_untrusted_tvalid, m_axis_untrusted_tready, m_axis_untrusted_tlast;
  board_port #(
      .TX_TAPS(TX_TAPS),
      .RX_TAPS(RX_TAPS)
  ) u_untrusted (
      .clk(stream_clk),
      .rst(stream_rst),
      .tx_clk,
      .count_clk(core_clk),
      .count_rst(core_rst),
      .rgmii_rx_clk(untrusted_rx_clk),
      .rgmii_rx_ctl(untrusted_rx_ctl),
      .rgmii_rxd(untrusted_rxd),
      .rgmii_tx_clk(untrusted_tx_clk),
      .rgmii_tx_ctl(untrusted_tx_ctl),
      .rgmii_txd(untrusted_txd),
      .s_axis_tdata(m_axis_untrusted_tdata),
      .s_axis_tkeep(m_axis_untrusted_tkeep),
      .s_axis_tvalid(m_axis_untrusted_tvalid),
      .s_axis_tready(m_axis_untrusted_tready),
      .s_axis_tlast(m_axis_untrusted_tlast),
      .m_axis_tdata(s_axis_untrusted_tdata),
      .m_axis_tkeep(s_axis_untrusted_tkeep),
      .m_axis_tvalid(s_axis_untrusted_tvalid),
      .m_axis_tready(s_axis_untrusted_tready),
      .m_axis_tlast(s_axis_untrusted_tlast),
      .m_axis_tuser(s_axis_untrusted_tuser),
      .link_up(untrusted_up),
      .count_line(untrusted_count_line),
      .count_underrun(untrusted_count_underrun)
  );

  sealwire_link_axil #(
      .SUITE(8'h11),
      .STORE_BYTES(32768),
      .SLICES(SLICES)
  ) u_link (
      .trusted_clk  (stream_clk),
      .trusted_rst  (stream_rst),
      .core_clk,
      .core_rst,
      .untrusted_clk(stream_clk),
      .untrusted_rst(stream_rst),
      .*
  );
endmodule
