// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module lwc_reader
  import lwc_pkg::*;
#(
    parameter  int unsigned W          = 32,
    parameter  int unsigned DATA_BITS  = 64,
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                     clk,
    input  logic                     clear,
    input  logic    [         W-1:0] s_data,
    input  logic                     s_valid,
    output logic                     s_ready,
    output logic                     inst_valid,
    input  logic                     inst_take,
    output logic    [           3:0] inst,
    output logic                     inst_clean,
    input  logic                     run,
    input  logic                     drop,
    input  logic                     open,
    input  string_e                  first,
    input  string_e                  final_one,
    output logic                     m_valid,
    input  logic                     m_ready,
    output logic    [ DATA_BITS-1:0] m_data,
    output logic    [BYTES_BITS-1:0] m_bytes,
    output logic                     m_last,
    output string_e                  m_what,
    output logic                     m_bad
);
endmodule
