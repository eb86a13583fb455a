// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: decides on the calls of AES for keys, sealing, opening and AD loading (docs/cores/otr.md). Packets go
// through four desks, each of which takes them in order and has a packet of its own: the nonce's call, the strings, TA's call, the
// tag's call. First calls of chunks go every other cycle, so that second calls, an odd number of cycles later, find the cycles
// between; the other calls take what is left, and a first call's cycle when they have waited for long.
// A packet that loads associated data, or is refused, has the core for itself from there on until its result has gone.
// Cycles: a call a cycle, a chunk every two; `call` stands one cycle later.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear` drops
// everything in flight.
module otr_pipe_schedule
  import aead_pkg::*, otr_pkg::kind_e, otr_pkg::K_NONE, otr_pkg::K_Q, otr_pkg::K_SUM, otr_pkg::K_TA, otr_pkg::K_NONCE,
      otr_pkg::K_FIRST, otr_pkg::K_LATE, otr_pkg::K_TAG, otr_pkg::PASS_NONE, otr_pkg::PASS_ALL, otr_pkg::PASS_TEXT,
      otr_pkg::PASS_BEYOND, aead_pipe_pkg::*, otr_pipe_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic wiping, // memories, after a clear

    input  logic key_new,    // pulse: a key comes
    input  logic key_ready,  // its first call may be made
    output logic key_done,   // pulse: it is in use

    // Commands: numbers count on, packets are their lower bits
    input  number_t                accepted,      // that have come
    input  number_t                given,         // whose result has gone
    input  logic                   nonce_waits,   // for its call
    input  packet_t                nonce_packet,
    output logic                   nonce_goes,    // pulse
    input  command_t [PACKETS-1:0] commands,
    input  logic                   cache_ok,
    output number_t                at_strings,
    output logic                   alone,         // level: this packet is done, without a tag: loaded or
    output logic                   refused,
    input  logic                   result_gone,   // pulse
    output logic     [PACKETS-1:0] tag_there,

    output collect_t collect,
    output logic     follows,
    input  chunk_t   chunk,
    input  logic     chunk_ad,
    input  logic     ad_end,      // pulse: the last beat of the string is taken
    input  logic     msg_end,
    output logic     swallow_ad,  // level: beats are taken and forgotten
    output logic     swallow_msg,

    output logic a_direct,  // A <= what the nonce's call has made
    output call_t call,
    input logic second_next,
    input token_t at_end,
    input logic idle,

    input  logic out_room,
    output logic out_begins,
    output logic out_empty,   // pulse: nothing went out, and nothing will
    output logic out_cut      // level: no more output is made
);

  typedef enum logic [2:0] {
    S_NEXT,     // the next command, if there is one
    S_AD,       // blocks of associated data
    S_TEXT,     // chunks
    S_LOAD,     // the cache is made
    S_SWALLOW,  // refused: wait for the ends of the strings, for the packets before, until nothing is under way
    S_ALONE     // wait until the result has gone
  } state_e;

  typedef enum logic [1:0] {
    Q_NONE,
    Q_CALL,  // the call for Q
    Q_WAIT
  } key_e;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  key_e   key_q;
  number_t strings_q, tags_q;
  packet_t packet;  // at the strings, and
  packet_t tag_packet;  // the next tag
  command_t command, tag_command;
  call_t call_d;
  logic want_ad_q, want_msg_q, with_ad, begun_q, a_ready_q, refused_q, turn_q, idle_q;
  logic [PACKETS-1:0] a_there_q, complete_q, ta_wanted_q, ta_there_q, tag_there_q;
  logic [5:0] sums_q;  // calls over associated data under way
  logic ta_waits_q, ta_load_q;
  packet_t ta_packet_q;
  logic [1:0] patience_q;  // cycles in which a single call found no place
  logic
      begins,
      string_goes,
      single,
      tag_can,
      ta_can,
      nonce_can,
      urgent,
      refuse,
      load_ad,
      opening,
      whole,
      once,
      there,
      rests,
      a_comes;

  assign packet = packet_t'(strings_q);
  assign command = commands[packet];
  assign opening = command.op == OP_OPEN;
  assign load_ad = command.op == OP_LOAD_AD;
  assign with_ad = takes_ad(command.op, command.cached);
  assign whole = !chunk.partial;
  // A single block needs no second call, but keeps its place behind the chunks before it, of whatever packet.
  assign once = !chunk.two && !begun_q && strings_q == given;
  assign there = strings_q != accepted && key_q == Q_NONE;
  // From registers: what was under way a cycle ago, and the call since then.
  assign rests = idle_q && call.token.kind == K_NONE;

  assign tag_packet = packet_t'(tags_q);
  assign tag_command = commands[tag_packet];
  assign tag_can = complete_q[tag_packet] && (!ta_wanted_q[tag_packet] || ta_there_q[tag_packet]);
  assign ta_can = ta_waits_q && sums_q == '0;
  assign nonce_can = nonce_waits && key_q == Q_NONE;
  assign single = tag_can || ta_can || nonce_can;
  assign urgent = patience_q == '1;

  assign at_strings = strings_q;
  assign alone = state_q == S_ALONE;
  assign refused = refused_q;
  assign out_cut = state_q == S_ALONE && refused_q;
  assign tag_there = tag_there_q;
  assign follows = !load_ad;
  assign swallow_ad = state_q == S_SWALLOW && want_ad_q;
  assign swallow_msg = state_q == S_SWALLOW && want_msg_q;
  // A that the strings wait for comes to its register at once.
  assign a_comes = there && !a_ready_q && at_end.kind == K_NONCE && at_end.packet == packet;
  assign key_done = key_q == Q_WAIT && at_end.kind == K_Q;

  always_comb begin
    state_d             = state_q;
    call_d              = '0;
    collect             = '0;
    begins              = 1'b0;
    string_goes         = 1'b0;
    refuse              = 1'b0;
    out_begins          = 1'b0;
    out_empty           = 1'b0;
    nonce_goes          = 1'b0;

    call_d.token.packet = packet;

    unique case (state_q)
      S_NEXT: begin
        if (there && (!load_ad || strings_q == given)) begin
          if (unfit(command.op, command.cached, cache_ok, 1'b1)) begin
            // What may make the cache fit is still to come, or was refused: only the packets before tell.
            if (strings_q == given) begin
              begins = 1'b1;
              refuse = 1'b1;
            end
          end else if (!ta_waits_q) begin
            begins            = 1'b1;
            collect.start_ad  = with_ad;
            collect.start_msg = !with_ad;
            call_d.begins     = 1'b1;
            state_d           = with_ad ? S_AD : S_TEXT;
          end
        end
      end

      S_AD: begin
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full && !second_next && !(single && urgent)) begin
          string_goes  = 1'b1;
          collect.next = 1'b1;
          call_d.ad    = 1'b1;
          if (!chunk.empty) begin
            if (!chunk.last) call_d.token.kind = K_SUM;
            call_d.from_second = !chunk.last;
            call_d.ad_block    = chunk.last;
            call_d.mask_a      = !chunk.last;
            call_d.next_a      = !chunk.last;
            call_d.finish      = chunk.last;
            call_d.multiples   = whole ? 4'b0101 : 4'b0011;
          end
          call_d.cache_clear = load_ad && chunk.empty;
          if (chunk.last) state_d = load_ad ? (chunk.empty ? S_ALONE : S_LOAD) : S_TEXT;
        end
      end

      S_TEXT: begin
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full && a_ready_q && turn_q && out_room && !(single && urgent)) begin
          string_goes          = 1'b1;
          collect.next         = 1'b1;
          out_begins           = 1'b1;
          call_d.token.opens   = opening;
          call_d.token.bytes   = 5'(chunk.last_bytes);
          call_d.token.kind    = once ? K_LATE : K_FIRST;
          call_d.token.sum     = !chunk.two || !opening;
          call_d.token.sum_end = chunk.last && (!opening || once);
          call_d.token.cut     = chunk.last && (!chunk.two || !opening);
          call_d.token.last    = chunk.last;
          call_d.token.single  = !chunk.two;
          call_d.mask_a        = 1'b1;
          call_d.next_a        = !chunk.last;
          call_d.finish        = chunk.last;
          if (chunk.two) begin
            // Opening, the calls of the last chunk come in the other order.
            call_d.token.sum_pass = chunk.last ? PASS_BEYOND : PASS_NONE;
            call_d.from_first     = !(opening && chunk.last);
            call_d.from_second    = opening && chunk.last;
            call_d.with_first     = opening && chunk.last;
            call_d.with_second    = !(opening && chunk.last);
            call_d.mask_2a        = opening;
            call_d.multiples      = whole ? 4'b1001 : 4'b1111;
          end else begin
            call_d.token.sum_pass = opening ? PASS_TEXT : PASS_NONE;
            call_d.with_second    = 1'b1;
            call_d.multiples      = whole ? 4'b0111 : 4'b0101;
          end
          if (chunk.last) state_d = S_NEXT;
        end
      end

      S_LOAD: if (at_end.kind == K_TA) state_d = S_ALONE;

      S_SWALLOW: begin  // calls for its nonce and TA, if any, have gone by then: they find a place at once
        if (!want_ad_q && !want_msg_q && rests && strings_q == given) begin
          out_empty = !begun_q && !command.op[1];
          state_d   = S_ALONE;
        end
      end

      S_ALONE: if (result_gone) state_d = S_NEXT;
      default: state_d = S_NEXT;
    endcase

    // ---- single calls, where the strings have none ----

    if (!string_goes && !second_next && !begins) begin
      if (key_q == Q_CALL && key_ready) begin
        call_d.token.kind = K_Q;
      end else if (tag_can) begin
        call_d.token.kind   = K_TAG;
        call_d.token.packet = tag_packet;
        call_d.from_sum     = 1'b1;
        call_d.with_ta      = ta_wanted_q[tag_packet];
        call_d.with_cache   = tag_command.cached;
        call_d.mask_f       = 1'b1;
      end else if (ta_can) begin
        call_d.token.kind   = K_TA;
        call_d.token.packet = ta_packet_q;
        call_d.token.last   = ta_load_q;
        call_d.ad           = 1'b1;
        call_d.from_ad_sum  = 1'b1;
        call_d.mask_f       = 1'b1;
      end else if (nonce_can) begin
        call_d.token.kind   = K_NONCE;
        call_d.token.packet = nonce_packet;
        call_d.from_nonce   = 1'b1;
        nonce_goes          = 1'b1;
      end else if (a_there_q[packet] && !a_ready_q && there) begin
        call_d.load_a = 1'b1;
      end
    end

    if (refuse) begin
      collect.stop = 1'b1;
      state_d      = S_SWALLOW;
    end
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    call <= call_d;  // from registers: these are wide nets
    idle_q <= idle;
    turn_q <= !turn_q || accepted == given;
    patience_q <= !single || call_d.token.kind == K_TAG || call_d.token.kind == K_TA || nonce_goes ? '0 :
        urgent ? patience_q : patience_q + 2'd1;

    if (key_done) key_q <= Q_NONE;
    if (call_d.token.kind == K_Q) key_q <= Q_WAIT;
    if (key_new) key_q <= Q_CALL;

    if (ad_end) want_ad_q <= 1'b0;
    if (msg_end) want_msg_q <= 1'b0;
    if (out_begins) begun_q <= 1'b1;
    if (refuse) refused_q <= 1'b1;
    a_direct <= a_comes;
    if (call_d.load_a || a_comes) a_ready_q <= 1'b1;
    if (begins) begin
      want_ad_q  <= with_ad;
      want_msg_q <= command.op <= OP_OPEN;
      begun_q    <= 1'b0;
    end
    if ((state_q == S_TEXT && state_d == S_NEXT) || (state_q == S_ALONE && result_gone)) begin
      strings_q <= strings_q + number_t'(1);
      a_ready_q <= 1'b0;
      refused_q <= 1'b0;
    end

    // ---- associated data ----

    sums_q <= sums_q + 6'(call_d.token.kind == K_SUM) - 6'(at_end.kind == K_SUM);
    if (call_d.token.kind == K_TA) ta_waits_q <= 1'b0;
    if (call_d.ad_block) begin
      ta_waits_q  <= 1'b1;
      ta_load_q   <= load_ad;
      ta_packet_q <= packet;
    end

    // ---- what has come of a packet ----

    if (result_gone) a_there_q[packet_t'(given)] <= 1'b0;
    if (at_end.kind == K_NONCE) a_there_q[at_end.packet] <= 1'b1;
    if (begins) begin
      complete_q[packet]  <= 1'b0;
      ta_wanted_q[packet] <= 1'b0;
      ta_there_q[packet]  <= 1'b0;
    end
    if (call_d.ad_block) ta_wanted_q[packet] <= 1'b1;
    if (at_end.kind == K_TA) ta_there_q[at_end.packet] <= 1'b1;
    if (at_end.sum_end) complete_q[at_end.packet] <= 1'b1;
    if (call_d.token.kind == K_TAG) begin
      complete_q[tag_packet] <= 1'b0;
      tags_q                 <= tags_q + number_t'(1);
    end
    if (state_q == S_ALONE && result_gone) tags_q <= tags_q + number_t'(1);
    if (at_end.kind == K_TAG) tag_there_q[at_end.packet] <= 1'b1;
    if (result_gone) tag_there_q[packet_t'(given)] <= 1'b0;

    if (clear || wiping) begin
      state_q     <= S_NEXT;
      call        <= '0;
      idle_q      <= 1'b0;
      turn_q      <= 1'b0;
      patience_q  <= '0;
      key_q       <= Q_NONE;
      want_ad_q   <= 1'b0;
      want_msg_q  <= 1'b0;
      begun_q     <= 1'b0;
      refused_q   <= 1'b0;
      a_ready_q   <= 1'b0;
      a_direct    <= 1'b0;
      strings_q   <= '0;
      sums_q      <= '0;
      ta_waits_q  <= 1'b0;
      ta_load_q   <= 1'b0;
      ta_packet_q <= '0;
      a_there_q   <= '0;
      complete_q  <= '0;
      ta_wanted_q <= '0;
      ta_there_q  <= '0;
      tags_q      <= '0;
      tag_there_q <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, chunk_ad, at_end, tag_command.op};

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear && !wiping) begin
      a_strings_in_turn : assert (!(string_goes && state_q == S_AD) || chunk_ad);
      a_text_in_turn : assert (!(string_goes && state_q == S_TEXT) || !chunk_ad);
    end
  end
`endif

endmodule
