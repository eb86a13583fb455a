// SPDX-License-Identifier: Apache-2.0
//
// From the trusted to the untrusted side: frames are measured, sealed in the current session, given their header and tag, and leave
// between handshake messages. Specification: docs/wire-format.md; module map: README.md.
// Byte order: byte i of every string is bits [8i+7:8i].

module link_tx
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0,
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic                                       trusted_clk,
    input  logic                                       rst_trusted,
    input  logic                                       core_clk,
    input  logic                                       rst_core,
    input  logic                                       untrusted_clk,
    input  logic                                       rst_untrusted,
    input  settings_t                                  settings,
    input  logic               [  BUILD.data_bits-1:0] s_axis_trusted_tdata,
    input  logic               [BUILD.data_bits/8-1:0] s_axis_trusted_tkeep,
    input  logic                                       s_axis_trusted_tvalid,
    input  logic                                       s_axis_trusted_tlast,
    input  logic                                       s_axis_trusted_tuser,
    output logic                                       s_axis_trusted_tready,
    output logic               [  BUILD.data_bits-1:0] m_axis_untrusted_tdata,
    output logic               [BUILD.data_bits/8-1:0] m_axis_untrusted_tkeep,
    output logic                                       m_axis_untrusted_tvalid,
    output logic                                       m_axis_untrusted_tlast,
    input  logic                                       m_axis_untrusted_tready,
    input  order_t                                     order,
    input  seed_t                                      seed,                     // for cores in shares
    input  logic                                       cur,                      // slot of the current session
    input  slot_t              [                  1:0] slots,
    input  keys_t              [                  1:0] keys_tx,
    input  logic                                       keepalive_valid,          // level: seal one in this slot
    output logic                                       keepalive_ready,
    input  logic                                       keepalive_slot,
    output logic               [                  1:0] take,                     // by slot: its packet number is spent
    input  message_beat_t                              message_out,              // handshake messages
    output logic                                       message_out_ready,
    output direction_t                                 tx,
    output direction_counted_t                         tx_counted
);
  // ------------------------------------------------------------------------------------------------ trusted_clk
  beat_t frame;
  logic  frame_ready;
  axis_to_stream #(
      .DATA_BITS(BUILD.data_bits)
  ) u_axis (
      .s_axis_tdata(s_axis_trusted_tdata),
      .s_axis_tkeep(s_axis_trusted_tkeep),
      .s_axis_tvalid(s_axis_trusted_tvalid),
      .s_axis_tready(s_axis_trusted_tready),
      .s_axis_tlast(s_axis_trusted_tlast),
      .m_valid(frame.valid),
      .m_ready(frame_ready),
      .m_data(frame.data),
      .m_bytes(frame.bytes),
      .m_last(frame.last)
  );

  beat_t ptxt;
  logic ptxt_ready, len_valid, len_ready;
  logic [LEN_BITS-1:0] len_data;
  receive_ptxt #(
      .BUILD (BUILD),
      .beat_t(beat_t)
  ) u_receive_ptxt (
      .*,
      .ptxt_ready(BUILD.slices ? g_slices.ptxt_room : ptxt_ready),
      .frame_bad(s_axis_trusted_tuser),
      .counted(tx_counted.trusted)
  );

  // ------------------------------------------------------------------------------------------------ core_clk
  logic clk, rst;
  assign clk = core_clk;
  assign rst = rst_core;

  command_t cmd, work;
  beat_t msg, out, sealed;
  result_t result;
  logic begins, begins_ready, cmd_ready, msg_ready, out_ready, result_ready, sealed_ready, work_done;
  logic put_idle, unused_tag_in_ready;
  put_to_enc #(
      .beat_t(beat_t)
  ) u_put_to_enc (
      .*,
      .ptxt(BUILD.slices ? g_slices.ptxt_q : ptxt),
      .idle(put_idle),
      .counted(tx_counted.core[0])
  );

  work_queue #(.DEPTH(in_work(BUILD.suite, BUILD.architecture, BUILD.lanes))) u_work (.*);

  session_aead #(
      .BUILD (BUILD),
      .OPEN  (1'b0),
      .beat_t(beat_t)
  ) u_encrypt (
      .*,
      .keys(keys_tx),
      .busy(tx.busy),
      .working(tx.working),
      .seedless(tx.seedless),
      .seed_ready(tx.seed_ready),
      .alarm(tx.alarm),
      .tag_in('0),
      .tag_in_ready(unused_tag_in_ready)
  );

  get_from_enc #(
      .SUITE (BUILD.suite),
      .SLICES(BUILD.slices),
      .beat_t(beat_t)
  ) u_get_from_enc (
      .*,
      .counted(tx_counted.core[1]),
      .sealed_bytes(tx_counted.sealed_bytes)
  );

  beat_t ctxt;
  logic  ctxt_ready;
  packet_merge #(
      .BUILD (BUILD),
      .beat_t(beat_t)
  ) u_merge (
      .*,
      .ctxt_ready(BUILD.slices ? g_slices.ctxt_room : ctxt_ready)
  );
  assign tx.idle = put_idle && !work.valid;
  assign tx.unclean = tx.busy || work.valid;
  if (BUILD.slices) begin : g_stirs
    assign tx.stirs = ptxt.valid || g_slices.ptxt_q.valid || ctxt.valid || g_slices.ctxt_q.valid;
  end else begin : g_stirs
    assign tx.stirs = ptxt.valid || ctxt.valid;
  end

  // ------------------------------------------------------------------------------------------------ untrusted_clk
  beat_t leaving, framed;
  logic leaving_ready, framed_ready, left, flushing, flushed;
  logic [4:0] left_bytes;
  link_send #(
      .beat_t(beat_t)
  ) u_send (
      .*,
      .clk(untrusted_clk),
      .rst(rst_untrusted),
      .flush(1'b0),  // sealed packets are no secret: they leave
      .s(BUILD.slices ? g_slices.ctxt_q : ctxt),
      .s_ready(ctxt_ready),
      .m(leaving),
      .m_ready(leaving_ready)
  );
  always_comb begin
    tx_counted.untrusted = '0;
    tx_counted.untrusted[COUNT_UNTRUSTED_OUT] = 5'(left);
  end

  if (BUILD.outer_ethernet) begin : g_outer
    outer_add #(.beat_t(beat_t)) u_add (.*);
  end else begin : g_bare
    assign framed = leaving;
    assign leaving_ready = framed_ready;
  end

  stream_to_axis #(
      .DATA_BITS(BUILD.data_bits)
  ) u_to_axis (
      .s_valid(framed.valid),
      .s_ready(framed_ready),
      .s_data(framed.data),
      .s_bytes(framed.bytes),
      .s_last(framed.last),
      .m_axis_tdata(m_axis_untrusted_tdata),
      .m_axis_tkeep(m_axis_untrusted_tkeep),
      .m_axis_tvalid(m_axis_untrusted_tvalid),
      .m_axis_tready(m_axis_untrusted_tready),
      .m_axis_tlast(m_axis_untrusted_tlast)
  );

  // ------------------------------------------------------------------------------------------------ behind the FIFOs
  if (BUILD.slices) begin : g_slices
    beat_t ptxt_q, ctxt_q;
    logic ptxt_room, ctxt_room;
    link_slice #(
        .beat_t(beat_t)
    ) u_ptxt (
        .clk(core_clk),
        .rst(rst_core),
        .s(ptxt),
        .s_ready(ptxt_room),
        .m(ptxt_q),
        .m_ready(ptxt_ready)
    );
    link_slice #(
        .beat_t(beat_t)
    ) u_ctxt (
        .clk(untrusted_clk),
        .rst(rst_untrusted),
        .s(ctxt),
        .s_ready(ctxt_room),
        .m(ctxt_q),
        .m_ready(ctxt_ready)
    );
  end else begin : g_slices
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam beat_t ptxt_q = '0;
    localparam beat_t ctxt_q = '0;
    localparam bit ptxt_room = 1'b0;
    localparam bit ctxt_room = 1'b0;
    // verilog_lint: waive-stop parameter-name-style
  end

  wire unused = &{1'b0, settings, unused_tag_in_ready, flushing, flushed, left_bytes};
endmodule
