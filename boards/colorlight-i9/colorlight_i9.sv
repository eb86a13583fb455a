// SPDX-License-Identifier: Apache-2.0
//
// Top of the Colorlight i9 v7.2: two B50612D PHYs, whose pairs go to the SODIMM connector. The port of PHY 0 is the trusted one.
// Its only LED shines while the device runs without an alarm.
// Pins: pins.lpf, clocks and delays: board.toml, which `sealwire-lab board build colorlight-i9` makes PLLs and parameters from.

module colorlight_i9 #(
    parameter int unsigned CORE_KHZ = 100000,
    parameter int unsigned TX_TAPS = 0,
    parameter int unsigned RX_TAPS = 0,
    parameter bit SLICES = 1'b0,
    parameter string IMAGE = ""
) (
    input  logic       clk,               // 25 MHz
    input  logic       trusted_rx_clk,
    input  logic       trusted_rx_ctl,
    input  logic [3:0] trusted_rxd,
    output logic       trusted_tx_clk,
    output logic       trusted_tx_ctl,
    output logic [3:0] trusted_txd,
    input  logic       untrusted_rx_clk,
    input  logic       untrusted_rx_ctl,
    input  logic [3:0] untrusted_rxd,
    output logic       untrusted_tx_clk,
    output logic       untrusted_tx_ctl,
    output logic [3:0] untrusted_txd,
    output logic       phy_mdc,
    inout  wire        phy_mdio,
    output logic       phy_rst_n,
    input  logic       uart_rxd,
    output logic       uart_txd,
    output logic       flash_cs_n,        // the flash's clock has no pin of its own: USRMCLK
    output logic       flash_mosi,
    input  logic       flash_miso,
    input  logic       button_n,
    output logic       leds_n
);
  logic stream_clk, core_clk, tx_clk, locked;
  board_clocks u_clocks (
      .clkin(clk),
      .*
  );

  logic flash_sck, phy_reset;
  logic [1:0] mdc, mdio_out, mdio_en, mdio_in, leds;
  board_device #(
      .CORE_KHZ(CORE_KHZ),
      .TX_TAPS(TX_TAPS),
      .RX_TAPS(RX_TAPS),
      .SLICES(SLICES),
      .IMAGE(IMAGE)
  ) u_device (
      .rst(!locked),
      .button(!button_n),
      .*
  );

  USRMCLK u_flash_clk (
      .USRMCLKI (flash_sck),
      .USRMCLKTS(1'b0)
  );
  TRELLIS_IO #(
      .DIR("BIDIR")
  ) u_mdio (
      .B(phy_mdio),
      .I(mdio_out[0]),
      .T(!mdio_en[0]),
      .O(mdio_in[0])
  );
  assign mdio_in[1] = 1'b1;  // both PHYs are on bus 0
  wire unused = &{1'b0, mdc[1], mdio_out[1], mdio_en[1]};
  assign phy_mdc = mdc[0];
  assign phy_rst_n = !phy_reset;
  assign leds_n = !(leds[0] && !leds[1]);
endmodule
