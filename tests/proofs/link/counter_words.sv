// SPDX-License-Identifier: Apache-2.0
// counter_memory counts everything once: one counter is chosen among all that are kept, and its whole count goes on beside the
// memory. Gains of the core's clock, bytes, sums of the outer clocks, reads and resets are free, within what a cycle may bring.
// What its last turn saw is in its word, or on its way there; the small counter has what came since, and no more than it can
// hold; a read tells what the turn saw.
module counter_words
  import link_pkg::*, link_types_pkg::*;
#(
    parameter int unsigned TURNS = 9,
    parameter int unsigned COUNT_BITS = 10,
    parameter int unsigned BYTES = 15  // the most that a cycle brings of them
) (
    input logic clk,
    input logic rst,
    input gains_t gains_wanted,
    input logic [LEN_BITS-1:0] sealed_bytes,
    input arrived_t trusted,
    input arrived_t untrusted,
    input counter_read_t read
);
  typedef logic [COUNT_BITS-1:0] count_t;
  localparam int unsigned GAINED_BITS = $clog2(TURNS * CORE_SOURCES + 1);
  localparam logic [3:0] BYTES_TURN = 4'(COUNT_SEALED_BYTES);

  gains_t gains;
  always_comb begin
    for (int i = 0; i < 32'(COUNTERS); i++) begin
      gains[i] = 32'(gains_wanted[i]) > CORE_SOURCES ? GAIN_BITS'(CORE_SOURCES) : gains_wanted[i];
    end
    gains[COUNT_SEALED_BYTES] = '0;
  end

  logic trusted_ready, untrusted_ready, read_done;
  count_t read_count;
  counter_memory dut (
      .*,
      .totals()
  );

  // Which counter is followed
  logic [3:0] k_q;
  logic of_bytes;
  always_ff @(posedge clk) if (rst) k_q <= 32'(read.counter) < KEPT_COUNTERS ? 4'(read.counter) : '0;
  assign of_bytes = k_q == BYTES_TURN;

  // What it gains in this cycle; what its last turn saw
  count_t exact_q, told_q, arrives, enters;
  logic [GAINED_BITS-1:0] seen_q, gained, since;
  logic turned_q;
  assign gained = dut.gained_q[k_q];
  assign since  = gained - seen_q;
  always_comb begin
    arrives = '0;
    if (trusted.valid && trusted_ready && trusted_counter(trusted.channel) == counter_e'(6'(k_q)))
      arrives += count_t'(trusted.sum);
    if (untrusted.valid && untrusted_ready && untrusted_counter(untrusted.channel) == counter_e'(6'(k_q)))
      arrives += count_t'(untrusted.sum);
    enters = of_bytes ? count_t'(sealed_bytes) : '0;
  end
  always_ff @(posedge clk) begin
    exact_q <= exact_q + arrives + enters + count_t'(gains[k_q]);
    if (dut.turn_q == k_q) begin
      told_q   <= exact_q + arrives + enters;
      seen_q   <= gained;
      turned_q <= 1'b1;
    end
    if (rst) begin
      exact_q  <= '0;
      told_q   <= '0;
      seen_q   <= '0;
      turned_q <= 1'b0;
    end
  end

  // Cycles since a turn, or since the reset
  function automatic logic [7:0] age(input logic [3:0] turn);
    if (dut.turn_q > turn) return 8'(dut.turn_q) - 8'(turn);
    return dut.first_q ? 8'(dut.turn_q) : 8'(dut.turn_q) + 8'(TURNS) - 8'(turn);
  endfunction


  logic second, third;  // where its turn is
  assign second = dut.valid_q[0] && dut.addend_turn_q == k_q;
  assign third  = dut.valid_q[1] && dut.sum_turn_q == k_q;

  // Facts of a cycle. They hold behind a reset, and if all of them hold in a cycle they do so in the next one.
  typedef enum int {
    CHOSEN,
    TURN,
    TURNED,
    SECOND,
    THIRD,
    FIRST,
    GAINS_FIT,
    BYTES_FIT,
    NO_GAIN,
    ONE_KIND,
    EXACT,
    NONE,
    ON_THE_WAY,
    NO_GAIN_SEEN,
    SUM,
    WORD,
    READ,
    READ_IN_RESET,
    FACTS
  } fact_e;
  logic [FACTS-1:0] holds;
  always_comb begin
    // The order of turns
    holds[CHOSEN] = 32'(k_q) < KEPT_COUNTERS;
    holds[TURN] = 32'(dut.turn_q) < TURNS;
    holds[TURNED] = turned_q == (!dut.first_q || dut.turn_q > k_q);
    holds[SECOND] = !dut.valid_q[0] || dut.addend_turn_q == (dut.turn_q == '0 ? 4'(TURNS - 1) : dut.turn_q - 4'd1);
    holds[THIRD] = !dut.valid_q[1] ||
        dut.sum_turn_q == (dut.turn_q < 4'd2 ? dut.turn_q + 4'(TURNS - 2) : dut.turn_q - 4'd2);
    holds[FIRST] = dut.valid_q == 2'b11 ? !dut.first_q || dut.turn_q >= 4'd2 :
        dut.valid_q != 2'b10 && dut.first_q && dut.turn_q == 4'(dut.valid_q);
    // What came since fits.
    holds[GAINS_FIT] = 8'(since) <= 8'(CORE_SOURCES) * age(k_q);
    holds[BYTES_FIT] = 8'(dut.bytes_q) <= 8'(BYTES) * (age(BYTES_TURN) - 8'(!dut.first_q || dut.turn_q > BYTES_TURN));
    holds[NO_GAIN] = !of_bytes || since == '0;
    holds[ONE_KIND] = !second || of_bytes || dut.bytes_turn_q == '0;
    // Nothing is lost or counted twice.
    holds[EXACT] = exact_q == told_q + count_t'(since) + (of_bytes ? count_t'(dut.bytes_q) : '0);
    holds[NONE] = turned_q || (told_q == '0 && seen_q == '0);
    holds[ON_THE_WAY] = !second || (dut.now_q == seen_q && told_q == dut.word_q.count +
        count_t'(GAINED_BITS'(dut.now_q - dut.word_q.seen)) + count_t'(dut.bytes_turn_q) + count_t'(dut.outer_q));
    holds[NO_GAIN_SEEN] = !second || !of_bytes || dut.now_q == dut.word_q.seen;
    holds[SUM] = !third || (dut.sum == told_q && dut.seen_q == seen_q);
    holds[WORD] = second || third || !turned_q || dut.words[k_q] == {told_q, seen_q};
    // Reads
    holds[READ] = !(read_done && dut.valid_q[0] && read.counter == counter_e'(6'(k_q))) ||
        (third && read_count == told_q);
    holds[READ_IN_RESET] = dut.valid_q[0] || read_count == '0;
  end

  logic held_q;
  initial held_q = 1'b0;
  always_ff @(posedge clk) held_q <= rst || &holds;
  always_comb a_held : assert (!held_q || &holds);
endmodule
