// SPDX-License-Identifier: Apache-2.0
// Minalpher schedule: the order of the permutation's calls for sealing, opening and AD loading
// (docs/cores/minalpher.md). Calls go one after another to the place in front of the permutation, which takes one as
// soon as it can. In sealing the ciphertext of a block goes there, for the sum, before any other block. What a call is
// for comes back with its result.
// Cycles: two calls a block of 32 bytes: 36, whatever the blocks in flight.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag, and is refused
// when no call is at work and its output is with the emitter; `clear` drops everything in flight.
module minalpher_schedule
  import aead_pkg::*, aead_block_pkg::*, minalpher_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64, 128 or 256
    parameter int unsigned PLACES = 3  // of output: for calls at work, one in front of them, one that goes out
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

    input logic   p_waiting,
    input logic   p_done,
    input token_t p_token,

    output datapath_t              orders,
    output logic                   opening,
    output logic                   text_made,
    output logic                   tag_made,
    output logic                   tag_take,
    output logic      [PLACES-1:1] move
);

  typedef enum logic [4:0] {
    S_IDLE,       // nothing to do, or refused
    S_AD_BEGIN,   // wait for the first block of associated data
    S_MASK,       // the call for the first mask of a string
    S_MASK_WAIT,  // wait for it
    S_AD,         // wait for a block; its mask
    S_AD_LOAD,    // a block that is not the last goes to the permutation
    S_AD_PADDED,  // mask of a last block that was padded
    S_AD_SUM,     // last block: wait for the sum of the others
    S_AD_LAST,    // their sum goes to the permutation
    S_AD_END,     // loading AD: wait for what becomes of that
    S_MESSAGE,    // the associated data have ended: the message
    S_TEXT,       // wait for a block and a place for it
    S_SUM,        // mask of its ciphertext, which goes to the permutation in opening
    S_EXPECTED,   // opening, last block: wait for the expected tag
    S_ALIGN,      // turn it until the block's end stands behind its beginning
    S_LAST,       // the last block goes to the permutation
    S_TAG,        // wait for the sum, then the tag's call
    S_TAG_WAIT,   // wait for it
    S_TAG_TURN,   // sealing: turn the tag until it begins with its first byte
    S_CHECK       // the tag stands
  } state_e;

  localparam int unsigned COUNT_BITS = 3;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  datapath_t dp;
  logic ad_q;  // the string is that of the associated data
  logic whole_q;  // the message has ended with a whole block: one of padding follows
  logic chained_q;  // a block of ciphertext waits for its call
  logic next, next_q, room, room_for_block, refuse, drained, promised;
  logic text_done, chained_done, sum_done, owes;
  logic [COUNT_BITS-1:0] calls_q;  // loaded, and not done
  logic [COUNT_BITS-1:0] owed_q;  // terms of the sum that are not in it; in sealing from a block's first call on
  logic all_summed, text_made_q, tag_made_q;
  logic [4:0] text_bytes;  // of the block in the collector, 0 for 32
  logic [4:0] last_bytes_q;  // of the message in its last block
  logic [5:0] turns_q;
  logic load_ad;
  logic place_left, first_free, outputs_drained, outputs_idle, out_made, stands, sent;
  // No output waits or goes: a cycle late, so that the count of outputs does not lie in one path with tag and verdict
  logic out_idle_q;
  output_t last_about;

  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;
  assign text_bytes = 5'(chunk.beats * (DATA_BITS / 8)) + chunk.last_bytes[4:0];

  logic unused;
  assign unused = &{1'b0, front, chunk, p_token, stands, sent, last_about};

  assign room = !orders.load && !p_waiting;
  assign room_for_block = room && !chained_q && !chained_done;
  assign text_done = p_done && p_token.call == CALL_TEXT;
  assign chained_done = text_done && !opening;
  assign sum_done = p_done && p_token.summed;
  assign owes = dp.load && (dp.summed ? dp.source != X_CHAINED : dp.call == CALL_TEXT && !opening);
  assign all_summed = owed_q == '0 || (owed_q == COUNT_BITS'(1) && sum_done);
  assign drained = calls_q == '0 && !chained_q && outputs_drained;
  assign promised = dp.load && (dp.call == CALL_TEXT || dp.call == CALL_LAST) && !dp.silent;
  assign text_made = text_made_q;
  assign tag_made = tag_made_q;
  assign tag_take = state_q == S_EXPECTED;

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.tag_wait = state_q == S_EXPECTED;
    status.finish   = state_q == S_CHECK;
    status.out_idle = out_idle_q;
  end

  always_comb begin
    state_d    = state_q;
    dp         = '0;
    dp.source  = X_ZERO;
    dp.call    = CALL_MASK;
    dp.mask    = M_HOLD;
    dp.out     = output_of(chunk);
    dp.inverse = 1'b0;
    collect    = '0;
    pulse      = '0;
    next       = 1'b0;
    refuse     = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        dp.block_clear = 1'b1;  // a refused command may have left a block
        dp.sum_clear   = 1'b1;
        dp.tag_clear   = 1'b1;
        dp.mask        = M_TEXT;  // ready when a command begins
        pulse.key_done = 1'b1;
        if (front.begins) begin
          dp.sum_restore    = front.cached;
          dp.sum_clear      = !front.cached;
          collect.start_ad  = front.with_ad;
          collect.start_msg = !front.with_ad;
          dp.load           = !front.with_ad;
          state_d           = front.with_ad ? S_AD_BEGIN : S_MASK_WAIT;
        end
      end

      S_AD_BEGIN: begin
        dp.mask = M_AD;
        if (chunk.bad) begin
          refuse = drained;
        end else if (chunk.full) begin
          next    = chunk.empty;
          state_d = !chunk.empty ? S_MASK : load_ad ? S_AD_END : S_MESSAGE;
        end
      end

      S_MASK: begin
        dp.load = room;
        if (room) state_d = S_MASK_WAIT;
      end

      S_MASK_WAIT: begin
        if (p_done && p_token.call == CALL_MASK) begin
          dp.mask = ad_q ? M_HOLD : M_Y;
          state_d = ad_q ? S_AD : S_TEXT;
        end
      end

      S_AD: begin
        if (chunk.bad) begin
          refuse = drained;
        end else if (chunk.full && !next_q) begin
          dp.mask = chunk.last ? M_Y_PLUS_1 : M_Y;
          state_d = !chunk.last ? S_AD_LOAD : chunk.partial ? S_AD_PADDED : S_AD_SUM;
        end
      end

      S_AD_LOAD: begin
        if (room) begin
          next      = 1'b1;
          dp.load   = 1'b1;
          dp.source = X_BLOCK;
          dp.call   = CALL_AD;
          dp.summed = 1'b1;
          state_d   = S_AD;
        end
      end

      S_AD_PADDED: begin
        dp.mask = M_Y_PLUS_1;
        state_d = S_AD_SUM;
      end

      S_AD_SUM: begin
        if (all_summed) begin
          next         = 1'b1;
          dp.sum_block = 1'b1;
          state_d      = S_AD_LAST;
        end
      end

      S_AD_LAST: begin
        dp.load      = 1'b1;
        dp.source    = X_SUM;
        dp.call      = CALL_AD;
        dp.summed    = 1'b1;
        dp.sum_clear = 1'b1;
        state_d      = load_ad ? S_AD_END : S_MESSAGE;
      end

      S_AD_END: if (all_summed) state_d = S_CHECK;

      S_MESSAGE: begin
        dp.mask           = M_TEXT;
        collect.start_msg = 1'b1;
        state_d           = S_MASK;
      end

      S_TEXT: begin
        if (chunk.bad) begin
          refuse = drained;
        end else if (chunk.full && !next_q) begin
          if (chunk.partial) begin
            state_d = opening ? S_EXPECTED : S_LAST;
          end else if (room_for_block && place_left) begin
            dp.load    = 1'b1;
            dp.source  = X_BLOCK;
            dp.call    = CALL_TEXT;
            dp.inverse = opening;
            dp.mask    = M_Y;
            state_d    = S_SUM;
          end
        end
      end

      S_SUM: begin
        if (!opening || room) begin
          next      = 1'b1;
          dp.load   = opening;
          dp.source = X_BLOCK;
          dp.call   = CALL_SUM;
          dp.summed = 1'b1;
          dp.mask   = M_Y;
          state_d   = !chunk.last ? S_TEXT : opening ? S_EXPECTED : S_LAST;
        end
      end

      S_EXPECTED: begin
        dp.text_keep = 1'b1;
        if (front.tag_taken) state_d = S_ALIGN;
      end

      S_ALIGN: begin
        dp.turn = turns_q != '0;
        if (turns_q == '0) state_d = S_LAST;
      end

      S_LAST: begin
        if (room_for_block && place_left) begin
          next         = 1'b1;
          dp.load      = 1'b1;
          dp.source    = X_BLOCK;
          dp.call      = CALL_LAST;
          dp.inverse   = opening;
          dp.silent    = whole_q || chunk.empty;
          dp.pad       = whole_q && !opening;
          dp.summed    = !opening;
          dp.sum_block = opening;
          dp.text_keep = !opening;
          dp.mask      = M_Y_PLUS_1;
          state_d      = S_TAG;
        end
      end

      S_TAG: begin
        if (room_for_block && all_summed && place_left) begin
          dp.load   = 1'b1;
          dp.source = X_SUM;
          dp.call   = CALL_TAG;
          state_d   = S_TAG_WAIT;
        end
      end

      S_TAG_WAIT: if (tag_made_q) state_d = opening || turns_q == '0 ? S_CHECK : S_TAG_TURN;

      S_TAG_TURN: begin
        dp.turn = turns_q != '0;
        if (turns_q == '0) state_d = S_CHECK;
      end

      S_CHECK: begin
        if (front.done) begin
          dp.cache_load = load_ad;
          state_d       = S_IDLE;  // which wipes the tag, after the front end has it
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (chained_q && room) begin
      dp.load    = 1'b1;
      dp.source  = X_CHAINED;
      dp.call    = CALL_SUM;
      dp.summed  = 1'b1;
      dp.inverse = 1'b0;
    end

    if (refuse) begin
      collect.stop = 1'b1;
      pulse.refuse = 1'b1;
      state_d      = S_IDLE;
    end
    if (next) dp.block_clear = 1'b1;
    collect.next   = next_q;
    pulse.out_made = out_made;
  end

  aead_outputs #(
      .PLACES(PLACES)
  ) u_outputs (
      .promise(promised),
      .put(p_done && (p_token.call == CALL_TEXT || p_token.call == CALL_LAST) && !p_token.silent),
      .put_about(p_token.out),
      .hold(1'b0),
      .empty(1'b0),
      .end_empty(front.end_empty),
      .more(chunk.full),
      .refused(front.refused),
      .*
  );

  always_ff @(posedge clk) begin
    state_q     <= state_d;
    orders      <= dp;
    next_q      <= next;
    text_made_q <= p_done && p_token.call == CALL_LAST;
    tag_made_q  <= p_done && p_token.call == CALL_TAG;
    out_idle_q  <= emit_idle && outputs_idle && !promised && !front.end_empty;

    calls_q     <= calls_q + COUNT_BITS'(dp.load) - COUNT_BITS'(p_done);
    owed_q      <= owed_q + COUNT_BITS'(owes) - COUNT_BITS'(sum_done);

    if (chained_q && room) chained_q <= 1'b0;
    if (chained_done) chained_q <= 1'b1;

    if (front.begins) begin
      ad_q         <= front.with_ad;
      whole_q      <= 1'b0;
      last_bytes_q <= '0;
    end
    if (collect.start_msg) ad_q <= 1'b0;
    if (state_q == S_TEXT) last_bytes_q <= chunk.partial ? text_bytes : '0;
    if (state_q == S_SUM) whole_q <= chunk.last;

    if (state_q == S_EXPECTED) turns_q <= last_bytes_q == '0 ? '0 : 6'(TAG_BYTES) - 6'(last_bytes_q);
    if (state_q == S_TAG) turns_q <= 6'(last_bytes_q);
    if (dp.turn) turns_q <= turns_q - 6'd1;

    if (clear) begin
      state_q      <= S_IDLE;
      orders       <= '0;
      next_q       <= 1'b0;
      text_made_q  <= 1'b0;
      tag_made_q   <= 1'b0;
      out_idle_q   <= 1'b0;
      calls_q      <= '0;
      owed_q       <= '0;
      chained_q    <= 1'b0;
      ad_q         <= 1'b0;
      whole_q      <= 1'b0;
      last_bytes_q <= '0;
      turns_q      <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_place_is_free : assert (!(p_done && p_token.call == CALL_LAST && p_token.silent) || first_free);
      a_tag_has_a_place : assert (!(p_done && p_token.call == CALL_TAG) || first_free);
      a_output_is_idle : assert (!out_idle_q || (emit_idle && outputs_idle));
      a_chain_is_free : assert (!chained_done || !chained_q);
      // A block stands in the collector no longer than it is at work: the emitter takes it for one that follows.
      a_block_is_at_work : assert (state_q != S_SUM || calls_q != '0);
    end
  end
`endif

endmodule
