// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of aead_lwc, small enough for a SAT solver: words and beats of 8 bits, tag of 8, stores of 4 beats.
// Property: no byte of the marked packet (marked_core.sv), which the core does not accept, shows as data on do.
module aead_lwc_proof #(
    parameter int unsigned CONTEXTS = 1
) (
    input logic       clk,
    input logic       rst,
    input logic [7:0] pdi_data,
    input logic       pdi_valid,
    input logic [7:0] sdi_data,
    input logic       sdi_valid,
    input logic       do_ready,
    input logic [1:0] marked
);

  aead_if #(
      .DATA_BITS (8),
      .KEY_BITS  (16),
      .NONCE_BITS(16),
      .TAG_BITS  (8),
      .CONTEXTS  (CONTEXTS)
  ) core ();

  marked_core u_core (.*);

  logic [7:0] do_data;
  logic pdi_ready, sdi_ready, do_last, do_valid;
  aead_lwc #(
      .W           (8),
      .SW          (8),
      .TAG_BITS    (8),
      .STORE_BYTES (4),
      .PACKET_BYTES(CONTEXTS == 1 ? 4 : 2),
      .DESCRIPTORS (2)
  ) dut (
      .*
  );

  logic started;
  initial started = 1'b0;
  always_ff @(posedge clk) begin
    if (!started) assume (rst);
    started <= 1'b1;
    if (started && !rst) begin
      nothing_unverified_shows : assert (!(do_valid && dut.u_do.state == 2'd2 && do_data[7]));
    end
  end

endmodule
