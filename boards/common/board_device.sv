// SPDX-License-Identifier: Apache-2.0
//
// What all boards have in common: ports and link (board_link) under the processor that brings the link up (board_cpu).
// A board's top adds PLL and pins. rst is brought into every clock. What follows from CORE_KHZ is right on every board: the
// console's 115,200 bits a second, MDC of 2.5 MHz at most.

module board_device #(
    parameter int unsigned CORE_KHZ = 100000,  // core_clk
    parameter int unsigned TX_TAPS = 0,  // delays of the ports' pins, see board_port
    parameter int unsigned RX_TAPS = 0,
    parameter bit SLICES = 1'b0,  // the link's: registers on its longest paths
    parameter string IMAGE = "",  // of the firmware, for $readmemh
    parameter int unsigned MS_CYCLES = CORE_KHZ,  // cycles of core_clk: see board_cpu
    parameter int unsigned UART_BIT_CYCLES = (CORE_KHZ * 10 + 576) / 1152,
    parameter int unsigned MDIO_HALF_CYCLES = (CORE_KHZ + 4999) / 5000,
    parameter int unsigned NOISE_SAMPLE_CYCLES = 4096
) (
    input  logic       rst,               // asynchronous, active high, free of glitches
    input  logic       stream_clk,        // 40 MHz or more
    input  logic       core_clk,
    input  logic       tx_clk,            // 125 MHz
    input  logic       trusted_rx_clk,    // RGMII of the trusted port
    input  logic       trusted_rx_ctl,
    input  logic [3:0] trusted_rxd,
    output logic       trusted_tx_clk,
    output logic       trusted_tx_ctl,
    output logic [3:0] trusted_txd,
    input  logic       untrusted_rx_clk,  // RGMII of the untrusted port
    input  logic       untrusted_rx_ctl,
    input  logic [3:0] untrusted_rxd,
    output logic       untrusted_tx_clk,
    output logic       untrusted_tx_ctl,
    output logic [3:0] untrusted_txd,
    input  logic       uart_rxd,          // console
    output logic       uart_txd,
    output logic       flash_cs_n,
    output logic       flash_sck,
    output logic       flash_mosi,
    input  logic       flash_miso,
    output logic [1:0] mdc,               // management of the PHYs, one bus each or both on bus 0
    output logic [1:0] mdio_out,
    output logic [1:0] mdio_en,
    input  logic [1:0] mdio_in,
    output logic       phy_reset,
    input  logic       button,            // 1: pressed
    output logic [1:0] leds               // 0 the device runs, 1 it refuses to or has an alarm
);
  logic core_rst;
  logic [11:0] axil_awaddr, axil_araddr;
  logic [2:0] axil_awprot, axil_arprot;
  logic axil_awvalid, axil_awready, axil_wvalid, axil_wready, axil_bvalid, axil_bready;
  logic axil_arvalid, axil_arready, axil_rvalid, axil_rready;
  logic [31:0] axil_wdata, axil_rdata;
  logic [3:0] axil_wstrb;
  logic [1:0] axil_bresp, axil_rresp;
  logic random_valid, random_ready;
  logic [255:0] random_data;
  logic [31:0] trusted_count_line, trusted_count_underrun, untrusted_count_line, untrusted_count_underrun;

  board_cpu #(
      .IMAGE(IMAGE),
      .MS_CYCLES(MS_CYCLES),
      .UART_BIT_CYCLES(UART_BIT_CYCLES),
      .MDIO_HALF_CYCLES(MDIO_HALF_CYCLES),
      .NOISE_SAMPLE_CYCLES(NOISE_SAMPLE_CYCLES)
  ) u_cpu (
      .clk(core_clk),
      .rst(core_rst),
      .m_axil_awaddr(axil_awaddr),
      .m_axil_awprot(axil_awprot),
      .m_axil_awvalid(axil_awvalid),
      .m_axil_awready(axil_awready),
      .m_axil_wdata(axil_wdata),
      .m_axil_wstrb(axil_wstrb),
      .m_axil_wvalid(axil_wvalid),
      .m_axil_wready(axil_wready),
      .m_axil_bresp(axil_bresp),
      .m_axil_bvalid(axil_bvalid),
      .m_axil_bready(axil_bready),
      .m_axil_araddr(axil_araddr),
      .m_axil_arprot(axil_arprot),
      .m_axil_arvalid(axil_arvalid),
      .m_axil_arready(axil_arready),
      .m_axil_rdata(axil_rdata),
      .m_axil_rresp(axil_rresp),
      .m_axil_rvalid(axil_rvalid),
      .m_axil_rready(axil_rready),
      .trap(),
      .zeroise(),
      .line_counts({untrusted_count_underrun, untrusted_count_line, trusted_count_underrun, trusted_count_line}),
      .*
  );

  board_link #(
      .TX_TAPS(TX_TAPS),
      .RX_TAPS(RX_TAPS),
      .SLICES (SLICES)
  ) u_link (
      .s_axil_awaddr(axil_awaddr),
      .s_axil_awprot(axil_awprot),
      .s_axil_awvalid(axil_awvalid),
      .s_axil_awready(axil_awready),
      .s_axil_wdata(axil_wdata),
      .s_axil_wstrb(axil_wstrb),
      .s_axil_wvalid(axil_wvalid),
      .s_axil_wready(axil_wready),
      .s_axil_bresp(axil_bresp),
      .s_axil_bvalid(axil_bvalid),
      .s_axil_bready(axil_bready),
      .s_axil_araddr(axil_araddr),
      .s_axil_arprot(axil_arprot),
      .s_axil_arvalid(axil_arvalid),
      .s_axil_arready(axil_arready),
      .s_axil_rdata(axil_rdata),
      .s_axil_rresp(axil_rresp),
      .s_axil_rvalid(axil_rvalid),
      .s_axil_rready(axil_rready),
      .s_random_valid(random_valid),
      .s_random_ready(random_ready),
      .s_random_data(random_data),
      .trusted_up(),
      .untrusted_up(),
      .*
  );
endmodule
