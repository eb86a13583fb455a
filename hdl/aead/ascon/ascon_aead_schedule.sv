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

    output call_t       call,
    output logic        run,
    output logic  [3:0] round,
    output logic        block_clear
);

  typedef enum logic [2:0] {
    S_IDLE,    // nothing to do, or refused
    S_AD,      // decide on the calls over the associated data
    S_AD_PAD,  // which end with a whole block
    S_MSG,     // decide on the calls over the message
    S_PAD,     // which ends with a whole block
    S_TAG      // wait for the last call; the tag stands
  } state_e;

  // A call is decided in the last cycle of the one before, or later, and starts in the next cycle, with its block and output:
  // orders on wide nets come from registers.
  typedef struct packed {
    call_t call;
    logic  next;       // the block goes
    logic  start_msg;
    logic  load;       // its output comes
    logic  empty;
  } decision_t;

  state_e state_q, state_d;
  decision_t decision_q, decision_d;
  logic settled_q;  // no call runs
  logic [3:0] round_q;  // of a call that runs
  logic key_owed_q;  // the key is to be added behind the first call
  logic bit_owed_q;  // the separating bit is to be added
  logic key_loaded_q;
  logic free, refuse, last_rounds;

  assign call = decision_q.call;
  assign run = call.start || !settled_q;
  assign last_rounds = round_q == 4'(ROUNDS_A - ROUNDS_PER_CYCLE);
  assign round = !settled_q ? round_q : call.twelve ? 4'd0 : 4'(ROUNDS_A - ROUNDS_B);
  assign free = settled_q ? decision_q == '0 : last_rounds;
  assign refuse = chunk.bad && state_q != S_IDLE;
  assign block_clear = collect.next || refuse;

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;
    status.finish   = state_q == S_TAG && settled_q && !call.start;
    status.out_idle = emit_idle;
  end

  always_comb begin
    collect           = '0;
    collect.start_ad  = front.begins;
    collect.start_msg = decision_q.start_msg;
    collect.next      = decision_q.next;
    collect.stop      = refuse;

    emit              = '0;
    emit.load         = decision_q.load;
    emit.empty        = decision_q.empty || front.end_empty;
    emit.beats        = chunk.beats;
    emit.last_bytes   = chunk.last_bytes;
    emit.last         = chunk.last;
    emit.more         = chunk.full;
    emit.cut          = front.refused;

    pulse             = '0;
    pulse.key_done    = key_loaded_q;
    pulse.refuse      = refuse;
    pulse.out_made    = emit.load || emit.empty;
  end

  always_comb begin
    state_d    = state_q;
    decision_d = '0;

    unique case (state_q)
      S_IDLE: begin
        if (front.begins) begin
          decision_d.call.start  = 1'b1;
          decision_d.call.twelve = 1'b1;
          state_d                = S_AD;
        end
      end

      S_AD: begin
        if (free && chunk.full) begin
          decision_d.call.start     = !chunk.empty;
          decision_d.call.absorb    = !chunk.empty;
          decision_d.call.key_first = !chunk.empty && key_owed_q;
          decision_d.next           = 1'b1;
          decision_d.start_msg      = chunk.last;
          if (chunk.last) state_d = chunk.partial ? S_MSG : S_AD_PAD;
        end
      end

      S_AD_PAD: begin
        if (free) begin
          decision_d.call.start = 1'b1;
          decision_d.call.pad   = 1'b1;
          state_d               = S_MSG;
        end
      end

      S_MSG: begin
        if (free && chunk.full && emit_idle) begin
          decision_d.call.start     = 1'b1;
          decision_d.call.twelve    = chunk.partial;
          decision_d.call.absorb    = 1'b1;
          decision_d.call.key_first = key_owed_q;
          decision_d.call.separate  = bit_owed_q;
          decision_d.call.key_last  = chunk.partial;
          decision_d.next           = 1'b1;
          decision_d.load           = !chunk.empty;
          decision_d.empty          = chunk.empty;
          if (chunk.last) state_d = chunk.partial ? S_TAG : S_PAD;
        end
      end

      S_PAD: begin
        if (free) begin
          decision_d.call.start    = 1'b1;
          decision_d.call.twelve   = 1'b1;
          decision_d.call.pad      = 1'b1;
          decision_d.call.key_last = 1'b1;
          state_d                  = S_TAG;
        end
      end

      S_TAG:   if (front.done) state_d = S_IDLE;
      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk) begin
    state_q      <= state_d;
    decision_q   <= decision_d;
    key_loaded_q <= front.key_new;
    if (run) round_q <= round + 4'(ROUNDS_PER_CYCLE);
    if (run) settled_q <= !settled_q && last_rounds;
    if (front.begins) begin
      key_owed_q <= 1'b1;
      bit_owed_q <= 1'b1;
    end else begin
      if (decision_d.call.key_first) key_owed_q <= 1'b0;
      if (decision_d.call.separate) bit_owed_q <= 1'b0;
    end
    if (clear || refuse) begin
      state_q    <= S_IDLE;
      decision_q <= '0;
      settled_q  <= 1'b1;
    end
    if (clear) begin
      key_loaded_q <= 1'b0;
      round_q      <= '0;
      key_owed_q   <= 1'b0;
      bit_owed_q   <= 1'b0;
    end
  end

endmodule
