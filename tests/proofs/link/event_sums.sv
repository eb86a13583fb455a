// SPDX-License-Identifier: Apache-2.0
// event_cdc, up to its bus, sends every event once: one of three channels is chosen, and its events are counted beside it,
// modulo a sum. Events within what a cycle may bring, resets, and when the bus takes a word are free, but that it takes none
// for three cycles behind a reset. Each event is in a sum that was sent, in the one that waits or grows, or in the small counter
// since its last visit; a word is the whole sum that waits. What the bus takes arrives, by its own proof.
module event_sums
  import link_types_pkg::*;
#(
    parameter int unsigned CHANNELS   = 3,
    parameter int unsigned BEAT_BYTES = 8
) (
    input logic clk,
    input logic rst,
    input counted_t [1:0] wanted,
    input logic bus_takes,
    input logic [1:0] choice
);
  localparam counter_e [CHANNELS-1:0] COUNTER = {COUNT_DROP_TRUSTED_SIZE, COUNT_TRUSTED_IN_BYTES, COUNT_TRUSTED_IN};
  localparam int unsigned BYTES_BITS = $clog2(CHANNELS * BEAT_BYTES + 1);
  localparam int unsigned PACKETS_BITS = $clog2(CHANNELS * MAX_PACKETS_A_CYCLE + 1);
  typedef logic [SUM_BITS-1:0] sum_t;

  counted_t [1:0] counted;
  logic [CHANNELS-1:0][5:0] most, both;
  always_comb begin
    counted = wanted;
    for (int i = 0; i < CHANNELS; i++) begin
      most[i] = counts_bytes(COUNTER[i]) ? 6'(BEAT_BYTES) : 6'(MAX_PACKETS_A_CYCLE);
      both[i] = 6'(wanted[0][COUNTER[i]]) + 6'(wanted[1][COUNTER[i]]);
      if (both[i] > most[i]) begin
        counted[0][COUNTER[i]] = 5'(most[i]);
        counted[1][COUNTER[i]] = '0;
      end
    end
  end

  arrived_t m;
  event_cdc #(
      .CHANNELS(CHANNELS),
      .COUNTER (COUNTER)
  ) dut (
      .s_clk(clk),
      .s_rst(rst),
      .s_counted(counted),
      .m_clk(clk),
      .m_rst(rst),
      .m,
      .m_ready(1'b1)
  );

  // Cycles since a reset, up to three
  logic [1:0] since_q;
  always_ff @(posedge clk) since_q <= rst ? '0 : since_q + 2'(since_q != '1);
  logic takes;
  assign takes = bus_takes && since_q == '1 && !rst;

  // The channel that is followed
  logic [1:0] k_q;
  logic bytes, turned_q, visit, sends, second, third;
  always_ff @(posedge clk) if (rst) k_q <= choice == '1 ? '0 : choice;
  assign bytes  = k_q == 2'd1;
  assign visit  = dut.turn_q == k_q;
  assign second = since_q >= 2'd1 && dut.gain_turn_q == k_q;
  assign third  = since_q >= 2'd2 && dut.sum_turn_q == k_q;
  assign sends  = dut.u_bus.s_valid && dut.u_bus.s_ready && dut.u_bus.s_data[SUM_BITS+:4] == 4'(k_q);

  sum_t exact_q, sent_q, waits_q, gain;
  logic [BYTES_BITS-1:0] seen_q;
  function automatic logic [BYTES_BITS-1:0] apart(input logic [BYTES_BITS-1:0] now, input logic [BYTES_BITS-1:0] seen);
    apart = now - seen;
    if (!bytes) apart = BYTES_BITS'(apart[PACKETS_BITS-1:0]);
  endfunction
  assign gain = sum_t'(apart(dut.counts[k_q], seen_q));
  always_ff @(posedge clk) begin
    exact_q <= exact_q + sum_t'(dut.counted_q[0][COUNTER[k_q]]) + sum_t'(dut.counted_q[1][COUNTER[k_q]]);
    if (sends) sent_q <= sent_q + dut.u_bus.s_data[SUM_BITS-1:0];
    waits_q <= (sends ? '0 : waits_q) + (visit ? gain : '0);
    if (visit) begin
      seen_q   <= dut.counts[k_q];
      turned_q <= 1'b1;
    end
    if (rst) {exact_q, sent_q, waits_q, seen_q, turned_q} <= '0;
  end

  logic [7:0] age;  // cycles since a visit, or since the reset
  always_comb begin
    if (dut.turn_q > k_q) age = 8'(dut.turn_q) - 8'(k_q);
    else age = dut.first_q ? 8'(dut.turn_q) : 8'(dut.turn_q) + 8'(CHANNELS) - 8'(k_q);
  end

  sum_t held;
  assign held = dut.sums[k_q][SUM_BITS] ? dut.sums[k_q][SUM_BITS-1:0] : '0;

  // Facts of a cycle. They hold behind a reset, and if all of them hold in a cycle they do so in the next one.
  typedef enum int {
    CHOSEN,
    TURN,
    TURNED,
    FIRST,
    SECOND,
    THIRD,
    FIRST_GAIN,
    EVENTS,
    FITS,
    EXACT,
    NONE,
    GAIN,
    SUM,
    EMPTY,
    SEEN,
    WAITS,
    SENT,
    FACTS
  } fact_e;
  logic [FACTS-1:0] holds;
  always_comb begin
    // The order of visits
    holds[CHOSEN] = k_q < 2'(CHANNELS);
    holds[TURN] = dut.turn_q < 2'(CHANNELS);
    holds[TURNED] = turned_q == (!dut.first_q || dut.turn_q > k_q);
    holds[FIRST] = since_q == '1 || (dut.first_q && dut.turn_q == since_q);
    holds[SECOND] = since_q == '0 || dut.gain_turn_q == (dut.turn_q == '0 ? 2'(CHANNELS - 1) : dut.turn_q - 2'd1);
    holds[THIRD] = since_q < 2'd2 ||
        dut.sum_turn_q == (dut.turn_q < 2'd2 ? dut.turn_q + 2'(CHANNELS - 2) : dut.turn_q - 2'd2);
    holds[FIRST_GAIN] = since_q == '0 || !dut.first_q || dut.first_gain_q;
    // What came since fits.
    holds[EVENTS] = 8'(dut.counted_q[0][COUNTER[k_q]]) + 8'(dut.counted_q[1][COUNTER[k_q]]) <= 8'(most[k_q]);
    holds[FITS] = 8'(gain) <= 8'(most[k_q]) * age;
    // Nothing is lost or counted twice.
    holds[EXACT] = exact_q == sent_q + waits_q + gain;
    holds[NONE] = turned_q || (waits_q == '0 && seen_q == '0);
    holds[GAIN] = !second ||
        (dut.count_q == seen_q && waits_q == (dut.first_gain_q ? '0 : held) + sum_t'(apart(dut.count_q, dut.seen_q)));
    holds[SUM] = !third || dut.sum == waits_q;
    holds[EMPTY] = !third || dut.some_q || dut.sum_q == '0;
    holds[SEEN] = second || !turned_q || dut.seen[k_q] == seen_q;
    holds[WAITS] = second || third || !turned_q || held == waits_q;
    holds[SENT] = !sends || dut.u_bus.s_data[SUM_BITS-1:0] == waits_q;
  end

  logic held_q;
  initial held_q = 1'b0;
  always_ff @(posedge clk) held_q <= rst || &holds;
  always_comb a_held : assert (!held_q || &holds);
endmodule
