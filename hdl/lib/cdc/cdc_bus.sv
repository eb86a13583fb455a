// SPDX-License-Identifier: Apache-2.0
//
// Carries rare wide words from one clock to another by a toggle handshake; nothing is lost and
// every word arrives whole. The word waits in a register of s_clk that does not move until the
// other side has copied it. One word every 3 to 4 cycles of each clock (both together).
// s_ready does not depend on m_ready in the same transfer: one word waits at either end.
// Either reset drops the words under way (cdc_reset); after power-up reset both ends once.
// Security: the last word stays in both registers; wipe = send a zero word after it.
module cdc_bus #(
    parameter int unsigned WIDTH = 32  // bits
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

  logic s_hold, s_zero, m_hold, m_zero;
  cdc_reset u_reset (
      .s_clk,
      .s_rst,
      .s_hold,
      .s_zero,
      .m_clk,
      .m_rst,
      .m_hold,
      .m_zero
  );

  cdc_word #(
      .WIDTH(WIDTH)
  ) u_word (
      .s_clk,
      .s_hold,
      .s_zero,
      .s_valid,
      .s_ready,
      .s_data,
      .m_clk,
      .m_hold,
      .m_zero,
      .m_valid,
      .m_ready,
      .m_data
  );

endmodule
