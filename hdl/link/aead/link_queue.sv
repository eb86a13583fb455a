// SPDX-License-Identifier: Apache-2.0
//
// Queue for what is known about packets in work: a word shows in the cycle after it was put in, and `empty` is exact, so that
// "no packet in work" can be read from it. Read without a register (LUT memory); for queues with much data use stream_fifo.
// s_ready does not depend on m_ready. The words (lengths, packet numbers) are not secrets: rst empties, nothing is wiped.

module link_queue #(
    parameter int unsigned WIDTH = 8,  // bits
    parameter int unsigned DEPTH = 2   // words, a power of two, 2 or more
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             s_valid,
    output logic             s_ready,
    input  logic [WIDTH-1:0] s_data,
    output logic             m_valid,
    input  logic             m_ready,
    output logic [WIDTH-1:0] m_data,
    output logic             empty
);
  localparam int unsigned ADDR_BITS = $clog2(DEPTH);

  if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad_depth
    $fatal(1, "link_queue: DEPTH = %0d, must be a power of two, 2 or more", DEPTH);
  end

  logic [WIDTH-1:0] words[DEPTH];
  logic [ADDR_BITS:0] put_q, taken_q;  // so far
  logic put;

  assign s_ready = put_q - taken_q != (ADDR_BITS + 1)'(DEPTH);
  assign m_valid = put_q != taken_q;
  assign m_data = words[taken_q[ADDR_BITS-1:0]];
  assign empty = !m_valid;
  assign put = s_valid && s_ready;

  always_ff @(posedge clk) if (put) words[put_q[ADDR_BITS-1:0]] <= s_data;

  always_ff @(posedge clk) begin
    put_q   <= put_q + (ADDR_BITS + 1)'(put);
    taken_q <= taken_q + (ADDR_BITS + 1)'(m_valid && m_ready);
    if (rst) begin
      put_q   <= '0;
      taken_q <= '0;
    end
  end
endmodule
