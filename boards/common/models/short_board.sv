// SPDX-License-Identifier: Apache-2.0
//
// A board with its flash, for simulations: a millisecond, a bit of the serial line, one of MDIO and one
// of noise are short here. late_clk follows line_clk within half a period of it, as a PHY delays it (RGMII-ID).

module short_board
  import link_types_pkg::*;
#(
    parameter string IMAGE = "",
    parameter bit SLICES = 1'b0,
    parameter int unsigned MS_CYCLES = 200  // cycles of core_clk
) (
    input  logic            stream_clk,
    input  logic            core_clk,
    input  logic            line_clk,
    input  logic            late_clk,          // of what the untrusted port receives
    input  logic            rst,
    input  logic            trusted_rx_clk,
    input  logic            trusted_rx_ctl,
    input  logic    [  3:0] trusted_rxd,
    output logic            trusted_tx_ctl,
    output logic    [  3:0] trusted_txd,
    input  logic            untrusted_rx_ctl,
    input  logic    [  3:0] untrusted_rxd,
    output logic            untrusted_tx_ctl,
    output logic    [  3:0] untrusted_txd,
    input  logic            uart_rxd,          // console; 1: nobody is at it
    output logic            uart_txd,
    input  logic    [ 13:0] flash_addr,        // into the flash's last 16 KiB
    output logic    [  7:0] flash_data,
    input  logic            flash_poke,
    input  logic    [  7:0] flash_poke_data,
    output logic    [  1:0] leds,
    output logic            random_valid,      // the next R lies ready, and goes to the link where it is wanted
    output logic            random_ready,
    output logic    [255:0] random_data,
    output status_t         status,            // the link's
    output counts_t         counts
);
  logic cs_n, sck, mosi, miso;
  board_device #(
      .IMAGE(IMAGE),
      .SLICES(SLICES),
      .MS_CYCLES(MS_CYCLES),
      .UART_BIT_CYCLES(16),
      .MDIO_HALF_CYCLES(3),
      .NOISE_SAMPLE_CYCLES(4)
  ) u_device (
      .*,
      .tx_clk(line_clk),
      .trusted_tx_clk(),
      .untrusted_rx_clk(late_clk),
      .untrusted_tx_clk(),
      .flash_cs_n(cs_n),
      .flash_sck(sck),
      .flash_mosi(mosi),
      .flash_miso(miso),
      .mdc(),
      .mdio_out(),
      .mdio_en(),
      .mdio_in('1),
      .phy_reset(),
      .button(1'b0)
  );
  assign {random_valid, random_ready} = {u_device.random_valid, u_device.random_ready};
  assign random_data = u_device.random_data;
  assign status = u_device.u_link.u_link.status;
  assign counts = u_device.u_link.u_link.counts;

  w25q64 u_flash (
      .clk(core_clk),
      .cs_n,
      .sck,
      .mosi,
      .miso,
      .locked(1'b0),
      .peek_addr(flash_addr),
      .peek(flash_data),
      .poke(flash_poke),
      .poke_data(flash_poke_data)
  );
endmodule
