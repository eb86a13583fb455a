// SPDX-License-Identifier: Apache-2.0
// AEGIS-128L schedule: the order of the updates of the state.
// Specification: RFC 10032, section 4. A block of a string is taken up in the cycle in which it stands; the next one comes
// with the same edge.
// Cycles: 10 updates first, one for each block of 32 bytes, 7 last; one cycle between the strings, one for the lengths.
// Security: the order of updates depends on lengths alone; a refused command gives no tag, and is refused when no output
// waits for its beats; `clear` drops everything in flight.
module aegis_schedule
  import aead_pkg::*, aead_block_pkg::*, aegis_pkg::*;
#(
    parameter int unsigned DATA_BITS = 256  // beat: 32, 64, 128 or 256
) (
    input logic clk,
    input logic clear,

    input  front_t   front,
    output status_t  status,
    output event_t   pulse,
    input  chunk_t   chunk,
    output collect_t collect,

    output datapath_t         orders,
    output logic      [127:0] lengths, // bits of associated data and of message

    output logic    put,          // a block of output is made
    output output_t put_about,
    output logic    out_nothing,  // the output is the empty string
    output logic    out_more,     // another block of output follows
    input  logic    out_room,
    input  logic    out_waiting,
    input  logic    out_idle
);

  typedef enum logic [2:0] {
    S_IDLE,     // nothing to do, or refused
    S_START,    // updates with nonce and key
    S_AD,
    S_MSG,
    S_LENGTHS,  // they join S2
    S_END,      // updates with the sum
    S_TAG       // the tag stands
  } state_e;

  localparam int unsigned BLOCK_BYTES = 32;
  localparam int unsigned TAIL_BITS = $clog2(BLOCK_BYTES);
  localparam int unsigned COUNT_BITS = 61 - TAIL_BITS;  // a string has fewer than 2^61 bytes
  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam logic [3:0] LAST_START = 4'(START_UPDATES - 1);
  localparam logic [3:0] LAST_END = 4'(END_UPDATES - 1);

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  logic [3:0] update_q;  // number of the update, first and last ones
  logic [COUNT_BITS-1:0] blocks_q;  // whole ones of the string
  logic [TAIL_BITS-1:0] tail_q;  // bytes beside them
  logic [60:0] ad_bytes_q;
  logic ad_end_q;  // the last block of the associated data was taken up by the edge before
  logic key_loaded_q;
  logic next, refuse, emit_empty, in_string;
  logic [5:0] chunk_bytes;

  logic unused;
  assign unused = &{1'b0, front, chunk};

  assign chunk_bytes = 6'(32'(chunk.beats) * BEAT_BYTES + 32'(chunk.last_bytes));
  assign lengths = {blocks_q, tail_q, 3'b0, ad_bytes_q, 3'b0};
  assign in_string = state_q == S_AD || state_q == S_MSG;
  assign refuse = chunk.bad && in_string && !out_waiting;
  assign put_about = output_of(chunk);

  always_comb begin
    status          = '0;
    status.key_free = 1'b1;
    status.finish   = state_q == S_TAG;
    status.out_idle = out_idle;
  end

  always_comb begin
    state_d    = state_q;
    orders     = '0;
    collect    = '0;
    next       = 1'b0;
    put        = 1'b0;
    emit_empty = 1'b0;

    unique case (state_q)
      S_IDLE: if (front.begins) state_d = S_START;

      S_START: begin
        orders.update     = 1'b1;
        orders.side_clear = update_q == LAST_START;
        // The first beat is written with the edge of the last update.
        collect.start_ad  = update_q == LAST_START - 4'd1;
        if (update_q == LAST_START) state_d = S_AD;
      end

      S_AD: begin
        next              = chunk.full;
        orders.update     = chunk.full && !chunk.empty;
        collect.start_msg = chunk.full && chunk.last;
        if (chunk.full && chunk.last) state_d = S_MSG;
      end

      S_MSG: begin
        next          = chunk.full && out_room;
        orders.update = chunk.full && out_room && !chunk.empty;
        put           = chunk.full && out_room && !chunk.empty;
        emit_empty    = chunk.full && chunk.empty;
        if (chunk.full && out_room && chunk.last) state_d = S_LENGTHS;
      end

      S_LENGTHS: begin
        orders.side_end = 1'b1;
        state_d         = S_END;
      end

      S_END: begin
        orders.update = 1'b1;
        if (update_q == LAST_END) state_d = S_TAG;
      end

      S_TAG:   if (front.done) state_d = S_IDLE;
      default: state_d = S_IDLE;
    endcase

    if (refuse) state_d = S_IDLE;
    collect.next       = next;
    collect.stop       = refuse;
    orders.block_clear = next || refuse;

    pulse              = '0;
    pulse.key_done     = key_loaded_q;
    pulse.refuse       = refuse;
    pulse.out_made     = put || emit_empty;

    out_nothing        = emit_empty || front.end_empty;
    out_more           = chunk.full;
  end

  always_ff @(posedge clk) begin
    state_q      <= state_d;
    key_loaded_q <= front.key_new;
    ad_end_q     <= state_q == S_AD && next && chunk.last;
    update_q     <= state_q == S_START || state_q == S_END ? update_q + 4'd1 : '0;
    if (next) begin
      blocks_q <= blocks_q + COUNT_BITS'(chunk_bytes[TAIL_BITS]);
      tail_q   <= chunk.empty ? '0 : chunk_bytes[TAIL_BITS-1:0];
    end
    if (ad_end_q) ad_bytes_q <= {blocks_q, tail_q};
    if (ad_end_q || state_q == S_START) begin
      blocks_q <= '0;
      tail_q   <= '0;
    end
    if (clear) begin
      state_q      <= S_IDLE;
      key_loaded_q <= 1'b0;
      ad_end_q     <= 1'b0;
      update_q     <= '0;
      blocks_q     <= '0;
      tail_q       <= '0;
      ad_bytes_q   <= '0;
    end
  end

endmodule
