// SPDX-License-Identifier: Apache-2.0
//
// lwc_writer with flat ports, which cocotb needs.
module flat_writer #(
    parameter  int unsigned W        = 128,
    parameter  int unsigned TAG_BITS = 128,
    localparam int unsigned COUNT    = $clog2(W / 8 + 1)
) (
    input  logic             clk,
    input  logic             clear,
    input  logic             done_valid,
    output logic             done_ready,
    input  logic             done_open,
    input  logic             done_ok,
    input  logic [     31:0] done_length,
    input  logic             s_valid,
    output logic             s_ready,
    input  logic [    W-1:0] s_data,
    input  logic [COUNT-1:0] s_bytes,
    input  logic             s_last,
    output logic [    W-1:0] do_data,
    output logic             do_last,
    output logic             do_valid,
    input  logic             do_ready
);

  string_if #(.DATA_BITS(W)) s ();

  assign s.valid = s_valid;
  assign s_ready = s.ready;
  assign s.data  = s_data;
  assign s.bytes = s_bytes;
  assign s.last  = s_last;
  assign s.code  = aead_adapter_pkg::OK;

  lwc_writer #(
      .W(W),
      .TAG_BITS(TAG_BITS)
  ) dut (
      .*
  );

endmodule
