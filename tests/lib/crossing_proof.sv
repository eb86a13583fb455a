// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of the crossings of hdl/lib/cdc. Two words, A and B, are chosen among all that are offered; the harness
// follows them through the crossing while clocks, resets, traffic and metastable flip-flops are free (crossing_model.py).
// An input named as a clock says that this clock has an edge at the end of the step; the harness itself sees every step.
// Each output is one promise broken; it stays 0.
module crossing_proof #(
    parameter int unsigned IN_RESET = 0,  // 0: a reset of each end, ever; else both together for as many rounds
    parameter int unsigned KIND = 0  // 0 stream_fifo_async, 1 cdc_bus, 2 packet_fifo_async, 3 and 4 both with LATE
) (
    input  logic step,
    input  logic s_clk,
    input  logic s_rst,
    input  logic s_valid,
    input  logic s_commit,   // packet_fifo_async only, as the next
    input  logic s_discard,
    input  logic m_clk,
    input  logic m_rst,
    input  logic m_ready,
    input  logic pick,       // the word on offer is A, or B if A was picked before
    output logic blank,      // no word at all: a row that a wipe has emptied
    output logic invented,   // a word that was never written, or was discarded, or has not been committed
    output logic repeated,
    output logic overtaken,  // A after B
    output logic lost,       // B without A, and no reset dropped A
    output logic stale,      // A although a reset has dropped it
    output logic remains,    // a wipe is over and the data port still shows A
    output logic unsteady,   // m_valid falls, or m_data changes, before the word was taken, and no reset is near
    output logic stuck,      // the reader has waited for A and there was time enough
    output logic asleep      // an end is still held long after the last reset
);

  localparam bit PACKETS = KIND == 2 || KIND == 3;

  typedef struct packed {
    logic present;  // every word has it, so that a row of zeros is none
    logic b;
    logic a;
  } word_t;

  word_t s_data, m_data;
  logic s_ready, m_valid;
  logic held;  // a reset is on its way through either end

  if (KIND == 0 || KIND == 4) begin : g_stream
    stream_fifo_async #(
        .WIDTH(3),
        .DEPTH(4),
        .LATE (KIND == 4)
    ) dut (
        .*
    );
    assign held = dut.s_hold || dut.m_hold;
  end else if (KIND == 1) begin : g_bus
    cdc_bus #(.WIDTH(3)) dut (.*);
    assign held = dut.s_hold || dut.m_hold;
  end else begin : g_packets
    logic [4:0] unused_data;
    logic unused_bytes, unused_last;
    packet_fifo_async #(
        .DATA_BITS(8),
        .DEPTH(4),
        .LATE(KIND == 3)
    ) dut (
        .s_data ({5'd0, s_data}),
        .s_bytes(1'b0),
        .s_last (1'b0),
        .m_data ({unused_data, m_data}),
        .m_bytes(unused_bytes),
        .m_last (unused_last),
        .*
    );
    assign held = dut.s_hold || dut.m_hold;
  end

  // Time in rounds: each clock has had an edge.
  logic s_edge, m_edge, round;
  assign round = (s_edge || s_clk) && (m_edge || m_clk);
  always_ff @(posedge step) begin
    s_edge <= (s_edge || s_clk) && !round;
    m_edge <= (m_edge || m_clk) && !round;
  end

  // Nothing counts before both ends have been reset.
  logic s_begun, m_begun, begun;
  logic [3:0] reset_for;
  assign begun = s_begun && m_begun;
  always_ff @(posedge step) begin
    if (IN_RESET == 0) begin
      s_begun <= s_begun || (s_clk && s_rst);
      m_begun <= m_begun || (m_clk && m_rst);
    end else begin
      if (round && reset_for != IN_RESET) reset_for <= reset_for + 1'b1;
      if (!s_rst || !m_rst) reset_for <= '0;
      if (reset_for == IN_RESET) {s_begun, m_begun} <= '1;
    end
  end

  typedef enum logic [1:0] {
    NONE,
    UNCOMMITTED,
    SENT,
    GONE
  } fate_e;
  fate_e a_fate, b_fate;
  logic a_taken, b_taken, a_dropped, any_reset, s_was_reset;

  logic write, read, pick_a, pick_b;
  assign write  = s_clk && s_valid && s_ready;
  assign read   = m_clk && m_valid && m_ready && begun;
  assign pick_a = pick && begun && a_fate == NONE;
  assign pick_b = pick && begun && a_fate != NONE && b_fate == NONE;
  assign s_data = '{present: 1'b1, a: pick_a, b: pick_b};

  function automatic fate_e next(fate_e fate, logic written);
    fate_e now;
    now = (written && !(s_clk && s_rst)) ? UNCOMMITTED : fate;
    if (now != UNCOMMITTED) return now;
    if (!PACKETS) return SENT;
    if (s_clk && s_discard) return GONE;
    if (s_clk && s_commit) return SENT;
    return UNCOMMITTED;
  endfunction

  always_ff @(posedge step) begin
    a_fate <= next(a_fate, write && pick_a);
    b_fate <= next(b_fate, write && pick_b);
    a_taken <= a_taken || (read && m_data.a);
    b_taken <= b_taken || (read && m_data.b);
    // A reset at the reader drops at once what is under way, one at the writer before the writer runs again.
    any_reset <= (s_clk && s_rst) || (m_clk && m_rst) || (any_reset && (a_fate != NONE || held));
    s_was_reset <= a_fate != NONE && ((s_clk && s_rst) || s_was_reset);
    a_dropped <= a_fate != NONE && (a_dropped || (m_clk && m_rst) || (s_was_reset && s_ready && !s_rst));
  end

  assign blank = read && !m_data.present;
  assign invented = read && ((m_data.a && a_fate != SENT) || (m_data.b && b_fate != SENT));
  assign repeated = read && ((m_data.a && a_taken) || (m_data.b && b_taken));
  assign overtaken = read && m_data.a && b_taken;
  assign lost = read && m_data.b && !a_taken && a_fate == SENT && !any_reset;
  assign stale = read && m_data.a && a_dropped;
  assign remains = PACKETS && a_dropped && s_was_reset && s_ready && !s_rst && m_data.a;

  word_t past_data;
  logic  waits;
  always_ff @(posedge step) begin
    waits <= m_valid && !(m_clk && m_ready);
    past_data <= m_data;
  end
  assign unsteady = begun && waits && !held && (!m_valid || m_data != past_data);

  // A round counts for A while the reader takes all that it is offered.
  localparam int unsigned ASLEEP = 23, STUCK = 24;
  logic [4:0] awake_for, offered_for;
  always_ff @(posedge step) begin
    if (round && awake_for != ASLEEP) awake_for <= awake_for + 1'b1;
    if (round && offered_for != STUCK) offered_for <= offered_for + 1'b1;
    if (!begun || s_rst || m_rst) awake_for <= '0;
    if (a_fate != SENT || a_taken || any_reset || (m_clk && !m_ready)) offered_for <= '0;
  end
  assign asleep = held && !s_rst && !m_rst && awake_for == ASLEEP;
  assign stuck  = offered_for == STUCK;

endmodule
