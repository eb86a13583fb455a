// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream to the house's packet stream: tkeep (contiguous from byte 0) becomes a byte count.
// Byte i of the packet is in bits [8i+7:8i] of its beat on both sides. Combinational.
// The count is the run of ones from byte 0; bytes beyond it are zero on m_data, whatever
// the source drives there. A beat with tkeep 0 passes as bytes = 0: the receiver's business.
module axis_to_stream #(
    parameter  int unsigned DATA_BITS  = 64,                        // a multiple of 8
    localparam int unsigned KEEP_BITS  = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic [ DATA_BITS-1:0] s_axis_tdata,
    input  logic [ KEEP_BITS-1:0] s_axis_tkeep,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic                  s_axis_tlast,
    output logic                  m_valid,
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last
);

  assign m_valid = s_axis_tvalid;
  assign s_axis_tready = m_ready;
  assign m_last = s_axis_tlast;

  logic [KEEP_BITS-1:0] run;  // tkeep up to its first zero: adding one flips exactly that run
  assign run = s_axis_tkeep & ~(s_axis_tkeep + 1'b1);

  always_comb begin
    m_bytes = '0;
    for (int unsigned i = 0; i < KEEP_BITS; i++) begin
      if (run[i]) m_bytes = BYTES_BITS'(i + 1);
      m_data[8*i+:8] = run[i] ? s_axis_tdata[8*i+:8] : 8'h00;
    end
  end

endmodule
