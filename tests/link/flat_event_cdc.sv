// SPDX-License-Identifier: Apache-2.0
//
// event_cdc with a gain of each direction a channel; channel i carries the counter of number i.
module flat_event_cdc
  import link_types_pkg::*;
#(
    parameter int unsigned CHANNELS = 2,
    parameter bit SLICES = 1'b0
) (
    input  logic                          s_clk,
    input  logic                          s_rst,
    input  logic [CHANNELS-1:0][1:0][4:0] gains,
    input  logic                          m_clk,
    input  logic                          m_rst,
    output logic                          m_valid,
    output logic [         3:0]           m_channel,
    output logic [SUM_BITS-1:0]           m_sum,
    input  logic                          m_ready
);
  function automatic counter_e [CHANNELS-1:0] counters();
    for (int unsigned i = 0; i < CHANNELS; i++) counters[i] = counter_e'(6'(i));
  endfunction

  counted_t [1:0] counted;
  always_comb begin
    counted = '0;
    for (int unsigned i = 0; i < CHANNELS; i++) {counted[1][i], counted[0][i]} = gains[i];
  end

  arrived_t m;
  assign {m_valid, m_channel, m_sum} = m;
  event_cdc #(
      .CHANNELS(CHANNELS),
      .COUNTER (counters()),
      .SLICES  (SLICES)
  ) u_events (
      .*,
      .s_counted(counted)
  );
endmodule
