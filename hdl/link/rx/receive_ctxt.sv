// SPDX-License-Identifier: Apache-2.0
//
// Entrance of the untrusted side: receive rules 1 and 2, which need nothing but the packet itself, judged at line rate.
// Specification: docs/wire-format.md, "Rules on receive": overload, short, version, type, suite, length, in this order.
// Good data packets go whole into fifo_ctxt, cut to their stated length (the rest is Ethernet padding); of bad ones
// nothing stays. Handshake messages queue apart (eight beats each, see hs_take) and never hold up data: without room they drop.
// BUILD.drop_when_full = 1: never stalls; a packet without room is dropped whole. 0: stalls until there is room for data.

module receive_ctxt
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0
) (
    input  logic      untrusted_clk,
    input  logic      rst_untrusted,
    input  logic      core_clk,
    input  logic      rst_core,
    input  settings_t settings,
    input  identity_t identity,         // core_clk
    input  beat_t     arriving,         // untrusted_clk: link packets
    input  logic      arriving_bad,     // at its last beat: the frame around it is damaged
    output logic      arriving_ready,
    output counted_t  dropped,          // untrusted_clk, by cause
    output beat_t     ctxt,             // core_clk: data packets
    input  logic      ctxt_ready,
    output beat_t     message_in,       // core_clk: handshake messages
    input  logic      message_in_ready
);
  localparam suite_t INFO = suite_info(BUILD.suite);
  localparam logic [15:0] MIN_LENGTH = 16'(INFO.tag_bytes + 1);
  localparam logic [15:0] MAX_LENGTH = 16'(INFO.tag_bytes + MAX_FRAME);
  localparam logic [17:0] ENDLESS = 18'h3_0000;  // the byte count stops here, beyond every length that can be stated

  logic handshake_q, handshake_u, initiator_u;
  always_ff @(posedge core_clk) handshake_q <= settings.handshake && !identity.bad;
  sync_bits #(
      .WIDTH(2)
  ) u_role (
      .clk(untrusted_clk),
      .d  ({handshake_q, identity.initiator}),
      .q  ({handshake_u, initiator_u})
  );

  header_t header, header_q;
  logic first_q;  // the next beat is a packet's first
  logic [17:0] before_q;  // bytes before this beat
  logic [13:0] index_q;  // beats before this beat, stops at the top
  logic overload_q;  // room was missing for a beat of this packet
  logic take;

  assign header = first_q ? header_of(arriving.data) : header_q;

  // Rules in order; `total` counts only at the last beat.
  logic [17:0] total;
  logic [16:0] stated;
  logic bad_short, bad_version, bad_type, bad_suite, bad_length, is_hs, sound;
  assign total = before_q + 18'(arriving.bytes);
  assign stated = 17'(HEADER_BYTES) + 17'(header.length);
  assign bad_short = total < 18'(stated);
  assign bad_version = header.version != WIRE_VERSION;
  assign is_hs = handshake_u && (initiator_u ? header.kind == TYPE_REPLY :
      header.kind inside {TYPE_HELLO, TYPE_CONFIRM});
  assign bad_type = header.kind != TYPE_DATA && !is_hs;
  assign bad_suite = header.suite != BUILD.suite;
  assign bad_length = is_hs ? header.length != 16'(HANDSHAKE_LENGTH) :
      (header.length < MIN_LENGTH || header.length > MAX_LENGTH);
  assign sound = !bad_version && !bad_type && !bad_suite && !bad_length;

  // Beats to keep: the header's two and the stated body.
  logic [13:0] end_index;  // of the last beat to keep
  logic wanted, hs_wanted, final_beat, room_missing, fifo_ready, message_ready;
  assign end_index = 14'd1 + 14'((17'(header.length) + 17'd7) >> 3);
  assign wanted = index_q <= end_index && !overload_q && !is_hs;
  assign hs_wanted = index_q inside {[14'd1 : 14'd8]} && !overload_q && is_hs;
  assign final_beat = index_q == end_index;
  assign room_missing = (BUILD.drop_when_full && wanted && !fifo_ready) || (hs_wanted && !message_ready);

  assign arriving_ready = !rst_untrusted && (BUILD.drop_when_full || !wanted || !sound || fifo_ready);
  assign take = arriving.valid && arriving_ready;

  logic offer;
  beat_t data, message;
  assign offer = arriving.valid && !rst_untrusted && sound && !(arriving.last && bad_short);
  assign data = '{
          valid: offer && wanted,
          data: arriving.data,
          bytes: final_beat ? {1'b0, header.length[2:0] - 3'd1} + 4'd1 : 4'd8,
          last: final_beat
      };
  assign message = '{
          valid: offer && hs_wanted,
          data:
          (
          index_q == 14'd2
          ) ?
          {27'd0, arriving.data != settings.peer_id, header.kind, header.sid}
          :
          arriving.data,
          bytes: 4'd8,
          last: index_q == 14'd8
      };

  logic overload, whole, ended, commit, hs_commit, gives_up;
  assign overload = overload_q || room_missing;
  assign whole = take && arriving.last && !overload && !arriving_bad && !bad_short && sound;
  // Bad packets vanish at their end, those without room at once.
  assign commit = whole && !is_hs;
  assign hs_commit = whole && is_hs;
  assign gives_up = take && overload && !overload_q;
  assign ended = take && arriving.last;
  // The first cause in the order of the rules; nothing that a damaged frame says is one.
  always_comb begin
    dropped = '0;
    if (arriving_bad) dropped[COUNT_DROP_BAD] = 4'(ended);
    else if (overload) dropped[COUNT_DROP_OVERLOAD] = 4'(ended);
    else if (bad_short) dropped[COUNT_DROP_SHORT] = 4'(ended);
    else if (bad_version) dropped[COUNT_DROP_VERSION] = 4'(ended);
    else if (bad_type) dropped[COUNT_DROP_TYPE] = 4'(ended);
    else if (bad_suite) dropped[COUNT_DROP_SUITE] = 4'(ended);
    else if (bad_length) dropped[COUNT_DROP_LENGTH] = 4'(ended);
  end

  always_ff @(posedge untrusted_clk) begin
    if (take) begin
      first_q <= arriving.last;
      if (first_q) header_q <= header;
      if (before_q < ENDLESS) before_q <= total;
      if (index_q != '1) index_q <= index_q + 14'd1;
      overload_q <= overload;
      if (arriving.last) begin
        before_q   <= '0;
        index_q    <= '0;
        overload_q <= 1'b0;
      end
    end
    if (rst_untrusted) begin
      first_q    <= 1'b1;
      before_q   <= '0;
      index_q    <= '0;
      overload_q <= 1'b0;
    end
  end

  // Handshake messages queue apart: four places of eight beats.
  packet_fifo_async #(
      .DEPTH(32)
  ) u_fifo_handshake (
      .s_clk(untrusted_clk),
      .s_rst(rst_untrusted),
      .s_valid(message.valid),
      .s_ready(message_ready),
      .s_data(message.data),
      .s_bytes(message.bytes),
      .s_last(message.last),
      .s_commit(hs_commit),
      .s_discard(gives_up || (take && arriving.last && !hs_commit)),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m_valid(message_in.valid),
      .m_ready(message_in_ready),
      .m_data(message_in.data),
      .m_bytes(message_in.bytes),
      .m_last(message_in.last)
  );

  packet_fifo_async #(
      .DEPTH(BUILD.fifo_bytes / 8)
  ) u_fifo_ctxt (
      .s_clk(untrusted_clk),
      .s_rst(rst_untrusted),
      .s_valid(data.valid),
      .s_ready(fifo_ready),
      .s_data(data.data),
      .s_bytes(data.bytes),
      .s_last(data.last),
      .s_commit(commit),
      .s_discard(gives_up || (take && arriving.last && !commit)),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m_valid(ctxt.valid),
      .m_ready(ctxt_ready),
      .m_data(ctxt.data),
      .m_bytes(ctxt.bytes),
      .m_last(ctxt.last)
  );

  wire unused = &{1'b0, settings, identity};

`ifndef SYNTHESIS
  always_ff @(posedge untrusted_clk)
    if (!rst_untrusted) begin
      a_no_stall :
      assert (!BUILD.drop_when_full || arriving_ready)
      else $error("receive_ctxt: stalls the untrusted side");
      a_one_fate :
      assert (!ended || $onehot({commit, hs_commit, dropped}))
      else $error("receive_ctxt: a packet must have exactly one fate");
    end
`endif
endmodule
