// SPDX-License-Identifier: Apache-2.0
//
// aead_queue with flat ports, which cocotb needs.
module flat_queue #(
    parameter  int unsigned CONTEXTS = 1,
    parameter  int unsigned BYTES    = 64,
    localparam int unsigned CTX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    output logic                busy,
    input  logic                s_valid,
    output logic                s_ready,
    input  logic [CTX_BITS-1:0] s_ctx,
    input  logic [        63:0] s_data,
    input  logic [         3:0] s_bytes,
    input  logic                s_last,
    output logic                m_valid,
    input  logic [CONTEXTS-1:0] m_ready,
    output logic [CTX_BITS-1:0] m_ctx,
    output logic [        63:0] m_data,
    output logic [         3:0] m_bytes,
    output logic                m_last
);

  typedef struct packed {
    logic                valid;
    logic [CTX_BITS-1:0] ctx;
    logic [63:0]         data;
    logic [3:0]          bytes;
    logic                last;
  } beat_t;  // as aead_if has it
  beat_t s, m;

  assign s = '{valid: s_valid, ctx: s_ctx, data: s_data, bytes: s_bytes, last: s_last};
  assign {m_valid, m_ctx, m_data, m_bytes, m_last} = m;

  aead_queue #(
      .beat_t  (beat_t),
      .CONTEXTS(CONTEXTS),
      .BYTES   (BYTES)
  ) dut (
      .*
  );

endmodule
