// SPDX-License-Identifier: Apache-2.0
// OCB, a block a cycle: decides on the calls of AES for keys, sealing, opening and AD loading (docs/cores/ocb.md). The pipeline
// takes every call at once. The nonce's call goes first, beside those over the associated data; the tag's waits for the sum of the
// plaintext, which in opening is made of results.
// Cycles: a call a cycle; `call` stands one cycle later.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear` drops
// everything in flight.
module ocb_pipe_schedule
  import aead_pkg::*, ocb_pipe_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic wiping, // memories, after a clear

    input  front_t   front,
    output status_t  status,
    output event_t   pulse,
    input  chunk_t   chunk,
    output collect_t collect,

    input logic key_ready,  // the call for L_* may be made
    output logic rests,  // no command is at work
    output logic begins,  // one cycle late, as the three orders below: these are wide nets
    output logic ends,
    output logic prime,  // a string begins
    output call_t call,
    output logic opening,
    input kind_e at_end,  // the result of this call stands in its register two cycles on
    input logic sum_complete,  // the sum of the plaintext stands three cycles on
    input logic idle,  // nothing is under way

    input logic out_room,
    output logic out_begins,  // pulse: a block of the message goes into the pipeline
    output logic out_empty,  // pulse: the message is the empty string
    output logic out_cut,  // no more output is made
    input logic out_idle
);

  typedef enum logic [3:0] {
    S_IDLE,    // nothing to do, or refused
    S_KEY,     // the call for L_*
    S_NONCE,   // the call for Ktop
    S_AD,      // blocks of associated data
    S_TEXT,    // blocks of the message, when Offset_0 stands
    S_TAG,     // the last call, when the sum is complete
    S_WAIT,    // wait for a call's end
    S_SETTLE,  // its result goes to a register
    S_AD_END,  // loading AD: wait until nothing is under way
    S_CHECK,   // the tag or the sum over the associated data stands
    S_DRAIN    // refused: wait until nothing is under way
  } state_e;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  call_t  call_d;
  logic   key_q;  // the call that is waited for is that of a key
  logic   ad_q;  // there are associated data
  logic   even_q;  // the next block has an even number
  logic   begun_q;  // a block of the message has gone
  logic top_q, top_ready_q;  // Ktop has come, Offset_0 stands when the next call needs it
  logic sum_ready_q;  // the sum stands when the next call needs it
  logic out_cut_q;
  logic out_idle_q;  // one cycle late, because a verdict has a long way through the front end
  logic key_done, key_done_q;  // the front end is far away: it hears of it one cycle late
  logic refuse, load_ad, step;

  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;

  always_comb begin
    status          = '0;
    status.wiping   = wiping;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.finish   = state_q == S_CHECK;
    status.out_idle = out_idle_q;
  end

  assign out_cut = out_cut_q;
  assign rests   = state_q == S_IDLE;

  always_comb begin
    state_d           = state_q;
    call_d            = '0;
    collect           = '0;
    collect.start_ad  = front.begins && front.with_ad;
    collect.start_msg = front.begins && !front.with_ad;
    pulse             = '0;
    refuse            = 1'b0;
    step              = 1'b0;
    out_begins        = 1'b0;
    out_empty         = 1'b0;
    key_done          = 1'b0;
    pulse.key_done    = key_done_q;

    unique case (state_q)
      S_IDLE: begin
        if (front.key_new) state_d = S_KEY;
        if (front.begins) state_d = load_ad ? S_AD : S_NONCE;
      end

      S_KEY: begin
        if (key_ready) begin
          call_d.token.kind = K_STAR;
          state_d = S_WAIT;
        end
      end

      S_NONCE: begin
        call_d.token.kind = K_TOP;
        call_d.from_nonce = 1'b1;
        state_d           = ad_q ? S_AD : S_TEXT;
      end

      S_AD: begin
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full) begin
          collect.next = 1'b1;
          if (!chunk.empty) begin
            call_d.token.kind = K_AD;
            call_d.from_block = 1'b1;
            step = 1'b1;
          end
          if (chunk.last) begin
            collect.start_msg = !load_ad;
            state_d = load_ad ? S_AD_END : S_TEXT;
          end
        end
      end

      S_TEXT: begin
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full && top_ready_q && out_room) begin
          collect.next = 1'b1;
          if (!chunk.empty) begin
            call_d.token.kind    = K_TEXT;
            call_d.token.whole   = !chunk.partial;
            call_d.token.cut     = chunk.partial;
            call_d.token.inverse = opening && !chunk.partial;
            call_d.token.sum     = opening;
            call_d.token.sum_end = opening && chunk.last;
            call_d.token.last    = chunk.last;
            call_d.from_block    = 1'b1;
            call_d.sum_block     = !opening;
            call_d.restart       = !begun_q;
            step                 = 1'b1;
          end
          pulse.out_made = 1'b1;  // also before the tag is asked for
          out_begins = !chunk.empty;
          out_empty = chunk.empty;
          if (chunk.last) state_d = S_TAG;
        end
      end

      S_TAG: begin
        if (!opening || !begun_q || sum_ready_q) begin
          call_d.token.kind = K_TAG;
          call_d.from_sum   = 1'b1;
          call_d.restart    = !begun_q;
          call_d.dollar     = 1'b1;
          state_d           = S_WAIT;
        end
      end

      S_WAIT: if (at_end == K_STAR || at_end == K_TAG) state_d = S_SETTLE;

      S_SETTLE: begin
        key_done = key_q;
        state_d  = key_q ? S_IDLE : S_CHECK;
      end

      S_AD_END: if (idle) state_d = S_CHECK;
      S_CHECK:  if (front.done) state_d = S_IDLE;
      S_DRAIN:  if (idle) state_d = S_IDLE;
      default:  state_d = S_IDLE;
    endcase

    call_d.star = step && chunk.partial;
    call_d.even = step && !chunk.partial && even_q;
    call_d.odd  = step && !chunk.partial && !even_q;

    if (refuse) begin
      collect.stop = 1'b1;
      pulse.refuse = 1'b1;  // at once: it goes on taking what the intake took
      state_d      = S_DRAIN;
    end
  end

  always_ff @(posedge clk) begin
    state_q    <= state_d;
    call       <= call_d;  // from registers: these are wide nets
    prime      <= collect.start_ad || collect.start_msg;
    key_done_q <= key_done;
    out_cut_q  <= state_q == S_IDLE && front.refused;
    out_idle_q <= out_idle && !front.end_empty && !refuse && !(state_q == S_DRAIN && !idle);
    begins     <= front.begins;
    ends       <= front.done && state_q == S_CHECK;

    if (state_q == S_KEY) key_q <= 1'b1;
    if (front.begins) key_q <= 1'b0;
    if (front.begins) ad_q <= front.with_ad;
    if (step) even_q <= !even_q;
    if (collect.start_ad || collect.start_msg) even_q <= 1'b0;
    if (out_begins) begun_q <= 1'b1;
    top_q <= at_end == K_TOP;
    if (top_q) top_ready_q <= 1'b1;
    if (sum_complete) sum_ready_q <= 1'b1;
    if (state_q == S_IDLE) begin
      begun_q     <= 1'b0;
      top_ready_q <= 1'b0;
      sum_ready_q <= 1'b0;
    end

    if (clear) begin
      state_q     <= S_IDLE;
      call        <= '0;
      prime       <= 1'b0;
      key_done_q  <= 1'b0;
      out_cut_q   <= 1'b0;
      out_idle_q  <= 1'b0;
      begins      <= 1'b0;
      ends        <= 1'b0;
      key_q       <= 1'b0;
      ad_q        <= 1'b0;
      even_q      <= 1'b0;
      begun_q     <= 1'b0;
      top_q       <= 1'b0;
      top_ready_q <= 1'b0;
      sum_ready_q <= 1'b0;
    end
  end

endmodule
