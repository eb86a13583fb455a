// SPDX-License-Identifier: Apache-2.0
//
// FIFO in one clock domain, any WIDTH and DEPTH, one word a cycle sustained.
// Maps to block RAM: the read is registered and its register is the output, so the FIFO
// holds DEPTH + 1 words and a word appears two edges after the one that took it.
// All of s_ready, m_valid and m_data come from flip-flops or the memory's register;
// s_ready does not depend on m_ready. rst empties it; the data are not wiped (no secrets
// here without an own wipe: see packet_fifo_async and release_fifo).
module stream_fifo #(
    parameter int unsigned WIDTH = 8,  // bits
    parameter int unsigned DEPTH = 16  // words, 2 or more, need not be a power of two
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             s_valid,
    output logic             s_ready,
    input  logic [WIDTH-1:0] s_data,
    output logic             m_valid,
    input  logic             m_ready,
    output logic [WIDTH-1:0] m_data
);

  if (DEPTH < 2) begin : g_bad_depth
    $fatal(1, "stream_fifo: DEPTH = %0d, must be at least 2", DEPTH);
  end

  localparam int unsigned ADDR_BITS = $clog2(DEPTH);
  localparam int unsigned COUNT_BITS = $clog2(DEPTH + 1);
  localparam logic [ADDR_BITS-1:0] LAST_ADDR = ADDR_BITS'(DEPTH - 1);

  (* no_rw_check *) logic [WIDTH-1:0] mem[DEPTH];  // never read and written at one address in one cycle
  logic [ADDR_BITS-1:0] w_addr, r_addr;
  logic [COUNT_BITS-1:0] count;  // words in the memory, without the output register
  logic full, write, read;

  assign s_ready = !full;
  assign write = s_valid && s_ready;
  assign read = count != '0 && (!m_valid || m_ready);

  always_ff @(posedge clk) if (write) mem[w_addr] <= s_data;
  always_ff @(posedge clk) if (read) m_data <= mem[r_addr];

  always_ff @(posedge clk) begin
    if (write) w_addr <= (w_addr == LAST_ADDR) ? '0 : w_addr + 1'b1;
    if (read) r_addr <= (r_addr == LAST_ADDR) ? '0 : r_addr + 1'b1;
    if (write && !read) begin
      count <= count + 1'b1;
      full  <= count == COUNT_BITS'(DEPTH - 1);
    end
    if (read && !write) begin
      count <= count - 1'b1;
      full  <= 1'b0;
    end
    if (m_ready) m_valid <= 1'b0;
    if (read) m_valid <= 1'b1;
    if (rst) begin
      w_addr  <= '0;
      r_addr  <= '0;
      count   <= '0;
      full    <= 1'b1;  // promises nothing during reset
      m_valid <= 1'b0;
    end else if (full && count == '0) full <= 1'b0;
  end

endmodule
