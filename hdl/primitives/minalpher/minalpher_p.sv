// SPDX-License-Identifier: Apache-2.0
// Minalpher-P in both directions (docs/schemes/minalpher.md, "Definition") for modes whose calls do not depend on one
// another: one round's hardware in STAGES stages, as many blocks in flight, each in its own round and direction. One
// more call waits in front of the round. A token travels with every block and comes back with its result; what it says
// is the owner's affair. Both directions are the same hardware, for they differ in the rounds' numbers alone
// (minalpher_p_pkg). With two stages the cut lies between S-box and mixing.
// Byte order: byte i of a block in bits [8i+7:8i].
// Cycles: 17 rounds and an S-box more: a result is written 18 STAGES edges after its call leaves the waiting place,
// which it does as soon as a block leaves the round, at the earliest an edge after it came there. STAGES blocks fly at
// most. Results come in the order of the calls, three cycles apart or more.
// Security: constant time, also as to the direction; `clear` zeroises everything.
module minalpher_p
  import minalpher_p_pkg::*;
#(
    parameter int unsigned STAGES = 1,  // of a round, and blocks in flight: 1, 2
    parameter int unsigned TOKEN_BITS = 4
) (
    input  logic                  clk,
    input  logic                  clear,
    output logic                  waiting,     // a call waits in front of the round
    input  logic                  load,        // take a call; only while none is `waiting`
    input  logic                  inverse,
    input  logic [         255:0] block,
    input  logic [TOKEN_BITS-1:0] token,
    output logic                  done,        // a result was written by the edge before
    output logic [TOKEN_BITS-1:0] done_token,  // its token; held until the next
    output logic [         255:0] result       // held until the next
);

  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "minalpher_p: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  typedef struct packed {
    logic       valid;
    logic       inverse;
    logic       last;     // the S-box behind the last round
    logic [4:0] left;     // rounds from this one on
    logic [3:0] number;
  } flight_t;

  // ---- the call that waits ----

  logic start;  // it goes into the round; from a register, for all of the round looks at it
  logic wait_inverse_q;
  logic [255:0] wait_q;
  logic [TOKEN_BITS-1:0] wait_token_q;

  // ---- what flies ----

  flight_t entry, front_q, back;  // into the round, in its first half, in its second half
  flight_t ahead;  // in its second half in the next cycle
  logic leaves, start_next;
  logic unused;
  assign unused = &{1'b0, ahead};

  always_comb begin
    entry = back;
    if (start) begin
      entry.valid   = 1'b1;
      entry.inverse = wait_inverse_q;
      entry.last    = 1'b0;
      entry.left    = 5'(ROUNDS);
      entry.number  = first_number(wait_inverse_q);
    end else begin
      entry.valid  = back.valid && !back.last;
      entry.last   = back.left == 5'd1;
      entry.left   = back.left - 5'd1;
      entry.number = next_number(back.inverse, back.number);
    end
  end

  assign leaves = back.valid && back.last;
  assign start_next = (load || (waiting && !start)) && (!ahead.valid || ahead.last);

  // ---- the round ----

  matrices_t state_q, half, half_next;
  assign half_next = substitute(state_q);

  if (STAGES == 2) begin : gen_cut
    flight_t   back_q;
    matrices_t half_q;
    always_ff @(posedge clk) begin
      half_q <= half_next;
      back_q <= front_q;
      if (clear) begin
        half_q <= '0;
        back_q <= '0;
      end
    end
    assign half  = half_q;
    assign back  = back_q;
    assign ahead = front_q;
  end else begin : gen_whole
    assign half  = half_next;
    assign back  = front_q;
    assign ahead = entry;
  end

  // ---- tokens: every place takes the one before it, so that moving costs no logic ----

  logic [STAGES-1:0] held_q, moves;
  logic [STAGES-1:0][TOKEN_BITS-1:0] token_q;

  always_comb begin
    moves = '0;
    moves[STAGES-1] = leaves;
    for (int i = int'(STAGES) - 2; i >= 0; i--) moves[i] = held_q[i] && (!held_q[i+1] || moves[i+1]);
  end

  always_ff @(posedge clk) begin
    start   <= start_next;
    front_q <= entry;
    state_q <= start ? matrices_of(wait_q) : mix(half, back.number);
    done    <= leaves;
    if (leaves) begin
      result     <= block_of(half);
      done_token <= token_q[STAGES-1];
    end

    for (int i = int'(STAGES) - 1; i > 0; i--) begin
      if (moves[i]) held_q[i] <= 1'b0;
      if (moves[i-1]) begin
        held_q[i]  <= 1'b1;
        token_q[i] <= token_q[i-1];
      end
    end
    if (moves[0]) held_q[0] <= 1'b0;
    if (start) begin
      held_q[0]  <= 1'b1;
      token_q[0] <= wait_token_q;
      waiting    <= 1'b0;
    end
    if (load) begin
      waiting        <= 1'b1;
      wait_inverse_q <= inverse;
      wait_q         <= block;
      wait_token_q   <= token;
    end

    if (clear) begin
      start          <= 1'b0;
      front_q        <= '0;
      state_q        <= '0;
      done           <= 1'b0;
      result         <= '0;
      done_token     <= '0;
      held_q         <= '0;
      token_q        <= '0;
      waiting        <= 1'b0;
      wait_inverse_q <= 1'b0;
      wait_q         <= '0;
      wait_token_q   <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_load_into_a_free_place : assert (!load || !waiting);
      a_token_has_a_place : assert (!start || !held_q[0] || moves[0]);
      a_token_is_there : assert (!leaves || held_q[STAGES-1]);
    end
  end
`endif

endmodule
