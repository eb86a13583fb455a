// SPDX-License-Identifier: Apache-2.0
//
// The processor of a board, which brings the link up by itself: PicoRV32 (RV32I, from the package pythondata-cpu-picorv32) with 16 KiB
// of RAM that holds the firmware, the board's registers (board_registers), and a window onto the link's registers. Everything in
// core_clk of the link. Map: docs/firmware.md.
// Security: RAM holds seed and, while the link starts, the pre-shared key. A processor that traps stops, with the PHYs as they are and
// no further R: the link then ends with its session.

module board_cpu #(
    parameter string IMAGE = "",  // of the firmware, for $readmemh: `make firmware`
    parameter int unsigned MS_CYCLES = 100000,  // cycles of clk a millisecond
    parameter int unsigned UART_BIT_CYCLES = 868,  // cycles of clk a bit: 115,200 a second at 100 MHz
    parameter int unsigned SPI_HALF_CYCLES = 4,  // half a period of the flash's clock: 12.5 MHz at 100 MHz
    parameter int unsigned MDIO_HALF_CYCLES = 20,  // half a period of MDC: 2.5 MHz at 100 MHz, which is the most
    parameter int unsigned NOISE_SAMPLE_CYCLES = 4096  // a raw bit of noise
) (
    input logic clk,
    input logic rst,
    // console
    input logic uart_rxd,
    output logic uart_txd,
    // SPI flash
    output logic flash_cs_n,
    output logic flash_sck,
    output logic flash_mosi,
    input logic flash_miso,
    // PHYs: two management buses, one of which may stay open; mdio_out counts where mdio_en
    output logic [1:0] mdc,
    output logic [1:0] mdio_out,
    output logic [1:0] mdio_en,
    input logic [1:0] mdio_in,
    input logic [127:0] line_counts,  // of the ports, see board_registers
    output logic phy_reset,  // high from reset until the firmware sets the PHYs up
    input logic button,  // 1: pressed
    output logic [1:0] leds,  // 0 the device runs, 1 it refuses to, or the noise source has an alarm
    output logic trap,  // the processor has stopped
    output logic zeroise,  // pulse, with the link's zeroise by register: for what the board itself may hold
    // R for the link's s_random
    output logic random_valid,
    input logic random_ready,
    output logic [255:0] random_data,
    // AXI4-Lite to the link's s_axil
    output logic [11:0] m_axil_awaddr,
    output logic [2:0] m_axil_awprot,
    output logic m_axil_awvalid,
    input logic m_axil_awready,
    output logic [31:0] m_axil_wdata,
    output logic [3:0] m_axil_wstrb,
    output logic m_axil_wvalid,
    input logic m_axil_wready,
    input logic [1:0] m_axil_bresp,
    input logic m_axil_bvalid,
    output logic m_axil_bready,
    output logic [11:0] m_axil_araddr,
    output logic [2:0] m_axil_arprot,
    output logic m_axil_arvalid,
    input logic m_axil_arready,
    input logic [31:0] m_axil_rdata,
    input logic [1:0] m_axil_rresp,
    input logic m_axil_rvalid,
    output logic m_axil_rready
);
  localparam int unsigned RAM_BYTES = 16384;

  logic [31:0] awaddr, wdata, araddr, rdata;
  logic [3:0] wstrb;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;

  // verilator lint_off PINCONNECTEMPTY
  picorv32_axi #(
      .ENABLE_COUNTERS  (1'b0),
      .ENABLE_COUNTERS64(1'b0)
  ) u_processor (
      .clk(clk),
      .resetn(!rst),
      .trap(trap),
      .mem_axi_awvalid(awvalid),
      .mem_axi_awready(awready),
      .mem_axi_awaddr(awaddr),
      .mem_axi_awprot(),
      .mem_axi_wvalid(wvalid),
      .mem_axi_wready(wready),
      .mem_axi_wdata(wdata),
      .mem_axi_wstrb(wstrb),
      .mem_axi_bvalid(bvalid),
      .mem_axi_bready(bready),
      .mem_axi_arvalid(arvalid),
      .mem_axi_arready(arready),
      .mem_axi_araddr(araddr),
      .mem_axi_arprot(),
      .mem_axi_rvalid(rvalid),
      .mem_axi_rready(rready),
      .mem_axi_rdata(rdata),
      .pcpi_valid(),
      .pcpi_insn(),
      .pcpi_rs1(),
      .pcpi_rs2(),
      .pcpi_wr(1'b0),
      .pcpi_rd('0),
      .pcpi_wait(1'b0),
      .pcpi_ready(1'b0),
      .irq('0),
      .eoi(),
      .trace_valid(),
      .trace_data()
  );
  // verilator lint_on PINCONNECTEMPTY

  logic ram_en, reg_read, reg_write, fault;
  logic [3:0] ram_write;
  logic [$clog2(RAM_BYTES/4)-1:0] ram_addr;
  logic [31:0] ram_r_data, reg_r_data, w_data;
  logic [9:0] reg_index;

  board_bus #(
      .RAM_BYTES(RAM_BYTES)
  ) u_bus (
      .clk(clk),
      .rst(rst),
      .s_awaddr(awaddr),
      .s_awvalid(awvalid),
      .s_awready(awready),
      .s_wdata(wdata),
      .s_wstrb(wstrb),
      .s_wvalid(wvalid),
      .s_wready(wready),
      .s_bvalid(bvalid),
      .s_bready(bready),
      .s_araddr(araddr),
      .s_arvalid(arvalid),
      .s_arready(arready),
      .s_rdata(rdata),
      .s_rvalid(rvalid),
      .s_rready(rready),
      .m_awaddr(m_axil_awaddr),
      .m_awprot(m_axil_awprot),
      .m_awvalid(m_axil_awvalid),
      .m_awready(m_axil_awready),
      .m_wdata(m_axil_wdata),
      .m_wstrb(m_axil_wstrb),
      .m_wvalid(m_axil_wvalid),
      .m_wready(m_axil_wready),
      .m_bresp(m_axil_bresp),
      .m_bvalid(m_axil_bvalid),
      .m_bready(m_axil_bready),
      .m_araddr(m_axil_araddr),
      .m_arprot(m_axil_arprot),
      .m_arvalid(m_axil_arvalid),
      .m_arready(m_axil_arready),
      .m_rdata(m_axil_rdata),
      .m_rresp(m_axil_rresp),
      .m_rvalid(m_axil_rvalid),
      .m_rready(m_axil_rready),
      .*
  );

  board_ram #(
      .WORDS(RAM_BYTES / 4),
      .IMAGE(IMAGE)
  ) u_ram (
      .clk(clk),
      .en(ram_en),
      .write(ram_write),
      .addr(ram_addr),
      .w_data(w_data),
      .r_data(ram_r_data)
  );

  board_registers #(
      .MS_CYCLES(MS_CYCLES),
      .UART_BIT_CYCLES(UART_BIT_CYCLES),
      .SPI_HALF_CYCLES(SPI_HALF_CYCLES),
      .MDIO_HALF_CYCLES(MDIO_HALF_CYCLES),
      .NOISE_SAMPLE_CYCLES(NOISE_SAMPLE_CYCLES)
  ) u_registers (
      .read  (reg_read),
      .write (reg_write),
      .index (reg_index),
      .r_data(reg_r_data),
      .*
  );
endmodule
