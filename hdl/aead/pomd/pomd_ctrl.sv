// SPDX-License-Identifier: Apache-2.0
// p-OMD control: the order of compression calls for keys, sealing and opening (docs/cores/pomd.md, "Steps").
// A step takes one block of associated data and one of the message. Which mask it needs follows from the `last` flags
// of these very blocks; only the first step looks ahead, to the first beat of the message (is there one at all?).
// While one call runs, the next is prepared: both blocks are collected, L is doubled up to L[ntz(i)] and added to Delta,
// then the change of j . L*. A call starts on the edge at which the one before delivers.
// Cycles, with c a compression call (rounds + 1): total(n) = (n + 2) c + 3 for n blocks and no more AD than n + 1 blocks.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear`
// drops everything in flight.
module pomd_ctrl
  import pomd_pkg::*;
(
    input logic clk,
    input logic clear,

    input logic key_valid,
    output logic key_ready,
    input logic cmd_valid,
    output logic cmd_ready,
    input logic [1:0] cmd_op,
    input logic cmd_cached_ad,

    input  logic ad_last_taken,   // the last beat of the associated data moves with this edge
    input  logic msg_taken,       // a beat of the message moves with this edge
    input  logic msg_last_taken,  // the last one does
    input  logic tag_in_valid,
    output logic tag_in_ready,
    output logic swallow_ad,      // refused: take and forget
    output logic swallow_msg,

    output logic col_start,    // pulse: both strings begin, in blocks of n bytes
    output logic col_stop,     // pulse: give both up
    output logic ad_next,      // pulse: the block of associated data has been taken
    output logic ad_to_wide,   // pulse: it has been taken, and the next ones have 2n bytes
    output logic ad_wide,      // blocks of 2n bytes are collected
    input  logic ad_full,
    input  logic ad_last,
    input  logic ad_partial,
    input  logic ad_empty,
    input  logic ad_bad,
    output logic msg_next,
    input  logic msg_full,
    input  logic msg_last,
    input  logic msg_partial,
    input  logic msg_empty,
    input  logic msg_bad,

    output logic emit_load,
    output logic emit_empty,
    output logic emit_more,
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
    S_IDLE,      // a command or a key may come
    S_KEY,       // start the call for L*
    S_KEY_WAIT,
    S_COMMAND,   // look at the command
    S_NONCE,     // start the call for Delta(0)
    S_STEP,      // prepare and start the calls for both strings
    S_TAG,       // wait for the last of them
    S_CHECK,     // compare, deliver
    S_REFUSE     // swallow the input, end the output, deliver
  } state_e;

  // Preparation of Delta for the next call
  typedef enum logic [1:0] {
    P_WALK,  // for L to reach L[ntz(index)]: add it
    P_WAIT,  // for the blocks: then j is known; begin to add the change of j . L*
    P_MASK,  // add the rest of it
    P_READY
  } prep_e;

  state_e state_q, state_d;
  prep_e prep_q, prep_d;

  logic key_ok_q, cmd_waits_q;
  logic [1:0] op_q;
  logic cached_q;
  logic want_ad_q, want_msg_q, want_tag_q;  // strings of the command still to be taken to the end
  logic refused_q, out_owed_q;  // out_owed: no beat of the output has been made yet

  // Where the step stands: it is the first; beats of the message have come; the strings were used up before it
  logic first_q, msg_begun_q, ad_over_q, msg_over_q;

  // walk_q has a bit set at the number of doublings that are still missing from L* to L[ntz(index)]
  logic [INDEX_BITS-1:0] index_q;
  logic [INDEX_BITS+3:0] walk_q;
  logic index_first, index_next, l_reached;
  assign l_reached = walk_q[0];

  // Mask of the step, and the bits in which it differs from the one that Delta holds
  logic [3:0] j, j_q, change, change_q;
  logic j_take;

  // What is known of the step, once its blocks are there
  logic blocks_there, blocks_bad, has_ad, final_step;
  logic [1:0] partials;
  assign blocks_there = (ad_over_q || ad_full) && (first_q ? msg_begun_q : (msg_over_q || msg_full));
  // The collector takes every change of the block size for the begin of a string, and lets an empty one pass.
  assign blocks_bad = ad_bad || msg_bad || (msg_over_q && ad_full && ad_empty);
  assign has_ad = !ad_over_q && !ad_empty;
  assign final_step = (ad_over_q || ad_last) && (first_q ? msg_full && msg_empty : msg_over_q || msg_last);
  assign partials = {ad_partial, msg_partial};  // of the last blocks; stay when the strings are used up

  always_comb begin
    if (final_step) begin
      if (msg_empty && ad_empty) j = 4'd3;
      else if (msg_empty || msg_over_q) j = {2'b11, partials};
      else if (has_ad) j = {2'b01, partials};
      else j = {2'b10, partials};
    end else begin
      if (msg_over_q || (first_q && msg_full && msg_empty)) j = 4'd2;
      else j = has_ad ? 4'd0 : 4'd1;
    end
  end
  assign change = j ^ j_q;

  logic cmd_taken, key_taken, tag_in_taken, result_set, result_good, refuse;
  logic no_result_yet;
  assign cmd_taken = cmd_valid && cmd_ready;
  assign key_taken = key_valid && key_ready;
  assign tag_in_taken = tag_in_valid && tag_in_ready;
  assign no_result_yet = !result_valid;  // the tag register may be used again

  assign key_ready = state_q == S_IDLE && no_result_yet && f_ready && !clear;
  assign cmd_ready = state_q == S_IDLE && key_ok_q && !clear;
  assign busy = state_q != S_IDLE || result_valid || clear;

  logic check_tag;
  assign check_tag = state_q == S_CHECK && emit_idle;
  assign tag_in_ready = (check_tag || state_q == S_REFUSE) && want_tag_q && !clear;
  assign swallow_ad = state_q == S_REFUSE && want_ad_q;
  assign swallow_msg = state_q == S_REFUSE && want_msg_q;

  // The held beat may go as one that is not the last only if the next block is sure to be sent.
  assign emit_more = blocks_there && !first_q && !msg_over_q;
  assign emit_cut = refused_q;
  assign ad_wide = msg_over_q;

  logic absorbs_msg;  // the step takes a block of the message; then the output of that block is made
  assign absorbs_msg = !first_q && !msg_over_q;

  always_comb begin
    state_d       = state_q;
    prep_d        = prep_q;
    dp            = '0;
    dp.nonce_take = cmd_taken;
    dp.key_load   = key_taken;
    dp.tag_clear  = result_valid && result_ready;
    dp.open       = op_q == OP_OPEN && state_q == S_STEP;
    dp.use_h      = state_q == S_STEP;
    dp.msg_tau    = first_q && state_q == S_STEP;
    f_key_new     = key_taken;
    f_start       = 1'b0;
    index_first   = 1'b0;
    index_next    = 1'b0;
    j_take        = 1'b0;
    col_start     = 1'b0;
    col_stop      = 1'b0;
    ad_next       = 1'b0;
    ad_to_wide    = 1'b0;
    msg_next      = 1'b0;
    emit_load     = 1'b0;
    emit_empty    = 1'b0;
    result_set    = 1'b0;
    result_good   = 1'b0;
    refuse        = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        if (key_taken) begin
          state_d = S_KEY;
          dp.delta_clear = 1'b1;
        end else if (cmd_taken) begin
          state_d = S_COMMAND;
        end
      end

      S_KEY: begin
        if (f_ready) begin
          f_start = 1'b1;
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
          dp.delta_clear = 1'b1;
          if (op_q >= OP_LOAD_AD || cached_q) begin
            refuse = 1'b1;
          end else begin
            dp.nonce_use = 1'b1;
            state_d = S_NONCE;
          end
        end
      end

      S_NONCE: begin
        if (f_ready) begin
          f_start = 1'b1;
          col_start = 1'b1;
          dp.left_clear = 1'b1;
          index_first = 1'b1;
          prep_d = P_WALK;
          state_d = S_STEP;
        end
      end

      S_STEP: begin
        unique case (prep_q)
          P_WALK: begin
            dp.l_double = 1'b1;
            if (l_reached) begin
              dp.delta_add_l = 1'b1;
              dp.l_restart = 1'b1;
              prep_d = (blocks_there && !blocks_bad && change == '0) ? P_READY : P_WAIT;
            end
          end
          P_WAIT: begin
            if (blocks_bad) begin
              refuse = 1'b1;
            end else if (blocks_there) begin
              j_take = 1'b1;
              dp.delta_add_l = change[0];
              dp.l_double = 1'b1;
              prep_d = change[3:1] == '0 ? P_READY : P_MASK;
            end
          end
          P_MASK: begin
            dp.delta_add_l = change_q[0];
            dp.l_double = 1'b1;
            if (change_q[3:1] == '0) prep_d = P_READY;
          end
          default: begin
            if (f_ready && (!absorbs_msg || emit_idle)) begin
              f_start = 1'b1;
              dp.delta_add_h = first_q;
              dp.left_clear = 1'b1;
              dp.right_clear = !first_q;
              emit_load = absorbs_msg;
              emit_empty = first_q && msg_full && msg_empty;
              msg_next = absorbs_msg || emit_empty;
              // The size of the blocks changes with the step that ends the message.
              ad_to_wide = !ad_over_q && !ad_last && (emit_empty || (absorbs_msg && msg_last));
              ad_next = !ad_over_q && !ad_to_wide;
              index_next = 1'b1;
              prep_d = P_WALK;
              if (final_step) state_d = S_TAG;
            end
          end
        endcase
      end

      S_TAG: begin
        if (f_ready) begin
          dp.check_load = 1'b1;
          state_d = S_CHECK;
        end
      end

      S_CHECK: begin
        if (emit_idle && (!want_tag_q || tag_in_taken)) begin
          dp.check_clear = 1'b1;
          dp.tag_load    = op_q == OP_SEAL;
          result_set     = 1'b1;
          result_good    = op_q == OP_SEAL || tag_equal;
          state_d        = S_IDLE;
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
      col_stop       = 1'b1;
      dp.left_clear  = 1'b1;
      dp.right_clear = 1'b1;
      state_d        = S_REFUSE;
    end
    if (index_first || index_next) dp.l_restart = 1'b1;
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    prep_q  <= prep_d;

    if (index_first) begin
      index_q <= INDEX_BITS'(1'b1);
      walk_q  <= (INDEX_BITS + 4)'(5'd16);
    end else if (index_next) begin
      index_q <= index_q + INDEX_BITS'(1'b1);
      walk_q  <= {index_q + INDEX_BITS'(1'b1), 4'b0000};
    end else if (!l_reached) begin
      walk_q <= walk_q >> 1;
    end

    change_q <= j_take ? {1'b0, change[3:1]} : {1'b0, change_q[3:1]};
    if (j_take) j_q <= j;

    if (msg_taken) msg_begun_q <= 1'b1;
    if (index_next) begin
      first_q    <= 1'b0;
      ad_over_q  <= ad_over_q || ad_last;
      msg_over_q <= msg_over_q || (msg_next && msg_last);
    end
    if (index_first) begin
      first_q     <= 1'b1;
      msg_begun_q <= 1'b0;
      ad_over_q   <= 1'b0;
      msg_over_q  <= 1'b0;
      j_q         <= '0;
    end

    if (key_taken) begin
      key_ok_q    <= 1'b0;
      cmd_waits_q <= cmd_taken;
    end
    if (dp.l_star_load) key_ok_q <= 1'b1;

    if (cmd_taken) begin
      op_q       <= cmd_op;
      cached_q   <= cmd_cached_ad;
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
      state_q      <= S_IDLE;
      prep_q       <= P_WALK;
      index_q      <= '0;
      walk_q       <= '0;
      j_q          <= '0;
      change_q     <= '0;
      first_q      <= 1'b0;
      msg_begun_q  <= 1'b0;
      ad_over_q    <= 1'b0;
      msg_over_q   <= 1'b0;
      key_ok_q     <= 1'b0;
      cmd_waits_q  <= 1'b0;
      want_ad_q    <= 1'b0;
      want_msg_q   <= 1'b0;
      want_tag_q   <= 1'b0;
      out_owed_q   <= 1'b0;
      refused_q    <= 1'b0;
      result_valid <= 1'b0;
      result_ok    <= 1'b0;
    end
  end

endmodule
