// SPDX-License-Identifier: Apache-2.0
//
// The processor's bus, AXI4-Lite, one access at a time, to three places by the high bits of the address:
//   0xxx_xxxx  RAM
//   1000_0xxx  the link's registers, over a second AXI4-Lite; its answer is passed on
//   2000_0xxx  the board's own registers (board_registers)
// Anything else reads as 0, does nothing and raises `fault`: the processor takes no error of its bus.
// Cycles: 3 an access; more for the link, as many as it takes. What is written to a register is there with the answer's edge.
// Security: writes to the link are marked privileged and secure (AWPROT 001), as PROTECTED_WRITES of the link wants them.

module board_bus #(
    parameter int unsigned RAM_BYTES = 16384  // a power of two
) (
    input  logic                           clk,
    input  logic                           rst,
    // from the processor
    input  logic [                   31:0] s_awaddr,
    input  logic                           s_awvalid,
    output logic                           s_awready,
    input  logic [                   31:0] s_wdata,
    input  logic [                    3:0] s_wstrb,
    input  logic                           s_wvalid,
    output logic                           s_wready,
    output logic                           s_bvalid,
    input  logic                           s_bready,
    input  logic [                   31:0] s_araddr,
    input  logic                           s_arvalid,
    output logic                           s_arready,
    output logic [                   31:0] s_rdata,
    output logic                           s_rvalid,
    input  logic                           s_rready,
    // RAM; what is read is there one edge later
    output logic                           ram_en,
    output logic [                    3:0] ram_write,
    output logic [$clog2(RAM_BYTES/4)-1:0] ram_addr,
    input  logic [                   31:0] ram_r_data,
    // registers; what is read is there at once
    output logic                           reg_read,
    output logic                           reg_write,   // of whole words only
    output logic [                    9:0] reg_index,   // of the word
    input  logic [                   31:0] reg_r_data,
    output logic [                   31:0] w_data,      // for RAM and registers
    output logic                           fault,       // pulse: an access to nowhere, or one that the link refused
    // to the link
    output logic [                   11:0] m_awaddr,
    output logic [                    2:0] m_awprot,
    output logic                           m_awvalid,
    input  logic                           m_awready,
    output logic [                   31:0] m_wdata,
    output logic [                    3:0] m_wstrb,
    output logic                           m_wvalid,
    input  logic                           m_wready,
    input  logic [                    1:0] m_bresp,
    input  logic                           m_bvalid,
    output logic                           m_bready,
    output logic [                   11:0] m_araddr,
    output logic [                    2:0] m_arprot,
    output logic                           m_arvalid,
    input  logic                           m_arready,
    input  logic [                   31:0] m_rdata,
    input  logic [                    1:0] m_rresp,
    input  logic                           m_rvalid,
    output logic                           m_rready
);
  localparam int unsigned RAM_ADDR_BITS = $clog2(RAM_BYTES);

  typedef enum logic [1:0] {
    S_IDLE,
    S_ACCESS,
    S_LINK,    // until the link has answered
    S_ANSWER
  } state_e;

  state_e state_q;
  logic write_q, addr_done_q, data_done_q;
  logic from_ram_q;  // the answer comes from the RAM
  logic [31:0] addr_q, data_q, answer_q;
  logic [3:0] strobe_q;
  logic to_ram, to_link, to_registers, accept_write;

  assign to_ram = addr_q[31:RAM_ADDR_BITS] == '0;
  assign to_link = addr_q[31:12] == 20'h1_0000;
  assign to_registers = addr_q[31:12] == 20'h2_0000;

  assign accept_write = s_awvalid && s_wvalid;
  assign s_arready = state_q == S_IDLE && !rst;
  assign s_awready = state_q == S_IDLE && !rst && accept_write && !s_arvalid;
  assign s_wready = s_awready;
  assign s_bvalid = state_q == S_ANSWER && write_q;
  assign s_rvalid = state_q == S_ANSWER && !write_q;
  assign s_rdata = from_ram_q ? ram_r_data : answer_q;

  assign w_data = data_q;
  assign ram_en = state_q == S_ACCESS && to_ram;
  assign ram_write = write_q ? strobe_q : '0;
  assign ram_addr = addr_q[RAM_ADDR_BITS-1:2];
  assign reg_read = state_q == S_ACCESS && to_registers && !write_q;
  assign reg_index = addr_q[11:2];

  assign m_awaddr = addr_q[11:0];
  assign m_awprot = 3'b001;
  assign m_awvalid = state_q == S_LINK && write_q && !addr_done_q;
  assign m_wdata = data_q;
  assign m_wstrb = strobe_q;
  assign m_wvalid = state_q == S_LINK && write_q && !data_done_q;
  assign m_bready = state_q == S_LINK && write_q;
  assign m_araddr = addr_q[11:0];
  assign m_arprot = 3'b001;
  assign m_arvalid = state_q == S_LINK && !write_q && !addr_done_q;
  assign m_rready = state_q == S_LINK && !write_q;

  always_ff @(posedge clk) begin
    fault     <= 1'b0;
    reg_write <= state_q == S_ACCESS && to_registers && write_q && (&strobe_q) && !rst;
    unique case (state_q)
      S_IDLE: begin
        write_q <= !s_arvalid;
        addr_q <= s_arvalid ? s_araddr : s_awaddr;
        data_q <= s_wdata;
        strobe_q <= s_wstrb;
        addr_done_q <= 1'b0;
        data_done_q <= 1'b0;
        if (s_arvalid || accept_write) state_q <= S_ACCESS;
      end
      S_ACCESS: begin
        from_ram_q <= to_ram;
        answer_q   <= to_registers ? reg_r_data : '0;
        state_q    <= to_link ? S_LINK : S_ANSWER;
        fault      <= !(to_ram || to_link || to_registers);
      end
      S_LINK: begin
        if (m_awready && m_awvalid || m_arready && m_arvalid) addr_done_q <= 1'b1;
        if (m_wready && m_wvalid) data_done_q <= 1'b1;
        if (write_q ? m_bvalid : m_rvalid) begin
          answer_q <= m_rdata;
          fault    <= write_q ? m_bresp != '0 : m_rresp != '0;
          state_q  <= S_ANSWER;
        end
      end
      S_ANSWER: if (write_q ? s_bready : s_rready) state_q <= S_IDLE;
      default:  state_q <= S_IDLE;
    endcase
    if (rst) begin
      state_q <= S_IDLE;
      fault   <= 1'b0;
    end
  end
endmodule
