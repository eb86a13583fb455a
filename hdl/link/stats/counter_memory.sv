// SPDX-License-Identifier: Apache-2.0
//
// Counters in one memory with one adder, 64 bits each. Every counter has its turn once in COUNTERS cycles: what it has gained
// since its last turn and a sum that waits from an outer clock go to its word. Cleared by reset only.
// Exact: gains run up in small counters that are never cleared; a word keeps what its last turn saw of its own, and the
// difference holds what a round can bring at most, whatever comes (GAINED_BITS, BYTES_BITS). So nothing is ever lost; sums of
// the outer clocks wait for the turn of their counter.
// A read is answered at the turn of its counter, at most COUNTERS + 1 cycles later, with the whole count at that moment; in
// reset with 0.

module counter_memory
  import link_pkg::*;
  import link_types_pkg::*;
(
    input  logic                         clk,
    input  logic                         rst,
    input  gains_t                       gains,            // of this cycle
    input  logic          [LEN_BITS-1:0] sealed_bytes,     // for COUNT_SEALED_BYTES, which has no other gain
    input  arrived_t                     trusted,          // sums of the outer clocks
    output logic                         trusted_ready,
    input  arrived_t                     untrusted,
    output logic                         untrusted_ready,
    input  counter_read_t                read,             // of one of COUNTERS
    output logic                         read_done,        // `read_count` is valid; the request may change
    output logic          [        63:0] read_count,
    output counts_t                      totals            // for assertions; 0 in a synthesis
);
  // The numbers of the session have turns, too, which answer reads of them.
  localparam int unsigned TURNS = 32'(COUNTERS);
  localparam int unsigned TURN_BITS = $clog2(TURNS);
  localparam int unsigned GAINED_BITS = $clog2(TURNS * CORE_SOURCES + 1);
  localparam int unsigned BYTES_BITS = $clog2(TURNS * (2 ** LEN_BITS - 1) + 1);
  localparam int unsigned OUTER_BITS = SUM_BITS + 1;
  localparam int unsigned ADDEND_BITS = $clog2(2 ** OUTER_BITS + 2 ** BYTES_BITS);

  logic [TURN_BITS-1:0] turn_q;
  counter_e turn;
  assign turn = counter_e'(6'(turn_q));

  // ------------------------------------------------------------------------------------------------ gains
  // Never cleared, which would cost a gate a bit: what a turn sees goes to the word of its counter, for the next one.
  logic [2**TURN_BITS-1:0][GAINED_BITS-1:0] gained_q;
  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < KEPT_COUNTERS; i++) gained_q[i] <= gained_q[i] + GAINED_BITS'(gains[i]);
    if (rst) gained_q <= '0;
  end

  // Bytes come in amounts too large for a word to keep what was seen of them, so that their turn takes them.
  logic [BYTES_BITS-1:0] bytes_q, bytes, bytes_turn_q;
  assign bytes = bytes_q + BYTES_BITS'(sealed_bytes);
  always_ff @(posedge clk) begin
    bytes_q <= turn == COUNT_SEALED_BYTES ? '0 : bytes;
    bytes_turn_q <= turn == COUNT_SEALED_BYTES ? bytes : '0;
    if (rst) bytes_q <= '0;
  end

  // A counter may have channels of both outer clocks.
  logic [OUTER_BITS-1:0] outer_q;
  assign trusted_ready   = trusted_counter(trusted.channel) == turn && !rst;
  assign untrusted_ready = untrusted_counter(untrusted.channel) == turn && !rst;
  always_ff @(posedge clk)
    outer_q <= OUTER_BITS'(trusted.valid && trusted_ready ? trusted.sum : '0) +
        OUTER_BITS'(untrusted.valid && untrusted_ready ? untrusted.sum : '0);

  // ------------------------------------------------------------------------------------------------ turns
  // One cycle reads the word of a turn, the next one makes the addend, the third adds and writes back. Turns that a reset
  // meets half-way write before the first ones behind it, which read no word.
  typedef struct packed {
    logic [63:0]            count;
    logic [GAINED_BITS-1:0] seen;
  } word_t;
  // A turn never reads the word that another one writes.
  (* no_rw_check *) logic [$bits(word_t)-1:0] words[2**TURN_BITS];
  word_t word_q;
  logic [GAINED_BITS-1:0] now_q, seen_q, difference;
  logic [63:0] count_q, sum;
  logic [ADDEND_BITS-1:0] addend_q;
  logic [TURN_BITS-1:0] addend_turn_q, sum_turn_q;
  logic [1:0] valid_q;  // of the second and third cycle of a turn: false for what a reset left there
  logic first_q;  // the first turns after a reset would find words of before
  assign difference = now_q - word_q.seen;
  assign sum = count_q + 64'(addend_q);

  always_ff @(posedge clk) begin
    word_q <= first_q ? '0 : word_t'(words[turn_q]);
    words[sum_turn_q] <= {sum, seen_q};
  end

  always_ff @(posedge clk) begin
    turn_q <= turn_q == TURN_BITS'(TURNS - 1) ? '0 : turn_q + 1'b1;
    if (turn_q == TURN_BITS'(TURNS - 1)) first_q <= 1'b0;
    valid_q <= {valid_q[0], 1'b1};

    now_q <= gained_q[turn_q];
    addend_turn_q <= turn_q;

    // Bytes have no other gain, so one of the two is 0.
    addend_q <= ADDEND_BITS'(bytes_turn_q | BYTES_BITS'(difference)) + ADDEND_BITS'(outer_q);
    count_q <= word_q.count;
    seen_q <= now_q;
    sum_turn_q <= addend_turn_q;
    if (rst) begin
      turn_q   <= '0;
      first_q  <= 1'b1;
      valid_q  <= '0;
      addend_q <= '0;
      count_q  <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ reads
  assign read_done  = read.valid && (!valid_q[0] || (valid_q[1] && sum_turn_q == TURN_BITS'(read.counter)));
  assign read_count = sum;

  wire unused = &{1'b0, gains, read};

`ifdef SYNTHESIS
  assign totals = '0;
`else
  // Every count as it stands, wherever its parts are, is that of counters side by side.
  counts_t exact;
  arrived_t trusted_taken, untrusted_taken;
  logic [TURNS-1:0] written_q;
  word_t held;
  always_comb begin
    trusted_taken = trusted;
    trusted_taken.valid = trusted.valid && trusted_ready;
    untrusted_taken = untrusted;
    untrusted_taken.valid = untrusted.valid && untrusted_ready;
    totals = '0;
    for (int unsigned i = 0; i < KEPT_COUNTERS; i++) begin
      held = written_q[i] ? word_t'(words[i]) : '0;
      if (valid_q[1] && sum_turn_q == TURN_BITS'(i)) held = '{count: sum, seen: seen_q};
      totals[i] = held.count + 64'(GAINED_BITS'(gained_q[i] - held.seen));
      if (valid_q[0] && addend_turn_q == TURN_BITS'(i)) totals[i] += 64'(bytes_turn_q) + 64'(outer_q);
    end
    totals[COUNT_SEALED_BYTES] += 64'(bytes_q);
  end
  always_ff @(posedge clk) begin
    if (valid_q[1]) written_q[sum_turn_q] <= 1'b1;
    if (rst) written_q <= '0;
    else begin
      a_exact :
      assert (totals == exact)
      else $error("counter_memory: a count is wrong");
      a_read :
      assert (!read.valid || 32'(read.counter) < TURNS)
      else $error("counter_memory: no counter has the number %0d", read.counter);
    end
  end
  counter_registers u_exact (
      .*,
      .trusted(trusted_taken),
      .untrusted(untrusted_taken),
      .totals(exact)
  );
`endif
endmodule
