// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module aead_split #(
    parameter  int unsigned DATA_BITS  = 64,
    parameter  int unsigned TAG_BITS   = 256,
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned TAG_PORT   = TAG_BITS == 0 ? 1 : TAG_BITS
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  start,
    input  logic                  open,
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    output logic                  m_valid,
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last,
    output logic                  tag_valid,
    input  logic                  tag_ready,
    output logic [  TAG_PORT-1:0] tag_data,
    output logic                  is_short
);
endmodule
