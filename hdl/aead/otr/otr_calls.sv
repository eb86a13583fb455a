// SPDX-License-Identifier: Apache-2.0
// AES-OTR over an AES of one round: carries out the calls and chunks of the schedule (docs/cores/otr.md, "Chunks"). Each call
// goes to the input of AES with what its result is for, and comes back with it. First calls of chunks run in lane 0, all
// others in lane 1.
// With one stage a chunk's second call starts as its first one ends and takes the result on its way. With two stages calls go
// in turns of 2 ROUNDS cycles: lane 0 has the first call of one chunk, lane 1 the second call of the chunk before it.
// Cycles: 2 ROUNDS a chunk of two blocks.
// Security: what happens depends on lengths and operations only; `clear` drops everything in flight.
module otr_calls
  import aead_pkg::*, otr_pkg::*, otr_round_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64 or 128
    parameter int unsigned ROUNDS = 10,  // 10 or 14
    parameter int unsigned STAGES = 1,  // of a round: 1, 2
    parameter int unsigned AD_SERIAL = 0  // 0: mode P, 1: mode S
) (
    input logic clk,
    input logic clear,

    input  logic   rests,
    input  logic   begins,
    input  logic   ends,
    input  logic   with_ad,       // of the command that begins
    input  logic   load_ad,
    input  logic   opening,
    input  call_t  call,
    output logic   single_ready,
    output logic   ad_ready,
    output logic   chunk_ready,
    output kind_e  at_end,
    output logic   sum_complete,
    output logic   idle,
    input  chunk_t chunk,
    input  logic   aes_key_ready,

    output datapath_t orders,
    output calls_t    aes,

    output emit_t emit,       // but for `empty` and `cut`
    input  logic  emit_idle,
    output logic  out_idle
);

  // A chunk on its way
  typedef struct packed {
    logic ad;
    logic last;
    logic single;  // of one block
    logic call1;   // it has a call in lane 0
    logic call2;   // and one in lane 1,
    logic chain;   // which takes up the result of the other
  } way_t;

  localparam logic [4:0] SPAN = 5'(STAGES * ROUNDS);  // from a call to the next
  localparam logic [5:0] FULL_BLOCK = 6'(128 / DATA_BITS - 1);
  localparam bit TURNS = STAGES == 2;

  // What the next steps of the input are, after a call that is not of a chunk
  typedef enum logic [2:0] {
    W_NONE,
    W_NONCE,  // the nonce stands in A
    W_TWICE,  // mask of the last call of a string: its multiples of A
    W_FOUR,
    W_EIGHT
  } walk_e;

  datapath_t dp;  // orders of the next cycle
  calls_t calls;
  way_t new_way, head_q, way_q, late_q;  // that comes; before, in, behind the place where second calls come from
  logic head_valid_q, head_wait_q;  // two stages: a chunk is there, its first call has not started
  logic need1_q, need2_q, after_q, after_load_q;  // calls still to be loaded; opening: the last chunk's other call
  logic wait0_q, wait_late_q, late_busy_q;  // result of the first call not taken up; place behind not taken, taken
  logic serial_q, serial_sum_q, serial_made_q;  // mode S: the first block goes to the sum first; it does; it has
  logic input_q, input_lane_q, input_gated_q;  // a call waits at the input
  kind_e input_kind_q, flight_kind_q, end_kind_q;  // lane 1
  logic [4:0] phase_q;
  logic start_q, lane1_q;
  logic [1:0] lanes_q;  // that start
  kind_e kind_q;
  logic [1:0] flight_q;  // lanes
  logic end0_q, end0_late_q, end1_q;  // two stages
  logic take0_q, take1_q, again0_q, again1_q;  // results to be taken up; once more
  logic sum_made_q;
  logic made_waits_q, made_last_q;  // two stages: a block waits to become output
  walk_e walk_q;
  logic [3:0] multiples_q;
  logic double_q;  // two stages: A once more
  emit_t emit_q;

  logic chunk_comes, single_comes, place_free, next_free, gate, go, go0, input_free;
  logic load1, load2, load_after, to_second, to_late, moves, room, take0, take1, event0, event1, emits, emit_last, sum_end;
  kind_e event_kind;

  assign chunk_comes = call.token.kind == K_SUM || call.token.kind == K_FIRST || call.token.kind == K_LATE;
  assign single_comes = call.token.kind != K_NONE && !chunk_comes;

  always_comb begin
    new_way        = '0;
    new_way.ad     = call.token.kind == K_SUM;
    new_way.last   = call.token.last;
    new_way.single = call.token.single;
    new_way.call1  = !call.token.single && !(call.token.last && opening && !new_way.ad);
    new_way.call2  = !new_way.ad || !call.token.last;
    new_way.chain  = new_way.call1 && (!new_way.ad || (AD_SERIAL == 1 && new_way.call2));
  end

  logic unused;
  assign unused = &{1'b0, call, chunk, head_q};

  // ---- places ----

  assign place_free   = !(need1_q || need2_q || wait0_q || wait_late_q || after_q || serial_q);
  assign to_second    = TURNS && head_valid_q && !head_wait_q && place_free;
  assign to_late      = wait_late_q && !need1_q && !need2_q && !late_busy_q;
  assign single_ready = place_free && !head_valid_q && !input_q && walk_q == W_NONE && call.token.kind == K_NONE;
  assign chunk_ready  = (TURNS ? !head_valid_q : place_free) && call.token.kind == K_NONE;
  assign ad_ready     = AD_SERIAL == 1 ? idle : chunk_ready;
  assign idle = place_free && !head_valid_q && !input_q && walk_q == W_NONE && call.token.kind == K_NONE &&
      flight_q == '0 && !(start_q || lane1_q || end0_q || end0_late_q || end1_q || late_busy_q) &&
      !(take0_q || take1_q || again0_q || again1_q || made_waits_q || emit_q.load || sum_made_q);

  // ---- starts ----

  assign next_free = aes_key_ready && !start_q && (phase_q == '0 || phase_q >= SPAN - 5'd1);
  // What is made can be taken up: results are not written over.
  assign gate = room && !take0_q && !take1_q && !again1_q && (!TURNS || (emit_idle && !emit_q.load && !made_waits_q));
  assign go = next_free && (TURNS ? gate && (input_q || need2_q) : input_q && (gate || !input_gated_q));
  assign go0 = go && input_q && !input_lane_q;

  always_comb begin
    calls = '0;
    if (TURNS) begin
      calls.tick  = go;
      calls.start = go0 || lane1_q;
      calls.lane  = lane1_q;
    end else begin
      calls.start = go;
      calls.lane  = input_lane_q;
    end
  end

  // ---- input ----

  assign input_free = !input_q && walk_q == W_NONE;
  assign load1 = need1_q && input_free && !(TURNS && load2);
  assign load2 = need2_q && (TURNS ? go && !(input_q && input_lane_q) : !need1_q && (input_free || go0));
  assign load_after = after_load_q && input_free;

  // ---- ends of calls, one cycle before the result shows ----

  assign event0 = TURNS ? end0_late_q : flight_q[0] && phase_q == SPAN;
  assign event1 = TURNS ? end1_q : flight_q[1] && phase_q == SPAN;
  assign event_kind = TURNS ? end_kind_q : flight_kind_q;
  assign at_end = event1 ? event_kind : K_NONE;

  // ---- results ----

  assign moves = TURNS && made_waits_q && emit_idle && !emit_q.load;
  assign room = TURNS ? !made_waits_q || moves : emit_idle && !emit_q.load;
  // In turns what lane 1 made is of the chunk before; with one stage, of the same one or of one whose first call has not ended.
  assign take0 = take0_q && !(TURNS && take1_q) && room;
  assign take1 = take1_q && !(!TURNS && take0_q) && room;

  always_comb begin
    dp             = '0;
    dp.source      = X_SUM;
    dp.input_pass  = PASS_NONE;
    dp.make_pass   = PASS_ALL;
    emits          = 1'b0;
    emit_last      = 1'b0;
    sum_end        = 1'b0;

    dp.chunk_clear = rests;
    dp.sum_clear   = rests;
    dp.a_clear     = rests;
    dp.ta_clear    = begins;
    dp.tag_clear   = ends;  // the front end has it by then
    dp.cache_load  = ends && load_ad;
    dp.a_q         = begins && with_ad && AD_SERIAL == 0;
    dp.to_chunk    = chunk_comes;
    dp.to_second   = to_second;
    dp.to_late     = to_late;
    dp.late_wipe   = to_late && way_q.ad && !way_q.single && !serial_q;
    dp.made_move   = moves;
    dp.sum_made    = sum_made_q;

    // Input of AES
    if (load1) begin
      dp.input_load = 1'b1;
      dp.source     = X_FIRST;
      dp.mask_twice = TURNS ? !head_q.ad && opening : !way_q.ad && opening;
      dp.a_double   = !TURNS && way_q.ad;
      if (AD_SERIAL == 1 && serial_q) begin
        dp.source    = X_SUM;
        dp.sum_clear = 1'b1;
      end
    end
    if (load2) begin
      dp.input_load  = 1'b1;
      dp.source      = X_SECOND;
      dp.mask_before = TURNS;
      dp.mask_twice  = !way_q.ad && !way_q.single && (!opening || !way_q.chain);
      dp.a_double    = !TURNS && !way_q.last;
      dp.second_wipe = way_q.ad;
      if (way_q.chain) dp.input_pass = way_q.last && !way_q.ad ? PASS_TEXT : PASS_ALL;
    end
    if (load_after) begin
      dp.input_load  = 1'b1;
      dp.source      = X_MADE;
      dp.mask_before = TURNS;
    end
    if (TURNS && ((go0 && !after_q) || double_q || (to_second && !head_q.call1))) dp.a_double = 1'b1;
    if (single_comes) begin
      dp.a_nonce     = call.token.kind == K_NONCE;
      dp.input_load  = call.token.kind != K_NONCE;
      dp.sum_clear   = call.from_sum;
      dp.mask_before = TURNS && call.from_sum;
      dp.mask_twice  = call.from_sum && multiples_q[1];
      if (AD_SERIAL == 1 && call.token.kind == K_TA) dp.a_q = 1'b1;
      else dp.a_double = !TURNS && call.from_sum;
    end
    unique case (walk_q)
      W_NONCE: dp.input_load = 1'b1;
      W_TWICE: dp.a_double = 1'b1;
      W_FOUR: begin
        dp.input_load = multiples_q[2];
        dp.input_keep = 1'b1;
        dp.a_double   = 1'b1;
      end
      W_EIGHT: begin
        dp.input_load = 1'b1;
        dp.input_keep = 1'b1;
      end
      default: ;
    endcase

    // Results of single calls
    dp.q_load   = at_end == K_Q;
    dp.ta_load  = at_end == K_TA;
    dp.a_result = at_end == K_NONCE;
    dp.tag_load = at_end == K_TAG;

    // Results of a chunk's calls; the block that is made goes out, to the sum, or both
    if (take0) begin
      dp.make = 1'b1;
      if (way_q.ad) begin
        sum_end = way_q.last;
      end else if (way_q.last && !opening) begin
        dp.make_pass = PASS_BEYOND;
        sum_end      = 1'b1;
      end else begin
        emits         = 1'b1;
        emit_last     = way_q.last;
        sum_end       = way_q.last;
        dp.sum_second = !opening;
      end
    end else if (take1) begin
      dp.make      = 1'b1;
      dp.make_late = 1'b1;
      if (late_q.ad) begin
        if (late_q.single || serial_sum_q) dp.make_pass = PASS_NONE;
        sum_end = late_q.single;
      end else if (late_q.single) begin
        dp.make_pass = opening ? PASS_TEXT : PASS_NONE;
        sum_end      = 1'b1;
      end else begin
        emits = 1'b1;
      end
    end else if (again1_q && room) begin
      dp.make      = 1'b1;
      dp.make_late = 1'b1;
      emits        = 1'b1;
      emit_last    = 1'b1;
    end else if (again0_q && room) begin
      dp.make   = 1'b1;
      emits     = 1'b1;
      emit_last = 1'b1;
    end
  end

  assign sum_complete = sum_end;
  assign out_idle = emit_idle && !(emit_q.load || made_waits_q || take0_q || take1_q || again0_q || again1_q);

  always_comb begin
    emit      = emit_q;
    emit.more = !idle || chunk.full;
  end

  always_ff @(posedge clk) begin
    orders <= dp;
    aes    <= calls;

    // Places
    if (TURNS) begin
      if (chunk_comes) begin
        head_q       <= new_way;
        head_valid_q <= 1'b1;
        need1_q      <= new_way.call1 && !(AD_SERIAL == 1 && new_way.ad);
        head_wait_q  <= new_way.call1 && !(AD_SERIAL == 1 && new_way.ad);
      end
      if (go0) head_wait_q <= 1'b0;
      if (to_second) head_valid_q <= 1'b0;
    end
    if (TURNS ? to_second : chunk_comes) begin
      way_q       <= TURNS ? head_q : new_way;
      need2_q     <= TURNS ? head_q.call2 && !(AD_SERIAL == 1 && head_q.ad) : new_way.call2 && !(AD_SERIAL == 1 && new_way.ad);
      wait0_q     <= TURNS ? head_q.call1 : new_way.call1;
      wait_late_q <= TURNS ? head_q.call2 || head_q.single : new_way.call2 || new_way.single;
      if (!TURNS) need1_q <= new_way.call1 && !(AD_SERIAL == 1 && new_way.ad);
      if (AD_SERIAL == 1 && (TURNS ? head_q.ad : new_way.ad)) begin
        wait_late_q <= 1'b1;
        serial_q    <= 1'b1;
      end
    end
    if (to_late) begin
      wait_late_q <= 1'b0;
      late_q      <= way_q;
      late_busy_q <= way_q.call2;
      if (way_q.ad && way_q.single) take1_q <= 1'b1;
      if (AD_SERIAL == 1 && serial_q) begin
        take1_q      <= 1'b1;
        serial_sum_q <= 1'b1;
        late_busy_q  <= 1'b0;
        serial_q     <= way_q.call1;
      end
    end
    serial_made_q <= 1'b0;
    if (AD_SERIAL == 1) begin
      // The sum stands two cycles after the order to make its block.
      if (take1 && serial_sum_q) begin
        serial_sum_q  <= 1'b0;
        serial_made_q <= way_q.call1;
      end
      if (serial_made_q) need1_q <= 1'b1;
      if (go0 && serial_q) begin
        need2_q     <= way_q.call2;
        wait_late_q <= way_q.call2;
        serial_q    <= 1'b0;
      end
    end

    // Input
    if (load1) need1_q <= 1'b0;
    if (load2) need2_q <= 1'b0;
    if (load_after) after_load_q <= 1'b0;
    if (go) input_q <= 1'b0;
    if (load1 || (load2 && !TURNS) || load_after) input_q <= 1'b1;
    if (load1 || load2 || load_after) begin
      input_lane_q  <= load2;
      input_gated_q <= !(load_after || (load2 && way_q.chain));
      input_kind_q  <= way_q.ad ? K_SUM : K_LATE;
    end
    if (single_comes) begin
      input_lane_q  <= 1'b1;
      input_gated_q <= 1'b1;
      input_kind_q  <= call.token.kind;
      if (call.token.kind == K_Q) input_q <= 1'b1;
    end
    unique case (walk_q)
      W_TWICE: walk_q <= W_FOUR;
      W_FOUR:  walk_q <= multiples_q[3] ? W_EIGHT : W_NONE;
      W_NONE:  if (single_comes && call.from_sum) walk_q <= W_TWICE;
               else if (single_comes && call.token.kind == K_NONCE) walk_q <= W_NONCE;
      default: walk_q <= W_NONE;
    endcase
    if (walk_q == W_NONCE || walk_q == W_EIGHT || (walk_q == W_FOUR && !multiples_q[3])) input_q <= 1'b1;
    if (call.finish) multiples_q <= call.multiples;
    double_q <= TURNS && go0 && !after_q && head_q.ad;

    // Calls under way
    start_q <= go;
    if (go) begin
      lanes_q <= TURNS ? {load2 || (input_q && input_lane_q), go0} : {input_lane_q, !input_lane_q};
      kind_q  <= input_kind_q;
    end
    lane1_q <= TURNS && go && (load2 || (input_q && input_lane_q));
    if (start_q) phase_q <= 5'd1;
    else if (phase_q == SPAN) phase_q <= '0;
    else if (phase_q != '0) phase_q <= phase_q + 5'd1;
    if (start_q) flight_q <= lanes_q;
    else if (phase_q == SPAN) flight_q <= '0;
    if (start_q) flight_kind_q <= TURNS ? input_kind_q : kind_q;

    // Results
    sum_made_q <= (take0 && (!emits || (opening && way_q.last))) || (take1 && (!emits || (opening && !late_q.last)));
    if (take0) take0_q <= 1'b0;
    if (take1) take1_q <= 1'b0;
    if (event0) take0_q <= !(way_q.ad && way_q.chain);
    if (event1 && (event_kind == K_SUM || event_kind == K_LATE)) take1_q <= 1'b1;
    if (take0 || (event0 && way_q.ad && way_q.chain)) wait0_q <= 1'b0;
    if (take1) begin
      late_busy_q <= 1'b0;
    end
    if (again1_q && room && !take0_q && !take1_q) again1_q <= 1'b0;
    else if (again0_q && room && !take0_q && !take1_q) again0_q <= 1'b0;
    if (take1 && !late_q.ad && late_q.single) again1_q <= 1'b1;
    if (take1 && !late_q.ad && late_q.last && !late_q.single && !opening) again0_q <= 1'b1;
    if (take1 && !late_q.ad && late_q.last && !late_q.single && opening) begin
      after_q      <= 1'b1;
      after_load_q <= 1'b1;
      wait0_q      <= 1'b1;
    end
    if (take0) after_q <= 1'b0;

    // Output
    emit_q            <= '0;
    emit_q.last_bytes <= 7'(DATA_BITS / 8);
    emit_q.beats      <= FULL_BLOCK;
    if (TURNS) begin
      emit_q.load <= moves;
      emit_q.last <= made_last_q;
      if (moves) made_waits_q <= 1'b0;
      if (emits) begin
        made_waits_q <= 1'b1;
        made_last_q  <= emit_last;
      end
    end else begin
      emit_q.load <= emits;
      emit_q.last <= emit_last;
    end
    if (TURNS ? made_last_q : emit_last) begin
      emit_q.last_bytes <= chunk.last_bytes;
      emit_q.beats      <= chunk.beats & FULL_BLOCK;
    end

    if (clear) begin
      orders        <= '0;
      aes           <= '0;
      head_q        <= '0;
      head_valid_q  <= 1'b0;
      head_wait_q   <= 1'b0;
      way_q         <= '0;
      late_q        <= '0;
      need1_q       <= 1'b0;
      need2_q       <= 1'b0;
      after_q       <= 1'b0;
      after_load_q  <= 1'b0;
      wait0_q       <= 1'b0;
      wait_late_q   <= 1'b0;
      late_busy_q   <= 1'b0;
      serial_q      <= 1'b0;
      serial_sum_q  <= 1'b0;
      serial_made_q <= 1'b0;
      input_q       <= 1'b0;
      input_lane_q  <= 1'b0;
      input_gated_q <= 1'b0;
      input_kind_q  <= K_NONE;
      flight_kind_q <= K_NONE;
      phase_q       <= '0;
      start_q       <= 1'b0;
      lane1_q       <= 1'b0;
      lanes_q       <= '0;
      kind_q        <= K_NONE;
      flight_q      <= '0;
      take0_q       <= 1'b0;
      take1_q       <= 1'b0;
      again0_q      <= 1'b0;
      again1_q      <= 1'b0;
      sum_made_q    <= 1'b0;
      made_waits_q  <= 1'b0;
      made_last_q   <= 1'b0;
      walk_q        <= W_NONE;
      multiples_q   <= '0;
      double_q      <= 1'b0;
      emit_q        <= '0;
    end
  end

  // With two stages results of lane 1 show one cycle after those of lane 0, which are taken up behind them.
  if (TURNS) begin : gen_ends
    always_ff @(posedge clk) begin
      end0_q      <= flight_q[0] && phase_q == SPAN;
      end0_late_q <= end0_q;
      end1_q      <= flight_q[1] && phase_q == SPAN;
      end_kind_q  <= flight_kind_q;
      if (clear) begin
        end0_q      <= 1'b0;
        end0_late_q <= 1'b0;
        end1_q      <= 1'b0;
        end_kind_q  <= K_NONE;
      end
    end
  end else begin : gen_no_ends
    assign end0_q      = 1'b0;
    assign end0_late_q = 1'b0;
    assign end1_q      = 1'b0;
    assign end_kind_q  = K_NONE;
  end

endmodule
