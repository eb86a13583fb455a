// SPDX-License-Identifier: Apache-2.0
// AES-OTR schedule: decides on the calls of AES for keys, sealing, opening and AD loading (docs/cores/otr.md), whichever AES
// carries them out. A call says what its result is for; so does a chunk, which is ordered at once with both its calls. The
// carrier of the calls says when it takes one (`ready`), and when what this schedule waits for has come.
// Cycles: a call or a chunk a cycle, if the carrier takes it; `call` stands one cycle later.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear` drops
// everything in flight.
module otr_schedule
  import aead_pkg::*, otr_pkg::*;
#(
    parameter bit AD_SERIAL = 1'b0,  // 0: mode P, 1: mode S
    parameter bit TA_FIRST  = 1'b0   // the call for TA goes before the nonce's: the carrier has one register of masks
) (
    input logic clk,
    input logic clear,
    input logic wiping, // memories, after a clear

    input  front_t   front,
    output status_t  status,
    output event_t   pulse,
    input  chunk_t   chunk,
    output collect_t collect,

    input logic key_ready,  // the call for Q may be made
    output logic rests,  // no command is at work
    output logic begins,  // one cycle late, as the order below: these are wide nets
    output logic ends,
    output logic opening,
    output call_t call,
    input logic single_ready,  // a call that is not of a chunk may be made
    input logic ad_ready,  // a chunk of associated data
    input logic chunk_ready,  // a chunk of the message
    input kind_e at_end,  // the result of this call stands in its register two cycles on
    input logic sum_complete,  // likewise the sum
    input logic idle,  // nothing is under way

    output logic out_cut,  // no more output is made
    input  logic out_idle
);

  typedef enum logic [3:0] {
    S_IDLE,   // nothing to do, or refused
    S_KEY,    // the call for Q
    S_AD,     // blocks of associated data
    S_NONCE,  // the call for the mask
    S_TA,     // the last call of the associated data, when their sum is complete
    S_TEXT,   // chunks
    S_TAG,    // the last call, when the sum is complete
    S_WAIT,   // wait for a call's end
    S_SETTLE, // its result goes to a register
    S_CHECK,  // it stands
    S_DRAIN   // refused: wait until nothing is under way
  } state_e;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  kind_e  wait_q;  // call that S_WAIT waits for
  call_t  call_d;
  logic   has_ad_q;  // there is a sum of associated data
  logic   sum_ready_q;  // the sum is there when the next call acts
  logic   mask_ready_q;  // likewise the mask of the message
  logic   begun_q;  // a chunk has gone
  logic   out_cut_q;
  logic   out_idle_q;  // one cycle late, because a verdict has a long way through the front end
  logic key_done, key_done_q;  // the front end is far away: it hears of it one cycle late

  logic refuse, load_ad, whole;
  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;
  assign whole   = !chunk.partial;

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
    state_d          = state_q;
    call_d           = '0;
    collect          = '0;
    collect.start_ad = front.begins && front.with_ad;
    pulse            = '0;
    refuse           = 1'b0;
    key_done         = 1'b0;
    pulse.key_done   = key_done_q;

    unique case (state_q)
      S_IDLE: begin
        if (front.key_new) state_d = S_KEY;
        if (front.begins) state_d = front.with_ad ? S_AD : S_NONCE;
      end

      S_KEY: begin
        if (key_ready) begin
          call_d.token.kind = K_Q;
          state_d = S_WAIT;
        end
      end

      S_AD: begin
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full && ad_ready) begin
          collect.next = 1'b1;
          if (!chunk.empty) begin
            call_d.token.kind     = K_SUM;
            call_d.token.sum      = 1'b1;
            call_d.token.sum_pass = chunk.last ? PASS_NONE : PASS_ALL;
            call_d.token.sum_end  = chunk.last;
            call_d.token.last     = chunk.last;
            call_d.token.single   = !chunk.two;
            call_d.from_second    = !chunk.last;
            call_d.with_second    = chunk.last;
            call_d.mask_a         = !chunk.last;
            call_d.next_a         = !chunk.last;
            call_d.finish         = chunk.last;
            if (AD_SERIAL) call_d.multiples = whole ? 4'b1000 : 4'b0100;
            else call_d.multiples = whole ? 4'b0101 : 4'b0011;
          end
          if (chunk.last) begin
            if (load_ad && chunk.empty) state_d = S_CHECK;
            else if (load_ad || (TA_FIRST && !chunk.empty)) state_d = S_TA;
            else state_d = S_NONCE;
          end
        end
      end

      S_NONCE: begin
        collect.start_msg = single_ready;
        if (single_ready) begin
          call_d.token.kind = K_NONCE;
          call_d.from_nonce = 1'b1;
          state_d           = has_ad_q && !TA_FIRST ? S_TA : S_TEXT;
        end
      end

      S_TA: begin
        if (sum_ready_q && single_ready) begin
          call_d.token.kind = K_TA;
          call_d.from_sum   = 1'b1;
          call_d.mask_f     = 1'b1;
          if (load_ad) state_d = S_WAIT;
          else state_d = TA_FIRST ? S_NONCE : S_TEXT;
        end
      end

      S_TEXT: begin
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full && mask_ready_q && chunk_ready) begin
          collect.next         = 1'b1;
          pulse.out_made       = 1'b1;
          // A single block needs no second call, but keeps its place behind the chunks before it.
          call_d.token.kind    = chunk.two || begun_q ? K_FIRST : K_LATE;
          call_d.token.sum     = !chunk.two || !opening;
          call_d.token.sum_end = chunk.last && (!opening || !(chunk.two || begun_q));
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
          if (chunk.last) state_d = S_TAG;
        end
      end

      S_TAG: begin
        if (sum_ready_q && single_ready) begin
          call_d.token.kind = K_TAG;
          call_d.from_sum   = 1'b1;
          call_d.with_ta    = 1'b1;
          call_d.mask_f     = 1'b1;
          state_d           = S_WAIT;
        end
      end

      S_WAIT: begin
        if (at_end == wait_q) begin
          key_done = wait_q == K_Q;
          state_d  = wait_q == K_Q ? S_IDLE : S_SETTLE;
        end
      end

      S_SETTLE: state_d = S_CHECK;
      S_CHECK:  if (front.done) state_d = S_IDLE;
      S_DRAIN:  if (idle) state_d = S_IDLE;
      default:  state_d = S_IDLE;
    endcase

    if (refuse) begin
      collect.stop = 1'b1;
      pulse.refuse = 1'b1;  // at once: it goes on taking what the intake took
      state_d      = S_DRAIN;
    end
  end

  always_ff @(posedge clk) begin
    state_q    <= state_d;
    call       <= call_d;  // from registers: these are wide nets
    key_done_q <= key_done;
    out_cut_q  <= state_q == S_IDLE && front.refused;
    out_idle_q <= out_idle && !front.end_empty && !refuse && !(state_q == S_DRAIN && !idle);
    begins     <= front.begins;
    ends       <= front.done && state_q == S_CHECK;

    if (call_d.token.kind == K_Q || call_d.token.kind == K_TA || call_d.token.kind == K_TAG) begin
      wait_q <= call_d.token.kind;
    end

    if (state_q == S_IDLE || call_d.from_sum) sum_ready_q <= 1'b0;
    else if (sum_complete) sum_ready_q <= 1'b1;
    if (state_q == S_IDLE) mask_ready_q <= 1'b0;
    else if (at_end == K_NONCE) mask_ready_q <= 1'b1;

    if (state_q == S_TEXT && collect.next) begun_q <= 1'b1;
    if (state_q == S_IDLE) begun_q <= 1'b0;
    if (call_d.token.kind == K_SUM) has_ad_q <= 1'b1;
    if (state_q == S_IDLE) has_ad_q <= 1'b0;

    if (clear) begin
      state_q      <= S_IDLE;
      call         <= '0;
      wait_q       <= K_NONE;
      out_cut_q    <= 1'b0;
      out_idle_q   <= 1'b0;
      key_done_q   <= 1'b0;
      begins       <= 1'b0;
      ends         <= 1'b0;
      has_ad_q     <= 1'b0;
      sum_ready_q  <= 1'b0;
      mask_ready_q <= 1'b0;
      begun_q      <= 1'b0;
    end
  end

endmodule
