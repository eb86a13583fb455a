// SPDX-License-Identifier: Apache-2.0
// In the place of the FIFO of released frames: it takes them when the solver likes, and tells the harness what enters.
module packet_fifo_async #(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned DEPTH = 2048,
    parameter bit LATE = 1'b0
) (
    input  logic        s_clk,
    input  logic        s_rst,
    input  logic        s_valid,
    output logic        s_ready,
    input  logic [63:0] s_data,
    input  logic [ 3:0] s_bytes,
    input  logic        s_last,
    input  logic        s_commit,
    input  logic        s_discard,
    input  logic        m_clk,
    input  logic        m_rst,
    output logic        m_valid,    // here: a packet is committed
    input  logic        m_ready,
    output logic [63:0] m_data,
    output logic [ 3:0] m_bytes,
    output logic        m_last      // here: a beat is offered
);
  logic takes;  // free
  assign s_ready = takes;
  assign m_valid = s_commit && !s_discard;
  assign m_last  = s_valid && !s_discard;
  assign m_data  = '0;
  assign m_bytes = '0;
endmodule
