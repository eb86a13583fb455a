// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of aead_axis, small enough for a SAT solver: beats of 32 bits, tag of 8, stores of 4 beats.
// Property: no byte of the marked packet (marked_core.sv), which the core does not accept, shows on m_axis.
module aead_axis_proof #(
    parameter int unsigned CONTEXTS = 1
) (
    input logic       clk,
    input logic       rst,
    input logic       clear,
    input logic       m_axis_tready,
    input logic       m_axis_status_tready,
    input logic [1:0] marked
);

  // Behind the stubs nothing looks at the inputs
  axis_if #(.DATA_BITS(64)) s_axis_cmd (), s_axis_key (), s_axis_ad (), s_axis_msg (), m_axis (), m_axis_status ();
  assign m_axis.tready = m_axis_tready;
  assign m_axis_status.tready = m_axis_status_tready;

  aead_if #(
      .DATA_BITS (32),
      .KEY_BITS  (16),
      .NONCE_BITS(16),
      .TAG_BITS  (8),
      .CONTEXTS  (CONTEXTS)
  ) core ();

  marked_core u_core (
      .*,
      .rst(rst || clear)
  );

  logic busy;
  aead_axis #(
      .TAG_BITS    (8),
      .STORE_BYTES (16),
      .PACKET_BYTES(CONTEXTS == 1 ? 16 : 8),
      .DESCRIPTORS (2)
  ) dut (
      .*
  );

  logic marked_byte;
  always_comb begin
    marked_byte = 1'b0;
    for (int unsigned i = 0; i < 8; i++) if (m_axis.tdata[8*i+7]) marked_byte = 1'b1;
  end

  logic started;
  initial started = 1'b0;
  always_ff @(posedge clk) begin
    if (!started) assume (rst);
    started <= 1'b1;
    if (started && !rst && !clear) begin
      nothing_unverified_shows : assert (!(m_axis.tvalid && marked_byte));
    end
  end

endmodule
