// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: control (docs/cores/otr.md, "One block a cycle"). Decides on one call a cycle; what happens to its
// result travels with it. First calls of chunks go in every other cycle, so that second calls, an odd number of cycles later,
// find the cycles between; single calls wait for a free one.
// Cycles: a chunk of two blocks every two, a block of associated data every one.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear` drops
// everything in flight.
module otr_pipe_ctrl
  import otr_pkg::*, otr_pipe_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic wiping, // after a clear

    input  logic       key_valid,
    output logic       key_ready,
    input  logic       cmd_valid,
    output logic       cmd_ready,
    input  logic [1:0] cmd_op,
    input  logic       cmd_cached_ad,

    input  logic ad_last_taken,   // the last beat of the associated data moves with this edge
    input  logic msg_last_taken,  // the last beat of the message moves with this edge
    input  logic tag_in_valid,
    output logic tag_in_ready,
    output logic swallow_ad,      // refused: take and forget
    output logic swallow_msg,

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

    output logic aes_key_new,
    input logic aes_key_ready,
    output logic nonce_take,
    output logic begins,
    output logic begin_cached,
    output logic cache_load,
    output logic opening,
    output logic [15:0] last_text,
    output logic [4:0] last_bytes,
    output call_t call,
    input logic second_next,
    input kind_e at_end,
    input logic sum_complete,
    input logic pipe_idle,

    output logic out_start,
    output logic out_chunk,
    output logic out_cut,
    input  logic out_room,
    input  logic out_idle,

    output logic tag_compare,
    input  logic tag_equal,
    output logic tag_show,
    output logic tag_hide,

    output logic result_valid,
    input  logic result_ready,
    output logic result_ok,
    output logic busy
);

  typedef enum logic [3:0] {
    S_IDLE,     // a command or a key may come
    S_KEY,      // wait for the round keys, then the call for Q
    S_COMMAND,  // look at the command
    S_AD,       // blocks of associated data
    S_NONCE,    // the call for the mask
    S_TA,       // the last call of the associated data, when their sum is complete
    S_TEXT,     // chunks
    S_TAG,      // the last call, when the sum is complete
    S_WAIT,     // wait for a call's end
    S_SETTLE,   // its result goes to a register
    S_CHECK,    // wait for output and tag
    S_VERDICT,  // deliver
    S_REFUSE    // swallow the input, end the output, deliver
  } state_e;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  kind_e  wait_q;  // call that S_WAIT waits for
  call_t  call_d;
  logic key_ok_q, cache_ok_q, cmd_waits_q;
  logic [1:0] op_q;
  logic cached_q;
  logic want_ad_q, want_msg_q, want_tag_q;  // strings of the command still to be taken to the end
  logic has_ad_q;  // there is a sum of associated data
  logic sum_ready_q;  // the sum is there when the next call acts
  logic mask_ready_q;  // likewise the mask of the message
  logic turn_q, begun_q;  // first calls may go; they have
  logic held_q;  // the intake holds a chunk's first block
  logic out_cut_q;

  logic cmd_taken, key_taken, tag_in_taken, refuse, unfit, rest, deliver, whole;
  assign cmd_taken = cmd_valid && cmd_ready;
  assign key_taken = key_valid && key_ready;
  assign tag_in_taken = tag_in_valid && tag_in_ready;
  assign unfit = op_q > OP_LOAD_AD || (cached_q && !cache_ok_q);
  assign opening = op_q == OP_OPEN;
  assign whole = in_text[15];  // the last block needs no padding
  assign rest = clear || wiping;

  assign key_ready = state_q == S_IDLE && !result_valid && !rest;
  assign cmd_ready = state_q == S_IDLE && key_ok_q && !rest;
  assign busy = state_q != S_IDLE || result_valid || rest;
  assign tag_in_ready = ((state_q == S_CHECK && out_idle) || state_q == S_REFUSE) && want_tag_q && !rest;
  assign swallow_ad = state_q == S_REFUSE && want_ad_q;
  assign swallow_msg = state_q == S_REFUSE && want_msg_q;

  assign aes_key_new = key_taken;
  assign nonce_take = state_q == S_IDLE;  // the one that stands when a command is taken
  assign begins = state_q == S_COMMAND;
  assign begin_cached = cached_q;
  assign out_start = state_q == S_COMMAND && !result_valid && want_msg_q;
  assign out_cut = out_cut_q;
  assign in_start_ad = state_q == S_COMMAND && !result_valid && !unfit && want_ad_q;
  assign in_start_msg = state_q == S_NONCE;
  assign in_stop = refuse;
  assign tag_compare = tag_in_taken;
  assign tag_hide = result_valid && result_ready;

  always_comb begin
    state_d    = state_q;
    call_d     = '0;
    in_take    = 1'b0;
    in_hold    = 1'b0;
    out_chunk  = 1'b0;
    refuse     = 1'b0;
    deliver    = 1'b0;
    cache_load = 1'b0;
    tag_show   = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        if (key_taken) state_d = S_KEY;
        else if (cmd_taken) state_d = S_COMMAND;
      end

      S_KEY: begin
        if (aes_key_ready) begin
          call_d.token.kind = K_Q;
          state_d = S_WAIT;
        end
      end

      S_COMMAND: begin
        if (!result_valid) begin
          if (unfit) refuse = 1'b1;
          else state_d = want_ad_q ? S_AD : S_NONCE;
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
            if (in_last && op_q == OP_LOAD_AD) state_d = in_empty ? S_CHECK : S_TA;
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
          state_d           = op_q == OP_LOAD_AD ? S_WAIT : S_TEXT;
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

      S_WAIT:   if (at_end == wait_q) state_d = S_SETTLE;
      S_SETTLE: state_d = wait_q != K_Q ? S_CHECK : cmd_waits_q ? S_COMMAND : S_IDLE;

      S_CHECK: if (out_idle && (!want_tag_q || tag_in_taken)) state_d = S_VERDICT;

      S_VERDICT: begin
        cache_load = op_q == OP_LOAD_AD;
        tag_show   = op_q == OP_SEAL;
        deliver    = 1'b1;
        state_d    = S_IDLE;
      end

      S_REFUSE: begin
        if (!want_ad_q && !want_msg_q && !want_tag_q && out_cut_q && out_idle) begin
          deliver = 1'b1;
          state_d = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (refuse) state_d = S_REFUSE;
  end

  always_ff @(posedge clk) begin
    state_q   <= state_d;
    call      <= call_d;  // from registers: these are wide nets
    out_cut_q <= state_q == S_REFUSE && pipe_idle;

    if (call_d.token.kind == K_Q || call_d.token.kind == K_TA || call_d.token.kind == K_TAG) begin
      wait_q <= call_d.token.kind;
    end

    if (state_q == S_COMMAND || call_d.from_sum) sum_ready_q <= 1'b0;
    else if (sum_complete) sum_ready_q <= 1'b1;
    if (state_q == S_COMMAND) mask_ready_q <= 1'b0;
    else if (at_end == K_NONCE) mask_ready_q <= 1'b1;

    turn_q <= !turn_q || !begun_q;
    if (state_q == S_COMMAND) begun_q <= 1'b0;
    if (out_chunk) begin
      begun_q <= 1'b1;
      turn_q  <= 1'b0;
    end
    if (in_hold) held_q <= 1'b1;
    if (out_chunk || state_q == S_COMMAND) held_q <= 1'b0;
    if (out_chunk && in_last) begin
      last_text  <= in_text;
      last_bytes <= in_bytes;
    end

    if (key_taken) begin
      key_ok_q    <= 1'b0;
      cache_ok_q  <= 1'b0;
      cmd_waits_q <= cmd_taken;
    end
    if (state_q == S_SETTLE && wait_q == K_Q) key_ok_q <= 1'b1;
    if (cache_load) cache_ok_q <= 1'b1;

    if (cmd_taken) begin
      op_q       <= cmd_op;
      cached_q   <= cmd_cached_ad && cmd_op != OP_LOAD_AD;
      want_ad_q  <= cmd_op == OP_LOAD_AD || (cmd_op <= OP_OPEN && !cmd_cached_ad);
      want_msg_q <= cmd_op <= OP_OPEN;
      want_tag_q <= cmd_op == OP_OPEN;
      has_ad_q   <= 1'b0;
    end
    if (call_d.token.kind == K_SUM) has_ad_q <= 1'b1;
    if (ad_last_taken) want_ad_q <= 1'b0;
    if (msg_last_taken) want_msg_q <= 1'b0;
    if (tag_in_taken) want_tag_q <= 1'b0;

    if (deliver) begin
      result_valid <= 1'b1;
      result_ok    <= state_q == S_VERDICT && (op_q != OP_OPEN || tag_equal);
    end else if (result_ready) begin
      result_valid <= 1'b0;
    end

    if (clear) begin
      state_q      <= S_IDLE;
      call         <= '0;
      wait_q       <= K_NONE;
      out_cut_q    <= 1'b0;
      key_ok_q     <= 1'b0;
      cache_ok_q   <= 1'b0;
      cmd_waits_q  <= 1'b0;
      want_ad_q    <= 1'b0;
      want_msg_q   <= 1'b0;
      want_tag_q   <= 1'b0;
      has_ad_q     <= 1'b0;
      sum_ready_q  <= 1'b0;
      mask_ready_q <= 1'b0;
      begun_q      <= 1'b0;
      held_q       <= 1'b0;
      last_text    <= '0;
      last_bytes   <= '0;
      result_valid <= 1'b0;
      result_ok    <= 1'b0;
    end
  end

endmodule
