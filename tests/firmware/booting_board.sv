// SPDX-License-Identifier: Apache-2.0
//
// board_cpu with its flash, for benches that play link, PHYs and console. A millisecond is short here, and so is everything else that
// takes time.

module booting_board #(
    parameter string IMAGE = ""
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         rxd,
    output logic         txd,
    input  logic         flash_locked,
    input  logic [ 13:0] flash_addr,
    output logic [  7:0] flash_data,
    input  logic         flash_poke,
    input  logic [  7:0] flash_poke_data,
    output logic         mdc,
    output logic         mdio_out,
    output logic         mdio_en,
    input  logic         mdio_in,
    input  logic [127:0] line_counts,
    output logic         phy_reset,
    input  logic         button,
    output logic [  1:0] leds,
    output logic         trap,
    output logic         zeroise,
    output logic         random_valid,
    input  logic         random_ready,
    output logic [255:0] random_data,
    output logic [ 11:0] m_axil_awaddr,
    output logic [  2:0] m_axil_awprot,
    output logic         m_axil_awvalid,
    input  logic         m_axil_awready,
    output logic [ 31:0] m_axil_wdata,
    output logic [  3:0] m_axil_wstrb,
    output logic         m_axil_wvalid,
    input  logic         m_axil_wready,
    input  logic [  1:0] m_axil_bresp,
    input  logic         m_axil_bvalid,
    output logic         m_axil_bready,
    output logic [ 11:0] m_axil_araddr,
    output logic [  2:0] m_axil_arprot,
    output logic         m_axil_arvalid,
    input  logic         m_axil_arready,
    input  logic [ 31:0] m_axil_rdata,
    input  logic [  1:0] m_axil_rresp,
    input  logic         m_axil_rvalid,
    output logic         m_axil_rready
);
  logic cs_n, sck, mosi, miso;
  logic [1:0] both_mdc, both_out, both_en;
  assign {mdc, mdio_out, mdio_en} = {both_mdc[0], both_out[0], both_en[0]};

  board_cpu #(
      .IMAGE(IMAGE),
      .MS_CYCLES(200),
      .UART_BIT_CYCLES(16),
      .SPI_HALF_CYCLES(3),
      .MDIO_HALF_CYCLES(3),
      .NOISE_SAMPLE_CYCLES(4)
  ) u_cpu (
      .uart_rxd(rxd),
      .uart_txd(txd),
      .flash_cs_n(cs_n),
      .flash_sck(sck),
      .flash_mosi(mosi),
      .flash_miso(miso),
      .mdc(both_mdc),
      .mdio_out(both_out),
      .mdio_en(both_en),
      .mdio_in({1'b1, mdio_in}),
      .*
  );

  w25q64 u_flash (
      .clk(clk),
      .cs_n(cs_n),
      .sck(sck),
      .mosi(mosi),
      .miso(miso),
      .locked(flash_locked),
      .peek_addr(flash_addr),
      .peek(flash_data),
      .poke(flash_poke),
      .poke_data(flash_poke_data)
  );
endmodule
