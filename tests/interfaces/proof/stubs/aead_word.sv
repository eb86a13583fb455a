// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: the module cut down to its ports. Nothing drives the outputs, so the solver may put
// anything there in every cycle, more than the real module can ever give.
module aead_word #(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned BYTES = 40,
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    input  logic                  s_err,
    output logic                  valid,
    input  logic                  take,
    output logic                  ok,
    output logic                  head_ok,
    output logic [   8*BYTES-1:0] data
);
endmodule
