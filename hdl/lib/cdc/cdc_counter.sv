// SPDX-License-Identifier: Apache-2.0
//
// Counts events of one clock domain in another: one event a cycle of s_clk, none lost.
// A small gray counter crosses (it moves by one an event), the reader adds the difference.
// Correct while fewer than 2**GRAY_BITS - 2 cycles of s_clk fit into one cycle of m_clk.
// m_clear and m_rst zero m_count. Either reset drops events that are still under way (up to
// four cycles of m_clk) and events during the reset; s_rst alone keeps m_count.
// After power-up both ends must be reset once.
module cdc_counter #(
    parameter int unsigned WIDTH     = 64,  // bits of the count; it wraps
    parameter int unsigned GRAY_BITS = 8    // 3 or more
) (
    input  logic             s_clk,
    input  logic             s_rst,
    input  logic             s_event,  // count one in each cycle in which it is high
    input  logic             m_clk,
    input  logic             m_rst,
    input  logic             m_clear,  // count from zero
    output logic [WIDTH-1:0] m_count
);

  if (GRAY_BITS < 3 || GRAY_BITS > WIDTH) begin : g_bad_bits
    $fatal(1, "cdc_counter: GRAY_BITS = %0d, must be 3 to WIDTH = %0d", GRAY_BITS, WIDTH);
  end

  typedef logic [GRAY_BITS-1:0] small_t;

  function automatic small_t to_gray(small_t binary);
    return binary ^ (binary >> 1);
  endfunction

  function automatic small_t to_binary(small_t gray);
    small_t binary;
    binary[GRAY_BITS-1] = gray[GRAY_BITS-1];
    for (int i = GRAY_BITS - 2; i >= 0; i--) binary[i] = binary[i+1] ^ gray[i];
    return binary;
  endfunction

  logic s_hold, s_zero, m_hold, m_zero;
  cdc_reset u_reset (
      .s_clk,
      .s_rst,
      .s_hold,
      .s_zero,
      .m_clk,
      .m_rst,
      .m_hold,
      .m_zero
  );

  small_t events, gray, gray_m, seen, now;

  always_ff @(posedge s_clk) begin
    if (s_event && !s_hold) begin
      events <= events + 1'b1;
      gray   <= to_gray(events + 1'b1);
    end
    if (s_zero) begin
      events <= '0;
      gray   <= '0;
    end
  end

  sync_bits #(
      .WIDTH(GRAY_BITS)
  ) u_gray (
      .clk(m_clk),
      .d  (gray),
      .q  (gray_m)
  );

  small_t step;
  assign now  = to_binary(gray_m);
  assign step = now - seen;

  always_ff @(posedge m_clk) begin
    if (!m_hold) begin
      seen    <= now;
      m_count <= (m_clear ? '0 : m_count) + WIDTH'(step);
    end else if (m_clear) m_count <= '0;
    if (m_zero) seen <= '0;
    if (m_rst) m_count <= '0;
  end

endmodule
