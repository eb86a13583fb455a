// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of hdl/link/link_reset_domain, made as crossing_proof.sv is: two domains of the link, of which each may ask
// for a reset in any of its cycles, and the restart of a stream between them. A third domain asks as either of the two does.
// Promises count from the first resets of both on, as long as no clock has more than RATIO edges between two of the other.
module reset_proof #(
    parameter int unsigned RATIO = 4
) (
    input  logic step,
    input  logic s_clk,
    input  logic s_request,
    input  logic m_clk,
    input  logic m_request,
    output logic runs,       // a domain runs in the cycle after it asked
    output logic pauses,     // one request, however long, gives a domain two resets
    output logic breaks,     // a stream stops in a domain that is not in reset
    output logic forgotten,  // a domain was not reset long after the other asked
    output logic asleep      // a domain is in reset long after the last request
);
  logic s_asked, m_asked, any, s_rst, m_rst, s_hold, m_hold;
  assign any = s_asked || m_asked;
  link_reset_domain u_s (
      .clk(s_clk),
      .request(s_request),
      .asked(s_asked),
      .any,
      .rst(s_rst)
  );
  link_reset_domain u_m (
      .clk(m_clk),
      .request(m_request),
      .asked(m_asked),
      .any,
      .rst(m_rst)
  );
  cdc_reset u_stream (
      .s_clk,
      .s_rst,
      .s_hold,
      .s_zero(),
      .m_clk,
      .m_rst,
      .m_hold,
      .m_zero()
  );

  localparam int unsigned LONG = 12;  // rounds; a round is over when each clock has had an edge
  logic s_edge, m_edge, round;
  logic [3:0] quiet_for, s_due_for, m_due_for;
  assign round = (s_edge || s_clk) && (m_edge || m_clk);

  logic last_s, uneven;
  logic [3:0] edges;  // of one clock in a row
  always_ff @(posedge step) begin
    last_s <= s_clk;
    if (s_clk != last_s) edges <= 4'd1;
    else if (edges != '1) edges <= edges + 4'd1;
    if (s_clk == last_s && edges >= 4'(RATIO)) uneven <= 1'b1;
  end

  logic s_begun, m_begun, begun;
  logic s_due, m_due;  // the other domain asked, and this one was not in reset since
  logic s_asked_now, m_asked_now;  // asked with the last edge
  logic s_ran, m_ran, s_was_rst, m_was_rst;  // at the last edge
  logic s_rises, m_rises;  // an edge at which a reset is new
  logic [1:0] requests, s_resets, m_resets;  // since nothing was asked for long: two stands for more
  assign s_rises = s_clk && s_rst && !s_was_rst;
  assign m_rises = m_clk && m_rst && !m_was_rst;
  assign begun   = s_begun && m_begun;

  always_ff @(posedge step) begin
    s_edge  <= (s_edge || s_clk) && !round;
    m_edge  <= (m_edge || m_clk) && !round;
    s_begun <= s_begun || (m_begun && s_clk && s_rst);
    m_begun <= m_begun || (m_clk && m_rst);
    if (s_clk) begin
      s_asked_now <= s_request;
      s_ran <= begun && !s_rst && !s_hold;
      s_was_rst <= s_rst;
    end
    if (m_clk) begin
      m_asked_now <= m_request;
      m_ran <= begun && !m_rst && !m_hold;
      m_was_rst <= m_rst;
    end
    if (s_clk && s_rst) s_due <= 1'b0;
    if (m_clk && m_request) s_due <= 1'b1;
    if (m_clk && m_rst) m_due <= 1'b0;
    if (s_clk && s_request) m_due <= 1'b1;
    if (s_clk && s_request && !s_asked_now && !requests[1]) requests <= requests + 2'd1;
    if (m_clk && m_request && !m_asked_now && !requests[1]) requests <= requests + 2'd1;
    if (s_rises && !s_resets[1]) s_resets <= s_resets + 2'd1;
    if (m_rises && !m_resets[1]) m_resets <= m_resets + 2'd1;
    if (quiet_for == 4'(LONG) && !s_request && !m_request) begin
      requests <= '0;
      s_resets <= '0;
      m_resets <= '0;
    end
    if (!begun) requests <= 2'd2;
    if (round && quiet_for != 4'(LONG)) quiet_for <= quiet_for + 1'b1;
    if (s_request || m_request || !begun) quiet_for <= '0;
    if (round && s_due_for != 4'(LONG)) s_due_for <= s_due_for + 1'b1;
    if (!s_due) s_due_for <= '0;
    if (round && m_due_for != 4'(LONG)) m_due_for <= m_due_for + 1'b1;
    if (!m_due) m_due_for <= '0;
  end

  assign runs = (s_asked_now && !s_rst) || (m_asked_now && !m_rst);
  assign pauses = !uneven && requests == 2'd1 && (s_resets[1] || m_resets[1]);
  assign breaks = !uneven && ((s_clk && s_ran && s_hold && !s_rst) || (m_clk && m_ran && m_hold && !m_rst));
  assign forgotten = s_due_for == 4'(LONG) || m_due_for == 4'(LONG);
  assign asleep = quiet_for == 4'(LONG) && (s_rst || m_rst);
endmodule
