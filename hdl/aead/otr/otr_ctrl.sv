// SPDX-License-Identifier: Apache-2.0
// AES-OTR control: the order of AES calls for keys, sealing, opening and AD loading (docs/cores/otr.md).
// Strings go in turns of 2 ROUNDS cycles: in lane 0 the first call of one chunk, in lane 1 the second call of the chunk
// before it, which needs what the first one made. Both an AES of one round a cycle (lane 1 starts ROUNDS cycles after lane
// 0) and one of two half-length stages (1 cycle after it) are busy all the time. Everything else is a single call.
// Cycles: a turn a chunk of two blocks.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear`
// drops everything in flight.
module otr_ctrl
  import otr_pkg::*;
#(
    parameter int unsigned ROUNDS = 10,  // 10 or 14
    parameter int unsigned LANE1_PHASE = 10,  // cycle of the turn in which lane 1 starts: 1 or ROUNDS
    parameter int unsigned AD_SERIAL = 0,  // 0: mode P, 1: mode S
    parameter int unsigned SLOT_BITS = 2,
    parameter int unsigned BYTES_BITS = 4
) (
    input logic clk,
    input logic clear,

    input logic key_valid,
    output logic key_ready,
    input logic cmd_valid,
    output logic cmd_ready,
    input logic [1:0] cmd_op,
    input logic cmd_cached_ad,

    input  logic ad_last_taken,   // the last beat of the associated data moves with this edge
    input  logic msg_last_taken,  // the last beat of the message moves with this edge
    input  logic tag_in_valid,
    output logic tag_in_ready,
    output logic swallow_ad,      // refused: take and forget
    output logic swallow_msg,

    output logic col_start_ad,
    output logic col_start_msg,
    output logic col_stop,
    input logic col_full,
    input logic col_last,
    input logic col_two,
    input logic col_partial,
    input logic col_empty,
    input logic col_bad,
    input logic [SLOT_BITS-1:0] col_beats,
    input logic [BYTES_BITS-1:0] col_last_bytes,

    output logic emit_load,
    output logic emit_swap,
    output logic [SLOT_BITS-1:0] emit_beats,
    output logic [BYTES_BITS-1:0] emit_bytes,
    output logic emit_final,
    output logic emit_empty,
    output logic emit_more,
    output logic emit_cut,
    input logic emit_idle,

    output logic aes_key_new,
    input  logic aes_key_ready,

    input logic aes_done,  // the result of lane 0 was written by the edge before

    output datapath_t orders,
    output calls_t call_orders,
    output logic nonce_take,
    output logic tag_hide,
    input logic tag_equal,  // of the cycle before

    output logic result_valid,
    input  logic result_ready,
    output logic result_ok,
    output logic busy
);

  typedef enum logic [4:0] {
    S_IDLE,     // a command or a key may come
    S_KEY,      // wait for the round keys, then the call for Q
    S_COMMAND,  // look at the command
    S_AD,       // L <= Q
    S_AD_MASK,  // mode S: L <= 2 Q
    S_SERIAL,   // mode S: wait for a chunk of associated data, take its first block
    S_SECOND,   // mode S: its second block
    S_TURNS,    // chunks in turns
    S_FINAL,    // mask of the last call of a string, three steps
    S_NONCE,    // nonce to the input of AES
    S_CALL,     // start a single call
    S_WAIT,     // wait for it
    S_MIDDLE,   // opening, second block of the last chunk: its early block is made
    S_END,      // and goes out
    S_TAG,      // the tag is made
    S_CHECK,    // compare, deliver
    S_REFUSE    // swallow the input, end the output, deliver
  } state_e;

  // What a single call is for
  typedef enum logic [2:0] {
    CALL_Q,
    CALL_SERIAL,  // mode S: a block of associated data
    CALL_TA,
    CALL_NONCE,
    CALL_SECOND,  // opening: the second call of the last chunk, if it has two blocks
    CALL_TAG
  } call_e;

  // What is still to be done with a chunk when its second call is over
  typedef struct packed {
    logic                  valid;
    logic                  sum_late;     // the sum takes up its late block
    logic                  sends;        // it has output
    logic                  swap;         // late block first
    logic                  last;
    logic                  second_call;  // opening: its other call comes after the turns
    logic [SLOT_BITS-1:0]  beats;
    logic [BYTES_BITS-1:0] bytes;
  } late_t;

  // A chunk on its way
  typedef struct packed {
    logic  call1;       // it has a call in lane 1
    logic  sum_second;  // the sum takes up its second block
    logic  sum_result;  // and the result of its call in lane 0
    logic  mask;        // the late block is cut to the text
    late_t late;
  } chunk_t;

  localparam int unsigned TURN = 2 * ROUNDS;
  localparam logic [4:0] LAST_PHASE = 5'(TURN - 1);

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  call_e call_q, call_d;
  chunk_t chunk, i_q, a_q;  // in the collector, issued in this turn, in stage A
  late_t b_q;  // in stage B
  logic chunk_call0, i_call0_q;  // it has a call in lane 0
  logic [4:0] phase_q;
  logic at_end_q, begun_q;  // phase LAST_PHASE, phase 0
  logic move_q, lane1_load_q, lane1_start_q, add_first_q, add_second_q, add_late_q, late_q;  // phases
  logic first_sum_q;  // the issued chunk is a single block for the sum
  logic ad_q;  // the turns are of associated data
  logic half_q;  // mode S: the second block of the chunk
  logic last_issued_q;
  logic [3:0] coefficients_q;  // multiples of the mask in the last call of a string: 1, 2, 4, 8
  logic final_first_q;
  logic [1:0] final_q;  // steps of S_FINAL to come

  // Masks of the next chunk
  typedef enum logic [1:0] {
    M_NONE,
    M_HALF,  // those that do not depend on the chunk
    M_READY
  } masks_e;
  masks_e masks_q, masks_d;

  logic key_ok_q, cache_ok_q, cmd_waits_q;
  logic [1:0] op_q;
  logic cached_q;
  logic want_ad_q, want_msg_q, want_tag_q;  // strings of the command still to be taken to the end
  logic refused_q, out_owed_q;  // out_owed: no beat of the output has been made yet
  logic result_ok_q;
  logic sent_q;  // the chunk in stage B has been handed to the emitter
  logic loaded_q;  // mode S: the sum has reached the input of AES

  datapath_t dp;  // orders of the next cycle
  calls_t calls;
  logic cmd_taken, key_taken, tag_in_taken, result_set, result_set_q, result_good, refuse;
  logic emit_now;  // hand the chunk in stage B to the emitter
  logic unfit, no_result_yet, opening, go, turn_begins;
  assign cmd_taken = cmd_valid && cmd_ready;
  assign key_taken = key_valid && key_ready;
  assign tag_in_taken = tag_in_valid && tag_in_ready;
  assign unfit = op_q > OP_LOAD_AD || (cached_q && !cache_ok_q);
  assign no_result_yet = !result_valid && !result_set_q;
  assign nonce_take = state_q == S_IDLE;  // the one that stands when a command is taken
  assign tag_hide = result_valid && result_ready;
  assign opening = op_q == OP_OPEN;

  assign key_ready = state_q == S_IDLE && no_result_yet && !clear;
  assign cmd_ready = state_q == S_IDLE && key_ok_q && !result_set_q && !clear;
  assign busy = state_q != S_IDLE || result_set_q || result_valid || clear;

  assign tag_in_ready = ((state_q == S_CHECK && emit_idle) || state_q == S_REFUSE) && want_tag_q && !clear;
  assign swallow_ad = state_q == S_REFUSE && want_ad_q;
  assign swallow_msg = state_q == S_REFUSE && want_msg_q;

  // The chunk in the collector
  always_comb begin
    chunk                  = '0;
    chunk_call0            = 1'b0;
    chunk.late.valid       = col_full && masks_q == M_READY;
    chunk.late.last        = col_last;
    chunk.late.beats       = col_beats;
    chunk.late.bytes       = col_last_bytes;
    chunk.late.second_call = !ad_q && opening && col_last && col_two;
    if (ad_q) begin
      chunk_call0         = !col_last || col_two;
      chunk.call1         = !col_last;
      chunk.sum_second    = col_last && col_two;
      chunk.sum_result    = chunk_call0;
      chunk.late.sum_late = chunk.call1;
    end else begin
      chunk_call0         = col_two && !chunk.late.second_call;
      chunk.call1         = 1'b1;
      chunk.sum_second    = !opening && col_two;
      chunk.sum_result    = !opening && col_two;
      chunk.late.sum_late = opening && !chunk.late.second_call;
      chunk.late.sends    = !chunk.late.second_call;
      chunk.late.swap     = col_last;
      chunk.mask          = !col_two;
    end
  end

  assign go = chunk.late.valid || a_q.late.valid || b_q.valid;
  assign turn_begins = state_q == S_TURNS && at_end_q && go && (!b_q.valid || ad_q || emit_idle);

  always_comb begin
    state_d        = state_q;
    call_d         = call_q;
    masks_d        = masks_q;
    dp             = '0;
    calls          = '0;
    dp.source      = X_FIRST;
    dp.a_pass      = PASS_NONE;
    dp.a_sum_pass  = PASS_NONE;
    dp.sum_keep    = 1'b1;
    dp.mask0_keep  = 1'b1;
    dp.input_lane0 = 1'b1;
    aes_key_new    = key_taken;
    col_start_ad   = 1'b0;
    col_start_msg  = 1'b0;
    col_stop       = 1'b0;
    emit_now       = 1'b0;
    emit_empty     = 1'b0;
    result_set     = 1'b0;
    result_good    = 1'b0;
    refuse         = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        dp.to_a       = 1'b1;  // a refused command may have left a chunk
        dp.sum_keep   = 1'b0;
        dp.mask0_load = 1'b1;
        dp.mask0_keep = 1'b0;
        if (key_taken) state_d = S_KEY;
        else if (cmd_taken) state_d = S_COMMAND;
      end

      S_KEY: begin  // sum and mask are zero, so that the call encrypts zero
        dp.source     = X_SUM;
        dp.input_load = 1'b1;
        call_d        = CALL_Q;
        if (aes_key_ready) state_d = S_CALL;
      end

      S_COMMAND: begin
        dp.sum_keep    = 1'b0;
        dp.mask0_load  = 1'b1;
        dp.mask0_keep  = 1'b0;
        dp.mask0_nonce = !want_ad_q;
        masks_d        = M_NONE;
        if (no_result_yet) begin
          dp.ta_restore = cached_q;
          dp.ta_clear   = !cached_q;
          if (want_ad_q) begin  // never unfit
            col_start_ad = 1'b1;
            state_d = S_AD;
          end else if (unfit) begin
            refuse = 1'b1;
          end else begin
            state_d = S_NONCE;
          end
        end
      end

      S_AD: begin
        dp.mask_q = 1'b1;
        state_d   = AD_SERIAL == 1 ? S_AD_MASK : S_TURNS;
      end

      S_AD_MASK: begin
        dp.mask_double = 1'b1;
        state_d        = S_SERIAL;
      end

      S_SERIAL: begin
        if (col_bad) begin
          refuse = 1'b1;
        end else if (col_full) begin
          dp.to_a        = 1'b1;
          dp.a_sum_pass  = PASS_ALL;
          dp.sum_first   = !col_empty;
          dp.mask0_load  = col_empty;
          dp.mask0_nonce = 1'b1;
          calls.next     = 1'b1;
          if (col_empty) state_d = op_q == OP_LOAD_AD ? S_CHECK : S_NONCE;
          else state_d = col_last && !col_two ? S_FINAL : S_CALL;
          call_d = col_last && !col_two ? CALL_TA : CALL_SERIAL;
        end
      end

      S_SECOND: begin
        dp.sum_keep   = 1'b0;
        dp.sum_second = 1'b1;
        dp.sum_result = 1'b1;
        state_d       = a_q.late.last ? S_FINAL : S_CALL;
        call_d        = a_q.late.last ? CALL_TA : CALL_SERIAL;
      end

      S_TURNS: begin
        if (ad_q && col_full && col_empty) begin
          calls.next     = 1'b1;
          dp.to_a        = 1'b1;
          dp.mask0_load  = 1'b1;
          dp.mask0_keep  = 1'b0;
          dp.mask0_nonce = 1'b1;
          state_d        = op_q == OP_LOAD_AD ? S_CHECK : S_NONCE;
        end else begin
          unique case (masks_q)
            M_NONE: begin
              if (!last_issued_q) begin
                dp.mask0_load  = 1'b1;
                dp.mask0_keep  = 1'b0;
                dp.mask0_add   = 1'b1;
                dp.mask_double = 1'b1;
                masks_d        = M_HALF;
              end
            end
            M_HALF: begin
              dp.mask0_load  = col_full && !ad_q;
              dp.mask0_add   = opening && !col_last;
              dp.mask1_load  = col_full;
              dp.mask1_add   = ad_q || (col_last ? col_two : !opening);
              dp.mask1_alone = ad_q;
              dp.mask_double = col_full && ad_q && !col_last;
              if (col_full) masks_d = M_READY;
            end
            default: ;
          endcase

          if (turn_begins) dp.input_load = 1'b1;
          calls.tick = begun_q && ((i_q.late.valid && i_call0_q) || (a_q.late.valid && a_q.call1));
          if (begun_q) calls.start = i_q.late.valid && i_call0_q;
          if (lane1_load_q) begin
            dp.source      = X_LANE1;
            dp.input_load  = 1'b1;
            dp.input_lane0 = 1'b0;
          end
          if (lane1_start_q) begin
            calls.start = a_q.late.valid && a_q.call1;
            calls.lane  = 1'b1;
          end
          if (add_first_q) dp.sum_first = i_q.late.valid && first_sum_q;
          if (add_second_q) begin
            dp.sum_second = a_q.late.valid && a_q.sum_second;
            dp.sum_result = a_q.late.valid && a_q.sum_result;
          end
          if (late_q && b_q.valid) begin
            dp.late_load = 1'b1;
            dp.early_load = 1'b1;
            emit_now = b_q.sends;
          end
          if (add_late_q) dp.sum_late = b_q.valid && b_q.sum_late;
          if (move_q) begin
            dp.to_b       = a_q.late.valid;
            dp.b_mask     = a_q.mask;
            dp.b_wipe     = ad_q;
            dp.to_a       = i_q.late.valid;
            dp.a_pass     = ad_q || !i_call0_q ? PASS_NONE : PASS_TEXT;
            dp.a_sum_pass = ad_q ? PASS_ALL : PASS_BEYOND;
            calls.next    = i_q.late.valid;
            if (i_q.late.valid) masks_d = M_NONE;
            if (ad_q) begin
              if ((i_q.late.valid && i_q.late.last && !i_call0_q && !a_q.late.valid) ||
                  (a_q.late.valid && a_q.late.last)) begin
                state_d = S_FINAL;
                call_d  = CALL_TA;
              end
            end else if (b_q.valid && b_q.last) begin
              state_d = S_FINAL;
              call_d  = CALL_TAG;
              if (b_q.second_call) begin
                state_d       = S_CALL;
                call_d        = CALL_SECOND;
                dp.source     = X_LATE;
                dp.input_load = 1'b1;
                dp.a_pass     = PASS_TEXT;
                dp.a_sum_pass = PASS_ALL;
                dp.a_pass_set = 1'b1;
              end
            end
          end
          // What was good before the bad beat has been sent.
          if (col_bad && !i_q.late.valid && !a_q.late.valid && !b_q.valid) refuse = 1'b1;
        end
      end

      S_FINAL: begin
        dp.mask0_load  = 1'b1;
        dp.mask0_keep  = !final_first_q || coefficients_q[0];
        dp.mask0_add   = coefficients_q[1];
        dp.mask_double = 1'b1;
        if (final_q == '0) begin
          dp.mask0_load = 1'b0;
          dp.source     = X_SUM;
          dp.input_load = 1'b1;
          state_d       = S_CALL;
        end
      end

      S_NONCE: begin
        dp.input_load = 1'b1;  // the collector is empty, mask 0 is the nonce
        call_d        = CALL_NONCE;
        col_start_msg = 1'b1;
        state_d       = S_CALL;
      end

      S_CALL: begin
        // The first block of a chunk in mode S was added to the sum in the cycle before.
        if (call_q == CALL_SERIAL && !loaded_q) begin
          dp.source     = X_SUM;
          dp.input_load = 1'b1;
        end else begin
          calls.tick  = 1'b1;
          calls.start = 1'b1;
          state_d     = S_WAIT;
        end
      end

      S_WAIT: begin
        if (aes_done) begin
          unique case (call_q)
            CALL_Q: begin
              dp.q_load = 1'b1;
              state_d   = cmd_waits_q ? S_COMMAND : S_IDLE;
            end
            CALL_SERIAL: begin
              if (half_q) begin
                dp.sum_keep   = 1'b0;
                dp.sum_result = 1'b1;
                state_d       = S_SERIAL;
              end else begin
                state_d = S_SECOND;
              end
            end
            CALL_TA: begin
              dp.ta_load     = 1'b1;
              dp.mask0_load  = 1'b1;
              dp.mask0_keep  = 1'b0;
              dp.mask0_nonce = 1'b1;
              state_d        = op_q == OP_LOAD_AD ? S_CHECK : S_NONCE;
            end
            CALL_NONCE: begin
              dp.mask_nonce = 1'b1;
              dp.sum_keep   = 1'b0;
              masks_d       = M_NONE;
              state_d       = S_TURNS;
            end
            CALL_SECOND: begin
              dp.sum_second = 1'b1;
              dp.sum_result = 1'b1;
              dp.to_b       = 1'b1;
              state_d       = S_MIDDLE;
            end
            default: begin
              dp.tag_load = 1'b1;
              state_d     = S_TAG;
            end
          endcase
        end
      end

      S_MIDDLE: begin
        dp.early_load = 1'b1;
        state_d       = S_END;
      end

      S_END: begin
        emit_now = 1'b1;
        call_d   = CALL_TAG;
        state_d  = S_FINAL;
      end

      S_TAG: state_d = S_CHECK;  // the tag goes to its register

      S_CHECK: begin
        if (emit_idle && (!want_tag_q || tag_in_valid)) begin
          dp.cache_load = op_q == OP_LOAD_AD;
          dp.tag_show   = op_q == OP_SEAL;
          result_set    = 1'b1;
          result_good   = 1'b1;  // if the tags are equal
          state_d       = S_IDLE;
        end
      end

      S_REFUSE: begin
        emit_empty = out_owed_q && emit_idle;
        if (!want_ad_q && !want_msg_q && !want_tag_q && !out_owed_q && emit_idle) begin
          result_set = 1'b1;
          state_d    = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      col_stop = 1'b1;
      state_d  = S_REFUSE;
    end
  end

  assign emit_more = a_q.late.valid || (b_q.valid && !sent_q) || col_full;
  assign emit_cut  = refused_q;

  // Orders and what belongs to them leave from registers: they are wide nets.
  always_ff @(posedge clk) begin
    orders       <= dp;
    call_orders  <= calls;
    emit_load    <= emit_now;
    emit_swap    <= b_q.swap;
    emit_beats   <= b_q.beats;
    emit_bytes   <= b_q.bytes;
    emit_final   <= b_q.last;
    result_set_q <= result_set;
    if (clear) begin
      orders       <= '0;
      call_orders  <= '0;
      emit_load    <= 1'b0;
      emit_swap    <= 1'b0;
      emit_beats   <= '0;
      emit_bytes   <= '0;
      emit_final   <= 1'b0;
      result_set_q <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    state_q  <= state_d;
    call_q   <= call_d;
    masks_q  <= masks_d;
    loaded_q <= state_q == S_CALL && !loaded_q;

    // Phases of a turn, each known a cycle ahead
    if (state_q != S_TURNS) phase_q <= LAST_PHASE;
    else if (turn_begins) phase_q <= '0;
    else if (phase_q != LAST_PHASE) phase_q <= phase_q + 5'd1;
    if (state_q != S_TURNS || phase_q == LAST_PHASE - 5'd1) at_end_q <= 1'b1;
    else if (turn_begins) at_end_q <= 1'b0;
    begun_q       <= turn_begins;
    lane1_load_q  <= LANE1_PHASE == 1 ? turn_begins : phase_q == 5'(LANE1_PHASE - 2);
    lane1_start_q <= lane1_load_q;
    add_first_q   <= phase_q == 5'd2;
    add_second_q  <= phase_q == 5'd4;
    late_q        <= phase_q == 5'd6;
    add_late_q    <= late_q;
    move_q        <= phase_q == 5'(ROUNDS - 1);

    if (turn_begins) begin
      i_q         <= chunk;
      i_call0_q   <= chunk_call0;
      first_sum_q <= col_last && !col_two && (ad_q || !opening);
    end
    if (late_q) sent_q <= 1'b1;
    if (move_q) begin
      sent_q <= 1'b0;
      a_q    <= i_q;
      if (!(b_q.valid && b_q.second_call)) b_q <= a_q.late;
      i_q <= '0;
      if (i_q.late.valid && i_q.late.last) last_issued_q <= 1'b1;
    end
    if (state_q == S_SERIAL && col_full) begin
      a_q.late.last <= col_last;
      half_q <= 1'b0;
    end
    if (state_q == S_SECOND) half_q <= 1'b1;

    // Multiples of the mask for the last call: of A or D as they stand in mask 0, L being twice that; in mode S of Q
    if (calls.next) begin
      if (ad_q && AD_SERIAL == 1) coefficients_q <= col_partial ? 4'b0010 : 4'b0100;
      else if (ad_q && col_two) coefficients_q <= col_partial ? 4'b0110 : 4'b1010;
      else if (ad_q) coefficients_q <= col_partial ? 4'b0011 : 4'b0101;
      else if (col_two) coefficients_q <= col_partial ? 4'b1111 : 4'b1001;
      else coefficients_q <= col_partial ? 4'b0101 : 4'b0111;
    end
    final_first_q <= state_q != S_FINAL;
    if (state_q != S_FINAL) begin
      final_q <= 2'd3;
    end else begin
      final_q <= final_q - 2'd1;
      coefficients_q[3:1] <= {1'b0, coefficients_q[3:2]};
    end

    if (state_q == S_COMMAND || state_q == S_NONCE) begin
      last_issued_q <= 1'b0;
      i_q           <= '0;
      a_q           <= '0;
      b_q           <= '0;
      ad_q          <= state_q == S_COMMAND;
    end
    if (state_q == S_END) b_q <= '0;

    if (key_taken) begin
      key_ok_q    <= 1'b0;
      cache_ok_q  <= 1'b0;
      cmd_waits_q <= cmd_taken;
    end
    if (dp.q_load) key_ok_q <= 1'b1;
    if (dp.cache_load) cache_ok_q <= 1'b1;

    if (cmd_taken) begin
      op_q       <= cmd_op;
      cached_q   <= cmd_cached_ad && cmd_op != OP_LOAD_AD;
      want_ad_q  <= cmd_op == OP_LOAD_AD || (cmd_op <= OP_OPEN && !cmd_cached_ad);
      want_msg_q <= cmd_op <= OP_OPEN;
      want_tag_q <= cmd_op == OP_OPEN;
      out_owed_q <= cmd_op <= OP_OPEN;
      refused_q  <= 1'b0;
    end
    if (ad_last_taken) want_ad_q <= 1'b0;
    if (msg_last_taken) want_msg_q <= 1'b0;
    if (tag_in_taken) want_tag_q <= 1'b0;
    if (emit_now || emit_empty) out_owed_q <= 1'b0;
    if (refuse) refused_q <= 1'b1;

    if (result_set) result_ok_q <= result_good;
    if (result_set_q) begin
      result_valid <= 1'b1;
      result_ok    <= result_ok_q && (op_q != OP_OPEN || tag_equal);
    end else if (result_ready) begin
      result_valid <= 1'b0;
    end

    if (clear) begin
      state_q        <= S_IDLE;
      call_q         <= CALL_Q;
      masks_q        <= M_NONE;
      phase_q        <= LAST_PHASE;
      at_end_q       <= 1'b1;
      begun_q        <= 1'b0;
      lane1_load_q   <= 1'b0;
      lane1_start_q  <= 1'b0;
      add_first_q    <= 1'b0;
      add_second_q   <= 1'b0;
      late_q         <= 1'b0;
      add_late_q     <= 1'b0;
      move_q         <= 1'b0;
      i_q            <= '0;
      i_call0_q      <= 1'b0;
      first_sum_q    <= 1'b0;
      a_q            <= '0;
      b_q            <= '0;
      sent_q         <= 1'b0;
      ad_q           <= 1'b0;
      half_q         <= 1'b0;
      loaded_q       <= 1'b0;
      last_issued_q  <= 1'b0;
      coefficients_q <= '0;
      final_first_q  <= 1'b0;
      final_q        <= '0;
      op_q           <= '0;
      cached_q       <= 1'b0;
      key_ok_q       <= 1'b0;
      cache_ok_q     <= 1'b0;
      cmd_waits_q    <= 1'b0;
      want_ad_q      <= 1'b0;
      want_msg_q     <= 1'b0;
      want_tag_q     <= 1'b0;
      out_owed_q     <= 1'b0;
      refused_q      <= 1'b0;
      result_ok_q    <= 1'b0;
      result_valid   <= 1'b0;
      result_ok      <= 1'b0;
    end
  end

endmodule
