// SPDX-License-Identifier: Apache-2.0
// AES-OTR over an AES of one round: takes up results of calls (docs/cores/otr.md, "Results"). The result of a chunk's call,
// its bytes that pass, and a block of the chunk make a block that goes out, to the sum, or both. Results stand in AES until the
// lane's next call ends, so that they can wait for a slow receiver: `gate` says when a call may start.
// Cycles: a block a cycle, while the output has room.
// Security: what happens depends on lengths and operations only; `clear` drops everything.
module otr_results
  import aead_pkg::*, otr_pkg::*, otr_round_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64 or 128
    parameter bit TURNS = 1'b0  // two stages: one more block waits to go out
) (
    input logic clk,
    input logic clear,

    input logic   begins,
    input logic   ends,
    input logic   load_ad,
    input logic   opening,
    input chunk_t chunk,    // the last one of a message stands here until its end

    input logic  ended0,      // in the next cycle the result of a first call shows, which is to be taken up,
    input logic  ended1,      // of another call
    input kind_e ended_kind,  // what that is for
    input logic  no_call,     // the first block of the chunk goes to the sum without one
    input way_t  way,         // chunk of the first call
    input way_t  late,        // chunk of the second call

    output take_t take,
    output logic  gate,          // a call may start: what it makes, and what has just ended, can be taken up
    output logic  taken0,
    output logic  taken1,
    output logic  other_call,    // the last chunk's other call may be loaded, with the block that is made
    output logic  sum_complete,  // the sum stands two cycles on
    output logic  busy,

    output emit_t emit,       // but for `empty`, `cut` and `more`
    input  logic  emit_idle,
    output logic  out_idle    // nothing is to go out
);

  localparam logic [5:0] FULL_BLOCK = 6'(128 / DATA_BITS - 1);

  take_t take_d;  // orders of the next cycle
  emit_t emit_q;
  logic take0_q, take1_q, again0_q, again1_q;  // results to be taken up, once more
  logic no_call_q;  // what is to be taken up has no call
  logic sum_made_q;
  logic waits_q, waits_last_q;  // two stages: a block waits to become output
  logic waiting, waiting_q;  // blocks that are to go out, but for what the emitter has
  logic room, room_next, moves, again0, again1, emits, emit_last, sums;

  logic unused;
  assign unused = &{1'b0, chunk, way, late};

  assign moves = TURNS && waits_q && emit_idle && !emit_q.load;
  assign room = TURNS ? !waits_q || moves : emit_idle && !emit_q.load;
  assign room_next = room && !take0_q && !take1_q && !again1_q && !(TURNS && (waits_q || emit_q.load || !emit_idle));

  // Blocks go out in the order of the message. With two stages lane 1 has the chunk before that of lane 0.
  assign taken0 = take0_q && !(TURNS && take1_q) && room;
  assign taken1 = take1_q && !(!TURNS && take0_q) && room;
  assign again1 = again1_q && !take0_q && !take1_q && room;
  assign again0 = again0_q && !again1_q && !take0_q && !take1_q && room;
  assign other_call = taken1 && !late.ad && late.last && !late.single && opening;

  always_comb begin
    take_d            = '0;
    take_d.make       = taken0 || taken1 || again0 || again1;
    take_d.make_late  = taken1 || again1;
    take_d.make_pass  = PASS_ALL;
    take_d.made_move  = moves;
    take_d.sum_made   = sum_made_q;
    take_d.q_load     = ended1 && ended_kind == K_Q;
    take_d.ta_load    = ended1 && ended_kind == K_TA;
    take_d.ta_clear   = begins;
    take_d.cache_load = ends && load_ad;
    take_d.tag_load   = ended1 && ended_kind == K_TAG;
    take_d.tag_clear  = ends;  // the front end has it by then
    emits             = again0 || again1;
    emit_last         = again0 || again1;
    sums              = 1'b0;
    sum_complete      = 1'b0;

    if (taken0) begin
      sums         = way.ad || way.last;
      sum_complete = way.last;
      if (!way.ad && way.last && !opening) begin
        take_d.make_pass = PASS_BEYOND;  // its block goes out behind the late one
      end else if (!way.ad) begin
        emits             = 1'b1;
        emit_last         = way.last;
        take_d.sum_second = !opening;
      end
    end else if (taken1) begin
      if (late.ad || late.single) begin
        sums         = 1'b1;
        sum_complete = late.single;
        if (no_call_q || (!late.ad && !opening)) take_d.make_pass = PASS_NONE;
        else if (!late.ad) take_d.make_pass = PASS_TEXT;
      end else begin
        emits = 1'b1;
        sums  = opening && !late.last;
      end
    end
  end

  assign waiting = take0_q || take1_q || again0_q || again1_q || waits_q;
  assign busy = waiting;
  assign out_idle = emit_idle && !waiting_q;
  assign emit = emit_q;

  always_ff @(posedge clk) begin
    take <= take_d;
    waiting_q <= waiting || emit_q.load;
    gate <= room_next;

    if (taken0) take0_q <= 1'b0;
    if (ended0) take0_q <= 1'b1;
    if (taken1) begin
      take1_q   <= 1'b0;
      no_call_q <= 1'b0;
    end
    if (no_call) no_call_q <= 1'b1;
    if (no_call || (ended1 && (ended_kind == K_SUM || ended_kind == K_LATE))) take1_q <= 1'b1;
    if (again0) again0_q <= 1'b0;
    if (again1) again1_q <= 1'b0;
    if (taken1 && !late.ad && late.single) again1_q <= 1'b1;
    if (taken1 && !late.ad && !late.single && late.last && !opening) again0_q <= 1'b1;
    sum_made_q <= sums;

    if (moves) waits_q <= 1'b0;
    if (TURNS && emits) begin
      waits_q      <= 1'b1;
      waits_last_q <= emit_last;
    end
    emit_q      <= '0;
    emit_q.load <= TURNS ? moves : emits;
    emit_q.last <= TURNS ? waits_last_q : emit_last;
    if (TURNS ? waits_last_q : emit_last) begin
      emit_q.beats      <= chunk.beats & FULL_BLOCK;
      emit_q.last_bytes <= chunk.last_bytes;
    end else begin
      emit_q.beats      <= FULL_BLOCK;
      emit_q.last_bytes <= 7'(DATA_BITS / 8);
    end

    if (clear) begin
      take         <= '0;
      waiting_q    <= 1'b0;
      gate         <= 1'b0;
      take0_q      <= 1'b0;
      take1_q      <= 1'b0;
      again0_q     <= 1'b0;
      again1_q     <= 1'b0;
      no_call_q    <= 1'b0;
      sum_made_q   <= 1'b0;
      waits_q      <= 1'b0;
      waits_last_q <= 1'b0;
      emit_q       <= '0;
    end
  end

endmodule
