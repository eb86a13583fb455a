// SPDX-License-Identifier: Apache-2.0
//
// aead_repack with flat ports, which cocotb needs.
module flat_repack #(
    parameter  int unsigned S_BITS  = 64,
    parameter  int unsigned M_BITS  = 64,
    localparam int unsigned S_COUNT = $clog2(S_BITS / 8 + 1),
    localparam int unsigned M_COUNT = $clog2(M_BITS / 8 + 1)
) (
    input  logic               clk,
    input  logic               clear,
    input  logic               s_valid,
    output logic               s_ready,
    input  logic [ S_BITS-1:0] s_data,
    input  logic [S_COUNT-1:0] s_bytes,
    input  logic               s_last,
    output logic               m_valid,
    input  logic               m_ready,
    output logic [ M_BITS-1:0] m_data,
    output logic [M_COUNT-1:0] m_bytes,
    output logic               m_last
);

  string_if #(.DATA_BITS(S_BITS)) s ();
  string_if #(.DATA_BITS(M_BITS)) m ();
  logic unused;

  assign s.valid = s_valid;
  assign s_ready = s.ready;
  assign s.data  = s_data;
  assign s.bytes = s_bytes;
  assign s.last  = s_last;
  assign s.code  = aead_adapter_pkg::OK;
  assign m_valid = m.valid;
  assign m.ready = m_ready;
  assign m_data  = m.data;
  assign m_bytes = m.bytes;
  assign m_last  = m.last;
  assign unused  = &{1'b0, m.code};

  aead_repack dut (.*);

endmodule
