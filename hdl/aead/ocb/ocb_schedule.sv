// SPDX-License-Identifier: Apache-2.0
// OCB schedule: the order of AES calls for keys, sealing, opening and AD loading (docs/cores/ocb.md).
// Blocks go one after another to the input of AES, which takes one as soon as it can. A block needs two steps there: the
// offset, then the block. What a call is for comes back with its result. The nonce's call goes first, beside those over
// the associated data.
// Cycles: a block in the time of an AES call, divided by the blocks in flight: 10.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag, and is refused when
// no call is at work and its output is with the emitter; `clear` drops everything in flight.
module ocb_schedule
  import aead_pkg::*, aead_block_pkg::*, ocb_pkg::*;
#(
    parameter int unsigned PLACES = 3  // of output: for blocks in AES, the one that waits for it, the one that goes out
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

    input  logic   aes_key_ready,
    input  logic   aes_free,
    output logic   aes_start,
    input  logic   aes_done,
    input  token_t aes_token,

    output datapath_t              orders,
    output logic                   sum_made,
    output logic                   shift,
    output logic      [       1:0] unit,
    output logic      [       1:0] turn,
    output logic      [PLACES-1:1] move
);

  typedef enum logic [3:0] {
    S_IDLE,     // nothing to do, or refused
    S_KEY,      // wait for the round keys, then the call for L_*
    S_STAR,     // wait for L_*
    S_NONCE,    // the call for Ktop
    S_TEXT,     // wait for a block of either string, a place for it and its L_i; offset
    S_LOAD,     // the block goes to AES
    S_AD_END,   // loading AD: wait for the sum
    S_STRETCH,  // wait for the first offset
    S_OFFSET,   // take it
    S_DOLLAR,   // L_$
    S_LAST,     // joins the offset
    S_TAG,      // wait for the sums, then the last call
    S_WAIT,     // wait for it
    S_CHECK     // the tag stands
  } state_e;

  // L_i of the next block that has an even number
  typedef enum logic [1:0] {
    L_LOAD,   // L_$
    L_FIRST,  // L_0
    L_RUN,    // a doubling a bit of the number that is zero
    L_READY
  } l_e;

  localparam int unsigned INDEX_BITS = 48;  // RFC 7253, section 5.1: a key serves 2^48 blocks
  localparam int unsigned COUNT_BITS = 3;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  l_e l_q;
  datapath_t dp;
  logic ad_q;  // the string is that of the associated data
  logic [INDEX_BITS-1:0] index_q, number_q;  // of the next block; of the one that L_i is made for, shifted
  logic load_q, input_q;  // the input of AES is being loaded, is waiting
  logic next, next_q, room, l_restart, refuse, drained, ad_done, text_done, emit_empty;
  logic [COUNT_BITS-1:0] calls_q, ad_calls_q, text_calls_q;  // loaded, and what they give not yet taken up
  logic sum_made_q, top_q;
  logic shift_q;
  logic [1:0] unit_q, turn_q;
  logic opening, load_ad, whole;
  logic place_left, first_free, outputs_drained, outputs_idle, out_made, stands, sent;
  output_t last_about;

  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;
  assign whole   = !chunk.partial;

  logic unused;
  assign unused = &{1'b0, front, chunk, aes_token, stands, sent, last_about};

  assign aes_start = input_q && aes_free;
  assign room = !load_q && !input_q;
  assign ad_done = aes_done && aes_token.call == CALL_AD;
  assign text_done = aes_done && aes_token.call == CALL_TEXT;
  assign drained = calls_q == '0 && !sum_made_q && outputs_drained;
  assign sum_made = sum_made_q && opening;
  assign shift = shift_q;
  assign unit = unit_q;
  assign turn = turn_q;

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.finish   = state_q == S_CHECK;
    status.out_idle = emit_idle && outputs_idle;
  end

  always_comb begin
    state_d     = state_q;
    dp          = '0;
    dp.source   = X_ZERO;
    dp.beside   = B_ZERO;
    dp.call     = CALL_STAR;
    dp.term     = T_STAR;
    collect     = '0;
    pulse       = '0;
    next        = 1'b0;
    l_restart   = 1'b0;
    refuse      = 1'b0;
    emit_empty  = 1'b0;
    dp.l_load   = l_q == L_LOAD;
    dp.l_double = l_q == L_FIRST || (l_q == L_RUN && !number_q[0]);

    unique case (state_q)
      S_IDLE: begin
        dp.block_clear  = 1'b1;  // a refused command may have left a block
        dp.sum_clear    = 1'b1;
        dp.offset_clear = 1'b1;
        dp.tag_clear    = 1'b1;
        l_restart       = 1'b1;
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          dp.ad_restore    = front.cached;
          dp.ad_clear      = !front.cached;
          collect.start_ad = front.with_ad;
          state_d          = load_ad ? S_TEXT : S_NONCE;
        end
      end

      S_KEY: begin
        dp.load = aes_key_ready;
        if (aes_key_ready) state_d = S_STAR;
      end

      S_STAR: begin
        pulse.key_done = aes_done;
        if (aes_done) state_d = S_IDLE;
      end

      S_NONCE: begin
        dp.load = 1'b1;
        dp.source = X_NONCE;
        dp.call = CALL_TOP;
        state_d = ad_q ? S_TEXT : S_STRETCH;
        collect.start_msg = !ad_q;
      end

      S_TEXT: begin
        if (chunk.bad) begin
          refuse = drained;
        end else if (chunk.full && room) begin
          if (chunk.empty) begin
            emit_empty = !ad_q;  // before the tag is asked for
            next    = 1'b1;
            state_d = !ad_q ? S_DOLLAR : load_ad ? S_AD_END : S_STRETCH;
          end else if ((ad_q || place_left) && (chunk.partial || index_q[0] || l_q == L_READY)) begin
            dp.step = 1'b1;
            dp.term = chunk.partial ? T_STAR : index_q[0] ? T_ZERO : T_L;
            state_d = S_LOAD;
          end
        end
      end

      S_LOAD: begin
        next           = 1'b1;
        dp.load        = 1'b1;
        dp.call        = ad_q ? CALL_AD : CALL_TEXT;
        dp.source      = ad_q || whole ? X_BLOCK : X_ZERO;
        dp.beside      = ad_q ? B_ZERO : whole ? B_OFFSET : B_BLOCK;
        dp.text_masked = !ad_q;
        dp.inverse     = !ad_q && opening && whole;
        dp.out         = output_of(chunk);
        dp.sum_block   = !ad_q && !opening;
        l_restart      = !index_q[0];
        state_d        = S_TEXT;
        if (chunk.last) state_d = !ad_q ? S_DOLLAR : load_ad ? S_AD_END : S_STRETCH;
      end

      S_AD_END: if (ad_calls_q == '0) state_d = S_CHECK;

      S_STRETCH: begin
        dp.offset_clear = 1'b1;
        collect.start_msg = ad_q;
        l_restart = 1'b1;
        if (top_q && !ad_q) state_d = S_OFFSET;
      end

      S_OFFSET: begin
        dp.step = 1'b1;
        dp.term = T_STRETCH;
        state_d = S_TEXT;
      end

      S_DOLLAR: begin
        dp.l_load = 1'b1;
        dp.l_double = 1'b0;
        state_d = S_LAST;
      end

      S_LAST: begin
        dp.l_double = 1'b0;
        dp.l_load = 1'b0;
        dp.step = 1'b1;
        dp.term = T_L;
        state_d = S_TAG;
      end

      S_TAG: begin
        if (room && ad_calls_q == '0 && (!opening || text_calls_q == '0) && place_left) begin
          dp.load   = 1'b1;
          dp.source = X_SUM;
          dp.beside = B_AD_SUM;
          dp.call   = CALL_TAG;
          state_d   = S_WAIT;
        end
      end

      S_WAIT: if (aes_done && aes_token.call == CALL_TAG) state_d = S_CHECK;

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
      .promise(dp.load && dp.call == CALL_TEXT),
      .put(text_done),
      .put_about(aes_token.out),
      .hold(1'b0),
      .empty(emit_empty),
      .end_empty(front.end_empty),
      .more(chunk.full),
      .refused(front.refused),
      .*
  );

  always_ff @(posedge clk) begin
    state_q      <= state_d;
    orders       <= dp;
    next_q       <= next;
    load_q       <= dp.load;
    input_q      <= load_q || (input_q && !aes_start);
    sum_made_q   <= text_done;

    calls_q      <= calls_q + COUNT_BITS'(dp.load) - COUNT_BITS'(aes_done);
    ad_calls_q   <= ad_calls_q + COUNT_BITS'(dp.load && dp.call == CALL_AD) - COUNT_BITS'(ad_done);
    text_calls_q <= text_calls_q + COUNT_BITS'(dp.load && dp.call == CALL_TEXT) - COUNT_BITS'(sum_made_q);


    unique case (l_q)
      L_LOAD:  l_q <= L_FIRST;
      L_FIRST: l_q <= L_RUN;
      L_RUN: begin
        number_q <= number_q >> 1;
        if (number_q[0]) l_q <= L_READY;
      end
      default: ;
    endcase
    if (state_q == S_LOAD) index_q <= index_q + INDEX_BITS'(1);
    if (l_restart) begin
      l_q      <= L_LOAD;
      number_q <= index_q + INDEX_BITS'(2);
    end
    if (state_q == S_IDLE || state_q == S_STRETCH) begin
      index_q  <= INDEX_BITS'(1);
      number_q <= INDEX_BITS'(2);
    end
    if (front.begins) ad_q <= front.with_ad;
    if (collect.start_msg) ad_q <= 1'b0;

    if (aes_done && aes_token.call == CALL_TOP) begin
      shift_q <= 1'b1;
      unit_q  <= '0;
      turn_q  <= '0;
    end else if (shift_q) begin
      turn_q <= turn_q == 2'd2 ? '0 : turn_q + 2'd1;
      if (turn_q == 2'd2) unit_q <= unit_q + 2'd1;
      if (turn_q == 2'd2 && unit_q == 2'd2) begin
        shift_q <= 1'b0;
        top_q   <= 1'b1;
      end
    end
    if (state_q == S_IDLE) begin
      shift_q <= 1'b0;
      top_q   <= 1'b0;
    end

    if (clear) begin
      state_q      <= S_IDLE;
      orders       <= '0;
      next_q       <= 1'b0;
      load_q       <= 1'b0;
      input_q      <= 1'b0;
      sum_made_q   <= 1'b0;
      calls_q      <= '0;
      ad_calls_q   <= '0;
      text_calls_q <= '0;
      l_q          <= L_LOAD;
      index_q      <= '0;
      number_q     <= '0;
      ad_q         <= 1'b0;
      shift_q      <= 1'b0;
      unit_q       <= '0;
      turn_q       <= '0;
      top_q        <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_place_is_free : assert (!(aes_done && aes_token.call == CALL_TAG) || first_free);
    end
  end
`endif

endmodule
