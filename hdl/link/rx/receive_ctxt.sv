// SPDX-License-Identifier: Apache-2.0
//
// Entrance of the untrusted side: receive rules 1 and 2, which need nothing but the packet itself, judged at line rate.
// Specification: docs/wire-format.md, "Rules on receive": overload, short, version, type, suite, length, in this order.
// Good data packets go whole into fifo_ctxt, cut to their stated length (the rest is Ethernet padding); of bad ones
// nothing stays. Handshake messages queue apart (eight beats each, see hs_take) and never hold up data: without room they drop.
// DROP_WHEN_FULL = 1: never stalls; a packet without room is dropped whole. 0: stalls until there is room for data.

module receive_ctxt #(
    parameter logic [7:0] SUITE = 8'h01,
    parameter bit DROP_WHEN_FULL = 1'b1
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        s_valid,
    output logic        s_ready,
    input  logic [63:0] s_data,
    input  logic [ 3:0] s_bytes,
    input  logic        s_last,
    input  logic        handshake,     // quasi-static: handshakes are on
    input  logic        initiator,     // quasi-static
    output logic        fifo_valid,    // data
    input  logic        fifo_ready,
    output logic [63:0] fifo_data,
    output logic [ 3:0] fifo_bytes,
    output logic        fifo_last,
    output logic        fifo_commit,
    output logic        fifo_discard,
    output logic        hs_valid,      // handshake messages
    input  logic        hs_ready,
    output logic [63:0] hs_data,
    output logic        hs_last,
    output logic        hs_commit,
    output logic        hs_discard,
    output logic        ev_overload,   // pulses: the packet ended and was dropped for this cause
    output logic        ev_short,
    output logic        ev_version,
    output logic        ev_type,
    output logic        ev_suite,
    output logic        ev_length
);
  import link_pkg::*;

  localparam suite_t INFO = suite_info(SUITE);
  localparam logic [15:0] MIN_LENGTH = 16'(INFO.tag_bytes + 1);
  localparam logic [15:0] MAX_LENGTH = 16'(INFO.tag_bytes + MAX_FRAME);
  localparam logic [17:0] ENDLESS = 18'h3_0000;  // the byte count stops here, beyond every length that can be stated

  header_t header, header_q;
  logic first_q;  // the next beat is a packet's first
  logic [17:0] before_q;  // bytes before this beat
  logic [13:0] index_q;  // beats before this beat, stops at the top
  logic overload_q;  // room was missing for a beat of this packet
  logic take;

  assign header = first_q ? header_of(s_data) : header_q;

  // Rules in order; `total` counts only at the last beat.
  logic [17:0] total;
  logic [16:0] stated;
  logic bad_short, bad_version, bad_type, bad_suite, bad_length, is_hs, sound;
  assign total = before_q + 18'(s_bytes);
  assign stated = 17'(HEADER_BYTES) + 17'(header.length);
  assign bad_short = total < 18'(HEADER_BYTES) || total < 18'(stated);
  assign bad_version = header.version != WIRE_VERSION;
  assign is_hs = handshake && (initiator ? header.kind == TYPE_REPLY : header.kind inside {TYPE_HELLO, TYPE_CONFIRM});
  assign bad_type = header.kind != TYPE_DATA && !is_hs;
  assign bad_suite = header.suite != SUITE;
  assign bad_length = is_hs ? header.length != 16'(HANDSHAKE_LENGTH) :
      (header.length < MIN_LENGTH || header.length > MAX_LENGTH);
  assign sound = !bad_version && !bad_type && !bad_suite && !bad_length;

  // Beats to keep: the header's two and the stated body.
  logic [13:0] end_index;  // of the last beat to keep
  logic wanted, hs_wanted, final_beat, room_missing;
  assign end_index = 14'd1 + 14'((17'(header.length) + 17'd7) >> 3);
  assign wanted = index_q <= end_index && !overload_q && !is_hs;
  assign hs_wanted = index_q inside {[14'd1 : 14'd8]} && !overload_q && is_hs;
  assign final_beat = index_q == end_index;
  assign room_missing = (DROP_WHEN_FULL && wanted && !fifo_ready) || (hs_wanted && !hs_ready);

  assign s_ready = !rst && (DROP_WHEN_FULL || !wanted || !sound || fifo_ready);
  assign take = s_valid && s_ready;

  assign fifo_valid = s_valid && !rst && wanted && sound && !(s_last && bad_short);
  assign fifo_data = s_data;
  assign fifo_last = final_beat;
  assign fifo_bytes = final_beat ? {1'b0, header.length[2:0] - 3'd1} + 4'd1 : 4'd8;

  logic overload, whole;
  assign overload = overload_q || room_missing;
  assign whole = take && s_last && !overload && !bad_short && sound;
  assign fifo_commit = whole && !is_hs;
  assign fifo_discard = take && (s_last ? !fifo_commit : overload && !overload_q);

  assign hs_valid = s_valid && !rst && hs_wanted && sound && !(s_last && bad_short);
  assign hs_data = (index_q == 14'd1) ? {27'd0, s_data != '0, header.kind, header.sid} : s_data;
  assign hs_last = index_q == 14'd8;
  assign hs_commit = whole && is_hs;
  assign hs_discard = take && (s_last ? !hs_commit : overload && !overload_q);

  logic ended;
  assign ended = take && s_last;
  assign ev_overload = ended && overload;
  assign ev_short = ended && !overload && bad_short;
  assign ev_version = ended && !overload && !bad_short && bad_version;
  assign ev_type = ended && !overload && !bad_short && !bad_version && bad_type;
  assign ev_suite = ended && !overload && !bad_short && !bad_version && !bad_type && bad_suite;
  assign ev_length = ended && !overload && !bad_short && !bad_version && !bad_type && !bad_suite && bad_length;

  always_ff @(posedge clk) begin
    if (take) begin
      first_q <= s_last;
      if (first_q) header_q <= header;
      if (before_q < ENDLESS) before_q <= total;
      if (index_q != '1) index_q <= index_q + 14'd1;
      overload_q <= overload;
      if (s_last) begin
        before_q   <= '0;
        index_q    <= '0;
        overload_q <= 1'b0;
      end
    end
    if (rst) begin
      first_q    <= 1'b1;
      before_q   <= '0;
      index_q    <= '0;
      overload_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst) begin
      a_no_stall :
      assert (!DROP_WHEN_FULL || s_ready)
      else $error("receive_ctxt: stalls the untrusted side");
      a_one_fate :
      assert (!ended || $onehot(
          {fifo_commit, hs_commit, ev_overload, ev_short, ev_version, ev_type, ev_suite, ev_length}
      ))
      else $error("receive_ctxt: a packet must have exactly one fate");
    end
`endif
endmodule
