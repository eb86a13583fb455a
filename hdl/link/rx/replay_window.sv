// SPDX-License-Identifier: Apache-2.0
//
// Replay window of the receiving direction: the highest marked number + 1 and a mark for each of the WINDOW before it.
// Specification: docs/wire-format.md, receive rules 4 (look, before any work) and 6 (look and mark in one step).
// The marks are a ring of 2 WINDOW bits in words of 64: a number's place is fixed, and words that a higher number enters are
// cleared, so that nothing is shifted.
// Cycles: an answer comes two edges after the request: one measures, one decides. A mark is made with the third edge. A check is not
// taken from the request of a mark until then.
// Security: of several copies of a packet in work together exactly one mark succeeds. The window becomes empty only when
// new keys are installed.

module replay_window #(
    parameter int unsigned WINDOW = 64  // numbers; a power of two, 64 to 1024
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        install,      // new keys: nothing marked, next = 0
    input  logic        check_valid,  // rule 4: answer two edges after it was taken
    output logic        check_ready,
    output logic        check_fresh,
    input  logic        mark_valid,   // rule 6; the next one not before mark_done
    input  logic [63:0] pn,           // that is marked or checked: under 2^48, or its answer means nothing
    output logic        mark_done,    // pulse: mark_fresh is valid, and the number is marked if it was fresh
    output logic        mark_fresh,
    output logic [63:0] next          // highest marked number + 1
);
  if (WINDOW < 64 || WINDOW > 1024 || (WINDOW & (WINDOW - 1)) != 0) begin : g_bad_window
    $fatal(1, "replay_window: WINDOW = %0d, must be a power of two from 64 to 1024", WINDOW);
  end

  localparam int unsigned NUMBER_BITS = 49;  // up to 2^48
  localparam int unsigned PLACE_BITS = $clog2(2 * WINDOW);
  localparam int unsigned WORD_BITS = PLACE_BITS - 6;
  localparam int unsigned WORDS = 2 ** WORD_BITS;

  // Where a number lies relative to the window.
  typedef struct packed {
    logic                  ahead;        // at or beyond next
    logic                  recent;       // one of the WINDOW before next
    logic [PLACE_BITS-1:0] bit_at;
    logic [WORD_BITS-1:0]  clear_from;   // ahead: the first word that holds no number before next
    logic [WORD_BITS:0]    clear_words;  // ahead: words from there to that of the number, WORDS at most
  } place_t;

  typedef logic [NUMBER_BITS-1:0] number_t;

  number_t next_q;
  logic [WORDS-1:0][63:0] marks_q;
  logic measured_q;  // a mark is measured
  logic deciding_q;  // and decided, and moves the window with the next edge

  assign next = 64'(next_q);

  function automatic place_t place(input number_t number, input number_t top);
    logic [NUMBER_BITS:0] up;
    number_t down;
    logic [NUMBER_BITS-7:0] first, words;
    up = {1'b0, number} - {1'b0, top};
    down = ~up[NUMBER_BITS-1:0];  // next - 1 - number
    first = top[NUMBER_BITS-1:6] + (NUMBER_BITS - 6)'(|top[5:0]);
    words = number[NUMBER_BITS-1:6] + (NUMBER_BITS - 6)'(1) - first;
    place.ahead = !up[NUMBER_BITS];
    place.recent = up[NUMBER_BITS] && (down >> $clog2(WINDOW)) == '0;
    place.bit_at = number[PLACE_BITS-1:0];
    place.clear_from = first[WORD_BITS-1:0];
    place.clear_words = (words >> WORD_BITS) != '0 ? (WORD_BITS + 1)'(WORDS) : words[WORD_BITS:0];
  endfunction

  function automatic logic marked(input logic [WORDS-1:0][63:0] marks, input logic [PLACE_BITS-1:0] bit_at);
    return marks[bit_at[PLACE_BITS-1:6]][bit_at[5:0]];
  endfunction

  function automatic logic fresh(input logic ahead, input logic recent, input logic seen);
    return ahead || (recent && !seen);
  endfunction

  // A check is not taken while a mark comes or moves the window, so that place and marks belong together.
  place_t  place_q;
  number_t pn_q;
  logic fresh_now, fresh_q;
  assign check_ready = !mark_valid && !measured_q && !deciding_q;
  assign fresh_now   = fresh(place_q.ahead, place_q.recent, marked(marks_q, place_q.bit_at));
  assign check_fresh = fresh_q;
  assign mark_done   = deciding_q;
  assign mark_fresh  = deciding_q && fresh_q;

  always_ff @(posedge clk) begin
    measured_q <= mark_valid;
    deciding_q <= measured_q;
    fresh_q    <= fresh_now;
    if (mark_valid || (check_valid && check_ready)) begin
      place_q <= place(number_t'(pn), next_q);
      pn_q    <= number_t'(pn);
    end
    if (deciding_q && fresh_q) begin
      if (place_q.ahead) next_q <= pn_q + number_t'(1);
      for (int unsigned w = 0; w < WORDS; w++) begin
        if (place_q.ahead && {1'b0, WORD_BITS'(w) - place_q.clear_from} < place_q.clear_words) marks_q[w] <= '0;
        if (place_q.bit_at[PLACE_BITS-1:6] == WORD_BITS'(w)) marks_q[w][place_q.bit_at[5:0]] <= 1'b1;
      end
    end
    if (rst || install) begin
      next_q     <= '0;
      marks_q    <= '0;
      measured_q <= 1'b0;
      deciding_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, pn};

`ifndef SYNTHESIS
  // The contents must not move between measuring and deciding.
  always_ff @(posedge clk)
    if (!rst)
      a_one_at_a_time :
      assert (!((mark_valid || (check_valid && check_ready)) && (measured_q || deciding_q)))
      else $error("replay_window: a request during a mark");
`endif

`ifdef FORMAL
  // Proved for every history: no number succeeds twice under one key, and a number that is not behind the window and has not
  // succeeded is not refused. Held by induction over what the window knows of any one number p. Numbers stay under 2^48 by
  // rule 4.
  localparam number_t LIMIT = 49'h1_0000_0000_0000;
  number_t p;  // free: what the port happens to carry in reset
  logic taken_q;  // p succeeded under this key
  logic running = 1'b0;
  logic in_window, in_top_word;
  assign in_window   = p < next_q && next_q - p <= number_t'(WINDOW);
  assign in_top_word = p >= next_q && next_q[5:0] != '0 && p[NUMBER_BITS-1:6] == next_q[NUMBER_BITS-1:6];

  always_ff @(posedge clk) begin
    running <= 1'b1;
    if (rst) p <= number_t'(pn);
    if (deciding_q && fresh_q && pn_q == p) taken_q <= 1'b1;
    if (rst || install) taken_q <= 1'b0;
  end

  always_comb begin
    assume (running || rst);
    assume (!(mark_valid && (measured_q || deciding_q)));
    assume (pn < 64'(LIMIT));
    if (running) begin
      p_once : assert (!(deciding_q && fresh_q && pn_q == p && taken_q));
      p_not_lost : assert (!(deciding_q && !fresh_q && pn_q == p && !taken_q && (in_window || p >= next_q)));
      p_known : assert (!taken_q || (p < next_q && (!in_window || marked(marks_q, p[PLACE_BITS-1:0]))));
      p_clear : assert (taken_q || !(in_window || in_top_word) || !marked(marks_q, p[PLACE_BITS-1:0]));
      p_place : assert (!(measured_q || deciding_q) || place_q == place(pn_q, next_q));
      p_decided : assert (!deciding_q || fresh_q == fresh_now);
      p_single : assert (!(measured_q && deciding_q));
      p_bound : assert (next_q <= LIMIT && (!(measured_q || deciding_q) || pn_q < LIMIT));
    end
  end
`endif
endmodule
