// SPDX-License-Identifier: Apache-2.0
//
// The toggle handshake of a crossing for rare wide words, without a reset of its own: the crossing around it has one
// cdc_reset for all its parts, so that they restart in one step. The word waits in a register of s_clk that does not move
// until the other side has copied it. The last word stays in both registers.
module cdc_word #(
    parameter int unsigned WIDTH = 32  // bits
) (
    input  logic             s_clk,
    input  logic             s_hold,   // of cdc_reset, as the next three holds and zeros
    input  logic             s_zero,
    input  logic             s_valid,
    output logic             s_ready,
    input  logic [WIDTH-1:0] s_data,
    input  logic             m_clk,
    input  logic             m_hold,
    input  logic             m_zero,
    output logic             m_valid,
    input  logic             m_ready,
    output logic [WIDTH-1:0] m_data
);

  logic [WIDTH-1:0] word;  // quasi-static while the toggles differ
  logic sent, sent_m;  // toggles with each word sent
  logic copied, copied_s;  // follows it when the word was copied
  sync_bits u_sent (
      .clk(m_clk),
      .d  (sent),
      .q  (sent_m)
  );
  sync_bits u_copied (
      .clk(s_clk),
      .d  (copied),
      .q  (copied_s)
  );

  assign s_ready = !s_hold && sent == copied_s;

  always_ff @(posedge s_clk) begin
    if (s_valid && s_ready) begin
      word <= s_data;
      sent <= !sent;
    end
    if (s_zero) sent <= 1'b0;
  end

  logic loaded, copy;
  assign m_valid = loaded && !m_hold;
  assign copy = !m_hold && sent_m != copied && (!loaded || m_ready);

  always_ff @(posedge m_clk) begin
    if (m_ready) loaded <= 1'b0;
    if (copy) begin
      m_data <= word;
      loaded <= 1'b1;
      copied <= sent_m;
    end
    if (m_hold) loaded <= 1'b0;
    if (m_zero) copied <= 1'b0;
  end

endmodule
