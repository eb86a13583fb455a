// SPDX-License-Identifier: Apache-2.0
// AES-OTR schedule: the order of AES calls for keys, sealing, opening and AD loading (docs/cores/otr.md).
// Strings go in turns of 2 ROUNDS cycles: in lane 0 the first call of one chunk, in lane 1 the second call of the chunk
// before it, which needs what the first one made. Both an AES of one round a cycle (lane 1 starts ROUNDS cycles after lane
// 0) and one of two half-length stages (1 cycle after it) are busy all the time. Everything else is a single call.
// Cycles: a turn a chunk of two blocks.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear`
// drops everything in flight.
module otr_schedule
  import aead_pkg::*, otr_pkg::*;
#(
    parameter int unsigned ROUNDS = 10,  // 10 or 14
    parameter int unsigned LANE1_PHASE = 10,  // cycle of the turn in which lane 1 starts: 1 or ROUNDS
    parameter int unsigned AD_SERIAL = 0  // 0: mode P, 1: mode S
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

    input logic aes_key_ready,
    input logic aes_done,  // the result of lane 0 was written by the edge before

    output datapath_t orders,
    output calls_t call_orders
);

  typedef enum logic [4:0] {
    S_IDLE,     // nothing to do, or refused
    S_KEY,      // wait for the round keys, then the call for Q
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
    S_CHECK     // it stands
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
    logic       valid;
    logic       sum_late;     // the sum takes up its late block
    logic       sends;        // it has output
    logic       swap;         // late block first
    logic       last;
    logic       second_call;  // opening: its other call comes after the turns
    logic [5:0] beats;
    logic [6:0] last_bytes;
  } late_t;

  // A chunk on its way
  typedef struct packed {
    logic  call1;       // it has a call in lane 1
    logic  sum_second;  // the sum takes up its second block
    logic  sum_result;  // and the result of its call in lane 0
    logic  mask;        // the late block is cut to the text
    late_t late;
  } way_t;

  localparam int unsigned TURN = 2 * ROUNDS;
  localparam logic [4:0] LAST_PHASE = 5'(TURN - 1);

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  call_e call_q, call_d;
  way_t way, i_q, a_q;  // in the collector, issued in this turn, in stage A
  late_t b_q;  // in stage B
  logic way_call0, i_call0_q;  // it has a call in lane 0
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

  logic sent_q;  // the chunk in stage B has been handed to the emitter
  logic loaded_q;  // mode S: the sum has reached the input of AES

  datapath_t dp;  // orders of the next cycle
  calls_t calls;
  emit_t emit_q;
  logic next, next_q;  // go on to the next chunk
  logic refuse, emit_now;  // emit_now: hand the chunk in stage B to the emitter
  logic opening, load_ad, go, turn_begins;
  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.finish   = state_q == S_CHECK;
    status.out_idle = emit_idle;
  end

  // The chunk in the collector
  always_comb begin
    way                  = '0;
    way_call0            = 1'b0;
    way.late.valid       = chunk.full && masks_q == M_READY;
    way.late.last        = chunk.last;
    way.late.beats       = chunk.beats;
    way.late.last_bytes  = chunk.last_bytes;
    way.late.second_call = !ad_q && opening && chunk.last && chunk.two;
    if (ad_q) begin
      way_call0         = !chunk.last || chunk.two;
      way.call1         = !chunk.last;
      way.sum_second    = chunk.last && chunk.two;
      way.sum_result    = way_call0;
      way.late.sum_late = way.call1;
    end else begin
      way_call0         = chunk.two && !way.late.second_call;
      way.call1         = 1'b1;
      way.sum_second    = !opening && chunk.two;
      way.sum_result    = !opening && chunk.two;
      way.late.sum_late = opening && !way.late.second_call;
      way.late.sends    = !way.late.second_call;
      way.late.swap     = chunk.last;
      way.mask          = !chunk.two;
    end
  end

  assign go = way.late.valid || a_q.late.valid || b_q.valid;
  assign turn_begins = state_q == S_TURNS && at_end_q && go && (!b_q.valid || ad_q || emit_idle);

  always_comb begin
    state_d        = state_q;
    call_d         = call_q;
    masks_d        = masks_q;
    dp             = '0;
    calls          = '0;
    next           = 1'b0;
    dp.source      = X_FIRST;
    dp.a_pass      = PASS_NONE;
    dp.a_sum_pass  = PASS_NONE;
    dp.sum_keep    = 1'b1;
    dp.mask0_keep  = 1'b1;
    dp.input_lane0 = 1'b1;
    collect        = '0;
    pulse          = '0;
    emit_now       = 1'b0;
    refuse         = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        dp.to_a        = 1'b1;  // a refused command may have left a chunk
        dp.sum_keep    = 1'b0;
        dp.mask0_load  = 1'b1;
        dp.mask0_keep  = 1'b0;
        dp.mask0_nonce = !front.rest && !front.with_ad;
        masks_d        = M_NONE;
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          dp.ta_restore    = front.cached;
          dp.ta_clear      = !front.cached;
          collect.start_ad = front.with_ad;
          state_d          = front.with_ad ? S_AD : S_NONCE;
        end
      end

      S_KEY: begin  // sum and mask are zero, so that the call encrypts zero
        dp.source     = X_SUM;
        dp.input_load = 1'b1;
        call_d        = CALL_Q;
        if (aes_key_ready) state_d = S_CALL;
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
        if (chunk.bad) begin
          refuse = 1'b1;
        end else if (chunk.full) begin
          dp.to_a        = 1'b1;
          dp.a_sum_pass  = PASS_ALL;
          dp.sum_first   = !chunk.empty;
          dp.mask0_load  = chunk.empty;
          dp.mask0_nonce = 1'b1;
          next           = 1'b1;
          if (chunk.empty) state_d = load_ad ? S_CHECK : S_NONCE;
          else state_d = chunk.last && !chunk.two ? S_FINAL : S_CALL;
          call_d = chunk.last && !chunk.two ? CALL_TA : CALL_SERIAL;
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
        if (ad_q && chunk.full && chunk.empty) begin
          next           = 1'b1;
          dp.to_a        = 1'b1;
          dp.mask0_load  = 1'b1;
          dp.mask0_keep  = 1'b0;
          dp.mask0_nonce = 1'b1;
          state_d        = load_ad ? S_CHECK : S_NONCE;
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
              dp.mask0_load  = chunk.full && !ad_q;
              dp.mask0_add   = opening && !chunk.last;
              dp.mask1_load  = chunk.full;
              dp.mask1_add   = ad_q || (chunk.last ? chunk.two : !opening);
              dp.mask1_alone = ad_q;
              dp.mask_double = chunk.full && ad_q && !chunk.last;
              if (chunk.full) masks_d = M_READY;
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
            next          = i_q.late.valid;
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
          if (chunk.bad && !i_q.late.valid && !a_q.late.valid && !b_q.valid) refuse = 1'b1;
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
        dp.input_load     = 1'b1;  // the collector is empty, mask 0 is the nonce
        call_d            = CALL_NONCE;
        collect.start_msg = 1'b1;
        state_d           = S_CALL;
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
              pulse.key_done = 1'b1;
              state_d = S_IDLE;
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
              state_d        = load_ad ? S_CHECK : S_NONCE;
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
        if (front.done) begin
          dp.cache_load = load_ad;
          dp.tag_clear  = 1'b1;  // the front end has it by then
          state_d       = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      collect.stop = 1'b1;
      pulse.refuse = 1'b1;
      state_d      = S_IDLE;
    end
    collect.next   = next_q;
    pulse.out_made = emit_now;
  end

  always_comb begin
    emit       = emit_q;
    emit.empty = front.end_empty;
    emit.more  = a_q.late.valid || (b_q.valid && !sent_q) || chunk.full;
    emit.cut   = front.refused;
  end

  // Orders and what belongs to them leave from registers: they are wide nets.
  always_ff @(posedge clk) begin
    orders            <= dp;
    call_orders       <= calls;
    next_q            <= next;
    emit_q            <= '0;
    emit_q.load       <= emit_now;
    emit_q.swap       <= b_q.swap;
    emit_q.beats      <= b_q.beats;
    emit_q.last_bytes <= b_q.last_bytes;
    emit_q.last       <= b_q.last;
    if (clear) begin
      orders      <= '0;
      call_orders <= '0;
      next_q      <= 1'b0;
      emit_q      <= '0;
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
      i_q         <= way;
      i_call0_q   <= way_call0;
      first_sum_q <= chunk.last && !chunk.two && (ad_q || !opening);
    end
    if (late_q) sent_q <= 1'b1;
    if (move_q) begin
      sent_q <= 1'b0;
      a_q    <= i_q;
      if (!(b_q.valid && b_q.second_call)) b_q <= a_q.late;
      i_q <= '0;
      if (i_q.late.valid && i_q.late.last) last_issued_q <= 1'b1;
    end
    if (state_q == S_SERIAL && chunk.full) begin
      a_q.late.last <= chunk.last;
      half_q <= 1'b0;
    end
    if (state_q == S_SECOND) half_q <= 1'b1;

    // Multiples of the mask for the last call: of A or D as they stand in mask 0, L being twice that; in mode S of Q
    if (next) begin
      if (ad_q && AD_SERIAL == 1) coefficients_q <= chunk.partial ? 4'b0010 : 4'b0100;
      else if (ad_q && chunk.two) coefficients_q <= chunk.partial ? 4'b0110 : 4'b1010;
      else if (ad_q) coefficients_q <= chunk.partial ? 4'b0011 : 4'b0101;
      else if (chunk.two) coefficients_q <= chunk.partial ? 4'b1111 : 4'b1001;
      else coefficients_q <= chunk.partial ? 4'b0101 : 4'b0111;
    end
    final_first_q <= state_q != S_FINAL;
    if (state_q != S_FINAL) begin
      final_q <= 2'd3;
    end else begin
      final_q <= final_q - 2'd1;
      coefficients_q[3:1] <= {1'b0, coefficients_q[3:2]};
    end

    if (state_q == S_IDLE || state_q == S_NONCE) begin
      last_issued_q <= 1'b0;
      i_q           <= '0;
      a_q           <= '0;
      b_q           <= '0;
      ad_q          <= state_q == S_IDLE;
    end
    if (state_q == S_END) b_q <= '0;

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
    end
  end

endmodule
