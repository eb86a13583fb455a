// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module aead_split
  import aead_adapter_pkg::*;
#(
    parameter  int unsigned TAG_BITS = 256,
    localparam int unsigned TAG_PORT = TAG_BITS == 0 ? 1 : TAG_BITS
) (
    input logic clk,
    input logic clear,
    input logic start,
    input logic open,
    string_if.sink s,
    string_if.source m,
    output logic tag_valid,
    input logic tag_ready,
    output logic [TAG_PORT-1:0] tag_data
);
endmodule
