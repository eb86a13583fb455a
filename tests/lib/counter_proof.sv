// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of hdl/lib/cdc/cdc_counter, made as crossing_proof.sv is: the first events after the first resets are
// counted beside it, no more than a gray counter of three bits can tell apart while the reader's clock stands still.
module counter_proof (
    input  logic step,
    input  logic s_clk,
    input  logic s_rst,
    input  logic s_event,
    input  logic m_clk,
    input  logic m_rst,
    input  logic m_clear,
    output logic excess,   // the count is above that of the events since the first resets
    output logic missing,  // the count stays below, and nothing dropped an event
    output logic asleep    // an end is still held long after the last reset
);

  localparam int unsigned MOST = 5, SETTLED = 8, ASLEEP = 23;

  logic [2:0] m_count, counted;
  cdc_counter #(
      .WIDTH    (3),
      .GRAY_BITS(3)
  ) dut (
      .s_clk,
      .s_rst,
      .s_event(s_event && counted != MOST),
      .m_clk,
      .m_rst,
      .m_clear,
      .m_count
  );

  logic held;
  assign held = dut.s_hold || dut.m_hold;

  logic s_begun, m_begun, begun, cleared, dropped;
  assign begun = s_begun && m_begun;

  logic s_edge, m_edge, round;
  logic [4:0] awake_for;
  logic [3:0] settled_for;
  assign round = (s_edge || s_clk) && (m_edge || m_clk);

  always_ff @(posedge step) begin
    s_begun <= s_begun || (s_clk && s_rst);
    m_begun <= m_begun || (m_clk && m_rst);
    if (s_clk && s_event && counted != MOST) counted <= counted + 1'b1;
    if (!m_begun) counted <= '0;
    cleared <= begun && (cleared || !held);
    dropped <= m_begun && (dropped || (cleared ? held || (m_clk && m_clear) : s_clk && s_event));
    s_edge  <= (s_edge || s_clk) && !round;
    m_edge  <= (m_edge || m_clk) && !round;
    if (round && awake_for != ASLEEP) awake_for <= awake_for + 1'b1;
    if (!begun || s_rst || m_rst) awake_for <= '0;
    if (round && settled_for != SETTLED) settled_for <= settled_for + 1'b1;
    if (!cleared || (s_clk && s_event)) settled_for <= '0;
  end

  assign excess  = cleared && m_count > counted;
  assign missing = cleared && !dropped && settled_for == SETTLED && m_count != counted;
  assign asleep  = held && !s_rst && !m_rst && awake_for == ASLEEP;

endmodule
