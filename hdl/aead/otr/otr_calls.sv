// SPDX-License-Identifier: Apache-2.0
// AES-OTR over an AES of one round: carries out the calls and chunks that the schedule orders (docs/cores/otr.md, "Chunks").
// Each call goes to the input of AES with what its result is for, and comes back with it. First calls of chunks run in lane 0,
// all others in lane 1.
// With one stage a chunk's second call starts as its first one ends and takes the result on its way. With two stages calls go
// in turns of 2 ROUNDS cycles: lane 0 has the first call of one chunk, lane 1 the second call of the chunk before it.
// Cycles: 2 ROUNDS a chunk of two blocks.
// Security: what happens depends on lengths and operations only; `clear` drops everything in flight.
module otr_calls
  import aead_pkg::*, otr_pkg::*, otr_round_pkg::*;
#(
    parameter int unsigned ROUNDS = 10,  // 10 or 14
    parameter int unsigned STAGES = 1,  // of a round: 1, 2
    parameter int unsigned AD_SERIAL = 0  // 0: mode P, 1: mode S
) (
    input logic clk,
    input logic clear,

    input  logic  rests,         // no command is at work
    input  logic  begins,
    input  logic  with_ad,       // the one that begins has associated data
    input  logic  opening,
    input  call_t call,
    output logic  single_ready,
    output logic  ad_ready,
    output logic  chunk_ready,
    output kind_e at_end,
    output logic  idle,          // nothing was under way in the cycle before

    input  logic   aes_key_ready,
    output start_t start,
    output load_t  load,

    output logic  ended0,
    output logic  ended1,
    output kind_e ended_kind,
    output logic  no_call,
    output way_t  way,
    output way_t  late,
    input  logic  gate,
    input  logic  taken0,
    input  logic  taken1,
    input  logic  other_call,
    input  logic  results_busy
);

  localparam bit TURNS = STAGES == 2;
  localparam logic [4:0] SPAN = 5'(STAGES * ROUNDS);  // cycles from a start to the next

  // What comes next at the input of AES for a call that is not of a chunk
  typedef enum logic [2:0] {
    W_NONE,
    W_KEY,    // two stages: the call for Q waits for the round keys here: the way from the input to a start is long
    W_NONCE,  // the nonce stands in A
    W_TWICE,  // the mask of the last call of a string: multiples of A
    W_FOUR,
    W_EIGHT
  } walk_e;

  // Places
  way_t ordered, coming, head_q;  // the chunk that `call` orders; the one for `way`; two stages: the one before `way`
  logic head_valid_q, head_wait_q;  // two stages: it is there, its first call has not started
  logic rest, comes, chunk_ordered, single_ordered, place_free, to_second, to_late;
  logic wait0_q;  // the result of the first call is still to come or to be taken up
  logic wait_late_q, late_busy_q;  // the chunk has to go to `late`; what is there waits for its result
  logic serial_q, serial_sum_q, serial_made_q;  // mode S: the first block goes to the sum; it is to be taken up; it was

  // Input
  logic need1_q, need2_q, need_other_q, other_q;  // calls to be loaded; the last chunk's other call is at work
  logic load1, load2, load_other, input_free;
  logic input_set;  // a call comes to the input: of a chunk, of its own, or at the end of a walk
  logic input_q, input_lane_q, input_gated_q;  // a call waits
  kind_e input_kind_q;
  walk_e walk_q;
  logic [3:1] multiples_q;
  logic double_q;  // two stages: A once more
  logic nonce_first_q;  // the nonce stands in A when its call is ordered

  // Calls under way
  logic next_free, go, go0, go1, go_q, go1_q;
  logic free_q;  // AES can take a call in the next cycle
  logic [1:0] lanes_q, flight_q;  // that start; under way
  kind_e kind_q, flight_kind_q;  // lane 1
  logic [4:0] phase_q;
  logic end0, end1, ends_busy;
  kind_e  end_kind;

  load_t  load_d;  // orders of the next cycle
  start_t start_d;

  logic   unused;
  assign unused = &{1'b0, call};

  // ---- places ----

  assign chunk_ordered = call.token.kind == K_SUM || call.token.kind == K_FIRST || call.token.kind == K_LATE;
  assign single_ordered = call.token.kind != K_NONE && !chunk_ordered;
  always_comb begin
    ordered        = '0;
    ordered.ad     = call.token.kind == K_SUM;
    ordered.serial = ordered.ad && AD_SERIAL == 1;
    ordered.last   = call.token.last;
    ordered.single = call.token.single;
    ordered.call1  = !call.token.single && !(call.token.last && opening && !ordered.ad);
    ordered.call2  = !ordered.ad || !call.token.last;
    ordered.chain  = ordered.call1 && (!ordered.ad || (ordered.serial && ordered.call2));
  end

  assign comes = TURNS ? to_second : chunk_ordered;
  assign coming = TURNS ? head_q : ordered;
  assign place_free = !(need1_q || need2_q || need_other_q || wait0_q || wait_late_q || serial_q);
  assign to_second = TURNS && head_valid_q && !head_wait_q && place_free;
  assign to_late = wait_late_q && !need1_q && !need2_q && !late_busy_q;
  assign no_call = to_late && (serial_q || (way.ad && way.single));

  assign chunk_ready = (TURNS ? !head_valid_q : place_free) && call.token.kind == K_NONE;
  assign single_ready = place_free && !head_valid_q && input_free && call.token.kind == K_NONE;
  assign rest = single_ready && flight_q == '0 && !go_q && !go1_q && !ends_busy && !late_busy_q && !results_busy;
  assign ad_ready = AD_SERIAL == 1 ? rest : chunk_ready;

  // ---- input ----

  assign input_free = !input_q && walk_q == W_NONE;
  assign load1 = need1_q && input_free && !(TURNS && load2);
  assign load2 = need2_q && (TURNS ? go && !(input_q && input_lane_q) : !need1_q && (input_free || go0));
  assign load_other = need_other_q && input_free;
  assign input_set = load1 || load_other || (load2 && !TURNS) || (single_ordered &&
      ((call.token.kind == K_Q && !TURNS) || (call.token.kind == K_NONCE && nonce_first_q))) ||
      (walk_q == W_KEY && aes_key_ready) || walk_q == W_NONCE ||
      (walk_q == W_FOUR && !multiples_q[3]) || walk_q == W_EIGHT;

  always_comb begin
    load_d             = '0;
    load_d.chunk_clear = rests;
    load_d.sum_clear   = rests;
    load_d.a_clear     = rests;
    load_d.a_q         = begins && with_ad && AD_SERIAL == 0;
    load_d.a_nonce     = begins && !with_ad;
    load_d.a_result    = at_end == K_NONCE;
    load_d.to_first    = chunk_ordered;
    load_d.to_second   = to_second;
    load_d.to_late     = to_late;
    load_d.late_wipe   = to_late && way.ad && !no_call;
    load_d.source      = X_SUM;
    load_d.input_pass  = PASS_NONE;

    if (load1) begin
      load_d.input_load = 1'b1;
      load_d.source     = X_FIRST;
      load_d.mask_twice = opening && !(TURNS ? head_q.ad : way.ad);
      load_d.a_double   = !TURNS && way.ad;
      if (serial_q) begin
        load_d.source    = X_SUM;
        load_d.sum_clear = 1'b1;
      end
    end
    if (load2) begin
      load_d.input_load   = 1'b1;
      load_d.source       = X_SECOND;
      load_d.mask_earlier = TURNS;
      load_d.mask_twice   = !way.ad && !way.single && !(opening && way.chain);
      load_d.a_double     = !TURNS && !way.last;
      load_d.second_wipe  = way.ad;
      if (way.chain) load_d.input_pass = way.last ? PASS_TEXT : PASS_ALL;
    end
    if (load_other) begin
      load_d.input_load   = 1'b1;
      load_d.source       = X_MADE;
      load_d.mask_earlier = TURNS;
    end
    // With two stages A runs ahead: it is doubled when a first call starts, which is when the second call before it is loaded.
    if (TURNS && ((go0 && !other_q) || double_q || (to_second && !head_q.call1))) load_d.a_double = 1'b1;

    if (single_ordered) begin
      load_d.input_load   = call.token.kind != K_NONCE || nonce_first_q;
      load_d.a_nonce      = call.token.kind == K_NONCE;
      load_d.sum_clear    = call.from_sum;
      load_d.mask_earlier = TURNS && call.from_sum;
      load_d.mask_twice   = call.from_sum && multiples_q[1];
      if (AD_SERIAL == 1 && call.token.kind == K_TA) load_d.a_q = 1'b1;
      else load_d.a_double = !TURNS && call.from_sum;
    end
    // The sum, which is the source, has been cleared.
    unique case (walk_q)
      W_NONCE: load_d.input_load = 1'b1;
      W_TWICE: load_d.a_double = 1'b1;
      W_FOUR: begin
        load_d.input_load = multiples_q[2];
        load_d.input_keep = 1'b1;
        load_d.a_double   = 1'b1;
      end
      W_EIGHT: begin
        load_d.input_load = 1'b1;
        load_d.input_keep = 1'b1;
      end
      default: ;
    endcase
  end

  // ---- starts and ends ----

  assign next_free = free_q && (TURNS || aes_key_ready);
  assign go = next_free && (TURNS ? gate && (input_q || need2_q) : input_q && (gate || !input_gated_q));
  assign go0 = go && input_q && !input_lane_q;
  assign go1 = go && (TURNS ? load2 || (input_q && input_lane_q) : input_lane_q);

  always_comb begin
    start_d = '0;
    if (TURNS) begin
      start_d.tick  = go;
      start_d.start = go0 || go1_q;
      start_d.lane  = go1_q;
    end else begin
      start_d.start = go;
      start_d.lane  = input_lane_q;
    end
  end

  assign end0 = flight_q[0] && phase_q == SPAN;
  assign end1 = flight_q[1] && phase_q == SPAN;
  if (TURNS) begin : gen_ends
    // Results of lane 1 show one cycle after those of lane 0, and are taken up before them.
    logic end0_q, end0_late_q, end1_q;
    kind_e end_kind_q;
    always_ff @(posedge clk) begin
      end0_q      <= end0;
      end0_late_q <= end0_q;
      end1_q      <= end1;
      end_kind_q  <= flight_kind_q;
      if (clear) begin
        end0_q      <= 1'b0;
        end0_late_q <= 1'b0;
        end1_q      <= 1'b0;
        end_kind_q  <= K_NONE;
      end
    end
    assign ended0 = end0_late_q && !(way.ad && way.chain);
    assign ended1 = end1_q;
    assign end_kind = end_kind_q;
    assign ends_busy = end0_q || end0_late_q || end1_q;
  end else begin : gen_end
    assign ended0 = end0 && !(way.ad && way.chain);
    assign ended1 = end1;
    assign end_kind = flight_kind_q;
    assign ends_busy = 1'b0;
  end
  assign ended_kind = end_kind;
  assign at_end = ended1 ? end_kind : K_NONE;

  always_ff @(posedge clk) begin
    load  <= load_d;
    idle  <= rest;
    start <= start_d;

    // Places
    if (TURNS) begin
      if (to_second) head_valid_q <= 1'b0;
      if (go0) head_wait_q <= 1'b0;
      if (chunk_ordered) begin
        head_q       <= ordered;
        head_valid_q <= 1'b1;
        head_wait_q  <= ordered.call1 && !ordered.serial;
      end
    end
    if (taken0) wait0_q <= 1'b0;
    if (taken1) late_busy_q <= 1'b0;
    if (to_late) begin
      wait_late_q <= 1'b0;
      late        <= way;
      late_busy_q <= way.call2 && !serial_q;
    end
    if (comes) begin
      way         <= coming;
      need2_q     <= coming.call2 && !coming.serial;
      wait0_q     <= coming.call1 && !(coming.ad && coming.chain);
      wait_late_q <= coming.call2 || coming.single || coming.serial;
      serial_q    <= coming.serial;
    end
    if (chunk_ordered && ordered.call1 && !ordered.serial) need1_q <= 1'b1;

    // In mode S a chunk's first block goes to the sum, the sum to AES, and then the rest of the chunk is as any other. The sum
    // stands two cycles after its block was ordered to be made.
    if (AD_SERIAL == 1) begin
      if (to_late && serial_q) begin
        serial_q     <= way.call1;
        serial_sum_q <= way.call1;
      end
      if (taken1) serial_sum_q <= 1'b0;
      serial_made_q <= taken1 && serial_sum_q;
      if (serial_made_q) need1_q <= 1'b1;
      if (go0 && serial_q) begin
        serial_q    <= 1'b0;
        need2_q     <= way.call2;
        wait_late_q <= way.call2;
      end
    end
    if (other_call) begin
      need_other_q <= 1'b1;
      other_q      <= 1'b1;
      wait0_q      <= 1'b1;
    end
    if (taken0) other_q <= 1'b0;

    // Input
    input_q <= input_set || (input_q && !go);
    if (load1) need1_q <= 1'b0;
    if (load2) need2_q <= 1'b0;
    if (load_other) need_other_q <= 1'b0;
    if (load1 || load2 || load_other) begin
      input_lane_q  <= load2;
      input_gated_q <= load1 || (load2 && !way.chain);
      input_kind_q  <= way.ad ? K_SUM : K_LATE;
    end
    if (single_ordered) begin
      input_lane_q  <= 1'b1;
      input_gated_q <= 1'b1;
      input_kind_q  <= call.token.kind;
    end
    unique case (walk_q)
      W_NONE: begin
        if (TURNS && single_ordered && call.token.kind == K_Q) walk_q <= W_KEY;
        else if (single_ordered && call.from_sum) walk_q <= W_TWICE;
        else if (single_ordered && call.from_nonce && !nonce_first_q) walk_q <= W_NONCE;
      end
      W_KEY:   if (aes_key_ready) walk_q <= W_NONE;
      W_TWICE: walk_q <= W_FOUR;
      W_FOUR:  walk_q <= multiples_q[3] ? W_EIGHT : W_NONE;
      default: walk_q <= W_NONE;
    endcase
    if (call.finish) multiples_q <= call.multiples[3:1];
    double_q <= TURNS && go0 && head_q.ad;
    if (begins) nonce_first_q <= !with_ad;

    // Calls under way
    go_q  <= go;
    go1_q <= TURNS && go1;
    if (go) free_q <= 1'b0;
    else if (phase_q == SPAN - 5'd2) free_q <= 1'b1;
    if (go) begin
      lanes_q <= {go1, go0};
      kind_q  <= input_kind_q;
    end
    if (go_q) phase_q <= 5'd1;
    else if (phase_q == SPAN) phase_q <= '0;
    else if (phase_q != '0) phase_q <= phase_q + 5'd1;
    if (go_q) begin
      flight_q      <= lanes_q;
      flight_kind_q <= TURNS ? input_kind_q : kind_q;
    end else if (phase_q == SPAN) begin
      flight_q <= '0;
    end

    if (clear) begin
      load          <= '0;
      idle          <= 1'b0;
      start         <= '0;
      head_q        <= '0;
      head_valid_q  <= 1'b0;
      head_wait_q   <= 1'b0;
      way           <= '0;
      late          <= '0;
      wait0_q       <= 1'b0;
      wait_late_q   <= 1'b0;
      late_busy_q   <= 1'b0;
      serial_q      <= 1'b0;
      serial_sum_q  <= 1'b0;
      serial_made_q <= 1'b0;
      need1_q       <= 1'b0;
      need2_q       <= 1'b0;
      need_other_q  <= 1'b0;
      other_q       <= 1'b0;
      input_q       <= 1'b0;
      input_lane_q  <= 1'b0;
      input_gated_q <= 1'b0;
      input_kind_q  <= K_NONE;
      walk_q        <= W_NONE;
      multiples_q   <= '0;
      double_q      <= 1'b0;
      nonce_first_q <= 1'b0;
      go_q          <= 1'b0;
      free_q        <= 1'b1;
      go1_q         <= 1'b0;
      lanes_q       <= '0;
      kind_q        <= K_NONE;
      flight_q      <= '0;
      flight_kind_q <= K_NONE;
      phase_q       <= '0;
    end
  end

endmodule
