// SPDX-License-Identifier: Apache-2.0
//
// Replay window of the receiving direction: the highest marked number + 1 and a mark for each of the WINDOW before it.
// Specification: docs/wire-format.md, receive rules 4 (look, before any work) and 6 (look and mark in one step).
// The marks are a ring of 2 WINDOW bits in words of 64: a number's place is fixed, and words that a higher number enters are
// cleared, so that nothing is shifted.
// Cycles: an answer comes with the edge after the request (`check`), two edges after it (`mark`); one mark at a time.
// Security: of several copies of a packet in work together exactly one mark succeeds. The window becomes empty only when
// new keys are installed.

module replay_window #(
    parameter int unsigned WINDOW = 64  // numbers; a power of two, 64 to 1024
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        install,      // new keys: nothing marked, next = 0
    input  logic        check_valid,  // rule 4: answer in the cycle after it was taken
    output logic        check_ready,
    input  logic [63:0] check_pn,
    output logic        check_fresh,
    input  logic        mark_valid,   // rule 6; the next one not before mark_done
    input  logic [63:0] mark_pn,
    output logic        mark_done,    // pulse: mark_fresh is valid, and the number is marked if it was fresh
    output logic        mark_fresh,
    output logic [63:0] next          // highest marked number + 1
);
  if (WINDOW < 64 || WINDOW > 1024 || (WINDOW & (WINDOW - 1)) != 0) begin : g_bad_window
    $fatal(1, "replay_window: WINDOW = %0d, must be a power of two from 64 to 1024", WINDOW);
  end

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

  logic [63:0] next_q;
  logic [WORDS-1:0][63:0] marks_q;
  logic deciding_q;  // a mark is measured and moves the window with the next edge

  assign next = next_q;

  function automatic place_t place(input logic [63:0] pn, input logic [63:0] top);
    logic [64:0] up;
    logic [63:0] down;
    logic [57:0] first, words;
    up = {1'b0, pn} - {1'b0, top};
    down = ~up[63:0];  // next - 1 - pn
    first = top[63:6] + 58'(|top[5:0]);
    words = pn[63:6] + 58'd1 - first;
    place.ahead = !up[64];
    place.recent = up[64] && (down >> $clog2(WINDOW)) == '0;
    place.bit_at = pn[PLACE_BITS-1:0];
    place.clear_from = first[WORD_BITS-1:0];
    place.clear_words = (words >> WORD_BITS) != '0 ? (WORD_BITS + 1)'(WORDS) : words[WORD_BITS:0];
  endfunction

  function automatic logic marked(input logic [WORDS-1:0][63:0] marks, input logic [PLACE_BITS-1:0] bit_at);
    return marks[bit_at[PLACE_BITS-1:6]][bit_at[5:0]];
  endfunction

  function automatic logic fresh(input logic ahead, input logic recent, input logic seen);
    return ahead || (recent && !seen);
  endfunction

  // Rule 4. Not taken while a mark moves the window, so that place and marks belong together.
  place_t check_q;
  wire unused = &{1'b0, check_q.clear_from, check_q.clear_words};
  assign check_ready = !deciding_q;
  always_ff @(posedge clk) if (check_valid) check_q <= place(check_pn, next_q);
  assign check_fresh = fresh(check_q.ahead, check_q.recent, marked(marks_q, check_q.bit_at));

  // Rule 6: measure, then decide and mark at one edge.
  place_t        mark_q;
  logic   [63:0] pn_q;
  logic          fresh_now;
  assign fresh_now = fresh(mark_q.ahead, mark_q.recent, marked(marks_q, mark_q.bit_at));

  always_ff @(posedge clk) begin
    deciding_q <= mark_valid;
    mark_done  <= deciding_q;
    mark_fresh <= deciding_q && fresh_now;
    if (mark_valid) begin
      mark_q <= place(mark_pn, next_q);
      pn_q   <= mark_pn;
    end
    if (deciding_q && fresh_now) begin
      if (mark_q.ahead) next_q <= pn_q + 64'd1;
      for (int unsigned w = 0; w < WORDS; w++) begin
        if (mark_q.ahead && {1'b0, WORD_BITS'(w) - mark_q.clear_from} < mark_q.clear_words) marks_q[w] <= '0;
        if (mark_q.bit_at[PLACE_BITS-1:6] == WORD_BITS'(w)) marks_q[w][mark_q.bit_at[5:0]] <= 1'b1;
      end
    end
    if (rst || install) begin
      next_q     <= '0;
      marks_q    <= '0;
      deciding_q <= 1'b0;
      mark_done  <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // The contents must not move between measuring and deciding.
  always_ff @(posedge clk)
    if (!rst)
      a_one_at_a_time :
      assert (!(mark_valid && deciding_q))
      else $error("replay_window: mark during a mark");
`endif

`ifdef FORMAL
  // Proved for every history: no number succeeds twice under one key, and a number that is not behind the window and has not
  // succeeded is not refused. Held by induction over what the window knows of any one number p. Numbers stay under 2^48 by
  // rule 4.
  logic [63:0] p;  // free: what the port happens to carry in reset
  logic taken_q;  // p succeeded under this key
  logic running = 1'b0;
  logic in_window, in_top_word;
  assign in_window   = p < next_q && next_q - p <= 64'(WINDOW);
  assign in_top_word = p >= next_q && next_q[5:0] != '0 && p[63:6] == next_q[63:6];

  always_ff @(posedge clk) begin
    running <= 1'b1;
    if (rst) p <= mark_pn;
    if (deciding_q && fresh_now && pn_q == p) taken_q <= 1'b1;
    if (rst || install) taken_q <= 1'b0;
  end

  always_comb begin
    assume (running || rst);
    assume (!(mark_valid && deciding_q));
    assume (mark_pn < 64'h0001_0000_0000_0000);
    if (running) begin
      p_once : assert (!(deciding_q && fresh_now && pn_q == p && taken_q));
      p_not_lost : assert (!(deciding_q && !fresh_now && pn_q == p && !taken_q && (in_window || p >= next_q)));
      p_known : assert (!taken_q || (p < next_q && (!in_window || marked(marks_q, p[PLACE_BITS-1:0]))));
      p_clear : assert (taken_q || !(in_window || in_top_word) || !marked(marks_q, p[PLACE_BITS-1:0]));
      p_place : assert (!deciding_q || mark_q == place(pn_q, next_q));
      p_bound : assert (next_q <= 64'h0001_0000_0000_0000 && (!deciding_q || pn_q < 64'h0001_0000_0000_0000));
    end
  end
`endif
endmodule
