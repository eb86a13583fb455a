// SPDX-License-Identifier: Apache-2.0
//
// Two boards (short_board) with their untrusted ports on one cable, for benches that are the PHYs of the trusted ones.

module two_boards #(
    parameter string IMAGE = "",
    parameter bit SLICES = 1'b0,
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
    input  logic               a_uart_rxd,       // console of the first one
    output logic               a_uart_txd,
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

  logic [1:0] uart_rxd, uart_txd;
  assign uart_rxd   = {1'b1, a_uart_rxd};
  assign a_uart_txd = uart_txd[0];

  for (genvar i = 0; i < 2; i++) begin : g_board
    assign untrusted_rx_ctl[i] = cable && untrusted_tx_ctl[1-i];
    assign untrusted_rxd[i] = cable ? untrusted_txd[1-i] : '0;
    logic random_valid, random_ready;
    short_board #(
        .IMAGE(IMAGE),
        .SLICES(SLICES),
        .MS_CYCLES(MS_CYCLES)
    ) u_board (
        .stream_clk,
        .core_clk,
        .line_clk(tx_clk),
        .late_clk,
        .rst(rst[i]),
        .trusted_rx_clk(trusted_rx_clk[i]),
        .trusted_rx_ctl(trusted_rx_ctl[i]),
        .trusted_rxd(trusted_rxd[i]),
        .trusted_tx_ctl(trusted_tx_ctl[i]),
        .trusted_txd(trusted_txd[i]),
        .untrusted_rx_ctl(untrusted_rx_ctl[i]),
        .untrusted_rxd(untrusted_rxd[i]),
        .untrusted_tx_ctl(untrusted_tx_ctl[i]),
        .untrusted_txd(untrusted_txd[i]),
        .uart_rxd(uart_rxd[i]),
        .uart_txd(uart_txd[i]),
        .flash_addr,
        .flash_data(flash_data[i]),
        .flash_poke(flash_poke[i]),
        .flash_poke_data,
        .leds(),
        .random_valid,
        .random_ready,
        .random_data(random_data[i]),
        .status(),
        .counts()
    );
    assign random_taken[i] = random_valid && random_ready;
  end
endmodule
