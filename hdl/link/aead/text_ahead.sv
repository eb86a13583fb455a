// SPDX-License-Identifier: Apache-2.0
//
// Text on its way into a core that takes commands ahead: as many beats wait here as the first call of a packet has cycles, so that
// the next command goes in while the core takes the text before it. Cycles: two behind an empty queue, one beat a cycle.
// Security: text to seal is secret; `clear` drops and wipes it (DEPTH cycles, busy).

module text_ahead #(
    parameter  type         beat_t    = link_types_pkg::beat_t,
    parameter  int unsigned DEPTH     = 32,                      // beats, a power of two
    localparam int unsigned ADDR_BITS = $clog2(DEPTH)
) (
    input  logic  clk,
    input  logic  clear,
    output logic  busy,     // wiping
    input  beat_t s,
    output logic  s_ready,
    output beat_t m,
    input  logic  m_ready
);
  logic [ADDR_BITS:0] put_q, read_q;  // so far
  logic put, read, valid_q;
  beat_t held;

  assign s_ready = !busy && !clear && put_q - read_q != (ADDR_BITS + 1)'(DEPTH);
  assign put = s.valid && s_ready;
  assign read = put_q != read_q && (!valid_q || m_ready);
  always_comb begin
    m = held;
    m.valid = valid_q;
  end

  always_ff @(posedge clk) begin
    put_q  <= put_q + (ADDR_BITS + 1)'(put);
    read_q <= read_q + (ADDR_BITS + 1)'(read);
    if (m_ready) valid_q <= 1'b0;
    if (read) valid_q <= 1'b1;
    if (clear) begin
      put_q   <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
    end
  end

  wiped_ram #(
      .WIDTH($bits(beat_t)),
      .DEPTH(DEPTH)
  ) u_ram (
      .w_clk   (clk),
      .w_wipe  (clear),
      .w_wiping(busy),
      .w_en    (put),
      .w_addr  (put_q[ADDR_BITS-1:0]),
      .w_data  (s),
      .r_clk   (clk),
      .r_en    (read || busy),
      .r_addr  (read_q[ADDR_BITS-1:0]),
      .r_data  (held)
  );
endmodule
