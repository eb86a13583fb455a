// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite over a serial line, for a board without a processor: a host drives the link's registers itself (sealwire_control.py).
//   write  57 AH AL D3 D2 D1 D0 C    answer 77 RR C
//   read   52 AH AL C                answer 72 RR D3 D2 D1 D0 C
// A is the byte address (12 bits), D the word, highest byte first, RR the response (00 is right, 02 SLVERR); C is the CRC-8 (polynomial
// x^8 + x^2 + x + 1, beginning at ff) of the bytes before it. Anything else does nothing and has no answer: a wrong C, an address
// above 0fff or no multiple of 4, another first byte, a pause of more than PAUSE_BYTES bytes' time within a command, behind each of which
// the next byte begins a command. So a host that got no answer waits for a pause and says its command again.
// Cycles: a command begins to act with its last byte; bytes that come before its answer has gone are lost.
// Security: whoever has the line has the registers; secrets are write-only there.

module uart_axil #(
    parameter int unsigned BIT_CYCLES  = 868,  // cycles of clk a bit, 4 or more
    parameter int unsigned PAUSE_BYTES = 4     // 1 or more
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        rxd,
    output logic        txd,
    output logic [11:0] m_axil_awaddr,
    output logic [ 2:0] m_axil_awprot,
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    input  logic [ 1:0] m_axil_bresp,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    output logic [11:0] m_axil_araddr,
    output logic [ 2:0] m_axil_arprot,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready,
    input  logic [31:0] m_axil_rdata,
    input  logic [ 1:0] m_axil_rresp,
    input  logic        m_axil_rvalid,
    output logic        m_axil_rready
);
  if (PAUSE_BYTES < 1) begin : g_bad_pause_bytes
    $fatal(1, "uart_axil: PAUSE_BYTES = %0d, must be at least 1", PAUSE_BYTES);
  end

  localparam logic [7:0] WRITE = 8'h57;
  localparam logic [7:0] READ = 8'h52;
  localparam logic [7:0] ANSWERS = 8'h20;  // a bit of the first byte
  localparam logic [7:0] CRC_BEGIN = 8'hff;
  localparam int unsigned PAUSE_CYCLES = 10 * BIT_CYCLES * PAUSE_BYTES;
  localparam int unsigned PAUSE_BITS = $clog2(PAUSE_CYCLES + 1);

  function automatic logic [7:0] crc8(input logic [7:0] crc, input logic [7:0] data);
    logic [7:0] c;
    c = crc ^ data;
    for (int unsigned i = 0; i < 8; i++) c = {c[6:0], 1'b0} ^ (c[7] ? 8'h07 : 8'h00);
    return c;
  endfunction

  typedef enum logic [1:0] {
    S_TAKE,
    S_ACCESS,
    S_SAY
  } state_e;

  state_e state_q;
  logic write_q, addr_done_q, data_done_q;
  logic [2:0] count_q;  // bytes of the command taken; of the answer, those to come
  logic [7:0] crc_q;
  logic [15:0] addr_q;
  logic [39:0] data_q;  // word; of the answer, response and word, the next byte at the top
  logic [PAUSE_BITS-1:0] pause_q;  // cycles until a command that has begun is given up

  logic rx_valid, tx_valid, tx_ready, answered;
  logic [7:0] rx_data, tx_data, crc_rx;
  logic addr_good;
  uart_rx #(
      .BIT_CYCLES(BIT_CYCLES)
  ) u_rx (
      .valid(rx_valid),
      .data (rx_data),
      .*
  );
  uart_tx #(
      .BIT_CYCLES(BIT_CYCLES)
  ) u_tx (
      .valid(tx_valid),
      .ready(tx_ready),
      .data (tx_data),
      .*
  );

  assign crc_rx = crc8(crc_q, rx_data);
  assign addr_good = addr_q[15:12] == '0 && addr_q[1:0] == '0;

  assign m_axil_awaddr = addr_q[11:0];
  assign m_axil_awprot = 3'b001;
  assign m_axil_awvalid = state_q == S_ACCESS && write_q && !addr_done_q;
  assign m_axil_wdata = data_q[31:0];
  assign m_axil_wstrb = '1;
  assign m_axil_wvalid = state_q == S_ACCESS && write_q && !data_done_q;
  assign m_axil_bready = state_q == S_ACCESS && write_q;
  assign m_axil_araddr = addr_q[11:0];
  assign m_axil_arprot = 3'b001;
  assign m_axil_arvalid = state_q == S_ACCESS && !write_q && !addr_done_q;
  assign m_axil_rready = state_q == S_ACCESS && !write_q;
  assign answered = write_q ? m_axil_bvalid : m_axil_rvalid;

  // The answer: its first byte, the response, a read's word, the check.
  assign tx_valid = state_q == S_SAY;
  assign tx_data = addr_done_q ? (count_q == 3'd1 ? crc_q : data_q[39:32]) : (write_q ? WRITE : READ) | ANSWERS;

  always_ff @(posedge clk) begin
    if (pause_q != '0) pause_q <= pause_q - 1'b1;
    unique case (state_q)
      S_TAKE: begin
        addr_done_q <= 1'b0;
        data_done_q <= 1'b0;
        if (rx_valid) begin
          pause_q <= PAUSE_BITS'(PAUSE_CYCLES);
          crc_q   <= crc_rx;
          count_q <= count_q + 3'd1;
          unique case (count_q)
            3'd0: begin
              write_q <= rx_data == WRITE;
              crc_q   <= crc8(CRC_BEGIN, rx_data);
              if (rx_data != WRITE && rx_data != READ) count_q <= '0;
            end
            3'd1, 3'd2: addr_q <= {addr_q[7:0], rx_data};
            default: begin
              data_q <= {data_q[31:0], rx_data};
              if (count_q == (write_q ? 3'd7 : 3'd3)) begin
                count_q <= '0;
                data_q  <= data_q;  // the check is no data
                if (rx_data == crc_q && addr_good) state_q <= S_ACCESS;
              end
            end
          endcase
        end else if (pause_q == '0) count_q <= '0;
      end
      S_ACCESS: begin
        if (m_axil_awready && m_axil_awvalid || m_axil_arready && m_axil_arvalid) addr_done_q <= 1'b1;
        if (m_axil_wready && m_axil_wvalid) data_done_q <= 1'b1;
        if (answered) begin
          data_q <= {6'd0, write_q ? m_axil_bresp : m_axil_rresp, m_axil_rdata};
          addr_done_q <= 1'b0;
          count_q <= write_q ? 3'd3 : 3'd7;
          crc_q <= CRC_BEGIN;
          state_q <= S_SAY;
        end
      end
      S_SAY:
      if (tx_ready) begin
        crc_q   <= crc8(crc_q, tx_data);
        count_q <= count_q - 3'd1;
        if (addr_done_q) data_q <= data_q << 8;
        addr_done_q <= 1'b1;
        if (count_q == 3'd1) begin
          count_q <= '0;
          state_q <= S_TAKE;
        end
      end
      default: state_q <= S_TAKE;
    endcase
    if (rst) begin
      state_q <= S_TAKE;
      count_q <= '0;
      pause_q <= '0;
    end
  end
endmodule
