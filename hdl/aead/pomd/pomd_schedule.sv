// SPDX-License-Identifier: Apache-2.0
// p-OMD schedule: the order of compression calls for keys, sealing and opening (docs/cores/pomd.md, "Steps").
// A step takes one block of associated data and one of the message. Which mask it needs follows from the `last` flags
// of these very blocks; only the first step looks ahead, to the first beat of the message (is there one at all?).
// While one call runs, the next is prepared: both blocks are collected, L is doubled up to L[ntz(i)] and added to Delta,
// then the change of j . L*. A call starts on the edge at which the one before delivers.
// Cycles, with c a compression call (rounds + 1): total(n) = (n + 2) c + 3 for n blocks and no more AD than n + 1 blocks.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag; `clear`
// drops everything in flight.
module pomd_schedule
  import aead_pkg::*, omd_pkg::INDEX_BITS, pomd_pkg::*;
(
    input logic clk,
    input logic clear,

    input  front_t  front,
    output status_t status,
    output event_t  pulse,

    output collect_t ad_collect,   // start_msg: blocks of n bytes; start_ad: the next ones have 2n bytes
    input  chunk_t   ad_chunk,
    output logic     ad_wide,      // blocks of 2n bytes are collected
    output collect_t msg_collect,
    input  chunk_t   msg_chunk,
    input  logic     msg_taken,    // a beat of the message moves with this edge
    output emit_t    emit,
    input  logic     emit_idle,

    output logic f_start,
    input  logic f_ready,

    output datapath_t dp
);

  typedef enum logic [3:0] {
    S_IDLE,      // nothing to do, or refused
    S_KEY,       // start the call for L*
    S_KEY_WAIT,
    S_NONCE,     // start the call for Delta(0)
    S_STEP,      // prepare and start the calls for both strings
    S_TAG,       // wait for the last of them
    S_CHECK      // the tag stands
  } state_e;

  // Preparation of Delta for the next call
  typedef enum logic [1:0] {
    P_WALK,  // for L to reach L[ntz(index)]: add it
    P_WAIT,  // for the blocks: then j is known; begin to add the change of j . L*
    P_MASK,  // add the rest of it
    P_READY
  } prep_e;

  (* fsm_encoding = "one-hot" *)
  // the orders to the data path are wide nets: they leave no time for decoding
  state_e state_q;
  state_e state_d;
  prep_e prep_q, prep_d;

  logic armed_q;  // the next call is prepared and starts as soon as the one before is over
  logic waits_q;  // it also waits until the emitter is idle

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
  assign blocks_there = (ad_over_q || ad_chunk.full) && (first_q ? msg_begun_q : (msg_over_q || msg_chunk.full));
  // The collector takes every change of the block size for the begin of a string, and lets an empty one pass.
  assign blocks_bad = ad_chunk.bad || msg_chunk.bad || (msg_over_q && ad_chunk.full && ad_chunk.empty);
  assign has_ad = !ad_over_q && !ad_chunk.empty;
  assign final_step = (ad_over_q || ad_chunk.last) &&
      (first_q ? msg_chunk.full && msg_chunk.empty : msg_over_q || msg_chunk.last);
  assign partials = {ad_chunk.partial, msg_chunk.partial};  // of the last blocks; stay when the strings are used up

  always_comb begin
    if (final_step) begin
      if (msg_chunk.empty && ad_chunk.empty) j = 4'd3;
      else if (msg_chunk.empty || msg_over_q) j = {2'b11, partials};
      else if (has_ad) j = {2'b01, partials};
      else j = {2'b10, partials};
    end else begin
      if (msg_over_q || (first_q && msg_chunk.full && msg_chunk.empty)) j = 4'd2;
      else j = has_ad ? 4'd0 : 4'd1;
    end
  end
  assign change = j ^ j_q;

  logic refuse, end_empty;

  // The held beat may go as one that is not the last only if the next block is sure to be sent.
  logic more;
  assign more = blocks_there && !first_q && !msg_over_q;
  assign ad_wide = msg_over_q;

  logic absorbs_msg;  // the step takes a block of the message; then the output of that block is made
  assign absorbs_msg = !first_q && !msg_over_q;

  always_comb begin
    status          = '0;
    status.key_free = f_ready;  // after a refusal a call may still be at work
    status.finish   = state_q == S_CHECK;
    status.out_idle = emit_idle;
  end

  always_comb begin
    state_d         = state_q;
    prep_d          = prep_q;
    // Orders on wide nets do not wait for decisions. They may come where they have no effect: the right half and its mask
    // are zero outside S_STEP, L begins anew with the nonce, and the blocks of a refused command are of no use.
    dp              = '0;
    dp.nonce_take   = front.accepts;
    dp.nonce_use    = front.pending;
    dp.key_load     = front.key_new;
    dp.open         = front.op == OP_OPEN;
    dp.use_h        = state_q == S_STEP;
    dp.msg_tau      = first_q && state_q == S_STEP;
    dp.left_clear   = f_start || front.rest || front.refused;
    dp.right_clear  = (f_start && !first_q) || front.refused;
    dp.delta_clear  = front.rest;
    dp.delta_add_h  = f_start && first_q && state_q == S_STEP;
    dp.l_restart    = f_start;
    index_first     = 1'b0;
    index_next      = 1'b0;
    j_take          = 1'b0;
    ad_collect      = '0;
    msg_collect     = '0;
    pulse           = '0;
    emit            = '0;
    emit.beats      = msg_chunk.beats;
    emit.last_bytes = msg_chunk.last_bytes;
    emit.last       = msg_chunk.last;
    emit.more       = more;
    emit.cut        = front.refused;
    end_empty       = 1'b0;
    refuse          = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        if (front.key_new) state_d = S_KEY;
        if (front.begins) state_d = S_NONCE;
      end

      S_KEY: begin
        if (f_start) state_d = S_KEY_WAIT;
      end

      S_KEY_WAIT: begin
        if (f_ready) begin
          dp.l_star_load = 1'b1;
          pulse.key_done = 1'b1;
          state_d = S_IDLE;
        end
      end

      S_NONCE: begin
        if (f_start) begin
          ad_collect.start_msg = 1'b1;
          msg_collect.start_msg = 1'b1;
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
            refuse = blocks_bad;
            if (blocks_there) begin
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
            if (f_start) begin
              emit.load = absorbs_msg;
              end_empty = first_q && msg_chunk.full && msg_chunk.empty;
              msg_collect.next = absorbs_msg || end_empty;
              // The size of the blocks changes with the step that ends the message.
              ad_collect.start_ad = !ad_over_q && !ad_chunk.last && (end_empty || (absorbs_msg && msg_chunk.last));
              ad_collect.next = !ad_over_q && !ad_collect.start_ad;
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
        if (front.done) begin
          dp.check_clear = 1'b1;
          state_d        = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (refuse) begin
      ad_collect.stop  = 1'b1;
      msg_collect.stop = 1'b1;
      pulse.refuse     = 1'b1;
      state_d          = S_IDLE;
    end
    emit.empty     = end_empty || front.end_empty;
    pulse.out_made = emit.load || end_empty;
  end

  // The compression function is started by registers alone: its start goes to every register of the core.
  assign f_start = armed_q && f_ready && (!waits_q || emit_idle);

  always_ff @(posedge clk) begin
    state_q <= state_d;
    prep_q  <= prep_d;
    armed_q <= state_d == S_KEY || state_d == S_NONCE || (state_d == S_STEP && prep_d == P_READY);
    waits_q <= state_q == S_STEP && absorbs_msg;

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
      ad_over_q  <= ad_over_q || ad_chunk.last;
      msg_over_q <= msg_over_q || (msg_collect.next && msg_chunk.last);
    end
    if (index_first) begin
      first_q     <= 1'b1;
      msg_begun_q <= 1'b0;
      ad_over_q   <= 1'b0;
      msg_over_q  <= 1'b0;
      j_q         <= '0;
    end

    if (clear) begin
      state_q     <= S_IDLE;
      prep_q      <= P_WALK;
      armed_q     <= 1'b0;
      waits_q     <= 1'b0;
      index_q     <= '0;
      walk_q      <= '0;
      j_q         <= '0;
      change_q    <= '0;
      first_q     <= 1'b0;
      msg_begun_q <= 1'b0;
      ad_over_q   <= 1'b0;
      msg_over_q  <= 1'b0;
    end
  end

endmodule
