// SPDX-License-Identifier: Apache-2.0
//
// The board's own registers, 32-bit words, 64 a block. What the firmware does with them: boards/firmware/hardware.c, docs/firmware.md.
//   0 UART    0 data (read: bit 8 says that there was a byte; write: sends)  1 bit 0 room to send
//   1 flash   0 write: exchange a byte; read: bit 8 busy, byte received      1 bit 0 chip select
//   2 MDIO    0 write: bus 31, write 30, PHY 25:21, register 20:16, data; read: busy 31, answered 30, data
//   3 pins    0 read: bit 0 button, bit 1 bus fault (sticky, write 1 clears); write: bits 3:2 LEDs, bit 4 reset of the PHYs
//   4 time    0 milliseconds since reset                                     1 cycles of a millisecond
//   5 noise   0 raw word, taken by the read                                  1 bit 0 word there, bit 1 lost (sticky), alarms 10:8; write 1s clear
//   6 random  0-7 words of R, write only                                     8 write: bit 0 commit, bit 1 zeroise; read: bit 0 R waits
//   7 lines   0 frames that ended on the trusted line                        1 frames for it that an underrun spoilt  2, 3 of the untrusted one; they wrap
// Security: R is write-only and handed over whole (link_staging). After reset the PHYs are held in reset.

module board_registers #(
    parameter int unsigned MS_CYCLES = 100000,  // cycles of clk a millisecond
    parameter int unsigned UART_BIT_CYCLES = 868,
    parameter int unsigned SPI_HALF_CYCLES = 4,
    parameter int unsigned MDIO_HALF_CYCLES = 20,
    parameter int unsigned NOISE_SAMPLE_CYCLES = 4096
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         read,
    input  logic         write,
    input  logic [  9:0] index,
    input  logic [ 31:0] w_data,
    output logic [ 31:0] r_data,
    input  logic         fault,         // pulse
    input  logic         uart_rxd,
    output logic         uart_txd,
    output logic         flash_cs_n,
    output logic         flash_sck,
    output logic         flash_mosi,
    input  logic         flash_miso,
    output logic [  1:0] mdc,
    output logic [  1:0] mdio_out,
    output logic [  1:0] mdio_en,
    input  logic [  1:0] mdio_in,
    input  logic [127:0] line_counts,
    output logic         phy_reset,
    input  logic         button,
    output logic [  1:0] leds,
    output logic         zeroise,       // pulse
    output logic         random_valid,
    input  logic         random_ready,
    output logic [255:0] random_data
);
  typedef enum logic [2:0] {
    UART,
    FLASH,
    MDIO,
    PINS,
    TIME,
    NOISE,
    RANDOM,
    LINES
  } block_e;

  logic [7:0] chosen;
  for (genvar i = 0; i < 8; i++) begin : g_chosen
    assign chosen[i] = index[9:6] == 4'(i);
  end
  logic first;
  assign first = index[5:0] == '0;
  logic second;
  assign second = index[5:0] == 6'd1;

  // UART. A line of the console waits in the FIFO while the processor erases flash.
  logic rx_valid, rx_there, tx_ready;
  logic [7:0] rx_data, rx_byte;
  uart_rx #(
      .BIT_CYCLES(UART_BIT_CYCLES)
  ) u_rx (
      .rxd  (uart_rxd),
      .valid(rx_valid),
      .data (rx_data),
      .*
  );
  logic unused_fifo_ready;
  stream_fifo #(
      .WIDTH(8),
      .DEPTH(512)
  ) u_rx_fifo (
      .s_valid(rx_valid),
      .s_ready(unused_fifo_ready),
      .s_data (rx_data),
      .m_valid(rx_there),
      .m_ready(read && chosen[UART] && first),
      .m_data (rx_byte),
      .*
  );
  uart_tx #(
      .BIT_CYCLES(UART_BIT_CYCLES)
  ) u_tx (
      .valid(write && chosen[UART] && first),
      .ready(tx_ready),
      .data (w_data[7:0]),
      .txd  (uart_txd),
      .*
  );

  logic flash_busy, flash_selected_q;
  logic [7:0] flash_received;
  spi_byte #(
      .HALF_CYCLES(SPI_HALF_CYCLES)
  ) u_flash (
      .start(write && chosen[FLASH] && first),
      .send(w_data[7:0]),
      .busy(flash_busy),
      .received(flash_received),
      .sck(flash_sck),
      .mosi(flash_mosi),
      .miso(flash_miso),
      .*
  );
  assign flash_cs_n = !flash_selected_q;

  // Two management buses, for boards whose PHYs have one each; the other one rests.
  logic mdio_bus_q, mdio_busy, mdio_answered, frame_mdc, frame_out, frame_en;
  logic [15:0] mdio_received;
  mdio_frame #(
      .HALF_CYCLES(MDIO_HALF_CYCLES)
  ) u_mdio (
      .start(write && chosen[MDIO] && first),
      .write(w_data[30]),
      .phy(w_data[25:21]),
      .reg_addr(w_data[20:16]),
      .send(w_data[15:0]),
      .busy(mdio_busy),
      .answered(mdio_answered),
      .received(mdio_received),
      .mdc(frame_mdc),
      .mdio_out(frame_out),
      .mdio_en(frame_en),
      .mdio_in(mdio_in[mdio_bus_q]),
      .*
  );
  for (genvar i = 0; i < 2; i++) begin : g_mdio_bus
    assign mdc[i] = frame_mdc && mdio_bus_q == 1'(i);
    assign mdio_en[i] = frame_en && mdio_bus_q == 1'(i);
    assign mdio_out[i] = frame_out;
  end

  logic pressed, fault_q;
  sync_bits u_button (
      .clk(clk),
      .d  (button),
      .q  (pressed)
  );

  localparam int unsigned MS_BITS = $clog2(MS_CYCLES);
  logic [MS_BITS-1:0] ms_cycle_q;
  logic [31:0] ms_q;

  logic word_valid, lost, lost_q;
  logic [31:0] word;
  logic [ 2:0] alarm;
  noise_source #(
      .SAMPLE_CYCLES(NOISE_SAMPLE_CYCLES)
  ) u_noise (
      .word_ready(read && chosen[NOISE] && first),
      .clear(w_data[10:8] & {3{write && chosen[NOISE] && second}}),
      .*
  );

  logic random_command;
  logic unused_refused, unused_complete;
  assign random_command = write && chosen[RANDOM] && index[5:0] == 6'd8;
  assign zeroise = random_command && w_data[1];
  link_staging #(
      .WORDS(8)
  ) u_random (
      .clear(zeroise),
      .put(write && chosen[RANDOM] && index[5:3] == '0),
      .index(index[2:0]),
      .word(w_data),
      .commit(random_command && w_data[0]),
      .refused(unused_refused),
      .complete(unused_complete),
      .valid(random_valid),
      .ready(random_ready),
      .data(random_data),
      .*
  );

  always_comb begin
    r_data = '0;
    unique0 case (1'b1)
      chosen[UART]:   r_data = first ? 32'({rx_there, rx_byte}) : 32'(tx_ready);
      chosen[FLASH]:  r_data = 32'({flash_busy, flash_received});
      chosen[MDIO]:   r_data = {mdio_busy, mdio_answered, 14'd0, mdio_received};
      chosen[PINS]:   r_data = 32'({fault_q, pressed});
      chosen[TIME]:   r_data = first ? ms_q : 32'(MS_CYCLES);
      chosen[NOISE]:  r_data = first ? word : 32'({alarm, 6'd0, lost_q, word_valid});
      chosen[RANDOM]: r_data = 32'(random_valid);
      chosen[LINES]:  r_data = line_counts[32*index[1:0]+:32];
      default:        r_data = '0;
    endcase
  end

  always_ff @(posedge clk) begin
    ms_cycle_q <= ms_cycle_q + 1'b1;
    if (ms_cycle_q == MS_BITS'(MS_CYCLES - 1)) begin
      ms_cycle_q <= '0;
      ms_q <= ms_q + 32'd1;
    end
    if (write && chosen[FLASH] && second) flash_selected_q <= w_data[0];
    if (write && chosen[MDIO] && first && !mdio_busy) mdio_bus_q <= w_data[31];
    if (write && chosen[PINS]) begin
      leds <= w_data[3:2];
      phy_reset <= w_data[4];
      if (w_data[1]) fault_q <= 1'b0;
    end
    if (fault) fault_q <= 1'b1;
    if (write && chosen[NOISE] && second && w_data[1]) lost_q <= 1'b0;
    if (lost) lost_q <= 1'b1;
    if (rst) begin
      ms_cycle_q <= '0;
      ms_q <= '0;
      flash_selected_q <= 1'b0;
      mdio_bus_q <= 1'b0;
      leds <= '0;
      phy_reset <= 1'b1;
      fault_q <= 1'b0;
      lost_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, unused_fifo_ready, unused_refused, unused_complete, w_data[29:26]};
endmodule
