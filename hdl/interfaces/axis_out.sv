// SPDX-License-Identifier: Apache-2.0
//
// Strings of narrow beats to AXI4-Stream of any width. Byte order: byte i of the packet in bits [8i+7:8i] of its beat.
// An empty string is one beat with tkeep 0. Bytes beyond tkeep are zero. Cycles: one a narrow beat, sustained.
// clear drops and wipes what is held: tvalid falls without a transfer only then.
module axis_out #(
    parameter  int unsigned AXIS_BITS  = 64,                        // DATA_BITS times a power of two
    parameter  int unsigned DATA_BITS  = 64,                        // a power of two, 16 or more
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic                   s_valid,
    output logic                   s_ready,
    input  logic [  DATA_BITS-1:0] s_data,
    input  logic [ BYTES_BITS-1:0] s_bytes,
    input  logic                   s_last,
    output logic [  AXIS_BITS-1:0] m_axis_tdata,
    output logic [AXIS_BITS/8-1:0] m_axis_tkeep,
    output logic                   m_axis_tvalid,
    input  logic                   m_axis_tready,
    output logic                   m_axis_tlast
);

  localparam int unsigned WIDE_BITS = $clog2(AXIS_BITS / 8 + 1);

  logic [AXIS_BITS-1:0] data;
  logic [WIDE_BITS-1:0] bytes, start;  // start: bytes gathered so far
  logic valid, last, complete;

  assign s_ready  = !clear && (!valid || m_axis_tready);
  assign complete = s_last || start == WIDE_BITS'((AXIS_BITS - DATA_BITS) / 8);

  always_ff @(posedge clk) begin
    if (m_axis_tready) valid <= 1'b0;
    if (s_valid && s_ready) begin
      if (start == '0) data <= '0;
      for (int unsigned i = 0; i < AXIS_BITS / DATA_BITS; i++)
      if (start == WIDE_BITS'(i * (DATA_BITS / 8))) data[i*DATA_BITS+:DATA_BITS] <= s_data;
      bytes <= start + WIDE_BITS'(s_bytes);
      start <= complete ? '0 : start + WIDE_BITS'(DATA_BITS / 8);
      last  <= s_last;
      valid <= complete;
    end
    if (clear) begin
      data  <= '0;
      start <= '0;
      valid <= 1'b0;
    end
  end

  logic unused_ready;

  stream_to_axis #(
      .DATA_BITS(AXIS_BITS)
  ) u_keep (
      .s_valid(valid),
      .s_ready(unused_ready),
      .s_data (data),
      .s_bytes(bytes),
      .s_last (last),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast
  );

endmodule
