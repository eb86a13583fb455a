// SPDX-License-Identifier: Apache-2.0
// Deoxys-II schedule: the order of the cipher's calls for sealing, opening and AD loading (docs/cores/deoxys.md, "Steps").
// Sealing reads the message twice: for the sum, of which the tag is made, and for the encryption. Opening reads it once:
// a block is decrypted, and joins the sum while it waits in the last place of output.
// Calls go one after another to the place in front of the cipher, which takes one as soon as it can. What a call is for
// comes back with its result.
// Cycles: two calls a block, each 14 with a key of 128 bits and 16 with one of 256, whatever the blocks in flight.
// Security: the order of calls depends on lengths and operations only; a refused command gives no tag, and is refused when
// no call is at work and its output is with the emitter; `clear` drops everything in flight.
module deoxysii_schedule
  import aead_pkg::*, aead_block_pkg::*, deoxysii_pkg::*;
#(
    parameter int unsigned PLACES = 3,  // of output: for blocks in the cipher, one in front of it, one that goes out
    parameter bit LATE = 1'b0  // a cycle more for tags, the verdict and the end of a wipe
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

    output logic store_rewind,
    output logic store_stop,
    input  logic store_bad,
    input  logic store_wiping,

    input logic   bc_key_ready,
    input logic   bc_waiting,
    input logic   bc_done,
    input token_t bc_token,
    input logic   tag_equal,

    output datapath_t              orders,
    output logic                   opening,
    output logic      [PLACES-1:1] move
);

  typedef enum logic [3:0] {
    S_IDLE,    // nothing to do, or refused
    S_KEY,     // wait for the cipher
    S_TEXT,    // wait for a block of a string, and a place for it
    S_STRING,  // a string has ended: the next one
    S_AD_END,  // loading AD: wait for the sum
    S_TAG_IN,  // open: take the tag
    S_TAG,     // wait for the sum, then the tag's call
    S_WAIT,    // wait for it
    S_EQUAL,   // open: compare
    S_CHECK,   // open: wait until all output is with the emitter
    S_END      // done
  } state_e;

  typedef enum logic [1:0] {
    T_AD,
    T_SUM,    // the message, for the tag
    T_STREAM  // the message, encrypted or decrypted
  } string_e;

  localparam int unsigned COUNT_BITS = 3;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  string_e string_q, string_d;
  datapath_t dp;
  logic [NUMBER_BITS-1:0] number_q;  // of the string's next block
  logic [15:0] summed_q;  // opening: the number of the next block that joins the sum
  logic next, next_q, room, refuse, drained, sum_call, stream_call, sum_done, text_done, begin_string;
  logic join_due, join_load;  // opening: the block in the last place has not joined the sum; it does so now
  logic joined_q;
  // Calls that are loaded and not done; among them those for the sum; opening: blocks that have not joined the sum yet
  logic [COUNT_BITS-1:0] calls_q, sum_calls_q, owed_q;
  logic load_ad;
  logic place_left, first_free, outputs_drained, outputs_idle, out_made, stands, sent;
  output_t last_about;

  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;

  logic unused;
  assign unused = &{1'b0, front, chunk, bc_token, first_free, last_about};

  assign room = !orders.load && !bc_waiting;
  assign sum_done = bc_done && bc_token.call == CALL_SUM;
  assign text_done = bc_done && bc_token.call == CALL_STREAM;
  assign drained = calls_q == '0 && owed_q == '0 && outputs_drained;
  assign join_due = opening && stands && !joined_q;
  assign join_load = join_due && room && (state_q == S_TEXT || state_q == S_TAG);

  // The front end's verdict, its readiness for a key and both tags have long ways: with LATE they begin or end at registers.
  if (LATE) begin : gen_late
    logic idle_q, wiping_q, tag_taken_q, checking_q, equal_q;
    logic checked;  // `equal_q` speaks of the tag, and all output is with the emitter
    assign checked = drained && checking_q;
    always_ff @(posedge clk) begin
      idle_q      <= emit_idle && outputs_idle && !stream_call && !front.end_empty && !clear;
      wiping_q    <= store_wiping || clear;
      tag_taken_q <= front.tag_taken && !clear;
      checking_q  <= state_q == S_CHECK && !clear;
      equal_q     <= tag_equal && !clear;
    end
  end else begin : gen_late
    // verilog_lint: waive-start parameter-name-style (it stands for a signal)
    localparam bit idle_q = 1'b0;
    localparam bit wiping_q = 1'b0;
    localparam bit tag_taken_q = 1'b0;
    localparam bit equal_q = 1'b0;
    localparam bit checked = 1'b0;
    // verilog_lint: waive-stop parameter-name-style
  end

  always_comb begin
    status          = '0;
    status.wiping   = LATE ? gen_late.wiping_q : store_wiping;
    status.key_free = 1'b1;  // what is refused has no call at work
    status.tag_wait = state_q == S_TAG_IN;
    status.finish   = state_q == S_END;
    status.out_idle = LATE ? gen_late.idle_q : emit_idle && outputs_idle;
  end

  always_comb begin
    state_d      = state_q;
    string_d     = string_q;
    dp           = '0;
    dp.call      = CALL_SUM;
    dp.number    = number_q;
    collect      = '0;
    pulse        = '0;
    next         = 1'b0;
    refuse       = 1'b0;
    begin_string = 1'b0;
    store_rewind = 1'b0;

    unique case (state_q)
      S_IDLE: begin
        dp.block_clear = 1'b1;  // a refused command may have left a block
        dp.sum_clear   = 1'b1;
        dp.iv_clear    = 1'b1;
        begin_string   = 1'b1;
        string_d       = T_AD;
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          dp.sum_restore   = front.cached;
          collect.start_ad = front.with_ad;
          state_d          = front.with_ad ? S_TEXT : S_STRING;
        end
      end

      S_KEY: begin
        pulse.key_done = bc_key_ready;
        if (bc_key_ready) state_d = S_IDLE;
      end

      S_TEXT: begin
        // A block that stands there goes on: the output was told that it follows.
        if (chunk.bad || (store_bad && !load_ad && !chunk.full)) begin
          refuse = drained;
        end else if (chunk.full && room && !join_due) begin
          if (chunk.empty) begin
            next    = 1'b1;
            state_d = S_STRING;
          end else if (string_q != T_STREAM || place_left) begin
            next       = 1'b1;
            dp.load    = 1'b1;
            dp.call    = string_q == T_STREAM ? CALL_STREAM : CALL_SUM;
            dp.ad      = string_q == T_AD;
            dp.partial = chunk.partial;
            dp.out     = output_of(chunk);
            if (chunk.last) state_d = S_STRING;
          end
        end
      end

      // What comes next is collected while the sum or the tag is still being made.
      S_STRING: begin
        begin_string = 1'b1;
        unique case (string_q)
          T_AD: begin
            string_d          = opening ? T_STREAM : T_SUM;
            collect.start_msg = !load_ad;
            state_d           = load_ad ? S_AD_END : opening ? S_TAG_IN : S_TEXT;
          end
          T_SUM: begin
            string_d          = T_STREAM;
            store_rewind      = 1'b1;
            collect.start_msg = 1'b1;
            state_d           = S_TAG;
          end
          default: state_d = opening ? S_TAG : S_END;
        endcase
      end

      S_AD_END: if (sum_calls_q == '0) state_d = S_END;

      S_TAG_IN: begin
        if (LATE ? gen_late.tag_taken_q : front.tag_taken) state_d = S_TEXT;
        if (store_bad) refuse = drained;
      end

      S_TAG: begin
        if (room && sum_calls_q == '0 && owed_q == '0) begin
          dp.load = 1'b1;
          dp.call = CALL_TAG;
          state_d = S_WAIT;
        end
      end

      S_WAIT: if (bc_done && bc_token.call == CALL_TAG) state_d = opening ? S_EQUAL : S_TEXT;

      S_EQUAL: state_d = S_CHECK;

      S_CHECK: begin
        if (LATE ? gen_late.checked : drained) begin
          state_d = S_END;
          refuse  = !(LATE ? gen_late.equal_q : tag_equal);
        end
      end

      S_END: begin
        if (front.done) begin
          dp.cache_load = load_ad;
          state_d       = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    if (join_load) begin
      dp.load        = 1'b1;
      dp.call        = CALL_SUM;
      dp.from_output = 1'b1;
      dp.ad          = 1'b0;
      dp.partial     = last_about.partial;
      dp.number      = NUMBER_BITS'(summed_q);
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
  assign store_stop = refuse;
  assign sum_call = dp.load && dp.call == CALL_SUM;
  assign stream_call = dp.load && dp.call == CALL_STREAM;

  aead_outputs #(
      .PLACES(PLACES)
  ) u_outputs (
      .promise(stream_call),
      .put(text_done),
      .put_about(bc_token.out),
      .hold(opening && !joined_q),
      .empty(1'b0),
      .end_empty(front.end_empty),
      .more(!opening || chunk.full),
      .refused(front.refused),
      .*
  );

  always_ff @(posedge clk) begin
    state_q     <= state_d;
    string_q    <= string_d;
    orders      <= dp;
    next_q      <= next;

    calls_q     <= calls_q + COUNT_BITS'(dp.load) - COUNT_BITS'(bc_done);
    sum_calls_q <= sum_calls_q + COUNT_BITS'(sum_call) - COUNT_BITS'(sum_done);
    owed_q      <= owed_q + COUNT_BITS'(stream_call && opening) - COUNT_BITS'(join_load);

    if (begin_string) number_q <= '0;
    else if (next) number_q <= number_q + NUMBER_BITS'(1);
    if (state_q == S_IDLE) summed_q <= '0;
    else if (join_load) summed_q <= summed_q + 16'd1;

    if (join_load) joined_q <= 1'b1;
    else if (sent) joined_q <= 1'b0;

    if (clear) begin
      state_q     <= S_IDLE;
      string_q    <= T_AD;
      orders      <= '0;
      next_q      <= 1'b0;
      calls_q     <= '0;
      sum_calls_q <= '0;
      owed_q      <= '0;
      number_q    <= '0;
      summed_q    <= '0;
      joined_q    <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      if (LATE) a_output_is_idle : assert (!gen_late.idle_q || (emit_idle && outputs_idle));
    end
  end
`endif

endmodule
