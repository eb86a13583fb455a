// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module axis_in #(
    parameter  int unsigned AXIS_BITS  = 64,
    parameter  int unsigned DATA_BITS  = 64,
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic [  AXIS_BITS-1:0] s_axis_tdata,
    input  logic [AXIS_BITS/8-1:0] s_axis_tkeep,
    input  logic                   s_axis_tvalid,
    output logic                   s_axis_tready,
    input  logic                   s_axis_tlast,
    output logic                   m_valid,
    input  logic                   m_ready,
    output logic [  DATA_BITS-1:0] m_data,
    output logic [ BYTES_BITS-1:0] m_bytes,
    output logic                   m_last,
    output logic                   m_err
);
endmodule
