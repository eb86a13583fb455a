// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128 schedule: the order of the permutation's calls, and what each adds to the state before its first round.
// Specification: NIST SP 800-232 section 4. While one call runs, the collector fills the next block; a call starts in the
// cycle after the one before has ended.
// Cycles, with R rounds a cycle: 8 / R a block, 12 / R for the first and the last call; a string of whole blocks other than
// the empty associated data ends with a block of padding.
// Security: the order of calls depends on lengths alone; a refused command gives no tag; `clear` drops everything in flight.
module ascon_aead_schedule
  import aead_pkg::*, ascon_aead_pkg::*;
#(
    parameter int unsigned ROUNDS_PER_CYCLE = 1  // 1, 2 or 4
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

    output orders_t       orders,
    output logic    [3:0] round
);

  typedef enum logic [2:0] {
    S_IDLE,    // nothing to do, or refused
    S_FIRST,   // start the call over IV, key and nonce
    S_AD,      // start the calls over the associated data
    S_AD_PAD,  // which end with a whole block
    S_MSG,     // start the calls over the message
    S_PAD,     // which ends with a whole block
    S_TAG      // wait for the last call; the tag stands
  } state_e;

  state_e state_q, state_d;
  logic settled_q;  // no call runs
  logic [3:0] round_q;  // of a call that runs
  logic key_owed_q;  // the key is to be added behind the first call
  logic bit_owed_q;  // the separating bit is to be added
  logic key_loaded_q;
  logic start, long, refuse;

  assign round  = settled_q ? (long ? 4'd0 : 4'(ROUNDS_A - ROUNDS_B)) : round_q;
  assign refuse = chunk.bad && (state_q inside {S_FIRST, S_AD, S_MSG});

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;
    status.finish   = state_q == S_TAG && settled_q;
    status.out_idle = emit_idle;
  end

  always_comb begin
    state_d          = state_q;
    start            = 1'b0;
    long             = 1'b0;

    orders           = '0;
    orders.rest      = front.rest;
    orders.fill      = front.pending;
    orders.key_load  = front.key_new;
    orders.open      = front.op == OP_OPEN;

    collect          = '0;
    collect.start_ad = front.begins;
    collect.stop     = refuse;

    emit             = '0;
    emit.beats       = chunk.beats;
    emit.last_bytes  = chunk.last_bytes;
    emit.last        = chunk.last;
    emit.more        = chunk.full;
    emit.cut         = front.refused;
    emit.empty       = front.end_empty;

    pulse            = '0;
    pulse.key_done   = key_loaded_q;
    pulse.refuse     = refuse;

    unique case (state_q)
      S_IDLE: if (front.begins) state_d = S_FIRST;

      S_FIRST: begin
        start   = 1'b1;
        long    = 1'b1;
        state_d = S_AD;
      end

      S_AD: begin
        if (settled_q && chunk.full) begin
          start             = !chunk.empty;
          orders.absorb     = 1'b1;
          orders.key_first  = key_owed_q;
          collect.next      = 1'b1;
          collect.start_msg = chunk.last;
          if (chunk.last) state_d = chunk.partial || chunk.empty ? S_MSG : S_AD_PAD;
        end
      end

      S_AD_PAD: begin
        if (settled_q) begin
          start      = 1'b1;
          orders.pad = 1'b1;
          state_d    = S_MSG;
        end
      end

      S_MSG: begin
        if (settled_q && chunk.full && emit_idle) begin
          start            = 1'b1;
          long             = chunk.partial;
          orders.absorb    = 1'b1;
          orders.key_first = key_owed_q;
          orders.separate  = bit_owed_q;
          orders.key_last  = chunk.partial;
          collect.next     = 1'b1;
          emit.load        = !chunk.empty;
          emit.empty       = chunk.empty;
          if (chunk.last) state_d = chunk.partial ? S_TAG : S_PAD;
        end
      end

      S_PAD: begin
        if (settled_q) begin
          start           = 1'b1;
          long            = 1'b1;
          orders.pad      = 1'b1;
          orders.key_last = 1'b1;
          state_d         = S_TAG;
        end
      end

      S_TAG:   if (front.done) state_d = S_IDLE;
      default: state_d = S_IDLE;
    endcase
    if (refuse) state_d = S_IDLE;

    orders.run         = start || !settled_q;
    orders.block_clear = collect.next || refuse;
    pulse.out_made     = emit.load || emit.empty;
  end

  always_ff @(posedge clk) begin
    state_q      <= state_d;
    key_loaded_q <= front.key_new;
    if (orders.run) round_q <= round + 4'(ROUNDS_PER_CYCLE);
    if (orders.run) settled_q <= round == 4'(ROUNDS_A - ROUNDS_PER_CYCLE);
    if (start) key_owed_q <= state_q == S_FIRST;
    if (state_q == S_FIRST) bit_owed_q <= 1'b1;
    else if (start && state_q == S_MSG) bit_owed_q <= 1'b0;
    if (clear || refuse) begin
      state_q   <= S_IDLE;
      settled_q <= 1'b1;
    end
    if (clear) begin
      key_loaded_q <= 1'b0;
      round_q      <= '0;
      key_owed_q   <= 1'b0;
      bit_owed_q   <= 1'b0;
    end
  end

endmodule
