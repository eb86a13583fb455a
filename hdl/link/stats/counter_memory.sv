// SPDX-License-Identifier: Apache-2.0
//
// Counters in one memory with one adder, 64 bits each. Every counter has its turn once in 64 cycles: what it has gained since
// its last turn, a small pending sum, and a sum that waits from an outer clock go to its word. Cleared by reset only.
// Exact: a pending sum holds what 64 cycles can bring at most, whatever comes (PENDING_BITS, BYTES_BITS), so nothing is ever
// lost; sums of the outer clocks wait for the turn of their counter.
// A read is answered at the turn of its counter, at most 65 cycles later, with the whole count at that moment; in reset at once
// with 0.

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
    input  counter_read_t                read,
    output logic                         read_done,        // `read_count` is valid; the request may change
    output logic          [        63:0] read_count,
    output counts_t                      totals            // for assertions; 0 in a synthesis
);
  localparam int unsigned TURN_BITS = $clog2(KEPT_COUNTERS);
  localparam int unsigned TURNS = 2 ** TURN_BITS;
  localparam int unsigned PENDING_BITS = $clog2(TURNS * (2 ** GAIN_BITS - 1) + 1);
  localparam int unsigned BYTES_BITS = TURN_BITS + LEN_BITS;
  localparam int unsigned ADDEND_BITS = SUM_BITS + 2;  // two sums from outside and what is pending

  logic [TURN_BITS-1:0] turn_q;
  counter_e turn;
  assign turn = counter_e'(6'(turn_q));

  // ------------------------------------------------------------------------------------------------ gains since the last turn
  logic [TURNS-1:0][PENDING_BITS-1:0] pending_q;
  logic [BYTES_BITS-1:0] bytes_q;
  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < KEPT_COUNTERS; i++)
    pending_q[i] <= (turn_q == TURN_BITS'(i) ? '0 : pending_q[i]) + PENDING_BITS'(gains[i]);
    bytes_q <= (turn == COUNT_SEALED_BYTES ? '0 : bytes_q) + BYTES_BITS'(sealed_bytes);
    if (rst) begin
      pending_q <= '0;
      bytes_q   <= '0;
    end
  end

  assign trusted_ready   = trusted_counter(trusted.channel) == turn && !rst;
  assign untrusted_ready = untrusted_counter(untrusted.channel) == turn && !rst;

  // ------------------------------------------------------------------------------------------------ turns
  // One cycle reads the word of a turn and makes the addend, the next one adds and writes back.
  logic [63:0] words[TURNS];
  logic [63:0] word_q, sum;
  logic [ADDEND_BITS-1:0] addend_q;
  logic [  TURN_BITS-1:0] place_q;
  logic adds_q, first_q, first_word_q;  // the first turns after a reset find words of before
  assign sum = (first_word_q ? '0 : word_q) + 64'(addend_q);

  always_ff @(posedge clk) begin
    word_q <= words[turn_q];
    if (adds_q) words[place_q] <= sum;
  end

  always_ff @(posedge clk) begin
    turn_q <= turn_q + 1'b1;
    if (turn_q == '1) first_q <= 1'b0;
    place_q <= turn_q;
    adds_q <= 1'b1;
    first_word_q <= first_q;
    addend_q <= ADDEND_BITS'(turn == COUNT_SEALED_BYTES ? bytes_q : BYTES_BITS'(pending_q[turn_q])) +
        (trusted.valid && trusted_ready ? ADDEND_BITS'(trusted.sum) : '0) +
        (untrusted.valid && untrusted_ready ? ADDEND_BITS'(untrusted.sum) : '0);
    if (rst) begin
      turn_q   <= '0;
      first_q  <= 1'b1;
      adds_q   <= 1'b0;
      addend_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ reads
  assign read_done  = read.valid && (rst || (adds_q && place_q == TURN_BITS'(read.counter)));
  assign read_count = rst ? '0 : sum;

  wire unused = &{1'b0, gains, read};

`ifdef SYNTHESIS
  assign totals = '0;
`else
  // Every count as it stands, wherever its parts are, is that of counters side by side.
  counts_t exact;
  arrived_t trusted_taken, untrusted_taken;
  logic [TURNS-1:0] written_q;
  always_comb begin
    trusted_taken = trusted;
    trusted_taken.valid = trusted.valid && trusted_ready;
    untrusted_taken = untrusted;
    untrusted_taken.valid = untrusted.valid && untrusted_ready;
    totals = '0;
    for (int unsigned i = 0; i < KEPT_COUNTERS; i++) begin
      totals[i] = (written_q[i] ? words[i] : '0) + 64'(pending_q[i]);
      if (adds_q && place_q == TURN_BITS'(i)) totals[i] += 64'(addend_q);
    end
    totals[COUNT_SEALED_BYTES] += 64'(bytes_q);
  end
  always_ff @(posedge clk) begin
    if (adds_q) written_q[place_q] <= 1'b1;
    if (rst) written_q <= '0;
    else
      a_exact :
      assert (totals == exact)
      else $error("counter_memory: a count is wrong");
  end
  counter_registers u_exact (
      .*,
      .trusted(trusted_taken),
      .untrusted(untrusted_taken),
      .totals(exact)
  );
`endif
endmodule
