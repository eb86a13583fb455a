// SPDX-License-Identifier: Apache-2.0
// OMD control: the order of compression calls for keys, sealing, opening and AD loading (docs/cores/omd.md).
// While one call runs, the next is prepared: the collector fills the block, L[i] is walked up by doubling, and
// Delta is brought to the value of the next call. A call starts on the edge at which the one before delivers.
// Cycles, with c a compression call (rounds + 1): total(n) = (n + 2) c + 3 with cached AD.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear`
// drops everything in flight.
module omd_ctrl
  import omd_pkg::*;
#(
    parameter int unsigned VERSION = 2  // 1 or 2: where L* comes from
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
    output logic col_next,
    output logic col_stop,
    input  logic col_full,
    input  logic col_last,
    input  logic col_partial,
    input  logic col_empty,
    input  logic col_bad,

    output logic emit_load,
    output logic emit_empty,
    output logic emit_cut,
    input  logic emit_idle,

    output logic f_key_new,
    output logic f_start,
    input  logic f_ready,

    output datapath_t dp,
    input logic tag_equal,

    output logic result_valid,
    input  logic result_ready,
    output logic result_ok,
    output logic busy
);

  typedef enum logic [3:0] {
    S_IDLE,       // a command or a key may come
    S_KEY,        // start the call for L*
    S_KEY_WAIT,
    S_COMMAND,    // look at the command
    S_AD,         // prepare and start the calls for the associated data
    S_AD_WAIT,    // load AD: wait for the last of them
    S_NONCE_IN,   // Delta <= 0
    S_NONCE_ADD,  // and takes up the padded nonce, for the call that makes Delta of it
    S_NONCE,      // start that call
    S_TAU,        // prepare and start the call for the first H
    S_MSG,        // prepare and start the calls for the message
    S_TAG,        // wait for the last of them
    S_CHECK,      // compare, deliver
    S_REFUSE      // swallow the input, end the output, deliver
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
  logic key_ok_q, cache_ok_q, cmd_waits_q;
  logic [1:0] op_q;
  logic cached_q;
  logic want_ad_q, want_msg_q, want_tag_q;  // strings of the command still to be taken to the end
  logic refused_q, out_owed_q;  // out_owed: no beat of the output has been made yet

  // L walk: walk_q has a bit set at the number of doublings that are still missing from L* to L[ntz(index)]
  logic [INDEX_BITS-1:0] index_q;
  logic [INDEX_BITS+1:0] walk_q;
  logic index_first, index_next, l_reached;
  logic nonce_alone;  // a command goes on to its nonce without associated data
  logic add_l, add_nonce;
  logic special;  // the block in the collector has another multiple of L*: the last one of a message, or a padded one
  assign l_reached = walk_q[0];

  logic cmd_taken, key_taken, tag_in_taken, result_set, result_good, refuse;
  logic unfit;  // the command in S_COMMAND is refused
  logic no_result_yet;
  assign cmd_taken = cmd_valid && cmd_ready;
  assign key_taken = key_valid && key_ready;
  assign tag_in_taken = tag_in_valid && tag_in_ready;
  assign unfit = op_q > OP_LOAD_AD || (cached_q && !cache_ok_q);
  assign nonce_alone = state_q == S_COMMAND && no_result_yet && !want_ad_q && !unfit;
  assign no_result_yet = !result_valid;  // the tag register may be used again

  // After a refusal the compression function may still be at work.
  assign key_ready = state_q == S_IDLE && no_result_yet && f_ready && !clear;
  assign cmd_ready = state_q == S_IDLE && key_ok_q && !clear;
  assign busy = state_q != S_IDLE || result_valid || clear;

  logic check_tag;
  assign check_tag = state_q == S_CHECK && emit_idle;
  assign tag_in_ready = (check_tag || state_q == S_REFUSE) && want_tag_q && !clear;
  assign swallow_ad = state_q == S_REFUSE && want_ad_q;
  assign swallow_msg = state_q == S_REFUSE && want_msg_q;

  always_comb begin
    state_d           = state_q;
    prep_d            = prep_q;
    call_d            = call_q;
    // Orders on wide nets are one LUT away from registers (state_q and its like have one bit a value).
    dp                = '0;
    dp.nonce_take     = cmd_taken;
    dp.key_load       = key_taken;
    dp.delta_clear    = state_q == S_IDLE || state_q == S_NONCE_IN || (state_q == S_NONCE && f_start);
    dp.block_clear    = f_start || refused_q;
    dp.sum_clear      = sum_clear_q;
    dp.sum_from_cache = sum_from_cache_q;
    dp.sum_add        = f_ready && (call_q == CALL_AD || state_q == S_TAG);
    dp.cache_load     = cache_load_q;
    dp.tag_load       = state_q == S_CHECK && emit_idle && op_q == OP_SEAL;
    dp.tag_clear      = result_valid && result_ready;
    dp.open           = op_q == OP_OPEN && state_q == S_MSG;
    dp.use_h          = call_q == CALL_CHAIN;
    sum_clear         = 1'b0;
    sum_from_cache    = 1'b0;
    cache_load        = 1'b0;

    f_key_new         = key_taken;
    col_start_ad      = 1'b0;
    col_start_msg     = 1'b0;
    col_next          = 1'b0;
    col_stop          = 1'b0;
    emit_load         = armed_msg_q && f_ready;
    emit_empty        = 1'b0;
    result_set        = 1'b0;
    result_good       = 1'b0;
    refuse            = 1'b0;

    if (call_q == CALL_AD && f_ready) call_d = CALL_NONE;

    // L* to L[ntz(index)], one doubling a cycle. Where the string is empty it does not matter what Delta becomes.
    special = (state_q == S_MSG) ? col_last : col_partial;
    index_first = state_q == S_COMMAND || state_q == S_NONCE;
    index_next = prep_q == P_WAIT && l_reached && (state_q == S_TAU || (col_full && !special));
    dp.l_restart = index_first ||
      (prep_q == P_WAIT && ((state_q == S_TAU && l_reached) || (col_full && (special || l_reached))));
    dp.l_double = !l_reached || prep_q == P_ADD_L;
    add_l = index_next || (prep_q == P_ADD_L && col_partial) || prep_q == P_ADD_TWICE;
    add_nonce = nonce_alone || state_q == S_NONCE_ADD;
    // At most one of the three at a time.
    dp.delta_add = delta_e'({(armed_tau_q && f_ready) || add_nonce, add_l || add_nonce});

    unique case (state_q)
      S_IDLE: begin
        if (key_taken) begin
          state_d = S_KEY;
        end else if (cmd_taken) begin
          state_d = S_COMMAND;
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
          state_d = cmd_waits_q ? S_COMMAND : S_IDLE;
        end
      end

      S_COMMAND: begin
        if (no_result_yet) begin
          sum_clear = !cached_q;
          sum_from_cache = 1'b1;
          prep_d = P_WAIT;
          if (unfit) begin
            refuse = 1'b1;
          end else if (want_ad_q) begin
            col_start_ad = 1'b1;
            state_d = S_AD;
          end else begin
            state_d = S_NONCE;
          end
        end
      end

      S_AD: begin
        unique case (prep_q)
          P_WAIT: begin
            if (col_bad) begin
              refuse = 1'b1;
            end else if (col_full && col_empty) begin
              col_next = 1'b1;
              state_d  = op_q == OP_LOAD_AD ? S_AD_WAIT : S_NONCE_IN;
            end else if (col_full && col_partial) begin
              prep_d = P_ADD_L;
            end else if (col_full && l_reached) begin
              prep_d = P_READY;
            end
          end
          P_ADD_L: prep_d = P_READY;
          default: begin
            if (f_start) begin
              call_d   = CALL_AD;
              col_next = 1'b1;
              prep_d   = P_WAIT;
              if (col_last) state_d = op_q == OP_LOAD_AD ? S_AD_WAIT : S_NONCE_IN;
            end
          end
        endcase
      end

      S_AD_WAIT: begin
        if (call_q == CALL_NONE) begin
          cache_load  = 1'b1;
          sum_clear   = 1'b1;
          result_set  = 1'b1;
          result_good = 1'b1;
          state_d     = S_IDLE;
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
          col_start_msg = 1'b1;
          prep_d = P_WAIT;
          state_d = S_MSG;
        end
      end

      S_MSG: begin
        unique case (prep_q)
          P_WAIT: begin
            if (col_bad) begin
              refuse = 1'b1;
            end else if (col_full && col_empty) begin
              if (f_ready) begin
                col_next = 1'b1;
                emit_empty = 1'b1;
                state_d = S_TAG;
              end
            end else if (col_full && col_last) begin
              prep_d = P_ADD_L;
            end else if (col_full && l_reached) begin
              prep_d = P_READY;
            end
          end
          P_ADD_L: prep_d = P_ADD_TWICE;
          P_ADD_TWICE: prep_d = P_READY;
          default: begin
            if (f_start) begin
              col_next = 1'b1;
              prep_d   = P_WAIT;
              if (col_last) state_d = S_TAG;
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
        if (emit_idle && (!want_tag_q || tag_in_taken)) begin
          sum_clear   = op_q == OP_OPEN;
          result_set  = 1'b1;
          result_good = op_q == OP_SEAL || tag_equal;
          state_d     = S_IDLE;
        end
      end

      S_REFUSE: begin
        emit_empty = out_owed_q && emit_idle;
        if (!want_ad_q && !want_msg_q && !want_tag_q && !out_owed_q && emit_idle) begin
          sum_clear  = 1'b1;
          result_set = 1'b1;
          state_d    = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      col_stop = 1'b1;
      call_d   = CALL_NONE;
      state_d  = S_REFUSE;
    end

    // Written out, not taken from state_d, which comes late. prep_q leaves P_WAIT only where there is a call to prepare.
    ready_d = (prep_q == P_WAIT && l_reached && (state_q == S_TAU || (col_full && !col_empty && !special))) ||
      (prep_q == P_ADD_L && state_q == S_AD) || prep_q == P_ADD_TWICE || (prep_q == P_READY && !f_start);
    armed_tau_d = ready_d && state_q == S_TAU;
    armed_msg_d = ready_d && state_q == S_MSG && emit_idle;
    armed_d = armed_tau_d || armed_msg_d || (ready_d && state_q == S_AD) ||
      (state_q == S_KEY && !f_start) || nonce_alone ||
      state_q == S_NONCE_ADD || (state_q == S_NONCE && !f_start);
  end

  // The compression function is started by registers alone: its start goes to every register of the core.
  assign f_start  = armed_q && f_ready;

  assign emit_cut = refused_q;

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

    if (key_taken) begin
      key_ok_q    <= 1'b0;
      cache_ok_q  <= 1'b0;
      cmd_waits_q <= cmd_taken;
    end
    if (dp.l_star_load) key_ok_q <= 1'b1;
    if (cache_load) cache_ok_q <= 1'b1;

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
    if (emit_load || emit_empty) out_owed_q <= 1'b0;
    if (refuse) refused_q <= 1'b1;

    if (result_set) begin
      result_valid <= 1'b1;
      result_ok    <= result_good;
    end else if (result_ready) begin
      result_valid <= 1'b0;
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
      key_ok_q         <= 1'b0;
      cache_ok_q       <= 1'b0;
      cmd_waits_q      <= 1'b0;
      want_ad_q        <= 1'b0;
      want_msg_q       <= 1'b0;
      want_tag_q       <= 1'b0;
      out_owed_q       <= 1'b0;
      refused_q        <= 1'b0;
      result_valid     <= 1'b0;
      result_ok        <= 1'b0;
    end
  end

endmodule
