// SPDX-License-Identifier: Apache-2.0
//
// Entrance of the untrusted side: receive rules 1 and 2, and of handshake messages 3 and 4, which need no MAC, judged at line rate.
// Specification: docs/wire-format.md, "Rules on receive": overload, short, version, type, suite, length, session, peer, number.
// Good data packets go whole into fifo_ctxt, cut to their stated length (the rest is Ethernet padding); of bad ones
// nothing stays. Handshake messages queue apart (eight words each, see hs_take) and never hold up data: without room they drop. One
// that these rules refuse takes no place there, and an initiator hears none but from its peer's address.
// BUILD.drop_when_full = 1: never stalls; a packet without room is dropped whole. 0: stalls until there is room for data.

module receive_ctxt
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0,
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic          untrusted_clk,
    input  logic          rst_untrusted,
    input  logic          core_clk,
    input  logic          rst_core,
    input  settings_t     settings,
    input  identity_t     identity,         // core_clk
    input  beat_t         arriving,         // untrusted_clk: link packets
    input  logic          arriving_bad,     // at its last beat: the frame around it is damaged
    input  logic          arriving_known,   // at its first beat: it comes from the peer's address
    output logic          arriving_ready,
    output counted_t      dropped,          // untrusted_clk, by cause
    output beat_t         ctxt,             // core_clk: data packets
    input  logic          ctxt_ready,
    input  awaited_t      awaited,          // core_clk: the session id of a hello-reply or confirm
    output message_beat_t message_in,       // core_clk: handshake messages
    input  logic          message_in_ready
);
  localparam suite_t INFO = suite_info(BUILD.suite);
  localparam logic [15:0] MIN_LENGTH = 16'(INFO.tag_bytes + 1);
  localparam logic [15:0] MAX_LENGTH = 16'(INFO.tag_bytes + MAX_FRAME);
  localparam int unsigned BYTES = $bits(arriving.data) / 8;
  localparam int unsigned PLACE_BITS = $clog2(BYTES);
  localparam logic [PLACE_BITS:0] FULL = (PLACE_BITS + 1)'(BYTES);
  localparam bit LONG_HEADER = BYTES < HEADER_BYTES;  // of two beats
  // Of a handshake message, the index of the beat with the id, and of the last one
  localparam logic [3:0] ID_AT = 4'(HEADER_BYTES / BYTES);
  localparam logic [3:0] LAST_OF_MESSAGE = 4'((HEADER_BYTES + HANDSHAKE_LENGTH - 1) / BYTES);

  logic handshake_q, handshake_u, initiator_u;
  always_ff @(posedge core_clk) handshake_q <= settings.handshake && !identity.bad;
  sync_bits #(
      .WIDTH(2)
  ) u_role (
      .clk(untrusted_clk),
      .d  ({handshake_q, identity.initiator}),
      .q  ({handshake_u, initiator_u})
  );

  // Told again and again. A new id is known here some cycles late: the message that carries it to the peer is computed first, so
  // no answer can come sooner.
  awaited_t awaited_q, told;
  logic told_valid, told_ready;
  cdc_bus #(
      .WIDTH($bits(awaited_t))
  ) u_awaited (
      .s_clk  (core_clk),
      .s_rst  (rst_core),
      .s_valid(1'b1),
      .s_ready(told_ready),
      .s_data (awaited),
      .m_clk  (untrusted_clk),
      .m_rst  (rst_untrusted),
      .m_valid(told_valid),
      .m_ready(1'b1),
      .m_data (told)
  );
  always_ff @(posedge untrusted_clk) begin
    if (told_valid) awaited_q <= told;
    if (rst_untrusted) awaited_q <= '0;
  end

  // What the first beat says is judged as it comes and stands in registers from the second beat on. The first of two beats of a header
  // is written on trial: a packet of one beat is short, whatever it says.
  typedef struct packed {
    logic version;
    logic kind;
    logic suite;
    logic length;
    logic session;  // the last three of handshake messages
    logic peer;
    logic number;
  } faults_t;
  faults_t said, faults_q, faults;
  header_t header;
  logic first_q;  // the next beat is a packet's first
  logic overload_q;  // room was missing for a beat of this packet
  logic is_hs, is_hs_q, bad_length, bad_session, sound, take;
  logic known, known_q;
  assign header = header_of(arriving.data[63:0]);
  assign is_hs = first_q ? handshake_u && (initiator_u ? header.kind == TYPE_REPLY :
      header.kind inside {TYPE_HELLO, TYPE_CONFIRM}) : is_hs_q;
  assign bad_length = is_hs ? header.length != 16'(HANDSHAKE_LENGTH) :
      (header.length < MIN_LENGTH || header.length > MAX_LENGTH);
  assign bad_session = header.kind == TYPE_HELLO ? header.sid != '0 : !awaited_q.valid || header.sid != awaited_q.sid;
  assign said = '{
          version: header.version != WIRE_VERSION,
          kind: header.kind != TYPE_DATA && !is_hs,
          suite: header.suite != BUILD.suite,
          length: bad_length,
          session: is_hs && bad_session,
          peer: is_hs && initiator_u && !arriving_known,
          number: 1'b0
      };
  assign faults = !first_q ? faults_q : LONG_HEADER ? '0 : said;
  assign sound = faults == '0;
  assign known = first_q ? arriving_known : known_q;

  // Bytes of the stated packet that have not come, and beats of it to keep, both after the beats so far.
  logic [16:0] missing_q, missing_next;
  logic [13:0] left_q;
  logic [3:0] index_q, kind_q;  // of this beat, stops at the top
  logic [31:0] sid_q;
  logic [PLACE_BITS-1:0] tail_q;  // bytes in the last beat to keep, modulo a beat
  logic [63:0] rest_q;  // the last eight bytes of the beat before
  logic bad_short, wanted, hs_wanted, final_beat, room_missing, fifo_ready, message_ready;
  assign bad_short = first_q ? LONG_HEADER || arriving.bytes != FULL || header.length != '0 :
      missing_q[16:PLACE_BITS+1] != '0 || missing_q[PLACE_BITS:0] > arriving.bytes;
  assign missing_next = first_q ? 17'(header.length) + 17'(5'(HEADER_BYTES) - 5'(arriving.bytes)) :
      bad_short ? missing_q - 17'(arriving.bytes) : '0;
  assign wanted = (first_q || (BUILD.slices ? g_left.more_q : left_q != '0)) && !overload_q && !is_hs;
  assign hs_wanted = index_q inside {[4'd1 : LAST_OF_MESSAGE]} && !overload_q && is_hs_q;
  assign final_beat = !first_q && (BUILD.slices ? g_left.one_q : left_q == 14'd1);
  assign room_missing = (BUILD.drop_when_full && wanted && !fifo_ready) || (hs_wanted && !message_ready);

  assign arriving_ready = !rst_untrusted && (BUILD.drop_when_full || !wanted || !sound || fifo_ready);
  assign take = arriving.valid && arriving_ready;

  logic offer;
  logic [63:0] word;
  beat_t data, message;
  assign offer = arriving.valid && !rst_untrusted && sound && !(arriving.last && bad_short);
  assign data = '{
          valid: offer && wanted,
          data: arriving.data,
          bytes: final_beat ? {1'b0, tail_q - PLACE_BITS'(1)} + (PLACE_BITS + 1)'(1) : FULL,
          last: final_beat
      };
  // Of a message goes what follows the first eight bytes, with what is left of the header in place of the id.
  assign word = (index_q == ID_AT) ? {28'd0, kind_q, sid_q} : arriving.data[63:0];
  assign message = '{
          valid: offer && hs_wanted,
          data: (8 * BYTES)'(LONG_HEADER ? 128'(word) : {word, rest_q}),
          bytes: FULL,
          last: index_q == LAST_OF_MESSAGE
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
    if (arriving_bad) dropped[COUNT_DROP_BAD] = 5'(ended);
    else if (overload) dropped[COUNT_DROP_OVERLOAD] = 5'(ended);
    else if (bad_short) dropped[COUNT_DROP_SHORT] = 5'(ended);
    else if (faults.version) dropped[COUNT_DROP_VERSION] = 5'(ended);
    else if (faults.kind) dropped[COUNT_DROP_TYPE] = 5'(ended);
    else if (faults.suite) dropped[COUNT_DROP_SUITE] = 5'(ended);
    else if (faults.length) dropped[COUNT_DROP_LENGTH] = 5'(ended);
    else if (faults.session) dropped[COUNT_DROP_SESSION] = 5'(ended);
    else if (faults.peer) dropped[COUNT_DROP_PEER] = 5'(ended);
    else if (faults.number) dropped[COUNT_DROP_NUMBER] = 5'(ended);
  end

  // Whether beats of the packet come, and whether one does
  if (BUILD.slices) begin : g_left
    logic more_q, one_q;
    always_ff @(posedge untrusted_clk)
      if (take) begin
        more_q <= first_q ? LONG_HEADER || header.length != '0 : left_q > 14'd1;
        one_q <= first_q ? (LONG_HEADER ? header.length == '0 : header.length inside {[16'd1 : 16'(BYTES)]}) :
            left_q == 14'd2;
      end
  end else begin : g_left
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam logic more_q = 1'b0;
    localparam logic one_q = 1'b0;
    // verilog_lint: waive-stop parameter-name-style
  end

  always_ff @(posedge untrusted_clk) begin
    if (take) begin
      first_q <= arriving.last;
      if (first_q) begin
        faults_q <= said;
        is_hs_q <= is_hs;
        known_q <= arriving_known;
        kind_q <= header.kind;
        sid_q <= header.sid;
        tail_q <= header.length[PLACE_BITS-1:0];
        left_q <= 14'(LONG_HEADER) + 14'((17'(header.length) + 17'(BYTES - 1)) >> PLACE_BITS);
      end else if (left_q != '0) left_q <= left_q - 14'd1;
      rest_q <= arriving.data[8*BYTES-1-:64];
      if (is_hs_q && index_q == 4'd1)
        faults_q.number <= kind_q != TYPE_HELLO && (LONG_HEADER ? arriving.data[63:0] : rest_q) != '0;
      if (is_hs_q && index_q == ID_AT && arriving.data[63:0] != settings.peer_id) faults_q.peer <= 1'b1;
      missing_q <= missing_next;
      if (index_q != '1) index_q <= index_q + 4'd1;
      overload_q <= overload;
      if (arriving.last) begin
        index_q    <= '0;
        overload_q <= 1'b0;
      end
    end
    if (rst_untrusted) begin
      first_q    <= 1'b1;
      index_q    <= '0;
      overload_q <= 1'b0;
    end
  end

  message_queue #(
      .LATE  (BUILD.slices),
      .beat_t(beat_t)
  ) u_queue (
      .*,
      .commit (hs_commit),
      .discard(gives_up || (take && arriving.last && !hs_commit))
  );

  packet_fifo_async #(
      .DATA_BITS(8 * BYTES),
      .DEPTH(BUILD.fifo_bytes / BYTES),
      .LATE(BUILD.slices)
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

  wire unused = &{1'b0, settings, identity, told_ready};

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
