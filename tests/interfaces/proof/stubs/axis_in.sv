// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module axis_in
  import aead_adapter_pkg::*;
(
    input logic clk,
    input logic clear,
    axis_if.sink s_axis,
    string_if.source m
);
endmodule
