// SPDX-License-Identifier: Apache-2.0
// The block that a collector fills, beat by beat, and which of its bytes are of the string.
// Byte order: byte i in bits [8i+7:8i].
// Cycles: a beat stands after the edge that writes it.
// Security: `wipe` and `clear` zeroise.
module aead_block #(
    parameter int unsigned DATA_BITS = 64,  // beat
    parameter int unsigned CHUNK_BITS = 128,
    localparam int unsigned BEATS = CHUNK_BITS / DATA_BITS,
    localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1
) (
    input logic clk,
    input logic clear,
    input logic wipe,

    input logic                   write,
    input logic [  SLOT_BITS-1:0] write_slot,
    input logic [  DATA_BITS-1:0] write_data,
    input logic [DATA_BITS/8-1:0] write_mask,

    output logic [  CHUNK_BITS-1:0] in_block,
    output logic [CHUNK_BITS/8-1:0] in_mask    // bytes of the string, not of its padding
);

  logic [BEATS-1:0][  DATA_BITS-1:0] block_q;
  logic [BEATS-1:0][DATA_BITS/8-1:0] mask_q;

  assign in_block = block_q;
  assign in_mask  = mask_q;

  always_ff @(posedge clk) begin
    if (wipe || clear) begin
      block_q <= '0;
      mask_q  <= '0;
    end
    for (int unsigned i = 0; i < BEATS; i++) begin
      if (write && write_slot == SLOT_BITS'(i) && !clear) begin
        block_q[i] <= write_data;
        mask_q[i]  <= write_mask;
      end
    end
  end

endmodule
