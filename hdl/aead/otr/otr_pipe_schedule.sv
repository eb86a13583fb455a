// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: decides on the calls of AES for keys, sealing, opening and AD loading (docs/cores/otr.md). Packets go
// through four desks, each of which takes them in order and has a packet of its own: the nonce's call, the chunks, TA's call, the
// tag's call. First calls of chunks go every other cycle, so that second calls, an odd number of cycles later, find the cycles
// between; the other calls take what is left, and a first call's cycle when they have waited for long.
// A packet that loads associated data, or is refused, has the core for itself from there on until its result has gone.
// Whatever can wait for a cycle comes from a register: what is there of a packet, and whether a chunk's calls go next.
// Cycles: a call a cycle, a chunk every two; `call` stands one cycle later.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear` drops
// everything in flight.
module otr_pipe_schedule
  import aead_pkg::*, otr_pkg::kind_e, otr_pkg::K_NONE, otr_pkg::K_Q, otr_pkg::K_SUM, otr_pkg::K_TA, otr_pkg::K_NONCE,
      otr_pkg::K_FIRST, otr_pkg::K_LATE, otr_pkg::K_TAG, otr_pkg::PASS_NONE, otr_pkg::PASS_ALL, otr_pkg::PASS_TEXT,
      otr_pkg::PASS_BEYOND, aead_pipe_pkg::*, otr_pipe_pkg::*;
#(
    parameter int unsigned QUIET = 32  // cycles from the decision on a call until nothing of it is under way
) (
    input logic clk,
    input logic clear,

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
    output logic                   alone,         // level: packet `given` is done, without a tag: loaded or
    output logic                   refused,
    input  logic                   result_gone,   // pulse
    output logic     [PACKETS-1:0] tag_there,

    input  logic    head_valid,  // of the queue
    input  queued_t head,
    output logic    pop,
    input  logic    strings_over,  // level: no beat of a refused packet is still to come

    output packet_t packet,  // at the strings
    output logic load_a,  // A of the message <= that of `packet`
    output call_t call,
    input logic second_next,
    input token_t near,
    input token_t at_end,

    input  logic out_room,
    output logic out_begins,
    output logic out_empty,   // pulse: nothing went out, and nothing will
    output logic out_cut      // level: no more output is made
);

  typedef enum logic [2:0] {
    S_NEXT,     // the next packet, if something of it is there
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
  packet_t tag_packet;  // the next tag
  command_t command_q;  // of the packet at the strings: it stands one cycle later, and so does
  logic first_q;  // that every result before it has gone
  call_t call_d, text, text_q;  // text: the calls of the head's chunk
  logic calm_q;  // nothing of a refused packet is under way or still to come
  logic begun_q, a_ready_q, refused_q, turn_q, text_goes_q;
  logic [PACKETS-1:0] a_there_q, complete_q, ta_due_q, has_ta_q, tag_there_q;
  logic [5:0] sums_q;  // calls over associated data under way
  logic ta_waits_q, ta_load_q, ta_new_q;
  packet_t ta_packet_q;
  logic [1:0] patience_q;  // cycles in which a single call found no place
  logic key_can_q, tag_can_q, ta_can_q, nonce_can_q, with_ta_q, with_cache_q;
  logic key_goes, tag_goes, ta_goes, single_goes;
  logic [5:0] quiet_q;  // cycles until nothing is under way
  logic begins, text_can, ad_goes, sum_goes, free, urgent, refuse, load_ad, opening, whole, once, goes_on;

  assign packet = packet_t'(strings_q);
  assign tag_packet = packet_t'(tags_q);
  assign opening = command_q.op == OP_OPEN;
  assign load_ad = command_q.op == OP_LOAD_AD;
  assign whole = !head.partial;
  // A single block needs no second call, but keeps its place behind the chunks before it, of whatever packet.
  assign once = !head.two && !begun_q && first_q;
  assign urgent = patience_q == '1;

  assign alone = state_q == S_ALONE;
  assign refused = refused_q;
  assign out_cut = state_q == S_ALONE && refused_q;
  assign tag_there = tag_there_q;
  assign key_done = key_q == Q_WAIT && at_end.kind == K_Q;

  // ---- calls of a chunk ----

  always_comb begin
    text               = '0;
    text.token.packet  = packet;
    text.token.opens   = opening;
    text.token.bytes   = head.bytes;
    text.token.kind    = once ? K_LATE : K_FIRST;
    text.token.sum     = !head.two || !opening;
    text.token.sum_end = head.last && (!opening || once);
    text.token.cut     = head.last && (!head.two || !opening);
    text.token.last    = head.last;
    text.token.single  = !head.two;
    text.a_text        = 1'b1;
    text.with_a        = 1'b1;
    text.next_text     = !head.last;
    text.finish_text   = head.last;
    if (head.two) begin
      // Opening, the calls of the last chunk come in the other order.
      text.token.sum_pass                        = head.last ? PASS_BEYOND : PASS_NONE;
      text.from_first                            = !(opening && head.last);
      text.from_second                           = opening && head.last;
      text.with_first                            = opening && head.last;
      text.with_second                           = !(opening && head.last);
      text.with_2a                               = opening;
      {text.with_a8, text.with_a4, text.with_a2} = whole ? 3'b100 : 3'b111;
    end else begin
      text.token.sum_pass = opening ? PASS_TEXT : PASS_NONE;
      text.with_second    = 1'b1;
      {text.with_a8, text.with_a4, text.with_a2} = whole ? 3'b011 : 3'b010;
    end
  end

  // ---- the packet at the strings ----

  assign text_can = state_q == S_TEXT && head_valid && !head.bad && a_ready_q && !turn_q && out_room &&
      !((urgent || tag_can_q) && second_next);
  assign ad_goes = state_q == S_AD && head_valid && !head.bad && !second_next && !urgent;
  assign sum_goes = ad_goes && !head.last && !head.empty;
  assign out_begins = text_goes_q;
  assign refuse = (state_q == S_AD || state_q == S_TEXT) && head_valid && head.bad;
  assign pop = text_goes_q || ad_goes || refuse;
  assign goes_on = text_q.token.last || (state_q == S_ALONE && result_gone);

  always_comb begin
    state_d   = state_q;
    begins    = 1'b0;
    out_empty = 1'b0;

    unique case (state_q)
      S_NEXT: begin
        if (head_valid && !ta_waits_q && key_q == Q_NONE) begin
          begins  = 1'b1;
          state_d = head.ad ? S_AD : S_TEXT;
        end
      end

      S_AD: if (ad_goes && head.last) state_d = !load_ad ? S_TEXT : head.empty ? S_ALONE : S_LOAD;

      S_TEXT: if (text_q.token.last) state_d = S_NEXT;

      S_LOAD: if (at_end.kind == K_TA) state_d = S_ALONE;

      S_SWALLOW: begin  // calls for its nonce and TA, if any, have gone by then: they find a place at once
        if (calm_q) begin
          out_empty = !begun_q && !command_q.op[1];
          state_d   = S_ALONE;
        end
      end

      S_ALONE: if (result_gone) state_d = S_NEXT;
      default: state_d = S_NEXT;
    endcase

    if (refuse) state_d = S_SWALLOW;
  end

  // ---- single calls, where the strings have none ----

  assign free = !second_next && !text_goes_q && !sum_goes;
  assign key_goes = free && key_can_q;
  assign tag_goes = free && tag_can_q;
  assign ta_goes = free && !tag_can_q && ta_can_q;
  assign nonce_goes = free && !tag_can_q && !ta_can_q && nonce_can_q;
  assign single_goes = tag_goes || ta_goes || nonce_goes;

  always_comb begin
    call_d = text_q;

    if (ad_goes) begin
      call_d.a_ad        = 1'b1;
      call_d.with_a      = sum_goes;
      call_d.from_second = sum_goes;
      call_d.next_ad     = sum_goes;
      call_d.ad_block    = head.last && !head.empty;
      call_d.finish_ad   = head.last;
      call_d.with_a2     = !whole;
      call_d.with_a4     = whole;
      call_d.cache_clear = load_ad && head.empty;
    end
    if (sum_goes) call_d.token.kind = K_SUM;

    if (key_goes) call_d.token.kind = K_Q;
    if (tag_goes) begin
      call_d.token.kind   = K_TAG;
      call_d.token.packet = tag_packet;
      call_d.from_sum     = 1'b1;
      call_d.with_ta      = with_ta_q;
      call_d.with_cache   = with_cache_q;
    end
    if (ta_goes) begin
      call_d.token.kind   = K_TA;
      call_d.token.packet = ta_packet_q;
      call_d.token.last   = ta_load_q;
      call_d.from_ad_sum  = 1'b1;
    end
    if (nonce_goes) begin
      call_d.token.kind   = K_NONCE;
      call_d.token.packet = nonce_packet;
      call_d.from_nonce   = 1'b1;
    end

    call_d.begins        = begins;
    call_d.begins_packet = packet;
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    call <= call_d;  // from registers: these are wide nets
    quiet_q <= single_goes || key_goes || pop || second_next ? 6'(QUIET) : quiet_q == '0 ? '0 : quiet_q - 6'd1;
    turn_q <= !turn_q || accepted == given;

    // A chunk's calls go in the cycle after, which is no second call's; head and state stay as they are until then.
    text_goes_q <= text_can;
    text_q <= text_can ? text : '0;

    // What may be called: none that is called now.
    key_can_q <= key_q == Q_CALL && key_ready && !key_goes;
    tag_can_q <= complete_q[tag_packet] && !ta_due_q[tag_packet] && !tag_goes;
    with_ta_q <= has_ta_q[tag_packet];
    with_cache_q <= commands[tag_packet].cached;
    ta_can_q <= ta_waits_q && sums_q == '0 && !ta_goes;
    nonce_can_q <= nonce_waits && key_q == Q_NONE && !nonce_goes;
    patience_q <= !(tag_can_q || ta_can_q || nonce_can_q) || single_goes ? '0 : urgent ? patience_q : patience_q + 2'd1;

    if (key_done) key_q <= Q_NONE;
    if (key_goes) key_q <= Q_WAIT;
    if (key_new) key_q <= Q_CALL;

    calm_q    <= state_q == S_SWALLOW && strings_over && quiet_q == '0 && first_q;
    command_q <= commands[packet];
    first_q   <= strings_q == given && !goes_on;
    load_a    <= a_there_q[packet] && !a_ready_q && !goes_on && !load_a;
    if (load_a) begin
      a_ready_q         <= 1'b1;
      a_there_q[packet] <= 1'b0;
    end
    if (text_goes_q) begun_q <= 1'b1;
    if (refuse) refused_q <= 1'b1;
    if (begins) begun_q <= 1'b0;
    if (goes_on) begin
      strings_q <= strings_q + number_t'(1);
      a_ready_q <= 1'b0;
      refused_q <= 1'b0;
    end

    // ---- associated data ----

    sums_q <= sums_q + 6'(sum_goes) - 6'(near.kind == K_SUM);
    if (ta_goes) ta_waits_q <= 1'b0;
    if (ad_goes && head.last && !head.empty) begin
      ta_waits_q  <= 1'b1;
      ta_load_q   <= load_ad;
      ta_packet_q <= packet;
    end
    ta_new_q <= ad_goes && head.last && !head.empty;
    if (ta_new_q) begin
      ta_due_q[ta_packet_q] <= 1'b1;
      has_ta_q[ta_packet_q] <= 1'b1;
    end

    // ---- what has come of a packet ----

    if (result_gone) begin
      a_there_q[packet_t'(given)]   <= 1'b0;
      has_ta_q[packet_t'(given)]    <= 1'b0;
      tag_there_q[packet_t'(given)] <= 1'b0;
    end
    if (at_end.kind == K_NONCE) a_there_q[at_end.packet] <= 1'b1;
    if (near.kind == K_TA) ta_due_q[near.packet] <= 1'b0;
    if (near.sum_end) complete_q[near.packet] <= 1'b1;
    if (call.token.kind == K_TAG) complete_q[call.token.packet] <= 1'b0;
    if (tag_goes || (state_q == S_ALONE && result_gone)) tags_q <= tags_q + number_t'(1);
    if (at_end.kind == K_TAG) tag_there_q[at_end.packet] <= 1'b1;

    if (clear) begin
      state_q      <= S_NEXT;
      call         <= '0;
      text_q       <= '0;
      text_goes_q  <= 1'b0;
      quiet_q      <= '0;
      turn_q       <= 1'b0;
      patience_q   <= '0;
      key_can_q    <= 1'b0;
      tag_can_q    <= 1'b0;
      ta_can_q     <= 1'b0;
      nonce_can_q  <= 1'b0;
      with_ta_q    <= 1'b0;
      with_cache_q <= 1'b0;
      key_q        <= Q_NONE;
      command_q    <= '0;
      first_q      <= 1'b0;
      load_a       <= 1'b0;
      calm_q       <= 1'b0;
      ta_new_q     <= 1'b0;
      begun_q      <= 1'b0;
      refused_q    <= 1'b0;
      a_ready_q    <= 1'b0;
      strings_q    <= '0;
      sums_q       <= '0;
      ta_waits_q   <= 1'b0;
      ta_load_q    <= 1'b0;
      ta_packet_q  <= '0;
      a_there_q    <= '0;
      complete_q   <= '0;
      ta_due_q     <= '0;
      has_ta_q     <= '0;
      tags_q       <= '0;
      tag_there_q  <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, near, at_end, command_q.cached};

`ifndef SYNTHESIS
  logic known_q;  // a clear has come
  initial known_q = 1'b0;
  always_ff @(posedge clk) begin
    if (clear) known_q <= 1'b1;
    if (known_q && !clear) begin
      a_strings_in_turn : assert (!ad_goes || head.ad);
      a_text_in_turn : assert (!text_goes_q || (state_q == S_TEXT && head_valid && !head.ad && !head.bad));
      a_text_finds_a_place : assert (!(text_goes_q && second_next));
      a_calls_when_ready : assert (call_d.token.kind == K_NONE || key_ready);
    end
  end
`endif

endmodule
