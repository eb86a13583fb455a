// SPDX-License-Identifier: Apache-2.0
// Schedule of COLM and AES-COPA: the order of AES calls for keys, sealing, opening and AD loading (docs/cores/colm.md,
// docs/cores/copa.md). They differ in what comes before the message, in the masks and in COLM's last block. First calls
// go one after another to the input of AES. A first call's result goes through the chain, and its second call goes to
// the input before any other first call. What a call is for comes back with its result.
// Cycles: a block in the time of two AES calls, divided by the blocks in flight: 20.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag, and is refused
// when no call is at work and its output is with the emitter; `clear` drops everything in flight.
module chained_schedule
  import aead_pkg::*, aead_block_pkg::*, chained_pkg::*;
#(
    parameter mode_e MODE = COLM,
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64 or 128
    parameter int unsigned PLACES = 3,  // of output, and blocks between their first call and their last beat
    parameter bit LATE = 1'b0  // the front end hears a cycle later that no output waits
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

    input  logic   aes_key_ready,
    input  logic   aes_free,
    output logic   aes_start,
    input  logic   aes_done,
    input  token_t aes_token,

    output datapath_t              orders,
    output logic                   opening,
    output logic                   total_made,
    output logic                   text_made,
    output logic                   tag_made,
    output logic                   tag_take,
    output logic      [PLACES-1:1] move
);

  typedef enum logic [4:0] {
    S_IDLE,          // nothing to do, or refused
    S_KEY,           // wait for the round keys, then the call for L
    S_KEY_WAIT,      // wait for L
    S_NONCE,         // COLM: the nonce's call
    S_AD_MASK,       // COPA: mask of the associated data, a factor of 3 a cycle
    S_AD_MASK_2,
    S_BLOCK,         // wait for a block of either string; its mask
    S_SEVENFOLD,     // COLM: mask of a last block that was padded
    S_EXPECTED,      // opening, last block: wait for the expected tag
    S_ALIGN,         // turn tag or nonce until its first bytes stand behind the last block's bytes
    S_LOAD,          // the block goes to AES
    S_AD_END,        // loading AD: wait for its sum
    S_NONCE_MASK,    // COPA: mask of associated data and nonce, a factor of 3 a cycle
    S_NONCE_MASK_2,
    S_NONCE_LAST,    // COPA: wait for the sum, then the call for it and the nonce
    S_MESSAGE,       // the first mask of the message
    S_TAG,           // wait for the sum of the message; mask of the block behind the last
    S_TAG_LOAD,      // that block goes to AES
    S_TAG_WAIT,      // wait for it
    S_TAG_TURN,      // sealing: turn the tag until it begins with its first byte
    S_CHECK          // the tag stands
  } state_e;

  localparam int unsigned COUNT_BITS = 3;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  datapath_t dp;
  logic ad_q;  // the string is that of the associated data
  logic load_q, input_q;  // the input of AES is being loaded, is waiting
  logic chained_q;  // a second call waits for the input
  logic chained_tag_q;  // it is that of the block behind the last
  output_t chained_out_q;
  logic chained_empty_q;
  logic next, next_q, room, room_for_first, refuse, drained, promised;
  logic start_done, first_done, second_done;
  logic [COUNT_BITS-1:0] calls_q, start_calls_q, text_calls_q;  // loaded, and what they give not yet taken up
  logic text_last_q, text_made_q, tag_made_q;
  logic [3:0] text_bytes;  // of the block in the collector, 0 for 16
  logic [3:0] sealed_turns_q, turns_q;
  logic load_ad;
  logic place_left, first_free, outputs_drained, outputs_idle, out_made, stands, sent;
  output_t last_about;

  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;
  assign text_bytes = 4'(chunk.beats[1:0] * (DATA_BITS / 8)) + chunk.last_bytes[3:0];

  logic unused;
  assign unused = &{1'b0, front, chunk, aes_token, stands, sent, last_about};

  assign aes_start = input_q && aes_free;
  assign room = !load_q && !input_q;
  assign room_for_first = room && !chained_q && !first_done;
  assign start_done = aes_done && aes_token.call == CALL_START;
  assign first_done = aes_done && (aes_token.call == CALL_FIRST || aes_token.call == CALL_TAG_FIRST);
  assign second_done = aes_done && aes_token.call == CALL_SECOND;
  assign drained = calls_q == '0 && !chained_q && !text_made_q && outputs_drained;
  assign promised = dp.load && dp.call == CALL_FIRST && !dp.empty;
  assign total_made = text_made_q && opening;
  assign text_made = text_made_q && text_last_q;
  assign tag_made = tag_made_q;
  assign tag_take = state_q == S_EXPECTED;

  // The front end's verdict has a long way: with LATE it begins at a register.
  if (LATE) begin : gen_late
    logic idle_q;
    always_ff @(posedge clk) idle_q <= emit_idle && outputs_idle && !promised && !front.end_empty && !clear;
  end else begin : gen_late
    // verilog_lint: waive-start parameter-name-style (it stands for a signal)
    localparam bit idle_q = 1'b0;
    // verilog_lint: waive-stop parameter-name-style
  end

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.tag_wait = state_q == S_EXPECTED;
    status.finish   = state_q == S_CHECK;
    status.out_idle = LATE ? gen_late.idle_q : emit_idle && outputs_idle;
  end

  always_comb begin
    state_d        = state_q;
    dp             = '0;
    dp.source      = X_ZERO;
    dp.call        = CALL_KEY;
    dp.mask_first  = M_HOLD;
    dp.mask_second = M_HOLD;
    collect        = '0;
    pulse          = '0;
    next           = 1'b0;
    refuse         = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        dp.block_clear = 1'b1;  // a refused command may have left a block
        dp.total_clear = 1'b1;
        dp.tag_clear   = 1'b1;
        dp.mask_first  = M_ONE;
        dp.mask_second = M_ONE;
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          dp.mask_first    = M_THRICE;
          dp.mask_second   = MODE == COLM ? M_THRICE : M_TWICE;
          dp.chain_restore = front.cached;
          dp.chain_clear   = !front.cached;
          collect.start_ad = front.with_ad;
          state_d          = MODE == COPA ? S_AD_MASK : load_ad ? S_BLOCK : S_NONCE;
        end
      end

      S_KEY: begin
        dp.load = aes_key_ready;
        if (aes_key_ready) state_d = S_KEY_WAIT;
      end

      S_KEY_WAIT: begin
        dp.mask_first  = M_ONE;  // a command that came with the key begins at once
        dp.mask_second = M_ONE;
        pulse.key_done = aes_done;
        if (aes_done) state_d = S_IDLE;
      end

      S_NONCE: begin
        dp.load        = 1'b1;
        dp.source      = X_NONCE;
        dp.call        = CALL_START;
        dp.mask_second = M_THRICE;
        state_d        = ad_q ? S_BLOCK : S_MESSAGE;
      end

      S_AD_MASK: begin
        dp.mask_first = M_THRICE;
        state_d       = S_AD_MASK_2;
      end

      S_AD_MASK_2: begin
        dp.mask_first = M_THRICE;
        state_d       = S_BLOCK;
      end

      S_BLOCK: begin
        if (chunk.bad) begin
          refuse = drained;
        end else if (chunk.full && !next_q) begin
          if (ad_q && chunk.empty) begin
            next    = 1'b1;
            state_d = MODE == COPA ? S_NONCE_MASK : load_ad ? S_AD_END : S_MESSAGE;
          end else if (ad_q) begin
            if (MODE == COLM) dp.mask_first = chunk.partial ? M_SEVENFOLD : M_TWICE;
            state_d = MODE == COPA && chunk.partial ? S_ALIGN : S_LOAD;
          end else if (place_left) begin
            if (MODE == COLM) begin
              dp.mask_first  = chunk.last ? M_SEVENFOLD : M_TWICE;
              dp.mask_second = chunk.last ? M_SEVENFOLD : M_TWICE;
            end else if (chunk.partial) begin
              dp.mask_first = M_SEVENFOLD;
            end
            state_d = MODE == COLM && chunk.partial ? S_SEVENFOLD : chunk.last && opening ? S_EXPECTED : S_LOAD;
          end
        end
      end

      S_SEVENFOLD: begin
        dp.mask_first  = M_SEVENFOLD;
        dp.mask_second = M_SEVENFOLD;
        state_d        = opening ? S_EXPECTED : S_LOAD;
      end

      S_EXPECTED: if (front.tag_taken) state_d = S_ALIGN;

      S_ALIGN: begin
        dp.turn = turns_q != '0;
        if (turns_q == '0) state_d = S_LOAD;
      end

      S_LOAD: begin
        if (room_for_first) begin
          next           = 1'b1;
          dp.load        = 1'b1;
          dp.call        = ad_q ? CALL_START : CALL_FIRST;
          dp.inverse     = !ad_q && opening;
          dp.out         = output_of(chunk);
          dp.empty       = chunk.empty;
          dp.total_block = !ad_q && !opening;
          dp.text_keep   = chunk.last;
          state_d        = S_BLOCK;
          if (MODE == COLM) begin
            dp.source = ad_q || !chunk.last ? X_BLOCK : opening ? X_JOINED : X_BOTH;
            if (chunk.last) state_d = !ad_q ? S_TAG : load_ad ? S_AD_END : S_MESSAGE;
          end else begin
            dp.source = ad_q || opening ? X_JOINED : X_BLOCK;
            if (ad_q || !chunk.last) dp.mask_first = M_TWICE;
            if (!ad_q && !chunk.last) dp.mask_second = M_TWICE;
            if (chunk.last) state_d = ad_q ? S_NONCE_MASK : S_TAG;
          end
        end
      end

      S_AD_END: if (start_calls_q == '0) state_d = S_CHECK;

      S_NONCE_MASK: begin
        dp.mask_first = M_THRICE;
        // `chunk` still tells of the last block of the associated data.
        state_d       = chunk.partial && !chunk.empty ? S_NONCE_MASK_2 : S_NONCE_LAST;
      end

      S_NONCE_MASK_2: begin
        dp.mask_first = M_THRICE;
        state_d       = S_NONCE_LAST;
      end

      S_NONCE_LAST: begin
        if (start_calls_q == '0 && room) begin
          dp.load       = 1'b1;
          dp.source     = X_NONCE;
          dp.call       = CALL_NONCE;
          dp.mask_first = M_ONE;
          state_d       = S_MESSAGE;
        end
      end

      S_MESSAGE: begin
        dp.mask_first     = MODE == COLM ? M_ONE : M_THRICE;
        collect.start_msg = 1'b1;
        state_d           = S_BLOCK;
      end

      S_TAG: begin
        if ((!opening || text_calls_q == '0) && place_left) begin
          dp.mask_first  = MODE == COLM ? M_TWICE : M_THRICE;
          dp.mask_second = MODE == COLM ? M_TWICE : M_SEVENFOLD;
          state_d        = S_TAG_LOAD;
        end
      end

      S_TAG_LOAD: begin
        if (room_for_first) begin
          dp.load   = 1'b1;
          dp.source = X_TOTAL;
          dp.call   = CALL_TAG_FIRST;
          state_d   = S_TAG_WAIT;
        end
      end

      S_TAG_WAIT: if (tag_made_q) state_d = opening ? S_CHECK : S_TAG_TURN;

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

    // Every result frees AES for the call at its input, so that a first call's result goes there at once, and has left
    // the chain before the next one comes.
    if (chained_q && room) begin
      dp.load    = 1'b1;
      dp.source  = X_CHAINED;
      dp.call    = chained_tag_q ? CALL_TAG_SECOND : CALL_SECOND;
      dp.inverse = opening && !chained_tag_q;
      dp.out     = chained_out_q;
      dp.empty   = chained_empty_q;
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
      .put(second_done && !aes_token.empty),
      .put_about(aes_token.out),
      .hold(1'b0),
      .empty(1'b0),
      .end_empty(front.end_empty),
      .more(chunk.full),
      .refused(front.refused),
      .*
  );

  always_ff @(posedge clk) begin
    state_q       <= state_d;
    orders        <= dp;
    next_q        <= next;
    load_q        <= dp.load;
    input_q       <= load_q || (input_q && !aes_start);
    text_made_q   <= second_done;
    text_last_q   <= aes_token.out.last;
    tag_made_q    <= aes_done && aes_token.call == CALL_TAG_SECOND;

    calls_q       <= calls_q + COUNT_BITS'(dp.load) - COUNT_BITS'(aes_done);
    start_calls_q <= start_calls_q + COUNT_BITS'(dp.load && dp.call == CALL_START) - COUNT_BITS'(start_done);
    text_calls_q  <= text_calls_q + COUNT_BITS'(dp.load && dp.call == CALL_FIRST) - COUNT_BITS'(text_made_q);

    if (chained_q && room) chained_q <= 1'b0;
    if (first_done) begin
      chained_q       <= 1'b1;
      chained_tag_q   <= aes_token.call == CALL_TAG_FIRST;
      chained_out_q   <= aes_token.out;
      chained_empty_q <= aes_token.empty;
    end

    if (state_q == S_BLOCK) begin  // what the block needs, should it be the last
      sealed_turns_q <= text_bytes;
      turns_q        <= -text_bytes;
    end
    if (state_q == S_TAG_LOAD) turns_q <= sealed_turns_q;
    if (dp.turn) turns_q <= turns_q - 4'd1;

    if (front.begins) ad_q <= front.with_ad;
    if (collect.start_msg) ad_q <= 1'b0;

    if (clear) begin
      state_q         <= S_IDLE;
      orders          <= '0;
      next_q          <= 1'b0;
      load_q          <= 1'b0;
      input_q         <= 1'b0;
      text_made_q     <= 1'b0;
      text_last_q     <= 1'b0;
      tag_made_q      <= 1'b0;
      calls_q         <= '0;
      start_calls_q   <= '0;
      text_calls_q    <= '0;
      chained_q       <= 1'b0;
      chained_tag_q   <= 1'b0;
      chained_out_q   <= '0;
      chained_empty_q <= 1'b0;
      sealed_turns_q  <= '0;
      turns_q         <= '0;
      ad_q            <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_place_is_free : assert (!(aes_done && aes_token.call == CALL_TAG_SECOND) || first_free);
      a_chain_is_free : assert (!first_done || !chained_q);
      a_output_is_idle : assert (!status.out_idle || (emit_idle && outputs_idle));
    end
  end
`endif

endmodule
