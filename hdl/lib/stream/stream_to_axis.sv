// SPDX-License-Identifier: Apache-2.0
//
// The house's packet stream to AXI4-Stream: the byte count becomes a contiguous tkeep.
// Byte i of the packet is in bits [8i+7:8i] of its beat on both sides. Combinational.
// Bytes beyond the count are zero on tdata, so nothing of an earlier packet shows there.
module stream_to_axis #(
    parameter  int unsigned DATA_BITS  = 64,                        // a multiple of 8
    localparam int unsigned KEEP_BITS  = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    output logic [ DATA_BITS-1:0] m_axis_tdata,
    output logic [ KEEP_BITS-1:0] m_axis_tkeep,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic                  m_axis_tlast
);

  assign m_axis_tvalid = s_valid;
  assign s_ready = m_axis_tready;
  assign m_axis_tlast = s_last;

  always_comb begin
    for (int unsigned i = 0; i < KEEP_BITS; i++) begin
      m_axis_tkeep[i] = s_bytes > BYTES_BITS'(i);
      m_axis_tdata[8*i+:8] = m_axis_tkeep[i] ? s_data[8*i+:8] : 8'h00;
    end
  end

endmodule
