// SPDX-License-Identifier: Apache-2.0
//
// Makes the two ends of a clock-domain crossing restart together, whichever end is reset.
// Four-phase handshake each way, synchronous only: freeze own end (hold), see the other end
// frozen, zero the pointers (zero), release. Either reset may be one cycle long. An end never
// sees the other's pointers jump while it runs, so no stale beat is read during a reset.
// Each end is ready 4 to 8 cycles of each clock after the last reset fell, and up to 22 if it fell while
// an earlier restart was under way. After power-up, with every flip-flop at zero, both ends must be reset
// once, in any order; where flip-flops begin with anything, both resets overlap for 8 cycles of each clock.
// A stopped clock keeps the other end held. The proof is tests/lib/test_crossing_proof.py.
// With LATE an end's own reset holds it a cycle later, from a register, so that no path leads from a reset to what hears the hold.
// What an end moves in the reset's first cycle is lost, like all that it moved before.
module cdc_reset #(
    parameter bit LATE = 1'b0
) (
    input  logic s_clk,
    input  logic s_rst,   // synchronous to s_clk, one cycle or longer
    output logic s_hold,  // s end: move nothing, promise nothing
    output logic s_zero,  // s end: pointers to zero (only while s_hold)
    input  logic m_clk,
    input  logic m_rst,   // synchronous to m_clk, one cycle or longer
    output logic m_hold,
    output logic m_zero
);

  logic s_due, s_req, s_req_m, s_ack_m, s_ack;  // s asks, m answers
  logic m_due, m_req, m_req_s, m_ack_s, m_ack;  // m asks, s answers
  logic s_busy, s_busy_m, m_busy, m_busy_s;

  // A reset is due until the other end has acknowledged it. A request rises only when the acknowledge of the one before has
  // fallen: that answer would be taken for its own. It falls one cycle after its acknowledge, or waits for the reset's end.
  always_ff @(posedge s_clk) begin
    m_ack_s <= m_req_s;
    s_busy  <= s_rst || s_due || s_req;
    s_req   <= (s_rst || s_due) && (s_req || !s_ack);
    if (s_rst) s_due <= 1'b1;
    else if (s_req && s_ack) s_due <= 1'b0;
  end

  always_ff @(posedge m_clk) begin
    s_ack_m <= s_req_m;
    m_busy  <= m_rst || m_due || m_req;
    m_req   <= (m_rst || m_due) && (m_req || !m_ack);
    if (m_rst) m_due <= 1'b1;
    else if (m_req && m_ack) m_due <= 1'b0;
  end

  sync_bits u_s_req (
      .clk(m_clk),
      .d  (s_req),
      .q  (s_req_m)
  );
  sync_bits u_s_ack (
      .clk(s_clk),
      .d  (s_ack_m),
      .q  (s_ack)
  );
  sync_bits u_m_req (
      .clk(s_clk),
      .d  (m_req),
      .q  (m_req_s)
  );
  sync_bits u_m_ack (
      .clk(m_clk),
      .d  (m_ack_s),
      .q  (m_ack)
  );

  // A reset that still waits to be requested holds the other end, too: it would run between two restarts.
  sync_bits u_s_busy (
      .clk(m_clk),
      .d  (s_busy),
      .q  (s_busy_m)
  );
  sync_bits u_m_busy (
      .clk(s_clk),
      .d  (m_busy),
      .q  (m_busy_s)
  );

  // The pointers turn zero one cycle before the request falls; the other end stays held one cycle longer than it sees the
  // request. So no end runs while it can still see pointers from before.
  assign s_zero = m_req_s || (s_req && s_ack);
  assign m_zero = s_req_m || (m_req && m_ack);

  assign s_hold = (LATE ? 1'b0 : s_rst) || s_due || s_req || s_ack || m_req_s || m_ack_s || m_busy_s;
  assign m_hold = (LATE ? 1'b0 : m_rst) || m_due || m_req || m_ack || s_req_m || s_ack_m || s_busy_m;

endmodule
