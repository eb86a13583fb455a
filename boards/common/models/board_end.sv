// SPDX-License-Identifier: Apache-2.0
//
// A board (short_board), and at either cable a second port in the place of the machine there: frames in, frames out, as
// sealwire_link has them, without FCS and padded to 60 bytes. For simulations.

module board_end
  import link_types_pkg::*;
#(
    parameter string IMAGE = "",
    parameter int unsigned MS_CYCLES = 200
) (
    input  logic           stream_clk,
    input  logic           core_clk,
    input  logic           line_clk,
    input  logic           late_clk,
    input  logic           rst,
    input  logic    [63:0] s_axis_trusted_tdata,
    input  logic    [ 7:0] s_axis_trusted_tkeep,
    input  logic           s_axis_trusted_tvalid,
    output logic           s_axis_trusted_tready,
    input  logic           s_axis_trusted_tlast,
    output logic    [63:0] m_axis_trusted_tdata,
    output logic    [ 7:0] m_axis_trusted_tkeep,
    output logic           m_axis_trusted_tvalid,
    output logic           m_axis_trusted_tlast,
    input  logic    [63:0] s_axis_untrusted_tdata,
    input  logic    [ 7:0] s_axis_untrusted_tkeep,
    input  logic           s_axis_untrusted_tvalid,
    output logic           s_axis_untrusted_tready,
    input  logic           s_axis_untrusted_tlast,
    output logic    [63:0] m_axis_untrusted_tdata,
    output logic    [ 7:0] m_axis_untrusted_tkeep,
    output logic           m_axis_untrusted_tvalid,
    output logic           m_axis_untrusted_tlast,
    input  logic           uart_rxd,                 // console
    output logic           uart_txd,
    input  logic    [13:0] flash_addr,               // into the flash's last 16 KiB
    output logic    [ 7:0] flash_data,
    input  logic           flash_poke,
    input  logic    [ 7:0] flash_poke_data,
    output logic    [ 1:0] leds,
    output logic           session_up,
    output logic           busy,                     // the link, with keys or a message
    output logic           sealing,                  // it has a packet or a new key in work
    output logic           opening,
    output logic           random_waits,             // the next R lies ready
    output counts_t        counts,                   // the link's
    output logic           damaged                   // a frame of the board came out damaged, ever
);
  logic trusted_rx_ctl, trusted_tx_ctl, untrusted_rx_ctl, untrusted_tx_ctl;
  logic [3:0] trusted_rxd, trusted_txd, untrusted_rxd, untrusted_txd;
  status_t status;
  short_board #(
      .IMAGE(IMAGE),
      .MS_CYCLES(MS_CYCLES)
  ) u_board (
      .*,
      .trusted_rx_clk(late_clk),
      .random_valid(random_waits),
      .random_ready(),
      .random_data()
  );
  assign {session_up, busy, sealing, opening} = {status.session_up, status.busy, status.sealing, status.opening};

  logic trusted_damaged, untrusted_damaged;
  board_port u_trusted_machine (
      .clk(stream_clk),
      .rst,
      .tx_clk(line_clk),
      .count_clk(stream_clk),
      .count_rst(rst),
      .rgmii_rx_clk(late_clk),
      .rgmii_rx_ctl(trusted_tx_ctl),
      .rgmii_rxd(trusted_txd),
      .rgmii_tx_clk(),
      .rgmii_tx_ctl(trusted_rx_ctl),
      .rgmii_txd(trusted_rxd),
      .s_axis_tdata(s_axis_trusted_tdata),
      .s_axis_tkeep(s_axis_trusted_tkeep),
      .s_axis_tvalid(s_axis_trusted_tvalid),
      .s_axis_tready(s_axis_trusted_tready),
      .s_axis_tlast(s_axis_trusted_tlast),
      .m_axis_tdata(m_axis_trusted_tdata),
      .m_axis_tkeep(m_axis_trusted_tkeep),
      .m_axis_tvalid(m_axis_trusted_tvalid),
      .m_axis_tready(1'b1),
      .m_axis_tlast(m_axis_trusted_tlast),
      .m_axis_tuser(trusted_damaged),
      .link_up(),
      .count_line(),
      .count_underrun()
  );
  board_port u_untrusted_machine (
      .clk(stream_clk),
      .rst,
      .tx_clk(line_clk),
      .count_clk(stream_clk),
      .count_rst(rst),
      .rgmii_rx_clk(late_clk),
      .rgmii_rx_ctl(untrusted_tx_ctl),
      .rgmii_rxd(untrusted_txd),
      .rgmii_tx_clk(),
      .rgmii_tx_ctl(untrusted_rx_ctl),
      .rgmii_txd(untrusted_rxd),
      .s_axis_tdata(s_axis_untrusted_tdata),
      .s_axis_tkeep(s_axis_untrusted_tkeep),
      .s_axis_tvalid(s_axis_untrusted_tvalid),
      .s_axis_tready(s_axis_untrusted_tready),
      .s_axis_tlast(s_axis_untrusted_tlast),
      .m_axis_tdata(m_axis_untrusted_tdata),
      .m_axis_tkeep(m_axis_untrusted_tkeep),
      .m_axis_tvalid(m_axis_untrusted_tvalid),
      .m_axis_tready(1'b1),
      .m_axis_tlast(m_axis_untrusted_tlast),
      .m_axis_tuser(untrusted_damaged),
      .link_up(),
      .count_line(),
      .count_underrun()
  );
  always_ff @(posedge stream_clk)
    if (rst) damaged <= 1'b0;
    else
      damaged <= damaged || (m_axis_trusted_tvalid && m_axis_trusted_tlast && trusted_damaged) ||
          (m_axis_untrusted_tvalid && m_axis_untrusted_tlast && untrusted_damaged);
endmodule
