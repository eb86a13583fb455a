// SPDX-License-Identifier: Apache-2.0
//
// FIFO across two unrelated clocks, one word a cycle sustained on both sides: gray-coded
// pointers through two-flop synchronisers, registered read (block RAM), whose register is the
// output. Capacity DEPTH + 1 words; DEPTH >= 16 keeps the full rate at equal clocks.
// A word appears after one edge of s_clk and three or four of m_clk. Either reset, one cycle or
// longer, empties both ends (cdc_reset); after power-up both ends must be reset once. m_valid
// is a register: a word may still be offered, and taken, in the first cycle of a reset, and only
// in a reset may m_valid fall without a transfer. Data are not wiped: no secrets in here.
// With LATE s_ready comes from registers: a word that is read makes room a cycle later, and an end's own reset stops it a cycle
// later (cdc_reset).
module stream_fifo_async #(
    parameter int unsigned WIDTH = 8,  // bits
    parameter int unsigned DEPTH = 16,  // words, a power of two, 4 or more
    parameter bit LATE = 1'b0  // s_ready from registers
) (
    input  logic             s_clk,
    input  logic             s_rst,
    input  logic             s_valid,
    output logic             s_ready,
    input  logic [WIDTH-1:0] s_data,
    input  logic             m_clk,
    input  logic             m_rst,
    output logic             m_valid,
    input  logic             m_ready,
    output logic [WIDTH-1:0] m_data
);

  if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad_depth
    $fatal(1, "stream_fifo_async: DEPTH = %0d, must be a power of two, at least 4", DEPTH);
  end

  localparam int unsigned ADDR_BITS = $clog2(DEPTH);
  typedef logic [ADDR_BITS:0] pointer_t;  // one bit more than an address: full differs from empty

  function automatic pointer_t to_gray(pointer_t binary);
    return binary ^ (binary >> 1);
  endfunction

  logic s_hold, s_zero, m_hold, m_zero;
  cdc_reset #(
      .LATE(LATE)
  ) u_reset (
      .s_clk,
      .s_rst,
      .s_hold,
      .s_zero,
      .m_clk,
      .m_rst,
      .m_hold,
      .m_zero
  );

  (* no_rw_check *) logic [WIDTH-1:0] mem[DEPTH];  // never read and written at one address in one cycle
  pointer_t w_ptr, w_gray, w_gray_m;  // next word to write
  pointer_t r_ptr, r_gray, r_gray_s;  // next word to read
  logic write, read;

  sync_bits #(
      .WIDTH(ADDR_BITS + 1)
  ) u_w_gray (
      .clk(m_clk),
      .d  (w_gray),
      .q  (w_gray_m)
  );
  sync_bits #(
      .WIDTH(ADDR_BITS + 1)
  ) u_r_gray (
      .clk(s_clk),
      .d  (r_gray),
      .q  (r_gray_s)
  );

  // Full: DEPTH words apart, which in gray code is equal but for the two top bits.
  if (LATE) begin : g_full
    logic q, next_fills;
    pointer_t filled;
    assign filled = {~r_gray_s[ADDR_BITS-:2], r_gray_s[ADDR_BITS-2:0]};
    assign next_fills = to_gray(w_ptr + 1'b1) == filled;
    always_ff @(posedge s_clk) q <= !s_zero && (write ? next_fills : w_gray == filled);
  end else begin : g_full
    localparam logic q = 1'b0;  // verilog_lint: waive parameter-name-style (it stands for a signal)
  end
  assign s_ready = !s_hold && (LATE ? !g_full.q : w_gray != {~r_gray_s[ADDR_BITS-:2], r_gray_s[ADDR_BITS-2:0]});
  assign write   = s_valid && s_ready;

  always_ff @(posedge s_clk) if (write) mem[w_ptr[ADDR_BITS-1:0]] <= s_data;

  always_ff @(posedge s_clk) begin
    if (write) begin
      w_ptr  <= w_ptr + 1'b1;
      w_gray <= to_gray(w_ptr + 1'b1);
    end
    if (s_zero) begin
      w_ptr  <= '0;
      w_gray <= '0;
    end
  end

  logic m_held;  // m_hold a cycle ago: what waits for it waits for a register, not for the reader's reset
  assign read = !m_held && r_gray != w_gray_m && (!m_valid || m_ready);

  always_ff @(posedge m_clk) if (read) m_data <= mem[r_ptr[ADDR_BITS-1:0]];

  always_ff @(posedge m_clk) begin
    m_held <= m_hold;
    if (m_ready) m_valid <= 1'b0;
    if (read) begin
      m_valid <= 1'b1;
      r_ptr   <= r_ptr + 1'b1;
      r_gray  <= to_gray(r_ptr + 1'b1);
    end
    if (m_hold) m_valid <= 1'b0;
    if (m_zero) begin
      r_ptr  <= '0;
      r_gray <= '0;
    end
  end

endmodule
