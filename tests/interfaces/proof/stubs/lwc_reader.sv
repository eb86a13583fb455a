// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module lwc_reader
  import aead_adapter_pkg::*;
  import lwc_pkg::*;
#(
    parameter int unsigned W = 32
) (
    input logic clk,
    input logic clear,
    input logic [W-1:0] s_data,
    input logic s_valid,
    output logic s_ready,
    output inst_t inst,
    input logic inst_take,
    input segments_t follow,
    string_if.source m,
    output string_e m_what
);
endmodule
