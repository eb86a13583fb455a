// SPDX-License-Identifier: Apache-2.0
//
// Carries the events of one clock domain to the counters of another, exactly: each channel collects increments and hands
// its sum over in turn. A channel may grow by BEAT_BYTES or MAX_PACKETS_A_CYCLE, whichever its counter counts. Small
// counters run freely, and each is visited once in CHANNELS cycles: what it has gained since its last visit goes to the
// channel's sum in a memory.
// At rest all sums have arrived, one of each channel and two on the way: after at most some 30 cycles of both clocks and the
// reader's wait for each.
// Sums hold 2^20, which is 65,536 cycles of s_clk at the least: 16 channels whose sums wait up to 80 cycles of m_clk each
// overrun one only if that clock is 45 times slower.

module event_cdc
  import link_types_pkg::*;
#(
    parameter int unsigned CHANNELS = 2,  // 2 to 16
    parameter counter_e [CHANNELS-1:0] COUNTER = '0,  // of each channel
    parameter int unsigned BEAT_BYTES = 8,  // of a beat of packets, 16 at most
    parameter bit SLICES = 1'b0  // a register more in front, beside what is counted
) (
    input  logic           s_clk,
    input  logic           s_rst,
    input  counted_t [1:0] s_counted,  // of both directions
    input  logic           m_clk,
    input  logic           m_rst,
    output arrived_t       m,
    input  logic           m_ready
);
  if (CHANNELS < 2 || CHANNELS > 16) begin : g_bad_channels
    $fatal(1, "event_cdc: CHANNELS = %0d, must be 2 to 16", CHANNELS);
  end

  localparam int unsigned TURN_BITS = $clog2(CHANNELS);
  // A counter that runs freely holds what CHANNELS cycles can bring.
  localparam int unsigned BYTES_BITS = $clog2(CHANNELS * BEAT_BYTES + 1);
  localparam int unsigned PACKETS_BITS = $clog2(CHANNELS * MAX_PACKETS_A_CYCLE + 1);

  // A register between what happens and its count: causes are judged late in a cycle. With SLICES there are two, for a placer has
  // the counters stand far from what they count.
  if (SLICES) begin : g_slice
    counted_t [1:0] counted_q;
    always_ff @(posedge s_clk) counted_q <= s_rst ? '0 : s_counted;
  end else begin : g_slice
    localparam counted_t [1:0] counted_q = '0;  // verilog_lint: waive parameter-name-style (it stands for a signal)
  end
  counted_t [1:0] counted_q;
  always_ff @(posedge s_clk) counted_q <= s_rst ? '0 : SLICES ? g_slice.counted_q : s_counted;

  logic [CHANNELS-1:0][BYTES_BITS-1:0] counts;
  logic [CHANNELS-1:0] of_bytes;
  for (genvar i = 0; i < CHANNELS; i++) begin : g_channel
    localparam int unsigned BITS = counts_bytes(COUNTER[i]) ? BYTES_BITS : PACKETS_BITS;
    logic [BITS-1:0] free_q;
    always_ff @(posedge s_clk) begin
      free_q <= free_q + BITS'(counted_q[0][COUNTER[i]]) + BITS'(counted_q[1][COUNTER[i]]);
      if (s_rst) free_q <= '0;
    end
    assign counts[i]   = BYTES_BITS'(free_q);
    assign of_bytes[i] = counts_bytes(COUNTER[i]);
  end

  // ------------------------------------------------------------------------------------------------ visits
  // One cycle reads a counter and what its last visit saw of it, the next one makes the gain and reads the sum, the third adds
  // and writes back. A channel comes again after CHANNELS cycles, when both words are written.
  (* ram_style = "distributed" *) logic [BYTES_BITS-1:0] seen[CHANNELS];
  (* ram_style = "distributed" *) logic [SUM_BITS:0] sums[CHANNELS];  // the upper bit: whether the sum is more than 0
  logic [TURN_BITS-1:0] turn_q, gain_turn_q, sum_turn_q, send_turn_q;
  logic first_q, first_gain_q;  // the first visits after a reset would find words of before
  logic [BYTES_BITS-1:0] count_q, seen_q, difference, gain_q;
  logic [SUM_BITS-1:0] sum_q, sum;
  logic some_q, some, due, sent, bus_ready;
  logic [SUM_BITS:0] held;

  assign difference = count_q - seen_q;
  assign held = sums[gain_turn_q];
  assign sum = sum_q + SUM_BITS'(gain_q);
  assign some = some_q || gain_q != '0;

  always_ff @(posedge s_clk) begin
    turn_q <= turn_q == TURN_BITS'(CHANNELS - 1) ? '0 : turn_q + 1'b1;
    if (turn_q == TURN_BITS'(CHANNELS - 1)) first_q <= 1'b0;

    gain_turn_q <= turn_q;
    first_gain_q <= first_q;
    count_q <= counts[turn_q];
    seen_q <= first_q ? '0 : seen[turn_q];

    sum_turn_q <= gain_turn_q;
    gain_q <= of_bytes[gain_turn_q] ? difference : BYTES_BITS'(difference[PACKETS_BITS-1:0]);
    seen[gain_turn_q] <= count_q;
    {some_q, sum_q} <= first_gain_q || !held[SUM_BITS] ? '0 : held;

    sums[sum_turn_q] <= {some && !sent, sum};
    if (s_rst) begin
      turn_q  <= '0;
      first_q <= 1'b1;
    end
  end

  // ------------------------------------------------------------------------------------------------ sending
  // The channels send in turn, each at a visit of its own; otherwise one could take every word of the bus.
  assign due  = sum_turn_q == send_turn_q;
  assign sent = due && some && bus_ready;

  always_ff @(posedge s_clk) begin
    if (due && bus_ready) send_turn_q <= gain_turn_q;
    if (s_rst) send_turn_q <= '0;
  end

  cdc_bus #(
      .WIDTH(4 + SUM_BITS)
  ) u_bus (
      .s_clk,
      .s_rst,
      .s_valid(due && some),
      .s_ready(bus_ready),
      .s_data ({4'(sum_turn_q), sum}),
      .m_clk,
      .m_rst,
      .m_valid(m.valid),
      .m_ready,
      .m_data ({m.channel, m.sum})
  );

  wire unused = &{1'b0, counted_q};

`ifndef SYNTHESIS
  function automatic counted_t carried();
    carried = '0;
    for (int unsigned i = 0; i < CHANNELS; i++) carried[COUNTER[i]] = '1;
  endfunction
  localparam counted_t CARRIED = carried();
  counted_t lost;
  assign lost = (counted_q[0] | counted_q[1]) & ~CARRIED;
  always_ff @(posedge s_clk)
    if (!s_rst) begin
      for (int unsigned i = 0; i < 32'(COUNTERS); i++) begin
        automatic counter_e counter = counter_e'(i);
        a_carried :
        assert (lost[i] == '0)
        else
          $error("event_cdc: no channel carries %s; name it in TRUSTED_COUNTERS or UNTRUSTED_COUNTERS", counter.name());
      end
      for (int unsigned i = 0; i < CHANNELS; i++) begin
        a_gain :
        assert (32'(counted_q[0][COUNTER[i]]) + 32'(counted_q[1][COUNTER[i]]) <=
            (of_bytes[i] ? BEAT_BYTES : MAX_PACKETS_A_CYCLE))
        else $error("event_cdc: channel %0d grows by more than a cycle may bring", i);
      end
      a_sum :
      assert (sum >= sum_q)
      else $error("event_cdc: a sum overruns");
    end
`endif
endmodule
