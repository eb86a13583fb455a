// SPDX-License-Identifier: Apache-2.0
// OMD schedule: the order of compression calls for keys, sealing, opening and AD loading (docs/cores/omd.md).
// While one call runs, the next is prepared: the collector fills the block, L[i] is walked up by doubling, and
// Delta is brought to the value of the next call. A call starts on the edge at which the one before delivers.
// Cycles, with c a compression call (rounds + 1): total(n) = (n + 2) c + 3 with cached AD.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear`
// drops everything in flight.
module omd_schedule
  import aead_pkg::*, omd_pkg::*;
#(
    parameter int unsigned VERSION = 2  // 1 or 2: where L* comes from
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

    output logic f_start,
    input  logic f_ready,

    output datapath_t dp
);

  typedef enum logic [3:0] {
    S_IDLE,       // nothing to do, or refused
    S_KEY,        // start the call for L*
    S_KEY_WAIT,
    S_AD,         // prepare and start the calls for the associated data
    S_AD_WAIT,    // load AD: wait for the last of them
    S_NONCE_IN,   // Delta <= 0
    S_NONCE_ADD,  // and takes up the padded nonce, for the call that makes Delta of it
    S_NONCE,      // start that call
    S_TAU,        // prepare and start the call for the first H
    S_MSG,        // prepare and start the calls for the message
    S_TAG,        // wait for the last of them
    S_CHECK       // the tag stands
  } state_e;

  // What the call in the compressor is for
  typedef enum logic [1:0] {
    CALL_NONE = 2'd0,
    CALL_AD = 2'd1,  // its digest goes to the AD sum as soon as it is there
    CALL_CHAIN = 2'd2  // its digest is Delta, H or the tag: the next call or S_TAG takes it
  } call_e;

  // Preparation of Delta for the next call
  typedef enum logic [1:0] {
    P_WAIT,       // for the block, and for L to reach L[i]
    P_ADD_L,      // L = L*: add it (padded block)
    P_ADD_TWICE,  // L = 2 L*: add it (last block of the message)
    P_READY
  } prep_e;

  (* fsm_encoding = "one-hot" *)
  // the orders to the data path are wide nets: they leave no time for decoding
  state_e state_q;
  state_e state_d;
  prep_e prep_q, prep_d;
  call_e call_q, call_d;

  logic ready_d;  // prep_q becomes or stays P_READY
  // The next call is prepared and starts as soon as the one in flight is over: in any state, in S_TAU, in S_MSG. One
  // register a wide net, so that none of them holds up the control.
  logic armed_q, armed_tau_q, armed_msg_q;
  logic armed_d, armed_tau_d, armed_msg_d;
  logic sum_clear, sum_from_cache, cache_load;  // nothing waits for these orders: the data path gets them a cycle later
  logic sum_clear_q, sum_from_cache_q, cache_load_q;
  // L walk: walk_q has a bit set at the number of doublings that are still missing from L* to L[ntz(index)]
  logic [INDEX_BITS-1:0] index_q;
  logic [INDEX_BITS+1:0] walk_q;
  logic index_first, index_next, l_reached;
  logic nonce_alone;  // a command goes on to its nonce without associated data
  logic add_l, add_nonce;
  logic special;  // the block in the collector has another multiple of L*: the last one of a message, or a padded one
  assign l_reached   = walk_q[0];

  assign nonce_alone = front.begins && !front.with_ad;

  logic refuse, open, load_ad;
  assign open = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;

  always_comb begin
    status          = '0;
    status.key_free = f_ready;  // after a refusal a call may still be at work
    status.finish   = state_q == S_CHECK || (state_q == S_AD_WAIT && call_q == CALL_NONE);
    status.out_idle = emit_idle;
  end

  always_comb begin
    state_d           = state_q;
    prep_d            = prep_q;
    call_d            = call_q;
    // Orders on wide nets are one LUT away from registers (state_q and its like have one bit a value).
    dp                = '0;
    dp.nonce_take     = front.accepts;
    dp.key_load       = front.key_new;
    dp.delta_clear    = front.rest || state_q == S_NONCE_IN || (state_q == S_NONCE && f_start);
    dp.block_clear    = f_start || front.refused;
    dp.sum_clear      = sum_clear_q;
    dp.sum_from_cache = sum_from_cache_q;
    dp.sum_add        = f_ready && (call_q == CALL_AD || state_q == S_TAG);
    dp.cache_load     = cache_load_q;
    dp.open           = open && state_q == S_MSG;
    dp.use_h          = call_q == CALL_CHAIN;
    sum_clear         = 1'b0;
    sum_from_cache    = 1'b0;
    cache_load        = 1'b0;

    collect           = '0;
    emit.load         = armed_msg_q && f_ready;
    emit.empty        = front.end_empty;
    emit.beats        = chunk.beats;
    emit.last_bytes   = chunk.last_bytes;
    emit.last         = chunk.last;
    emit.swap         = 1'b0;
    emit.more         = chunk.full;
    emit.cut          = front.refused;
    refuse            = 1'b0;

    pulse             = '0;

    if (call_q == CALL_AD && f_ready) call_d = CALL_NONE;

    // L* to L[ntz(index)], one doubling a cycle. Where the string is empty it does not matter what Delta becomes.
    special = (state_q == S_MSG) ? chunk.last : chunk.partial;
    index_first = front.begins || state_q == S_NONCE;
    index_next = prep_q == P_WAIT && l_reached && (state_q == S_TAU || (chunk.full && !special));
    dp.l_restart = index_first ||
      (prep_q == P_WAIT && ((state_q == S_TAU && l_reached) || (chunk.full && (special || l_reached))));
    dp.l_double = !l_reached || prep_q == P_ADD_L;
    add_l = index_next || (prep_q == P_ADD_L && chunk.partial) || prep_q == P_ADD_TWICE;
    add_nonce = nonce_alone || state_q == S_NONCE_ADD;
    // At most one of the three at a time.
    dp.delta_add = delta_e'({(armed_tau_q && f_ready) || add_nonce, add_l || add_nonce});

    unique case (state_q)
      S_IDLE: begin
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          sum_clear = !front.cached;
          sum_from_cache = 1'b1;
          prep_d = P_WAIT;
          collect.start_ad = front.with_ad;
          state_d = front.with_ad ? S_AD : S_NONCE;
        end
      end

      S_KEY: begin
        dp.msg_tau = VERSION != 1;
        if (f_start) begin
          state_d = S_KEY_WAIT;
        end
      end

      S_KEY_WAIT: begin
        if (f_ready) begin
          dp.l_star_load = 1'b1;
          pulse.key_done = 1'b1;
          state_d = S_IDLE;
        end
      end

      S_AD: begin
        unique case (prep_q)
          P_WAIT: begin
            if (chunk.bad) begin
              refuse = 1'b1;
            end else if (chunk.full && chunk.empty) begin
              collect.next = 1'b1;
              state_d = load_ad ? S_AD_WAIT : S_NONCE_IN;
            end else if (chunk.full && chunk.partial) begin
              prep_d = P_ADD_L;
            end else if (chunk.full && l_reached) begin
              prep_d = P_READY;
            end
          end
          P_ADD_L: prep_d = P_READY;
          default: begin
            if (f_start) begin
              call_d = CALL_AD;
              collect.next = 1'b1;
              prep_d = P_WAIT;
              if (chunk.last) state_d = load_ad ? S_AD_WAIT : S_NONCE_IN;
            end
          end
        endcase
      end

      S_AD_WAIT: begin
        if (front.done) begin
          cache_load = 1'b1;
          sum_clear  = 1'b1;
          state_d    = S_IDLE;
        end
      end

      S_NONCE_IN: state_d = S_NONCE_ADD;

      S_NONCE_ADD: state_d = S_NONCE;

      S_NONCE: begin
        if (f_start) begin
          call_d  = CALL_CHAIN;
          prep_d  = P_WAIT;
          state_d = S_TAU;
        end
      end

      S_TAU: begin
        dp.msg_tau = 1'b1;
        if (prep_q == P_WAIT) begin
          if (l_reached) begin
            prep_d = P_READY;
          end
        end else if (f_start) begin
          collect.start_msg = 1'b1;
          prep_d = P_WAIT;
          state_d = S_MSG;
        end
      end

      S_MSG: begin
        unique case (prep_q)
          P_WAIT: begin
            if (chunk.bad) begin
              refuse = 1'b1;
            end else if (chunk.full && chunk.empty) begin
              if (f_ready) begin
                collect.next = 1'b1;
                emit.empty = 1'b1;
                state_d = S_TAG;
              end
            end else if (chunk.full && chunk.last) begin
              prep_d = P_ADD_L;
            end else if (chunk.full && l_reached) begin
              prep_d = P_READY;
            end
          end
          P_ADD_L: prep_d = P_ADD_TWICE;
          P_ADD_TWICE: prep_d = P_READY;
          default: begin
            if (f_start) begin
              collect.next = 1'b1;
              prep_d = P_WAIT;
              if (chunk.last) state_d = S_TAG;
            end
          end
        endcase
      end

      S_TAG: begin
        if (f_ready) begin
          call_d  = CALL_NONE;
          state_d = S_CHECK;
        end
      end

      S_CHECK: begin
        if (front.done) begin
          sum_clear = open;
          state_d   = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      collect.stop = 1'b1;
      pulse.refuse = 1'b1;
      call_d       = CALL_NONE;
      state_d      = S_IDLE;
    end
    if (front.refused && front.done) sum_clear = 1'b1;
    pulse.out_made = emit.load || emit.empty;

    // Written out, not taken from state_d, which comes late. prep_q leaves P_WAIT only where there is a call to prepare.
    ready_d = (prep_q == P_WAIT && l_reached && (state_q == S_TAU || (chunk.full && !chunk.empty && !special))) ||
      (prep_q == P_ADD_L && state_q == S_AD) || prep_q == P_ADD_TWICE || (prep_q == P_READY && !f_start);
    armed_tau_d = ready_d && state_q == S_TAU;
    armed_msg_d = ready_d && state_q == S_MSG && emit_idle;
    armed_d = armed_tau_d || armed_msg_d || (ready_d && state_q == S_AD) ||
      (state_q == S_KEY && !f_start) || nonce_alone ||
      state_q == S_NONCE_ADD || (state_q == S_NONCE && !f_start);
  end

  // The compression function is started by registers alone: its start goes to every register of the core.
  assign f_start = armed_q && f_ready;

  always_ff @(posedge clk) begin
    state_q <= state_d;
    prep_q <= prep_d;
    call_q <= call_d;
    armed_q <= armed_d;
    sum_clear_q <= sum_clear;
    sum_from_cache_q <= sum_from_cache;
    cache_load_q <= cache_load;
    armed_tau_q <= armed_tau_d;
    armed_msg_q <= armed_msg_d;

    if (index_first) begin
      index_q <= INDEX_BITS'(1'b1);
      walk_q  <= (INDEX_BITS + 2)'(4'd4);
    end else if (index_next) begin
      index_q <= index_q + INDEX_BITS'(1'b1);
      walk_q  <= {index_q + INDEX_BITS'(1'b1), 2'b00};
    end else if (!l_reached) begin
      walk_q <= walk_q >> 1;
    end

    if (clear) begin
      state_q          <= S_IDLE;
      prep_q           <= P_WAIT;
      call_q           <= CALL_NONE;
      armed_q          <= 1'b0;
      armed_msg_q      <= 1'b0;
      armed_tau_q      <= 1'b0;
      sum_clear_q      <= 1'b0;
      sum_from_cache_q <= 1'b0;
      cache_load_q     <= 1'b0;
      index_q          <= '0;
      walk_q           <= '0;
    end
  end

endmodule
