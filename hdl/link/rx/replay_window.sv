// SPDX-License-Identifier: Apache-2.0
//
// Replay window of the receiving direction: the highest marked number + 1 and a mark for each of the 64 before it.
// Specification: docs/wire-format.md, receive rules 4 (look, before any work) and 6 (look and mark in one step).
// Cycles: an answer comes with the edge after the request (`check`), two edges after it (`mark`); one mark at a time.
// Security: of several copies of a packet in work together exactly one mark succeeds. The window becomes empty only when
// new keys are installed.

module replay_window (
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
  // Where a number lies relative to the window.
  typedef struct packed {
    logic       ahead;     // at or beyond next
    logic       past_all;  // ahead by 63 or more: the old marks all fall out
    logic       recent;    // one of the 64 before next
    logic [5:0] offset;    // ahead: pn - next; recent: next - 1 - pn
  } place_t;

  logic [63:0] next_q;
  logic [63:0] marks_q;  // bit i: next - 1 - i is marked
  logic deciding_q;  // a mark is measured and moves the window with the next edge

  assign next = next_q;

  function automatic place_t place(input logic [63:0] pn, input logic [63:0] top);
    logic [64:0] up;
    logic [63:0] down;
    up = {1'b0, pn} - {1'b0, top};
    down = ~up[63:0];  // next - 1 - pn
    place.ahead = !up[64];
    place.past_all = |up[63:6] || (&up[5:0]);
    place.recent = up[64] && (down[63:6] == '0);
    place.offset = up[64] ? down[5:0] : up[5:0];
  endfunction

  function automatic logic fresh(input logic ahead, input logic recent, input logic marked);
    return ahead || (recent && !marked);
  endfunction

  // Rule 4. Not taken while a mark moves the window, so that place and marks belong together.
  place_t check_q;
  wire unused = &{1'b0, check_q.past_all};
  assign check_ready = !deciding_q;
  always_ff @(posedge clk) if (check_valid) check_q <= place(check_pn, next_q);
  assign check_fresh = fresh(check_q.ahead, check_q.recent, marks_q[check_q.offset]);

  // Rule 6: measure, then decide and mark at one edge.
  place_t        mark_q;
  logic   [63:0] pn_q;
  logic          fresh_now;
  assign fresh_now = fresh(mark_q.ahead, mark_q.recent, marks_q[mark_q.offset]);

  always_ff @(posedge clk) begin
    deciding_q <= mark_valid;
    mark_done  <= deciding_q;
    mark_fresh <= deciding_q && fresh_now;
    if (mark_valid) begin
      mark_q <= place(mark_pn, next_q);
      pn_q   <= mark_pn;
    end
    if (deciding_q && fresh_now) begin
      if (mark_q.ahead) begin
        next_q  <= pn_q + 64'd1;
        marks_q <= mark_q.past_all ? 64'd1 : (((marks_q << 1) << mark_q.offset) | 64'd1);
      end else begin
        marks_q[mark_q.offset] <= 1'b1;
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
  // Proved for every history: no number succeeds twice under one key. Held by induction over what the window knows of any
  // one number p. Numbers stay under 2^48 by rule 4.
  logic [63:0] p;  // free: what the port happens to carry in reset
  logic taken_q;  // p succeeded under this key
  logic running = 1'b0;
  logic [63:0] back;
  assign back = next_q - 64'd1 - p;

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
      p_known : assert (!taken_q || (p < next_q && (back >= 64'd64 || marks_q[back[5:0]])));
      p_place : assert (!deciding_q || mark_q == place(pn_q, next_q));
      p_bound : assert (next_q <= 64'h0001_0000_0000_0000 && (!deciding_q || pn_q < 64'h0001_0000_0000_0000));
    end
  end
`endif
endmodule
