// SPDX-License-Identifier: Apache-2.0
// SIV-OMD (experimental) schedule: the order of compression calls for keys, sealing, opening and AD loading
// (docs/cores/siv-omd.md, "Steps"). Sealing makes the MAC of both strings, then the tag, then the ciphertext; opening
// takes the tag, decrypts in the store, makes the MAC of what came of it and the tag anew, and only then lets it out.
// While one call runs, the next is prepared: the block is collected, and Delta is brought to mask(i, j) by a walk of L
// from L* over 8 L* (the bits of j) to L[ntz(i)].
// Cycles, with c a compression call (rounds + 1) and cached AD: sealing (n + ceil(n / 2) + 1) c and a constant.
// Security: the order of calls depends on lengths, operations and, in opening, on whether the tag was right; a refused
// or forged message gives no data and no tag; `clear` drops everything in flight.
module sivomd_schedule
  import aead_pkg::*, omd_pkg::INDEX_BITS, sivomd_pkg::*;
#(
    parameter int unsigned SERIAL = 0  // 0: parallel mode, 1: serial mode
) (
    input logic clk,
    input logic clear,

    input  front_t  front,
    output status_t status,
    output event_t  pulse,
    input  logic    out_last_taken,  // the last beat of the output moves with this edge

    output logic store_rewind,
    input  logic store_bad,
    input  logic store_wiping,

    output collect_t collect,         // start_ad: blocks of 2n bytes; start_msg: blocks of n bytes, from the store
    input  chunk_t   chunk,
    output logic     wide_from_store, // blocks of 2n bytes come from the store (else they are associated data)

    output emit_t emit,
    output logic  emit_drop,
    output logic  emit_to_store,  // what is made is plaintext not yet verified: back to the store
    input  logic  emit_idle,
    output logic  drain,          // verified: the store goes to the output

    output logic f_start,
    input  logic f_ready,

    output datapath_t dp,
    input logic tag_equal
);

  typedef enum logic [3:0] {
    S_IDLE,      // nothing to do, or refused
    S_KEY,       // start the call for L*
    S_KEY_WAIT,
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
    S_END        // done
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

  logic open;
  logic text_q;  // the MAC is that of the message, not of the associated data
  logic first_q;  // the first call of the encryption has not started
  logic mac_q;  // the digest of the call that runs belongs to the sum
  assign open = front.op == OP_OPEN;

  // walk_q has a bit set at the number of doublings that are still missing from L* to L[ntz(index)]; j_q has one at
  // those multiples of L* that have to be added on the way.
  logic [INDEX_BITS-1:0] index_q;
  logic [INDEX_BITS+3:0] walk_q;
  logic [3:0] j_q, j_new;
  logic begin_string, index_next, begin_short, l_reached, mask_ready;
  assign l_reached  = walk_q[0];
  assign mask_ready = prep_q != P_WALK;

  logic refuse;
  assign wide_from_store = text_q;
  assign emit_to_store = open && (state_q == S_CRYPT || state_q == S_REPLAY);
  assign emit_drop = refuse;
  assign drain = state_q == S_DRAIN;

  logic ad_done, msg_done, start_mac;
  logic calls_done;  // every digest that was asked for is there
  assign calls_done = f_ready && !mac_q;

  always_comb begin
    status          = '0;
    status.wiping   = store_wiping;
    status.key_free = f_ready;  // after a refusal a call may still be at work
    status.tag_wait = state_q == S_TAG_IN;
    status.finish   = state_q == S_END || (state_q == S_AD_WAIT && calls_done);
    status.out_idle = emit_idle;
  end

  always_comb begin
    state_d         = state_q;
    prep_d          = prep_q;
    dp              = '0;
    dp.nonce_take   = front.accepts;
    dp.key_load     = front.key_new;
    dp.sum_add      = mac_q && f_ready;
    dp.open         = open && state_q == S_CRYPT;
    f_start         = 1'b0;
    begin_string    = 1'b0;
    index_next      = 1'b0;
    begin_short     = 1'b0;
    j_new           = J_CRYPT;
    store_rewind    = 1'b0;
    collect         = '0;
    emit            = '0;
    emit.beats      = chunk.beats;
    emit.last_bytes = chunk.last_bytes;
    emit.last       = chunk.last;
    emit.more       = 1'b1;  // the message is known to be good before a block of it is made: no beat is held back
    emit.empty      = front.end_empty;
    pulse           = '0;
    refuse          = 1'b0;
    ad_done         = 1'b0;
    msg_done        = 1'b0;
    start_mac       = 1'b0;

    if (prep_q == P_WALK) begin
      dp.delta_add_l = l_reached || j_q[0];
      dp.l_double    = 1'b1;
      dp.l_restart   = l_reached;
      if (l_reached) prep_d = P_WAIT;
    end

    unique case (state_q)
      S_IDLE: begin
        prep_d = P_WAIT;
        dp.delta_clear = front.key_new;
        dp.iv_clear = front.done;
        dp.sum_clear = front.done;
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          dp.sum_clear = !front.cached;
          dp.sum_from_cache = 1'b1;
          ad_done = !front.with_ad;
          if (front.with_ad) begin
            begin_string = 1'b1;
            j_new = J_AD;
            collect.start_ad = 1'b1;
            state_d = S_MAC;
          end
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
          pulse.key_done = 1'b1;
          state_d = S_IDLE;
        end
      end

      S_MAC: begin
        unique case (prep_q)
          P_WALK: ;
          P_WAIT: begin
            if (chunk.full && chunk.empty) begin
              collect.next = 1'b1;
              ad_done = !text_q;
              msg_done = text_q;
            end else if (chunk.full && chunk.partial) begin
              begin_short = 1'b1;
              prep_d = P_SHORT;
            end else if (chunk.full) begin
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
              collect.next = 1'b1;
              index_next = 1'b1;
              ad_done = chunk.last && !text_q;
              msg_done = chunk.last && text_q;
            end
          end
        endcase
        if (chunk.bad || (store_bad && front.op <= OP_OPEN)) refuse = 1'b1;
      end

      S_AD_WAIT: begin
        if (front.done) begin
          dp.cache_load = 1'b1;
          dp.sum_clear  = 1'b1;
          state_d       = S_IDLE;
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
            collect.start_msg = 1'b1;
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
        if (front.tag_taken) begin
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
          if (chunk.full && chunk.empty) begin
            collect.next = 1'b1;
            state_d = S_REPLAY;
          end else if (chunk.full && mask_ready && f_ready) begin
            f_start = 1'b1;
            index_next = 1'b1;
            dp.left_clear = SERIAL != 0;
          end
        end else if (f_ready && chunk.full && emit_idle && (mask_ready || chunk.last)) begin
          emit.load = 1'b1;
          dp.right_clear = 1'b1;
          collect.next = 1'b1;
          if (chunk.last) begin
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
        state_d = S_DRAIN;
        refuse = !tag_equal;
      end

      S_DRAIN: ;  // until the last beat has gone, see below

      S_END: begin
        prep_d = P_WAIT;
        if (front.done) begin
          dp.iv_clear  = 1'b1;
          dp.sum_clear = 1'b1;
          state_d      = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase

    // Where the strings end
    if (ad_done) begin
      if (front.op == OP_LOAD_AD) begin
        state_d = S_AD_WAIT;
      end else if (open) begin
        begin_string = 1'b1;
        collect.start_msg = 1'b1;
        state_d = S_TAG_IN;
      end else begin
        start_mac = 1'b1;
      end
    end
    if (start_mac) begin
      begin_string = 1'b1;
      j_new = J_MSG;
      collect.start_ad = 1'b1;
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
      collect.stop   = 1'b1;
      pulse.refuse   = 1'b1;
      dp.left_clear  = 1'b1;
      dp.right_clear = 1'b1;
      state_d        = S_IDLE;
    end
    pulse.out_made = (emit.load && !emit_to_store) || drain;
  end

  always_ff @(posedge clk) begin
    state_q <= state_q == S_DRAIN && out_last_taken ? S_END : state_d;
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
    if (front.accepts) text_q <= 1'b0;
    if (start_mac) text_q <= 1'b1;
    if (state_q == S_IV) first_q <= 1'b1;
    else if (f_start) first_q <= 1'b0;

    if (refuse) mac_q <= 1'b0;

    if (clear) begin
      state_q <= S_IDLE;
      prep_q  <= P_WAIT;
      index_q <= '0;
      walk_q  <= '0;
      j_q     <= '0;
      mac_q   <= 1'b0;
      text_q  <= 1'b0;
      first_q <= 1'b0;
    end
  end

endmodule
