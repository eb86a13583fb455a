// SPDX-License-Identifier: Apache-2.0
// Deoxys-II, a call a cycle: decides on the calls of the cipher for sealing, opening and AD loading (docs/cores/deoxys.md). Sealing
// reads the message twice: for the sum, of which the tag is made, and for the encryption. Opening reads it once: a block is
// decrypted, and goes back to the cipher for the sum, in one of the cycles that are left free.
// Cycles: two calls a block; `call` stands one cycle later.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear` drops everything in
// flight. A wrong tag, which is public, is refused here.
module deoxysii_pipe_schedule
  import aead_pkg::*, deoxysii_pipe_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic wiping, // memories, after a clear

    input  front_t   front,
    output status_t  status,
    output event_t   pulse,
    input  chunk_t   chunk,
    output collect_t collect,

    output logic store_rewind,
    output logic store_stop,
    input  logic store_bad,

    output logic rests,  // no command is at work
    output logic begins,  // one cycle late, as the two orders below: these are wide nets
    output logic ends,
    output call_t call,
    output logic opening,
    input kind_e at_end,  // the result of this call stands in its register two cycles on
    input logic idle,  // nothing is under way
    input logic tag_equal,

    input  logic out_room,
    output logic out_begins,  // pulse: a block of the message goes into the pipeline
    output logic out_empty,   // pulse: the message is the empty string
    output logic out_cut,     // no more output is made
    input  logic out_idle
);

  typedef enum logic [3:0] {
    S_IDLE,     // nothing to do, or refused
    S_KEY,
    S_AD,       // blocks of associated data
    S_STRING,   // they have ended
    S_AD_END,   // loading AD: wait for the sum
    S_SUM,      // seal: the message, for the sum
    S_TAG_IN,   // open: take the tag
    S_STREAM,   // the message, encrypted or decrypted
    S_TAG,      // wait for the sum, then the tag's call
    S_WAIT,     // wait for it
    S_SETTLE,   // its result goes to a register
    S_EQUAL,    // open: compare
    S_VERDICT,
    S_LAST,     // the output knows of its last block
    S_CHECK,    // done
    S_DRAIN     // refused: wait until nothing is under way
  } state_e;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  call_t call_d;
  logic [NUMBER_BITS-1:0] number_q;  // of the string's next block
  logic turn_q;  // opening: a first call may go
  logic out_cut_q;
  logic out_idle_q;  // one cycle late, because a verdict has a long way through the front end
  logic refuse, load_ad, step, begin_string, lost;

  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;
  assign lost = chunk.bad || (store_bad && !chunk.full);

  always_comb begin
    status          = '0;
    status.wiping   = wiping;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.tag_wait = state_q == S_TAG_IN;
    status.finish   = state_q == S_CHECK;
    status.out_idle = out_idle_q;
  end

  assign out_cut = out_cut_q;
  assign rests   = state_q == S_IDLE;

  always_comb begin
    state_d          = state_q;
    call_d           = '0;
    call_d.number    = number_q;
    call_d.partial   = chunk.partial;
    collect          = '0;
    collect.start_ad = front.begins && front.with_ad;
    pulse            = '0;
    refuse           = 1'b0;
    step             = 1'b0;
    begin_string     = 1'b0;
    out_begins       = 1'b0;
    out_empty        = 1'b0;
    store_rewind     = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        begin_string = 1'b1;
        if (front.key_new) state_d = S_KEY;
        if (front.begins) state_d = front.with_ad ? S_AD : S_STRING;
      end

      S_KEY: begin
        pulse.key_done = 1'b1;
        state_d = S_IDLE;
      end

      S_AD: begin
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full) begin
          collect.next = 1'b1;
          step = !chunk.empty;
          if (!chunk.empty) call_d.token.kind = K_SUM;
          call_d.ad = 1'b1;
          if (chunk.last) state_d = S_STRING;
        end
      end

      S_STRING: begin
        begin_string = 1'b1;
        collect.start_msg = !load_ad;
        state_d = load_ad ? S_AD_END : opening ? S_TAG_IN : S_SUM;
      end

      S_AD_END: if (idle) state_d = S_CHECK;

      S_SUM: begin
        if (lost) begin
          refuse = 1'b1;
        end else if (chunk.full) begin
          collect.next = 1'b1;
          step = !chunk.empty;
          if (!chunk.empty) call_d.token.kind = K_SUM;
          // What comes next is collected while the tag is being made.
          if (chunk.last) begin
            begin_string = 1'b1;
            store_rewind = 1'b1;
            collect.start_msg = 1'b1;
            state_d = S_TAG;
          end
        end
      end

      S_TAG_IN: begin
        if (front.tag_taken) state_d = S_STREAM;
        if (store_bad) refuse = 1'b1;
      end

      S_STREAM: begin
        if (lost) begin
          refuse = 1'b1;
        end else if (chunk.full && out_room && (turn_q || !opening)) begin
          collect.next = 1'b1;
          step = !chunk.empty;
          if (!chunk.empty) begin
            call_d.token.kind  = K_STREAM;
            call_d.token.cut   = chunk.partial;
            call_d.token.again = opening;
            call_d.token.last  = chunk.last;
          end
          pulse.out_made = 1'b1;
          out_begins = !chunk.empty;
          out_empty = chunk.empty;
          if (chunk.last) state_d = opening ? S_TAG : S_LAST;
        end
      end

      S_TAG: begin
        if (idle) begin
          call_d.token.kind = K_TAG;
          state_d = S_WAIT;
        end
      end

      S_WAIT:   if (at_end == K_TAG) state_d = S_SETTLE;
      S_SETTLE: state_d = opening ? S_EQUAL : S_STREAM;
      S_EQUAL:  state_d = S_VERDICT;

      S_VERDICT: begin
        state_d = S_CHECK;
        refuse  = !tag_equal;
      end

      S_LAST:  state_d = S_CHECK;
      S_CHECK: if (front.done) state_d = S_IDLE;
      S_DRAIN: if (idle) state_d = S_IDLE;
      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      collect.stop = 1'b1;
      pulse.refuse = 1'b1;  // at once: it goes on taking what the intake took
      state_d      = S_DRAIN;
    end
  end
  assign store_stop = refuse;

  always_ff @(posedge clk) begin
    state_q    <= state_d;
    call       <= call_d;  // from registers: these are wide nets
    out_cut_q  <= state_q == S_IDLE && front.refused;
    out_idle_q <= out_idle && !front.end_empty && !refuse && !(state_q == S_DRAIN && !idle);
    begins     <= front.begins;
    ends       <= front.done && state_q == S_CHECK;
    turn_q     <= !turn_q || state_q == S_IDLE;

    if (begin_string) number_q <= '0;
    else if (step) number_q <= number_q + NUMBER_BITS'(1);

    if (clear) begin
      state_q    <= S_IDLE;
      call       <= '0;
      out_cut_q  <= 1'b0;
      out_idle_q <= 1'b0;
      begins     <= 1'b0;
      ends       <= 1'b0;
      turn_q     <= 1'b0;
      number_q   <= '0;
    end
  end

endmodule
