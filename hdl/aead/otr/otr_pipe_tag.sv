// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: compares the tag that came with the one computed, and shows the latter at the port if told.
// Byte order: byte i of a tag in bits [8i+7:8i].
// Cycles: `equal` one edge after `compare`.
// Security: compares all of it, whatever differs; the port is zero unless shown.
module otr_pipe_tag #(
    parameter int unsigned TAG_BITS = 128  // 32 to 128, whole bytes
) (
    input logic clk,
    input logic clear,

    input  logic [TAG_BITS-1:0] computed,
    input  logic                compare,
    input  logic [TAG_BITS-1:0] tag_in,
    output logic                equal,
    input  logic                show,      // tag <= computed
    input  logic                hide,      // tag <= 0
    output logic [TAG_BITS-1:0] tag
);

  logic [TAG_BITS/8-1:0] differ_q;  // bytes
  assign equal = differ_q == '0;

  always_ff @(posedge clk) begin
    if (compare) begin
      for (int unsigned i = 0; i < TAG_BITS / 8; i++) differ_q[i] <= computed[8*i+:8] != tag_in[8*i+:8];
    end
    if (show) tag <= computed;
    if (hide) tag <= '0;
    if (clear) begin
      differ_q <= '0;
      tag      <= '0;
    end
  end

endmodule
