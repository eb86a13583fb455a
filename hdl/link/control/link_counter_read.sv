// SPDX-License-Identifier: Apache-2.0
//
// Reads 64-bit counters over a 32-bit bus without tearing: reading a low word keeps the high word of that moment, and the next
// read of a high word, of whatever counter, gives it. Writes are ignored.
// Bus: a request is one cycle (peakrdl-regblock's external ports), a read is acknowledged two cycles later.

module link_counter_read #(
    parameter  int unsigned COUNTERS   = 25,
    localparam int unsigned INDEX_BITS = $clog2(COUNTERS)
) (
    input  logic                        clk,
    input  logic                        rst,
    input  logic                        req,
    input  logic                        req_is_wr,
    input  logic [INDEX_BITS-1:0]       index,      // of the counter
    input  logic                        high,       // its high word
    output logic                        wr_ack,
    output logic                        rd_ack,
    output logic [          31:0]       rd_data,
    input  logic [  COUNTERS-1:0][63:0] counts
);
  logic reading_q, high_q;
  logic [INDEX_BITS-1:0] index_q;
  logic [31:0] kept_q;
  logic [63:0] count;

  assign count = counts[index_q];

  always_ff @(posedge clk) begin
    wr_ack    <= req && req_is_wr && !rst;
    reading_q <= req && !req_is_wr && !rst;
    high_q    <= high;
    index_q   <= index;
    rd_ack    <= reading_q && !rst;
    if (reading_q) begin
      rd_data <= high_q ? kept_q : count[31:0];
      if (!high_q) kept_q <= count[63:32];
    end else begin
      rd_data <= '0;
    end
  end
endmodule
