// SPDX-License-Identifier: Apache-2.0
//
// Sends bytes on a serial line: a start bit (0), eight bits from the lowest on, a stop bit (1); 8N1. The line rests at 1.
// Cycles: 10 * BIT_CYCLES a byte; the next byte may be given as soon as `ready` is high again.

module uart_tx #(
    parameter int unsigned BIT_CYCLES = 868  // cycles of clk a bit, 2 or more: 868 are 115,200 bits a second at 100 MHz
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       valid,
    output logic       ready,
    input  logic [7:0] data,
    output logic       txd
);
  if (BIT_CYCLES < 2) begin : g_bad_bit_cycles
    $fatal(1, "uart_tx: BIT_CYCLES = %0d, must be at least 2", BIT_CYCLES);
  end

  localparam int unsigned COUNT_BITS = $clog2(BIT_CYCLES);
  localparam logic [COUNT_BITS-1:0] LAST_CYCLE = COUNT_BITS'(BIT_CYCLES - 1);

  logic [8:0] shift_q;  // what follows the bit on the line, ones behind it
  logic [3:0] left_q;  // bits of the byte that are not sent whole
  logic [COUNT_BITS-1:0] cycle_q;

  assign ready = left_q == '0 && !rst;

  always_ff @(posedge clk) begin
    cycle_q <= cycle_q == LAST_CYCLE ? '0 : cycle_q + 1'b1;
    if (left_q != '0 && cycle_q == LAST_CYCLE) begin
      {shift_q, txd} <= {1'b1, shift_q};
      left_q <= left_q - 4'd1;
    end
    if (valid && ready) begin
      {shift_q, txd} <= {1'b1, data, 1'b0};
      left_q <= 4'd10;
      cycle_q <= '0;
    end
    if (rst) begin
      left_q <= '0;
      txd <= 1'b1;
    end
  end
endmodule
