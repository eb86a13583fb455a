// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: schedule (docs/cores/otr.md, "One block a cycle"). Decides on one call a cycle; what happens to its
// result travels with it. First calls of chunks go in every other cycle, so that second calls, an odd number of cycles later,
// find the cycles between; single calls wait for a free one.
// Cycles: a chunk of two blocks every two, a block of associated data every one.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear` drops
// everything in flight.
module otr_pipe_schedule
  import aead_pkg::*, otr_pkg::*, otr_pipe_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic wiping, // after a clear

    input  front_t  front,
    output status_t status,
    output event_t  pulse,

    output logic        in_start_ad,
    output logic        in_start_msg,
    output logic        in_stop,
    output logic        in_take,
    output logic        in_hold,
    input  logic        in_valid,
    input  logic [15:0] in_text,
    input  logic [ 4:0] in_bytes,
    input  logic        in_last,
    input  logic        in_empty,
    input  logic        in_bad,

    input logic aes_key_ready,
    output logic begins,  // one cycle late, as the order below: these are wide nets
    output logic ends,
    output logic opening,
    output logic [15:0] last_text,
    output logic [4:0] last_bytes,
    output call_t call,
    input logic second_next,
    input kind_e at_end,
    input logic sum_complete,
    input logic pipe_idle,

    output logic out_chunk,
    output logic out_cut,
    input  logic out_room,
    input  logic out_idle
);

  typedef enum logic [3:0] {
    S_IDLE,   // nothing to do, or refused
    S_KEY,    // wait for the round keys, then the call for Q
    S_AD,     // blocks of associated data
    S_NONCE,  // the call for the mask
    S_TA,     // the last call of the associated data, when their sum is complete
    S_TEXT,   // chunks
    S_TAG,    // the last call, when the sum is complete
    S_WAIT,   // wait for a call's end
    S_SETTLE, // its result goes to a register
    S_CHECK,  // it stands
    S_DRAIN   // refused: wait until the pipeline is empty
  } state_e;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  kind_e  wait_q;  // call that S_WAIT waits for
  call_t  call_d;
  logic   has_ad_q;  // there is a sum of associated data
  logic   sum_ready_q;  // the sum is there when the next call acts
  logic   mask_ready_q;  // likewise the mask of the message
  logic turn_q, begun_q;  // first calls may go; they have
  logic held_q;  // the intake holds a chunk's first block
  logic out_cut_q;

  logic refuse, load_ad, whole;
  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;
  assign whole   = in_text[15];  // the last block needs no padding

  always_comb begin
    status          = '0;
    status.wiping   = wiping;
    status.key_free = 1'b1;
    status.finish   = state_q == S_CHECK;
    status.out_idle = out_idle && state_q != S_DRAIN;
  end

  assign out_cut = out_cut_q;
  assign in_start_ad = front.begins && front.with_ad;
  assign in_start_msg = state_q == S_NONCE;
  assign in_stop = refuse;

  always_comb begin
    state_d   = state_q;
    call_d    = '0;
    in_take   = 1'b0;
    in_hold   = 1'b0;
    out_chunk = 1'b0;
    refuse    = 1'b0;
    pulse     = '0;

    unique case (state_q)
      S_IDLE: begin
        if (front.key_new) state_d = S_KEY;
        if (front.begins) state_d = front.with_ad ? S_AD : S_NONCE;
      end

      S_KEY: begin
        if (aes_key_ready) begin
          call_d.token.kind = K_Q;
          state_d = S_WAIT;
        end
      end

      S_AD: begin
        if (in_valid) begin
          if (in_bad) begin
            refuse = 1'b1;
          end else begin
            in_take = 1'b1;
            if (!in_empty) begin
              call_d.token.kind     = K_SUM;
              call_d.token.sum      = 1'b1;
              call_d.token.sum_pass = in_last ? PASS_NONE : PASS_ALL;
              call_d.token.sum_end  = in_last;
              call_d.from_second    = !in_last;
              call_d.with_second    = in_last;
              call_d.mask_a         = !in_last;
              call_d.next_a         = !in_last;
              call_d.finish         = in_last;
              call_d.multiples      = whole ? 4'b0101 : 4'b0011;
            end
            if (in_last && load_ad) state_d = in_empty ? S_CHECK : S_TA;
            else if (in_last) state_d = S_NONCE;
          end
        end
      end

      S_NONCE: begin
        call_d.token.kind = K_NONCE;
        call_d.from_nonce = 1'b1;
        state_d           = has_ad_q ? S_TA : S_TEXT;
      end

      S_TA: begin
        if (sum_ready_q) begin
          call_d.token.kind = K_TA;
          call_d.from_sum   = 1'b1;
          call_d.mask_f     = 1'b1;
          state_d           = load_ad ? S_WAIT : S_TEXT;
        end
      end

      S_TEXT: begin
        if (in_valid && in_bad) begin
          refuse = 1'b1;
        end else if (in_valid && !held_q && !in_last) begin
          in_take = 1'b1;
          in_hold = 1'b1;
        end else if (in_valid && mask_ready_q && turn_q && out_room) begin
          in_take              = 1'b1;
          out_chunk            = 1'b1;
          // A single block needs no second call, but keeps its place behind the chunks before it.
          call_d.token.kind    = held_q || begun_q ? K_FIRST : K_LATE;
          call_d.token.sum     = !held_q || !opening;
          call_d.token.sum_end = in_last && (!opening || !(held_q || begun_q));
          call_d.token.cut     = in_last && (!held_q || !opening);
          call_d.token.last    = in_last;
          call_d.token.single  = !held_q;
          call_d.mask_a        = 1'b1;
          call_d.next_a        = !in_last;
          call_d.finish        = in_last;
          if (held_q) begin
            // Opening, the calls of the last chunk come in the other order.
            call_d.token.sum_pass = in_last ? PASS_BEYOND : PASS_NONE;
            call_d.from_first     = !(opening && in_last);
            call_d.from_second    = opening && in_last;
            call_d.with_first     = opening && in_last;
            call_d.with_second    = !(opening && in_last);
            call_d.mask_2a        = opening;
            call_d.multiples      = whole ? 4'b1001 : 4'b1111;
          end else begin
            call_d.token.sum_pass = opening ? PASS_TEXT : PASS_NONE;
            call_d.with_second    = 1'b1;
            call_d.multiples      = whole ? 4'b0111 : 4'b0101;
          end
          if (in_last) state_d = S_TAG;
        end
      end

      S_TAG: begin
        if (sum_ready_q && !second_next) begin
          call_d.token.kind = K_TAG;
          call_d.from_sum   = 1'b1;
          call_d.with_ta    = 1'b1;
          call_d.mask_f     = 1'b1;
          state_d           = S_WAIT;
        end
      end

      S_WAIT: if (at_end == wait_q) state_d = S_SETTLE;

      S_SETTLE: begin
        pulse.key_done = wait_q == K_Q;
        state_d        = wait_q == K_Q ? S_IDLE : S_CHECK;
      end

      S_CHECK: if (front.done) state_d = S_IDLE;
      S_DRAIN: if (pipe_idle) state_d = S_IDLE;
      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      pulse.refuse = 1'b1;
      state_d      = S_DRAIN;
    end
    pulse.out_made = out_chunk;
  end

  always_ff @(posedge clk) begin
    state_q   <= state_d;
    call      <= call_d;  // from registers: these are wide nets
    out_cut_q <= state_q == S_IDLE && front.refused;
    begins    <= front.begins;
    ends      <= front.done && state_q == S_CHECK;

    if (call_d.token.kind == K_Q || call_d.token.kind == K_TA || call_d.token.kind == K_TAG) begin
      wait_q <= call_d.token.kind;
    end

    if (state_q == S_IDLE || call_d.from_sum) sum_ready_q <= 1'b0;
    else if (sum_complete) sum_ready_q <= 1'b1;
    if (state_q == S_IDLE) mask_ready_q <= 1'b0;
    else if (at_end == K_NONCE) mask_ready_q <= 1'b1;

    turn_q <= !turn_q || !begun_q;
    if (state_q == S_IDLE) begun_q <= 1'b0;
    if (out_chunk) begin
      begun_q <= 1'b1;
      turn_q  <= 1'b0;
    end
    if (in_hold) held_q <= 1'b1;
    if (out_chunk || state_q == S_IDLE) held_q <= 1'b0;
    if (out_chunk && in_last) begin
      last_text  <= in_text;
      last_bytes <= in_bytes;
    end

    if (call_d.token.kind == K_SUM) has_ad_q <= 1'b1;
    if (state_q == S_IDLE) has_ad_q <= 1'b0;

    if (clear) begin
      state_q      <= S_IDLE;
      call         <= '0;
      wait_q       <= K_NONE;
      out_cut_q    <= 1'b0;
      begins       <= 1'b0;
      ends         <= 1'b0;
      has_ad_q     <= 1'b0;
      sum_ready_q  <= 1'b0;
      mask_ready_q <= 1'b0;
      begun_q      <= 1'b0;
      held_q       <= 1'b0;
      last_text    <= '0;
      last_bytes   <= '0;
    end
  end

endmodule
