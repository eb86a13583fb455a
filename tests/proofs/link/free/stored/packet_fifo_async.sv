// SPDX-License-Identifier: Apache-2.0
// A packet_fifo_async on one clock with room or none at any moment. It tells each stored packet a cycle after its commit, by one
// beat of no content, and asserts that no beat of it was lost.
module packet_fifo_async #(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned DEPTH = 2048,
    parameter bit LATE = 1'b0,
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  s_clk,
    input  logic                  s_rst,
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    input  logic                  s_commit,
    input  logic                  s_discard,
    input  logic                  m_clk,
    input  logic                  m_rst,
    output logic                  m_valid,
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last
);
  logic room;  // nothing drives it
  logic begun_q, lost_q, begun, lost;
  assign s_ready = room;
  assign begun = begun_q || (s_valid && s_ready);  // of the packet there are beats
  assign lost = lost_q || (s_valid && !s_ready);  // one of them found no room
  assign m_data = '0;
  assign m_bytes = '0;
  assign m_last = 1'b1;

  always_ff @(posedge s_clk) begin
    {begun_q, lost_q} <= (s_commit || s_discard) ? '0 : {begun, lost};
    m_valid <= s_commit && !s_discard && begun;
    if (s_rst) {begun_q, lost_q, m_valid} <= '0;
  end

  always_comb if (!s_rst && s_commit && !s_discard) assert (!lost);
endmodule
