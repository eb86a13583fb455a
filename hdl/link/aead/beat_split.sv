// SPDX-License-Identifier: Apache-2.0
//
// Beats of 128 bits to beats of 64, one to two, or to one where the last of a string has no more (docs/core-ports.md, rule 2).
// Byte order: byte i of a string is bits [8i+7:8i]. Cycles: none; nothing is kept, so that nothing is to be wiped.

module beat_split (
    input  logic         clk,
    input  logic         clear,
    input  logic         s_valid,
    output logic         s_ready,
    input  logic [127:0] s_data,
    input  logic [  4:0] s_bytes,
    input  logic         s_last,
    output logic         m_valid,
    input  logic         m_ready,
    output logic [ 63:0] m_data,
    output logic [  3:0] m_bytes,
    output logic         m_last
);
  logic upper_q, lone;
  assign lone = s_bytes <= 5'd8;
  assign m_valid = s_valid;
  assign s_ready = m_ready && (upper_q || lone);
  assign m_data = upper_q ? s_data[127:64] : s_data[63:0];
  assign m_bytes = upper_q ? 4'(s_bytes - 5'd8) : lone ? s_bytes[3:0] : 4'd8;
  assign m_last = s_last && (upper_q || lone);

  always_ff @(posedge clk) begin
    if (m_valid && m_ready) upper_q <= !upper_q && !lone;
    if (clear) upper_q <= 1'b0;
  end
endmodule
