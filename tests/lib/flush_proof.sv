// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of hdl/link/rx/link_flush with link_send, which drains, made as crossing_proof.sv is: s_clk is the core's
// clock, m_clk the trusted one. What the FIFO shows is free, and so are wipes. Both ends are reset together, at any time, and
// promises count from IN_RESET rounds of reset on; link_reset resets all domains.
module flush_proof #(
    parameter int unsigned IN_RESET = 6
) (
    input  logic step,
    input  logic s_clk,
    input  logic m_clk,
    input  logic rst,
    input  logic wipe,
    input  logic waits,      // the FIFO shows a beat
    input  logic last,
    input  logic m_ready,
    output logic entered,    // something may enter in a cycle of a wipe
    output logic lost,       // something may enter while what enters is drained
    output logic undrained,  // something may enter behind a wipe, and nothing was drained
    output logic stuck       // nothing may enter long after the wipe and the last beat
);
  import link_types_pkg::*;

  logic closed, flush, flushing;
  link_flush dut (
      .core_clk(s_clk),
      .core_rst(rst),
      .wipe,
      .closed,
      .trusted_clk(m_clk),
      .flush,
      .flushing
  );
  beat_t s, m;
  logic s_ready, left, flushed;
  logic [4:0] left_bytes;
  assign s = '{valid: waits, data: '0, bytes: 4'd8, last: last};
  link_send u_send (
      .clk(m_clk),
      .*
  );

  // Time in rounds: each clock has had an edge.
  logic s_edge, m_edge, round, begun;
  logic [2:0] reset_for;
  assign round = (s_edge || s_clk) && (m_edge || m_clk);
  always_ff @(posedge step) begin
    s_edge <= (s_edge || s_clk) && !round;
    m_edge <= (m_edge || m_clk) && !round;
    if (!rst) reset_for <= '0;
    else if (round && reset_for != 3'(IN_RESET)) reset_for <= reset_for + 1'b1;
    begun <= reset_for == 3'(IN_RESET) || (begun && !rst);
  end

  logic running, open, was_closed, due;
  assign running = begun && !rst;
  assign open = running && s_clk && !closed;
  assign entered = open && wipe;
  assign lost = open && (flush || flushing);
  assign undrained = open && due;

  localparam int unsigned STUCK = 28;
  logic [4:0] quiet_for;
  always_ff @(posedge step) begin
    if (s_clk) was_closed <= closed && running;
    if (s_clk && wipe && running && !was_closed) due <= 1'b1;
    if (flushing || !running) due <= 1'b0;
    if (round && quiet_for != 5'(STUCK)) quiet_for <= quiet_for + 1'b1;
    if (!running || wipe || waits) quiet_for <= '0;
  end
  assign stuck = quiet_for == 5'(STUCK) && closed && !wipe;
endmodule
