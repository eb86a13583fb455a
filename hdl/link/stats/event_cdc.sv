// SPDX-License-Identifier: Apache-2.0
//
// Carries the events of one clock domain to the counters of another, exactly: each channel collects increments and hands
// its sum over in turn. A channel may grow by 0 to 15 in every cycle. At rest all sums have arrived (after at most some ten
// cycles of both clocks a channel). Sums hold 2^24: only a reader clock 10,000 times slower could overrun one.

module event_cdc #(
    parameter  int unsigned CHANNELS = 2,  // 2 to 16
    localparam int unsigned SUM_BITS = 24
) (
    input  logic                     s_clk,
    input  logic                     s_rst,
    input  logic [CHANNELS-1:0][3:0] s_add,
    input  logic                     m_clk,
    input  logic                     m_rst,
    output logic                     m_valid,    // pulse: add m_sum to counter m_channel
    output logic [         3:0]      m_channel,
    output logic [SUM_BITS-1:0]      m_sum
);
  if (CHANNELS < 2 || CHANNELS > 16) begin : g_bad_channels
    $fatal(1, "event_cdc: CHANNELS = %0d, must be 2 to 16", CHANNELS);
  end

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
    sums_q[i] <= ((sent && turn_q == 4'(i)) ? '0 : sums_q[i]) + SUM_BITS'(s_add[i]);
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
      .m_valid,
      .m_ready(1'b1),
      .m_data ({m_channel, m_sum})
  );
endmodule
