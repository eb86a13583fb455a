// SPDX-License-Identifier: Apache-2.0
//
// The untrusted edge: link packets on AXI4-Stream, both directions, inside Ethernet frames of EtherType 88B5 or bare.
// Specification: docs/wire-format.md, carriage. The only place on this side where tkeep and byte counts meet.
// Counts frames and bytes as they stand on the wire side: headers and padding included.

module ctxt_if #(
    parameter bit OUTER_ETHERNET = 1'b1  // 0: bare link packets, for a carrier of its own such as UDP
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [47:0] cfg_local_mac,            // byte 0 in bits 7:0; quasi-static
    input  logic [47:0] cfg_peer_mac,
    input  logic [63:0] s_axis_untrusted_tdata,
    input  logic [ 7:0] s_axis_untrusted_tkeep,
    input  logic        s_axis_untrusted_tvalid,
    output logic        s_axis_untrusted_tready,
    input  logic        s_axis_untrusted_tlast,
    output logic        rx_valid,                 // link packets in
    input  logic        rx_ready,
    output logic [63:0] rx_data,
    output logic [ 3:0] rx_bytes,
    output logic        rx_last,
    input  logic        tx_valid,                 // link packets out
    output logic        tx_ready,
    input  logic [63:0] tx_data,
    input  logic [ 3:0] tx_bytes,
    input  logic        tx_last,
    output logic [63:0] m_axis_untrusted_tdata,
    output logic [ 7:0] m_axis_untrusted_tkeep,
    output logic        m_axis_untrusted_tvalid,
    input  logic        m_axis_untrusted_tready,
    output logic        m_axis_untrusted_tlast,
    output logic        ev_in,                    // pulse: a frame ended
    output logic [ 3:0] ev_in_bytes,              // bytes of the beat just taken
    output logic        ev_foreign,               // pulse: it was of another EtherType
    output logic        ev_runt                   // pulse: it had no room for a link packet
);
  logic in_valid, in_ready, in_last;
  logic [63:0] in_data;
  logic [ 3:0] in_bytes;
  logic out_valid, out_ready, out_last;
  logic [63:0] out_data;
  logic [ 3:0] out_bytes;

  axis_to_stream #(
      .DATA_BITS(64)
  ) u_rx (
      .s_axis_tdata(s_axis_untrusted_tdata),
      .s_axis_tkeep(s_axis_untrusted_tkeep),
      .s_axis_tvalid(s_axis_untrusted_tvalid),
      .s_axis_tready(s_axis_untrusted_tready),
      .s_axis_tlast(s_axis_untrusted_tlast),
      .m_valid(in_valid),
      .m_ready(in_ready),
      .m_data(in_data),
      .m_bytes(in_bytes),
      .m_last(in_last)
  );

  assign ev_in = in_valid && in_ready && in_last;
  assign ev_in_bytes = (in_valid && in_ready) ? in_bytes : 4'd0;

  stream_to_axis #(
      .DATA_BITS(64)
  ) u_tx (
      .s_valid(out_valid),
      .s_ready(out_ready),
      .s_data(out_data),
      .s_bytes(out_bytes),
      .s_last(out_last),
      .m_axis_tdata(m_axis_untrusted_tdata),
      .m_axis_tkeep(m_axis_untrusted_tkeep),
      .m_axis_tvalid(m_axis_untrusted_tvalid),
      .m_axis_tready(m_axis_untrusted_tready),
      .m_axis_tlast(m_axis_untrusted_tlast)
  );

  if (OUTER_ETHERNET) begin : g_outer
    outer_strip u_strip (
        .clk,
        .rst,
        .s_valid(in_valid),
        .s_ready(in_ready),
        .s_data(in_data),
        .s_bytes(in_bytes),
        .s_last(in_last),
        .m_valid(rx_valid),
        .m_ready(rx_ready),
        .m_data(rx_data),
        .m_bytes(rx_bytes),
        .m_last(rx_last),
        .foreign(ev_foreign),
        .runt(ev_runt)
    );
    outer_add u_add (
        .clk,
        .rst,
        .dst(cfg_peer_mac),
        .src(cfg_local_mac),
        .s_valid(tx_valid),
        .s_ready(tx_ready),
        .s_data(tx_data),
        .s_bytes(tx_bytes),
        .s_last(tx_last),
        .m_valid(out_valid),
        .m_ready(out_ready),
        .m_data(out_data),
        .m_bytes(out_bytes),
        .m_last(out_last)
    );
  end else begin : g_bare
    assign rx_valid = in_valid;
    assign in_ready = rx_ready;
    assign rx_data = in_data;
    assign rx_bytes = in_bytes;
    assign rx_last = in_last;
    assign out_valid = tx_valid;
    assign tx_ready = out_ready;
    assign out_data = tx_data;
    assign out_bytes = tx_bytes;
    assign out_last = tx_last;
    assign ev_foreign = 1'b0;
    assign ev_runt = 1'b0;

    logic unused;
    assign unused = &{1'b0, clk, rst, cfg_local_mac, cfg_peer_mac};
  end
endmodule
