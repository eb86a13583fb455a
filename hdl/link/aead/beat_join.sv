// SPDX-License-Identifier: Apache-2.0
//
// Beats of 64 bits to beats of 128, two to one; the last of a string may be less (docs/core-ports.md, rule 2).
// Nothing is taken before the other side is ready, which it stays until it takes a beat (rule 3).
// Byte order: byte i of a string is bits [8i+7:8i]. Cycles: a beat of 128 bits every three.
// Security: `clear` wipes what is held, which is zero beyond the bytes.

module beat_join (
    input  logic         clk,
    input  logic         clear,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [ 63:0] s_data,
    input  logic [  3:0] s_bytes,
    input  logic         s_last,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [127:0] m_data,
    output logic [  4:0] m_bytes,
    output logic         m_last
);
  logic half;  // the lower half is there
  assign s_ready = m_ready && !m_valid;

  always_ff @(posedge clk) begin
    if (s_valid && s_ready) begin
      half <= 1'b1;
      m_valid <= half || s_last;
      m_last <= s_last;
      m_bytes <= m_bytes + 5'(s_bytes);
      if (half) m_data[127:64] <= s_data;
      else m_data[63:0] <= s_data;
    end
    if (clear || (m_valid && m_ready)) begin
      half    <= 1'b0;
      m_valid <= 1'b0;
      m_data  <= '0;
      m_bytes <= '0;
      m_last  <= 1'b0;
    end
  end
endmodule
