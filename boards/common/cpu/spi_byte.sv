// SPDX-License-Identifier: Apache-2.0
//
// Exchanges bytes with an SPI flash (mode 0, as W25Q64 and its like take it): highest bit first, `mosi` changes while the clock is low,
// `miso` counts at its rising edge. Chip select is the software's, which holds it over all bytes of a command.
// Cycles: 16 * HALF_CYCLES + 1 a byte.

module spi_byte #(
    parameter int unsigned HALF_CYCLES = 4  // cycles of clk in half a period of the SPI clock, 3 or more
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       start,     // pulse while not busy: exchange a byte
    input  logic [7:0] send,
    output logic       busy,
    output logic [7:0] received,  // of the last exchange, once not busy
    output logic       sck,
    output logic       mosi,
    input  logic       miso
);
  // The synchroniser gives miso two edges of clk late, so the bit is taken so long after the rising edge of the SPI clock.
  if (HALF_CYCLES < 3) begin : g_bad_half_cycles
    $fatal(1, "spi_byte: HALF_CYCLES = %0d, must be at least 3", HALF_CYCLES);
  end

  localparam int unsigned COUNT_BITS = $clog2(HALF_CYCLES);
  localparam logic [COUNT_BITS-1:0] LAST_CYCLE = COUNT_BITS'(HALF_CYCLES - 1);

  logic miso_q;
  logic [3:0] left_q;  // bits, of which the present one has not ended
  logic [COUNT_BITS-1:0] cycle_q;
  logic [7:0] shift_q;

  sync_bits u_sync (
      .clk(clk),
      .d  (miso),
      .q  (miso_q)
  );

  assign busy = left_q != '0;
  assign mosi = shift_q[7];

  always_ff @(posedge clk) begin
    cycle_q <= cycle_q + 1'b1;
    if (busy && cycle_q == LAST_CYCLE) begin
      cycle_q <= '0;
      sck <= !sck;
      if (sck) begin
        received <= {received[6:0], miso_q};
        shift_q  <= {shift_q[6:0], 1'b0};
        left_q   <= left_q - 4'd1;
      end
    end
    if (start && !busy) begin
      shift_q <= send;
      left_q  <= 4'd8;
      cycle_q <= '0;
    end
    if (rst) begin
      left_q <= '0;
      sck <= 1'b0;
    end
  end
endmodule
