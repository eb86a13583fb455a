// SPDX-License-Identifier: Apache-2.0
// Any behaviour that the promises of the release store allow: it gives out as many packets as were released, and takes a verdict
// only on a packet that is whole, as its own proof shows. Everything else is the solver's.
module release_fifo #(
    parameter  int unsigned DATA_BITS   = 64,
    parameter  int unsigned STORE_BYTES = 131072,
    parameter  int unsigned DESCRIPTORS = 512,
    localparam int unsigned ADDR_BITS   = $clog2(STORE_BYTES / 8)
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               clear,
    output logic               busy,
    output logic [ADDR_BITS:0] room,
    input  logic               s_valid,
    output logic               s_ready,
    input  logic [       63:0] s_data,
    input  logic [        3:0] s_bytes,
    input  logic               s_last,
    input  logic               verdict_valid,
    output logic               verdict_ready,
    input  logic               verdict_ok,
    output logic               m_valid,
    input  logic               m_ready,
    output logic [       63:0] m_data,
    output logic [        3:0] m_bytes,
    output logic               m_last
);
  logic takes, judges, gives, ends;  // free
  logic [ADDR_BITS:0] some_room;
  logic [1:0] whole_q, released_q;  // packets without a verdict; released ones
  assign busy = 1'b0;
  assign room = some_room;
  assign s_ready = takes && whole_q != '1;
  assign verdict_ready = judges && whole_q != '0 && released_q != '1;
  assign m_valid = gives && released_q != '0;
  assign m_data = '0;
  assign m_bytes = 4'd8;
  assign m_last = ends;
  always_ff @(posedge clk) begin
    whole_q    <= whole_q + 2'(s_valid && s_ready && s_last) - 2'(verdict_valid && verdict_ready);
    released_q <= released_q + 2'(verdict_valid && verdict_ready && verdict_ok) - 2'(m_valid && m_ready && m_last);
    if (rst || clear) begin
      whole_q    <= '0;
      released_q <= '0;
    end
  end
endmodule
