// SPDX-License-Identifier: Apache-2.0
//
// Carries the events of one clock domain to the counters of another, exactly: each channel collects increments and hands
// its sum over in turn. A channel may grow by 0 to 30 in every cycle. At rest all sums have arrived, after at most some ten
// cycles of both clocks a channel and what the reader lets each one wait. Sums hold 2^20, which is 34,952 cycles of s_clk at
// the least: 16 channels whose sums wait up to 80 cycles of m_clk each overrun one only if that clock is 25 times slower.

module event_cdc
  import link_types_pkg::*;
#(
    parameter int unsigned CHANNELS = 2,  // 2 to 16
    parameter counter_e [CHANNELS-1:0] COUNTER = '0  // of each channel
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

  // A register between what happens and its count: causes are judged late in a cycle.
  counted_t [1:0] counted_q;
  always_ff @(posedge s_clk) counted_q <= s_rst ? '0 : s_counted;

  logic [CHANNELS-1:0][SUM_BITS-1:0] sums_q;
  logic [3:0] turn_q;
  logic [SUM_BITS-1:0] sum;
  logic send, sent, bus_ready;

  always_comb begin
    sum = '0;
    for (int unsigned i = 0; i < CHANNELS; i++) if (turn_q == 4'(i)) sum = sums_q[i];
  end
  assign send = sum != '0;
  assign sent = send && bus_ready;

  always_ff @(posedge s_clk) begin
    if (sent || !send) turn_q <= (turn_q == 4'(CHANNELS - 1)) ? 4'd0 : turn_q + 4'd1;
    for (int unsigned i = 0; i < CHANNELS; i++)
    sums_q[i] <= ((sent && turn_q == 4'(i)) ? '0 : sums_q[i]) + SUM_BITS'(counted_q[0][COUNTER[i]]) +
          SUM_BITS'(counted_q[1][COUNTER[i]]);
    if (s_rst) begin
      turn_q <= '0;
      sums_q <= '0;
    end
  end

  cdc_bus #(
      .WIDTH(4 + SUM_BITS)
  ) u_bus (
      .s_clk,
      .s_rst,
      .s_valid(send),
      .s_ready(bus_ready),
      .s_data ({turn_q, sum}),
      .m_clk,
      .m_rst,
      .m_valid(m.valid),
      .m_ready,
      .m_data ({m.channel, m.sum})
  );

  wire unused = &{1'b0, counted_q};
endmodule
