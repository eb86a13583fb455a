// SPDX-License-Identifier: Apache-2.0
//
// Two boards with their untrusted ports on one cable, for benches that are the PHYs of the trusted ones and the two consoles.
// late_clk is tx_clk as a PHY delays it (RGMII-ID). A millisecond is short here, and so is everything else that takes time.

module two_boards #(
    parameter string IMAGE = "",
    parameter int unsigned MS_CYCLES = 200
) (
    input  logic               stream_clk,
    input  logic               core_clk,
    input  logic               tx_clk,
    input  logic               late_clk,
    input  logic [ 1:0]        rst,
    input  logic               cable,            // 0: pulled
    input  logic               a_rx_clk,         // RGMII of the trusted ports
    input  logic               a_rx_ctl,
    input  logic [ 3:0]        a_rxd,
    output logic               a_tx_ctl,
    output logic [ 3:0]        a_txd,
    input  logic               b_rx_clk,
    input  logic               b_rx_ctl,
    input  logic [ 3:0]        b_rxd,
    output logic               b_tx_ctl,
    output logic [ 3:0]        b_txd,
    input  logic [ 1:0]        uart_rxd,
    output logic [ 1:0]        uart_txd,
    input  logic [ 1:0]        button,
    output logic [ 1:0][  1:0] leds,
    input  logic [13:0]        flash_addr,       // into both flashes
    output logic [ 1:0][  7:0] flash_data,
    input  logic [ 1:0]        flash_poke,
    input  logic [ 7:0]        flash_poke_data,
    output logic [ 1:0]        random_taken,     // R of a board leaves for its link
    output logic [ 1:0][255:0] random_data
);
  logic [1:0] trusted_rx_clk, trusted_rx_ctl, trusted_tx_ctl, untrusted_tx_ctl, untrusted_rx_ctl;
  logic [1:0][3:0] trusted_rxd, trusted_txd, untrusted_txd, untrusted_rxd;
  assign trusted_rx_clk = {b_rx_clk, a_rx_clk};
  assign trusted_rx_ctl = {b_rx_ctl, a_rx_ctl};
  assign trusted_rxd = {b_rxd, a_rxd};
  assign {b_tx_ctl, a_tx_ctl} = trusted_tx_ctl;
  assign {b_txd, a_txd} = trusted_txd;

  for (genvar i = 0; i < 2; i++) begin : g_board
    assign untrusted_rx_ctl[i] = cable && untrusted_tx_ctl[1-i];
    assign untrusted_rxd[i] = cable ? untrusted_txd[1-i] : '0;
    logic cs_n, sck, mosi, miso;
    board_device #(
        .IMAGE(IMAGE),
        .MS_CYCLES(MS_CYCLES),
        .UART_BIT_CYCLES(16),
        .MDIO_HALF_CYCLES(3),
        .NOISE_SAMPLE_CYCLES(4)
    ) u_device (
        .stream_clk,
        .core_clk,
        .tx_clk,
        .rst(rst[i]),
        .trusted_rx_clk(trusted_rx_clk[i]),
        .trusted_rx_ctl(trusted_rx_ctl[i]),
        .trusted_rxd(trusted_rxd[i]),
        .trusted_tx_clk(),
        .trusted_tx_ctl(trusted_tx_ctl[i]),
        .trusted_txd(trusted_txd[i]),
        .untrusted_rx_clk(late_clk),
        .untrusted_rx_ctl(untrusted_rx_ctl[i]),
        .untrusted_rxd(untrusted_rxd[i]),
        .untrusted_tx_clk(),
        .untrusted_tx_ctl(untrusted_tx_ctl[i]),
        .untrusted_txd(untrusted_txd[i]),
        .uart_rxd(uart_rxd[i]),
        .uart_txd(uart_txd[i]),
        .flash_cs_n(cs_n),
        .flash_sck(sck),
        .flash_mosi(mosi),
        .flash_miso(miso),
        .mdc(),
        .mdio_out(),
        .mdio_en(),
        .mdio_in('1),
        .phy_reset(),
        .button(button[i]),
        .leds(leds[i])
    );
    assign random_taken[i] = u_device.random_valid && u_device.random_ready;
    assign random_data[i]  = u_device.random_data;
    w25q64 u_flash (
        .clk(core_clk),
        .cs_n,
        .sck,
        .mosi,
        .miso,
        .locked(1'b0),
        .peek_addr(flash_addr),
        .peek(flash_data[i]),
        .poke(flash_poke[i]),
        .poke_data(flash_poke_data)
    );
  end
endmodule
