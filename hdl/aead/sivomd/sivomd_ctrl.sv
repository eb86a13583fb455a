// SPDX-License-Identifier: Apache-2.0
// SIV-OMD (experimental) control: the order of compression calls for keys, sealing, opening and AD loading
// (docs/cores/siv-omd.md, "Steps"). Sealing makes the MAC of both strings, then the tag, then the ciphertext; opening
// takes the tag, decrypts in the store, makes the MAC of what came of it and the tag anew, and only then lets it out.
// While one call runs, the next is prepared: the block is collected, and Delta is brought to mask(i, j) by a walk of L
// from L* over 8 L* (the bits of j) to L[ntz(i)].
// Cycles, with c a compression call (rounds + 1) and cached AD: sealing (n + ceil(n / 2) + 1) c and a constant.
// Security: the order of calls depends on lengths, operations and, in opening, on whether the tag was right; a refused
// or forged message gives no data and no tag; `clear` drops everything in flight.
module sivomd_ctrl
  import omd_pkg::INDEX_BITS, omd_pkg::OP_SEAL, omd_pkg::OP_OPEN, omd_pkg::OP_LOAD_AD;
  import sivomd_pkg::*;
#(
    parameter int unsigned SERIAL = 0  // 0: parallel mode, 1: serial mode
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
    input  logic out_last_taken,  // the last beat of the output moves with this edge
    input  logic tag_in_valid,
    output logic tag_in_ready,
    output logic swallow_ad,      // refused: take and forget

    output logic store_start,
    output logic store_rewind,
    input  logic store_taking,
    input  logic store_bad,
    input  logic store_wiping,

    output logic col_start_wide,    // pulse: collect blocks of 2n bytes
    output logic col_start_narrow,  // pulse: collect blocks of n bytes from the store
    output logic wide_from_store,   // wide blocks come from the store (else they are associated data)
    output logic col_next,
    output logic col_stop,
    input  logic col_full,
    input  logic col_last,
    input  logic col_partial,
    input  logic col_empty,
    input  logic col_bad,

    output logic emit_load,
    output logic emit_empty,
    output logic emit_drop,
    output logic emit_to_store,  // what is made is plaintext not yet verified: back to the store
    input  logic emit_idle,
    output logic drain,          // verified: the store goes to the output

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
    S_MAC,       // prepare and start the calls for a string
    S_AD_WAIT,   // load AD: wait for the last of them
    S_SUM,       // wait for the last of them, then left half <= sum
    S_TAG,       // start the call for the tag
    S_TAG_WAIT,
    S_TAG_IN,    // open: take the tag
    S_IV,        // left half <= IV
    S_CRYPT,     // start the calls for the message, make its blocks
    S_REPLAY,    // open: the last block goes to the store, then its MAC
    S_CHECK,     // open: compare
    S_DRAIN,     // open: let the plaintext out
    S_END        // refused or done: swallow the input, end the output, deliver
  } state_e;

  // Preparation of Delta for the next call
  typedef enum logic [1:0] {
    P_WALK,   // L goes up to L[ntz(i)]: add the multiples of L* that are in j, then L[ntz(i)]
    P_WAIT,   // mask(i, j) is there, if the block is not a short one
    P_SHORT,  // it is: add what changes in j
    P_READY
  } prep_e;

  localparam j_e J_CRYPT = SERIAL != 0 ? J_SERIAL : J_PARALLEL;

  state_e state_q, state_d;
  prep_e prep_q, prep_d;

  logic key_ok_q, cache_ok_q, cmd_waits_q;
  logic [1:0] op_q;
  logic cached_q, open;
  logic want_ad_q, want_tag_q;  // strings of the command still to be taken to the end
  logic ok_q, out_owed_q;  // out_owed: no beat of the output has been made yet
  logic text_q;  // the MAC is that of the message, not of the associated data
  logic first_q;  // the first call of the encryption has not started
  logic mac_q;  // the digest of the call that runs belongs to the sum
  assign open = op_q == OP_OPEN;

  // walk_q has a bit set at the number of doublings that are still missing from L* to L[ntz(index)]; j_q has one at
  // those multiples of L* that have to be added on the way.
  logic [INDEX_BITS-1:0] index_q;
  logic [INDEX_BITS+3:0] walk_q;
  logic [3:0] j_q, j_new;
  logic begin_string, index_next, begin_short, l_reached, mask_ready;
  assign l_reached  = walk_q[0];
  assign mask_ready = prep_q != P_WALK;

  logic cmd_taken, key_taken, tag_in_taken, result_set, refuse;
  logic no_result_yet;
  assign cmd_taken = cmd_valid && cmd_ready;
  assign key_taken = key_valid && key_ready;
  assign tag_in_taken = tag_in_valid && tag_in_ready;
  assign no_result_yet = !result_valid;  // the tag register may be used again

  // After a refusal the compression function may still be at work.
  assign key_ready = state_q == S_IDLE && no_result_yet && f_ready && !store_wiping && !clear;
  assign cmd_ready = state_q == S_IDLE && key_ok_q && !clear;
  assign busy = state_q != S_IDLE || result_valid || store_wiping || clear;

  assign tag_in_ready = (state_q == S_TAG_IN || state_q == S_END) && want_tag_q && !clear;
  assign swallow_ad = state_q == S_END && want_ad_q;
  assign store_start = cmd_taken && cmd_op <= OP_OPEN;
  assign wide_from_store = text_q;
  assign emit_to_store = open && (state_q == S_CRYPT || state_q == S_REPLAY);
  assign emit_drop = refuse;
  assign drain = state_q == S_DRAIN;

  logic ad_done, msg_done, start_mac;
  logic calls_done;  // every digest that was asked for is there
  assign calls_done = f_ready && !mac_q;

  always_comb begin
    state_d          = state_q;
    prep_d           = prep_q;
    dp               = '0;
    dp.nonce_take    = cmd_taken;
    dp.key_load      = key_taken;
    dp.tag_clear     = result_valid && result_ready;
    dp.sum_add       = mac_q && f_ready;
    dp.open          = open && state_q == S_CRYPT;
    f_key_new        = key_taken;
    f_start          = 1'b0;
    begin_string     = 1'b0;
    index_next       = 1'b0;
    begin_short      = 1'b0;
    j_new            = J_CRYPT;
    store_rewind     = 1'b0;
    col_start_wide   = 1'b0;
    col_start_narrow = 1'b0;
    col_next         = 1'b0;
    col_stop         = 1'b0;
    emit_load        = 1'b0;
    emit_empty       = 1'b0;
    result_set       = 1'b0;
    refuse           = 1'b0;
    ad_done          = 1'b0;
    msg_done         = 1'b0;
    start_mac        = 1'b0;

    if (prep_q == P_WALK) begin
      dp.delta_add_l = l_reached || j_q[0];
      dp.l_double    = 1'b1;
      dp.l_restart   = l_reached;
      if (l_reached) prep_d = P_WAIT;
    end

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
        dp.use_tau = 1'b1;
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
          dp.sum_clear = !cached_q;
          dp.sum_from_cache = 1'b1;
          if (op_q > OP_LOAD_AD || (cached_q && !cache_ok_q)) begin
            refuse = 1'b1;
          end else if (want_ad_q) begin
            begin_string = 1'b1;
            j_new = J_AD;
            col_start_wide = 1'b1;
            state_d = S_MAC;
          end else begin
            ad_done = 1'b1;
          end
        end
      end

      S_MAC: begin
        unique case (prep_q)
          P_WALK: ;
          P_WAIT: begin
            if (col_full && col_empty) begin
              col_next = 1'b1;
              ad_done  = !text_q;
              msg_done = text_q;
            end else if (col_full && col_partial) begin
              begin_short = 1'b1;
              prep_d = P_SHORT;
            end else if (col_full) begin
              prep_d = P_READY;
            end
          end
          P_SHORT: begin
            dp.delta_add_l = j_q[0];
            dp.l_double = 1'b1;
            if (j_q[3:1] == '0) prep_d = P_READY;
          end
          default: begin
            if (f_ready) begin
              f_start = 1'b1;
              dp.left_clear = 1'b1;
              dp.right_clear = 1'b1;
              col_next = 1'b1;
              index_next = 1'b1;
              ad_done = col_last && !text_q;
              msg_done = col_last && text_q;
            end
          end
        endcase
        if (col_bad || (store_bad && op_q <= OP_OPEN)) refuse = 1'b1;
      end

      S_AD_WAIT: begin
        if (calls_done) begin
          dp.cache_load = 1'b1;
          state_d = S_END;
        end
      end

      S_SUM: begin
        if (calls_done) begin
          dp.left_from_sum = 1'b1;
          dp.sum_clear = 1'b1;
          state_d = S_TAG;
        end
      end

      S_TAG: begin
        dp.use_nonce = 1'b1;
        if (mask_ready) begin
          f_start = 1'b1;
          dp.left_clear = 1'b1;
          state_d = S_TAG_WAIT;
          if (!open) begin
            store_rewind = 1'b1;
            col_start_narrow = 1'b1;
            begin_string = 1'b1;
          end
        end
      end

      S_TAG_WAIT: begin
        if (f_ready) begin
          dp.sum_add = open;
          dp.iv_from_digest = !open;
          state_d = open ? S_CHECK : S_IV;
        end
      end

      S_TAG_IN: begin
        if (tag_in_taken) begin
          dp.iv_from_port = 1'b1;
          state_d = S_IV;
        end
        if (store_bad) refuse = 1'b1;
      end

      S_IV: begin
        dp.left_from_iv = 1'b1;
        state_d = S_CRYPT;
      end

      S_CRYPT: begin
        dp.use_nonce = SERIAL == 0 || first_q;
        dp.use_h = SERIAL != 0 && !first_q;
        if (first_q) begin
          if (col_full && col_empty) begin
            col_next = 1'b1;
            state_d  = S_REPLAY;
          end else if (col_full && mask_ready && f_ready) begin
            f_start = 1'b1;
            index_next = 1'b1;
            dp.left_clear = SERIAL != 0;
          end
        end else if (f_ready && col_full && emit_idle && (mask_ready || col_last)) begin
          emit_load = 1'b1;
          dp.right_clear = 1'b1;
          col_next = 1'b1;
          if (col_last) begin
            state_d = S_REPLAY;
          end else begin
            f_start = 1'b1;
            index_next = 1'b1;
          end
        end
        if (store_bad) refuse = 1'b1;
      end

      S_REPLAY: begin
        dp.left_clear = 1'b1;
        if (!open) begin
          state_d = S_END;
        end else if (emit_idle && calls_done) begin
          store_rewind = 1'b1;
          start_mac = 1'b1;
        end
      end

      S_CHECK: begin
        store_rewind = 1'b1;
        state_d = tag_equal ? S_DRAIN : S_END;
      end

      S_DRAIN: begin
        if (out_last_taken) state_d = S_END;
      end

      S_END: begin
        prep_d = P_WAIT;
        emit_empty = out_owed_q && emit_idle;
        if (!want_ad_q && !store_taking && !want_tag_q && !out_owed_q && emit_idle) begin
          dp.tag_load  = ok_q && op_q == OP_SEAL;
          dp.iv_clear  = 1'b1;
          dp.sum_clear = 1'b1;
          result_set   = 1'b1;
          state_d      = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    // Where the strings end
    if (ad_done) begin
      if (op_q == OP_LOAD_AD) begin
        state_d = S_AD_WAIT;
      end else if (open) begin
        begin_string = 1'b1;
        col_start_narrow = 1'b1;
        state_d = S_TAG_IN;
      end else begin
        start_mac = 1'b1;
      end
    end
    if (start_mac) begin
      begin_string = 1'b1;
      j_new = J_MSG;
      col_start_wide = 1'b1;
      state_d = S_MAC;
    end
    if (msg_done) begin
      begin_string = 1'b1;
      j_new = J_TAG;
      state_d = S_SUM;
    end

    if (begin_string || index_next) begin
      dp.l_restart = 1'b1;
      prep_d = P_WALK;
    end
    if (begin_string) dp.delta_clear = 1'b1;
    if (refuse) begin
      col_stop       = 1'b1;
      dp.left_clear  = 1'b1;
      dp.right_clear = 1'b1;
      state_d        = S_END;
    end
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    prep_q <= prep_d;

    j_q <= j_q >> 1;
    if (begin_short) j_q <= text_q ? J_MSG ^ J_MSG_SHORT : J_AD ^ J_AD_SHORT;
    if (begin_string) begin
      j_q     <= j_new;
      index_q <= INDEX_BITS'(1'b1);
      walk_q  <= (INDEX_BITS + 4)'(5'd16);
    end else if (index_next) begin
      index_q <= index_q + INDEX_BITS'(1'b1);
      walk_q  <= {index_q + INDEX_BITS'(1'b1), 4'b0000};
    end else if (!l_reached) begin
      walk_q <= walk_q >> 1;
    end

    if (f_ready) mac_q <= 1'b0;
    if (f_start && state_q == S_MAC) mac_q <= 1'b1;
    if (state_q == S_COMMAND) text_q <= 1'b0;
    if (start_mac) text_q <= 1'b1;
    if (state_q == S_IV) first_q <= 1'b1;
    else if (f_start) first_q <= 1'b0;

    if (key_taken) begin
      key_ok_q    <= 1'b0;
      cache_ok_q  <= 1'b0;
      cmd_waits_q <= cmd_taken;
    end
    if (dp.l_star_load) key_ok_q <= 1'b1;
    if (dp.cache_load) cache_ok_q <= 1'b1;

    if (cmd_taken) begin
      op_q       <= cmd_op;
      cached_q   <= cmd_cached_ad && cmd_op != OP_LOAD_AD;
      want_ad_q  <= cmd_op == OP_LOAD_AD || (cmd_op <= OP_OPEN && !cmd_cached_ad);
      want_tag_q <= cmd_op == OP_OPEN;
      out_owed_q <= cmd_op <= OP_OPEN;
      ok_q       <= cmd_op != OP_OPEN;
    end
    if (ad_last_taken) want_ad_q <= 1'b0;
    if (tag_in_taken) want_tag_q <= 1'b0;
    if ((emit_load && !emit_to_store) || emit_empty || drain) out_owed_q <= 1'b0;
    if (state_q == S_CHECK) ok_q <= tag_equal;
    if (refuse) begin
      ok_q  <= 1'b0;
      mac_q <= 1'b0;
    end

    if (result_set) begin
      result_valid <= 1'b1;
      result_ok    <= ok_q;
    end else if (result_ready) begin
      result_valid <= 1'b0;
    end

    if (clear) begin
      state_q      <= S_IDLE;
      prep_q       <= P_WAIT;
      index_q      <= '0;
      walk_q       <= '0;
      j_q          <= '0;
      mac_q        <= 1'b0;
      text_q       <= 1'b0;
      first_q      <= 1'b0;
      key_ok_q     <= 1'b0;
      cache_ok_q   <= 1'b0;
      cmd_waits_q  <= 1'b0;
      want_ad_q    <= 1'b0;
      want_tag_q   <= 1'b0;
      out_owed_q   <= 1'b0;
      ok_q         <= 1'b0;
      result_valid <= 1'b0;
      result_ok    <= 1'b0;
    end
  end

endmodule
