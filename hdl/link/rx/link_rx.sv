// SPDX-License-Identifier: Apache-2.0
//
// From the untrusted to the trusted side: packets are judged by the receive rules 1 to 6, opened, and their frames leave after their
// verdict. Handshake messages are handed to the handshake. Specification: docs/wire-format.md; module map: README.md.
// Byte order: byte i of every string is bits [8i+7:8i].
// Security: nothing leaves before its tag and its packet number were accepted.

module link_rx
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0,
    parameter type beat_t = link_types_pkg::beat_t
) (
    input logic trusted_clk,
    input logic rst_trusted,
    input logic core_clk,
    input logic rst_core,
    input logic untrusted_clk,
    input logic rst_untrusted,
    input settings_t settings,
    input logic [BUILD.data_bits-1:0] s_axis_untrusted_tdata,
    input logic [BUILD.data_bits/8-1:0] s_axis_untrusted_tkeep,
    input logic s_axis_untrusted_tvalid,
    input logic s_axis_untrusted_tlast,
    input logic s_axis_untrusted_tuser,
    output logic s_axis_untrusted_tready,
    output logic [BUILD.data_bits-1:0] m_axis_trusted_tdata,
    output logic [BUILD.data_bits/8-1:0] m_axis_trusted_tkeep,
    output logic m_axis_trusted_tvalid,
    output logic m_axis_trusted_tlast,
    input logic m_axis_trusted_tready,
    input identity_t identity,
    input order_t order,
    input seed_t seed,  // for cores in shares
    input slot_t [1:0] slots,
    input keys_t [1:0] keys_rx,
    input logic coming,  // level: a session of this id may be in a slot soon
    input logic [31:0] coming_sid,
    input awaited_t awaited,
    output message_beat_t message_in,  // handshake messages
    input logic message_in_ready,
    output logic good,  // pulse: a valid packet
    output logic good_slot,
    output logic [1:0][63:0] accepted,  // by slot: highest accepted packet number + 1
    output direction_t rx,
    output direction_counted_t rx_counted
);
  // ------------------------------------------------------------------------------------------------ untrusted_clk
  beat_t framed, arriving;
  logic framed_ready, framed_bad, arriving_ready, arriving_bad, arriving_known, foreign, runt, damaged;
  assign framed_bad = s_axis_untrusted_tuser;
  axis_to_stream #(
      .DATA_BITS(BUILD.data_bits)
  ) u_axis (
      .s_axis_tdata(s_axis_untrusted_tdata),
      .s_axis_tkeep(s_axis_untrusted_tkeep),
      .s_axis_tvalid(s_axis_untrusted_tvalid),
      .s_axis_tready(s_axis_untrusted_tready),
      .s_axis_tlast(s_axis_untrusted_tlast),
      .m_valid(framed.valid),
      .m_ready(framed_ready),
      .m_data(framed.data),
      .m_bytes(framed.bytes),
      .m_last(framed.last)
  );

  if (BUILD.outer_ethernet) begin : g_outer
    outer_strip #(
        .beat_t(beat_t)
    ) u_strip (
        .*,
        .arriving_ready(BUILD.slices ? g_slices.arriving_room : arriving_ready)
    );
  end else begin : g_bare
    assign arriving = framed;
    assign arriving_bad = framed_bad;
    assign arriving_known = 1'b1;
    assign framed_ready = BUILD.slices ? g_slices.arriving_room : arriving_ready;
    assign foreign = 1'b0;
    assign runt = 1'b0;
    assign damaged = 1'b0;
  end

  counted_t dropped;
  beat_t ctxt;
  logic ctxt_ready;
  receive_ctxt #(
      .BUILD (BUILD),
      .beat_t(beat_t)
  ) u_receive_ctxt (
      .*,
      .arriving(BUILD.slices ? g_slices.arriving_beat : arriving),
      .arriving_bad(BUILD.slices ? g_slices.arriving_q.bad : arriving_bad),
      .arriving_known(BUILD.slices ? g_slices.arriving_q.known : arriving_known),
      .ctxt_ready(BUILD.slices ? g_slices.ctxt_room : ctxt_ready)
  );
  always_comb begin
    rx_counted.untrusted = dropped;
    rx_counted.untrusted[COUNT_UNTRUSTED_IN] = 5'(framed.valid && framed_ready && framed.last);
    rx_counted.untrusted[COUNT_UNTRUSTED_IN_BYTES] = (framed.valid && framed_ready) ? 5'(framed.bytes) : 5'd0;
    rx_counted.untrusted[COUNT_DROP_FOREIGN] = 5'(foreign);
    rx_counted.untrusted[COUNT_DROP_BAD] = dropped[COUNT_DROP_BAD] + 5'(damaged);
    rx_counted.untrusted[COUNT_DROP_SHORT] = dropped[COUNT_DROP_SHORT] + 5'(runt);
  end

  // ------------------------------------------------------------------------------------------------ core_clk
  logic clk, rst;
  assign clk = core_clk;
  assign rst = rst_core;

  command_t cmd, work;
  beat_t msg, out;
  tag_t tag_in;
  result_t result;
  logic begins, begins_ready, cmd_ready, msg_ready, tag_in_ready, out_ready, result_ready, work_done;
  logic put_idle, room_ok, wiping, exit_closed, verdict_good;
  logic [1:0] check_valid, check_ready, check_fresh, window_ready, done, fresh;
  logic [63:0] pn;
  logic mark_valid, mark_done, mark_fresh;

  put_to_dec #(
      .SUITE (BUILD.suite),
      .N_MAX (BUILD.n_max),
      .beat_t(beat_t)
  ) u_put_to_dec (
      .*,
      .ctxt(BUILD.slices ? g_slices.ctxt_q : ctxt),
      .idle(put_idle),
      .counted(rx_counted.core[0])
  );

  // Both windows hear one number, and a mark goes before a check. With slices they hear of a mark from a register.
  if (BUILD.slices) begin : g_mark
    logic valid_q;
    packet_t packet_q;
    always_ff @(posedge clk) begin
      valid_q  <= mark_valid && !rst;
      packet_q <= work.packet;
    end
  end else begin : g_mark
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam logic valid_q = 1'b0;
    localparam packet_t packet_q = '0;
    // verilog_lint: waive-stop parameter-name-style
  end
  assign pn = (BUILD.slices ? g_mark.valid_q : mark_valid) ?
      (BUILD.slices ? g_mark.packet_q.number : work.packet.number) : cmd.packet.number;
  assign check_ready = (BUILD.slices ? g_mark.valid_q : mark_valid) ? '0 : window_ready;
  for (genvar i = 0; i < 2; i++) begin : g_window
    replay_window #(
        .WINDOW(BUILD.replay_window)
    ) u_window (
        .*,
        .install(order.install[i]),
        .check_valid(check_valid[i]),
        .check_ready(window_ready[i]),
        .check_fresh(check_fresh[i]),
        .mark_valid((BUILD.slices ? g_mark.valid_q : mark_valid) &&
                    (BUILD.slices ? g_mark.packet_q.slot : work.packet.slot) == 1'(i)),
        .mark_done(done[i]),
        .mark_fresh(fresh[i]),
        .next(accepted[i])
    );
  end
  assign mark_done  = done != 2'd0;
  assign mark_fresh = (fresh & done) != 2'd0;

  work_queue #(.DEPTH(in_work(BUILD.suite, BUILD.architecture, BUILD.lanes))) u_work (.*);

  session_aead #(
      .BUILD (BUILD),
      .OPEN  (1'b1),
      .beat_t(beat_t)
  ) u_decrypt (
      .*,
      .keys(keys_rx),
      .busy(rx.busy),
      .working(rx.working),
      .seedless(rx.seedless),
      .seed_ready(rx.seed_ready),
      .alarm(rx.alarm)
  );

  beat_t ptxt;  // verified
  logic  ptxt_ready;
  get_from_dec #(
      .STORE_BYTES(BUILD.store_bytes),
      .DESCRIPTORS(512),
      .SLICES(BUILD.slices),
      .beat_t(beat_t)
  ) u_get_from_dec (
      .*,
      .ptxt_ready(BUILD.slices ? g_slices.ptxt_room : ptxt_ready),
      .counted(rx_counted.core[1]),
      .good(verdict_good)
  );

  // A verdict reaches the sessions a cycle later, behind a register, and the packet counts as in work until then.
  always_ff @(posedge clk) begin
    good      <= verdict_good && !rst;
    good_slot <= work.packet.slot;
  end

  assign rx.idle = put_idle && !work.valid && !good;
  assign rx.unclean = rx.busy || wiping || work.valid;
  if (BUILD.slices) begin : g_stirs
    assign rx.stirs = message_in.valid || ctxt.valid || g_slices.ctxt_q.valid || ptxt.valid || g_slices.ptxt_q.valid ||
        g_slices.arriving_q.valid ||
        exit_closed;
  end else begin : g_stirs
    assign rx.stirs = message_in.valid || ctxt.valid || ptxt.valid || exit_closed;
  end
  assign rx_counted.sealed_bytes = '0;

  // ------------------------------------------------------------------------------------------------ trusted_clk
  beat_t leaving;
  logic  leaving_ready;
  logic flush, flushing, left, flushed;
  logic [4:0] left_bytes;
  link_flush u_flush (
      .*,
      .core_rst(rst_core),
      .wipe(order.wipe),
      .closed(exit_closed)
  );
  link_send #(
      .beat_t(beat_t)
  ) u_send (
      .*,
      .clk(trusted_clk),
      .rst(rst_trusted),
      .s(BUILD.slices ? g_slices.ptxt_q : ptxt),
      .s_ready(ptxt_ready),
      .m(leaving),
      .m_ready(leaving_ready)
  );
  always_comb begin
    rx_counted.trusted = '0;
    rx_counted.trusted[COUNT_DELIVERED] = 5'(left);
    rx_counted.trusted[COUNT_DELIVERED_BYTES] = left_bytes;
    rx_counted.trusted[COUNT_DROP_SESSION] = 5'(flushed);
  end

  stream_to_axis #(
      .DATA_BITS(BUILD.data_bits)
  ) u_to_axis (
      .s_valid(leaving.valid),
      .s_ready(leaving_ready),
      .s_data(leaving.data),
      .s_bytes(leaving.bytes),
      .s_last(leaving.last),
      .m_axis_tdata(m_axis_trusted_tdata),
      .m_axis_tkeep(m_axis_trusted_tkeep),
      .m_axis_tvalid(m_axis_trusted_tvalid),
      .m_axis_tready(m_axis_trusted_tready),
      .m_axis_tlast(m_axis_trusted_tlast)
  );

  // ------------------------------------------------------------------------------------------------ register slices
  // What arrives and is ready for the entrance, then behind the FIFOs
  typedef struct packed {
    logic                               valid;
    logic [BUILD.data_bits-1:0]         data;
    logic [$clog2(BUILD.data_bits/8):0] bytes;
    logic                               last;
    logic                               bad;
    logic                               known;
  } arriving_t;
  if (BUILD.slices) begin : g_slices
    arriving_t arriving_q;
    beat_t arriving_beat, ptxt_q, ctxt_q;
    logic arriving_room, ptxt_room, ctxt_room;
    assign arriving_beat = arriving_q[$bits(arriving_t)-1-:$bits(beat_t)];
    link_slice #(
        .beat_t(arriving_t)
    ) u_arriving (
        .clk(untrusted_clk),
        .rst(rst_untrusted),
        .s({arriving, arriving_bad, arriving_known}),
        .s_ready(arriving_room),
        .m(arriving_q),
        .m_ready(arriving_ready)
    );
    link_slice #(
        .beat_t(beat_t)
    ) u_ptxt (
        .clk(trusted_clk),
        .rst(rst_trusted),
        .s(ptxt),
        .s_ready(ptxt_room),
        .m(ptxt_q),
        .m_ready(ptxt_ready)
    );
    link_slice #(
        .beat_t(beat_t)
    ) u_ctxt (
        .clk(core_clk),
        .rst(rst_core),
        .s(ctxt),
        .s_ready(ctxt_room),
        .m(ctxt_q),
        .m_ready(ctxt_ready)
    );
  end else begin : g_slices
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam arriving_t arriving_q = '0;
    localparam beat_t arriving_beat = '0;
    localparam beat_t ptxt_q = '0;
    localparam beat_t ctxt_q = '0;
    localparam bit arriving_room = 1'b0;
    localparam bit ptxt_room = 1'b0;
    localparam bit ctxt_room = 1'b0;
    // verilog_lint: waive-stop parameter-name-style
  end

  wire unused = &{1'b0, order};
endmodule
