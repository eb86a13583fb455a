// SPDX-License-Identifier: Apache-2.0
//
// Lets AXI4-Lite writes through to the registers only if their AWPROT says privileged and secure; any other write is answered
// SLVERR and changes nothing. Reads do not pass here: registers of secrets are write-only.
// Cycles: one more for a write; one write at a time.
// Security: who may drive AWPROT so is the interconnect's business; this module trusts it.

module axil_write_guard #(
    parameter int unsigned ADDR_BITS = 12
) (
    input  logic                 clk,
    input  logic                 rst,
    // from the bus
    input  logic [ADDR_BITS-1:0] s_awaddr,
    input  logic [          2:0] s_awprot,
    input  logic                 s_awvalid,
    output logic                 s_awready,
    input  logic [         31:0] s_wdata,
    input  logic [          3:0] s_wstrb,
    input  logic                 s_wvalid,
    output logic                 s_wready,
    output logic [          1:0] s_bresp,
    output logic                 s_bvalid,
    input  logic                 s_bready,
    // to the registers
    output logic [ADDR_BITS-1:0] m_awaddr,
    output logic [          2:0] m_awprot,
    output logic                 m_awvalid,
    input  logic                 m_awready,
    output logic [         31:0] m_wdata,
    output logic [          3:0] m_wstrb,
    output logic                 m_wvalid,
    input  logic                 m_wready,
    input  logic [          1:0] m_bresp,
    input  logic                 m_bvalid,
    output logic                 m_bready
);
  localparam logic [1:0] SLVERR = 2'b10;

  typedef enum logic [1:0] {
    S_IDLE,
    S_PASS,   // the write goes on, until its answer has gone
    S_TAKE,   // a refused write: its data
    S_REFUSE  // its answer
  } state_e;

  state_e state_q;
  logic [ADDR_BITS-1:0] addr_q;
  logic [2:0] prot_q;
  logic addr_done_q, data_done_q;
  logic pass;
  assign pass = state_q == S_PASS;

  assign s_awready = state_q == S_IDLE && !rst;
  assign m_awaddr = addr_q;
  assign m_awprot = prot_q;
  assign m_awvalid = pass && !addr_done_q;
  assign m_wdata = s_wdata;
  assign m_wstrb = s_wstrb;
  assign m_wvalid = pass && !data_done_q && s_wvalid;
  assign s_wready = pass ? !data_done_q && m_wready : state_q == S_TAKE;
  assign s_bvalid = pass ? m_bvalid : state_q == S_REFUSE;
  assign s_bresp = pass ? m_bresp : SLVERR;
  assign m_bready = pass && s_bready;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_IDLE: begin
        addr_q      <= s_awaddr;
        prot_q      <= s_awprot;
        addr_done_q <= 1'b0;
        data_done_q <= 1'b0;
        if (s_awvalid) state_q <= s_awprot[1:0] == 2'b01 ? S_PASS : S_TAKE;
      end
      S_PASS: begin
        if (m_awready) addr_done_q <= 1'b1;
        if (m_wvalid && m_wready) data_done_q <= 1'b1;
        if (m_bvalid && s_bready) state_q <= S_IDLE;
      end
      S_TAKE:   if (s_wvalid) state_q <= S_REFUSE;
      S_REFUSE: if (s_bready) state_q <= S_IDLE;
      default:  state_q <= S_IDLE;
    endcase
    if (rst) state_q <= S_IDLE;
  end
endmodule
