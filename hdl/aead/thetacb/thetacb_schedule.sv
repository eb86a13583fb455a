// SPDX-License-Identifier: Apache-2.0
// Schedule of modes of the form of ThetaCB3: the order of the cipher's calls for sealing, opening and AD loading
// (docs/cores/thetacb.md, "Steps").
// Calls go one after another to the place in front of the cipher, which takes one as soon as it can. What a call is for
// comes back with its result. No call needs the result of another, but for the tag's in opening.
// Cycles: one call a block.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag, and is refused when
// no call is at work and its output is with the emitter; no tweak comes twice under a nonce, for a string is refused whose
// blocks need more numbers than there are; `clear` drops everything in flight.
module thetacb_schedule
  import aead_pkg::*, aead_block_pkg::*, thetacb_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat
    parameter int unsigned NUMBER_BITS = MAX_NUMBER_BITS,  // a string has fewer than 2^NUMBER_BITS whole blocks
    parameter bit COUNT_SHORT = 1'b1,  // a short block counts in the number of the tag's call
    parameter bit AD_CACHE = 1'b1,  // associated data can be loaded
    parameter int unsigned PLACES = 3  // of output: for blocks in the cipher, one in front of it, one that goes out
) (
    input logic clk,
    input logic clear,

    input  front_t   front,
    output status_t  status,
    output event_t   pulse,
    input  chunk_t   chunk,
    output collect_t collect,
    output emit_t    emit,
    input  logic     emit_idle,

    input logic   cipher_key_ready,
    input logic   cipher_waiting,
    input logic   cipher_done,
    input token_t cipher_token,

    output datapath_t              orders,
    output logic                   sum_made,
    output logic      [PLACES-1:1] move
);

  typedef enum logic [2:0] {
    S_IDLE,    // nothing to do, or refused
    S_KEY,     // wait for what the cipher makes of the key
    S_TEXT,    // wait for a block of either string, and a place for it
    S_STRING,  // the associated data have ended: the message
    S_AD_END,  // loading AD: wait for the sum
    S_TAG,     // wait for the sums, then the last call
    S_WAIT,    // wait for it
    S_CHECK    // the tag stands
  } state_e;

  localparam int unsigned COUNT_BITS = 3;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  datapath_t dp;
  logic ad_q;  // the string is that of the associated data
  logic [3:0] rest_q, rest;  // bytes of the block before, of the one in the collector; 0: it is whole
  logic [NUMBER_BITS-1:0] number_q;  // of the string's next block
  logic too_long;  // this block has no number, or the next one would have none
  logic next, next_q, room, refuse, drained, ad_done, text_done, emit_empty, begin_string;
  logic [COUNT_BITS-1:0] calls_q, ad_calls_q, text_calls_q;  // loaded, and what they give not yet taken up
  logic sum_made_q;
  logic opening, load_ad, whole;
  logic place_left, first_free, outputs_drained, outputs_idle, out_made, stands, sent;
  output_t last_about;

  assign opening = front.op == OP_OPEN;
  assign load_ad = AD_CACHE && front.op == OP_LOAD_AD;
  assign whole   = !chunk.partial;
  assign rest    = 4'(chunk.beats * 6'(DATA_BITS / 8)) + 4'(chunk.last_bytes);
  assign too_long = chunk.full && whole && !chunk.empty && (&number_q);

  logic unused;
  assign unused = &{1'b0, front, chunk, cipher_token, stands, sent, last_about};

  assign room = !orders.load && !cipher_waiting;
  assign ad_done = cipher_done && cipher_token.call == CALL_AD;
  assign text_done = cipher_done && cipher_token.call == CALL_TEXT;
  assign drained = calls_q == '0 && !sum_made_q && outputs_drained;
  assign sum_made = sum_made_q && opening;

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.finish   = state_q == S_CHECK;
    status.out_idle = emit_idle && outputs_idle;
  end

  always_comb begin
    state_d      = state_q;
    dp           = '0;
    dp.about     = '{call: CALL_AD, last: chunk.last, rest: rest, number: MAX_NUMBER_BITS'(number_q)};
    dp.source    = X_SHORT;
    dp.beside    = B_ZERO;
    collect      = '0;
    pulse        = '0;
    next         = 1'b0;
    refuse       = 1'b0;
    emit_empty   = 1'b0;
    begin_string = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        dp.block_clear = 1'b1;  // a refused command may have left a block
        dp.sum_clear   = 1'b1;
        dp.tag_clear   = 1'b1;
        begin_string   = 1'b1;
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          dp.auth_restore  = front.cached;
          dp.auth_clear    = !front.cached;
          collect.start_ad = front.with_ad;
          state_d          = front.with_ad ? S_TEXT : S_STRING;
        end
      end

      S_KEY: begin
        pulse.key_done = cipher_key_ready;
        if (cipher_key_ready) state_d = S_IDLE;
      end

      S_TEXT: begin
        if (chunk.bad || (too_long && room)) begin
          refuse = drained;
        end else if (chunk.full && room) begin
          if (chunk.empty) begin
            emit_empty = !ad_q;  // before the tag is asked for
            next       = 1'b1;
            state_d    = ad_q ? S_STRING : S_TAG;
          end else if (ad_q || place_left) begin
            next           = 1'b1;
            dp.load        = 1'b1;
            dp.about.call  = ad_q ? CALL_AD : CALL_TEXT;
            dp.source      = ad_q || whole ? X_BLOCK : X_SHORT;
            dp.beside      = ad_q || whole ? B_ZERO : B_BLOCK;
            dp.text_masked = !ad_q;
            dp.inverse     = !ad_q && opening && whole;
            dp.out         = output_of(chunk);
            dp.sum_block   = !ad_q && !opening;
            if (chunk.last) state_d = ad_q ? S_STRING : S_TAG;
          end
        end
      end

      S_STRING: begin
        begin_string      = 1'b1;
        collect.start_msg = !load_ad;
        state_d           = load_ad ? S_AD_END : S_TEXT;
      end

      S_AD_END: if (ad_calls_q == '0) state_d = S_CHECK;

      S_TAG: begin
        if (room && ad_calls_q == '0 && (!opening || text_calls_q == '0) && place_left) begin
          dp.load       = 1'b1;
          dp.about.call = CALL_TAG;
          dp.about.rest = rest_q;
          dp.source     = X_SUM;
          dp.beside     = B_AUTH;
          state_d       = S_WAIT;
        end
      end

      S_WAIT: if (cipher_done && cipher_token.call == CALL_TAG) state_d = S_CHECK;

      S_CHECK: begin
        if (front.done) begin
          dp.cache_load = load_ad;
          state_d       = S_IDLE;  // which wipes the tag, after the front end has it
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      collect.stop = 1'b1;
      pulse.refuse = 1'b1;
      state_d      = S_IDLE;
    end
    if (next) dp.block_clear = 1'b1;
    collect.next   = next_q;
    pulse.out_made = out_made;
  end

  aead_outputs #(
      .PLACES(PLACES)
  ) u_outputs (
      .promise(dp.load && dp.about.call == CALL_TEXT),
      .put(text_done),
      .put_about(cipher_token.out),
      .hold(1'b0),
      .empty(emit_empty),
      .end_empty(front.end_empty),
      .more(chunk.full && !too_long),
      .refused(front.refused),
      .*
  );

  always_ff @(posedge clk) begin
    state_q      <= state_d;
    orders       <= dp;
    next_q       <= next;
    sum_made_q   <= text_done;

    calls_q      <= calls_q + COUNT_BITS'(dp.load) - COUNT_BITS'(cipher_done);
    ad_calls_q   <= ad_calls_q + COUNT_BITS'(dp.load && dp.about.call == CALL_AD) - COUNT_BITS'(ad_done);
    text_calls_q <= text_calls_q + COUNT_BITS'(dp.load && dp.about.call == CALL_TEXT) - COUNT_BITS'(sum_made_q);

    if (begin_string) number_q <= '0;
    else if (dp.load) number_q <= number_q + NUMBER_BITS'(COUNT_SHORT || whole);
    if (front.begins) ad_q <= front.with_ad;
    else if (state_q == S_STRING) ad_q <= 1'b0;
    if (begin_string) rest_q <= '0;
    else if (dp.load) rest_q <= rest;

    if (clear) begin
      state_q      <= S_IDLE;
      orders       <= '0;
      next_q       <= 1'b0;
      sum_made_q   <= 1'b0;
      calls_q      <= '0;
      ad_calls_q   <= '0;
      text_calls_q <= '0;
      number_q     <= '0;
      ad_q         <= 1'b0;
      rest_q       <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_place_is_free : assert (!(cipher_done && cipher_token.call == CALL_TAG) || first_free);
    end
  end
`endif

endmodule
