// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module aead_word
  import aead_adapter_pkg::*;
#(
    parameter int unsigned BYTES = 40
) (
    input logic clk,
    input logic clear,
    string_if.sink s,
    output logic valid,
    input logic take,
    output logic ok,
    output logic head_ok,
    output logic [8*BYTES-1:0] data
);
endmodule
