// SPDX-License-Identifier: Apache-2.0
//
// Receives bytes from a serial line, 8N1 (uart_tx). A start bit that is gone in its middle is noise on the line; a byte whose stop
// bit is 0 is dropped. The next start bit counts once the line has rested at 1, so a line that hangs at 0 gives nothing.
// Cycles: `valid` is high for one cycle in the middle of the stop bit; who listens takes the byte then or never.

module uart_rx #(
    parameter int unsigned BIT_CYCLES = 868  // cycles of clk a bit, 4 or more
) (
    input  logic       clk,
    input  logic       rst,
    input  logic       rxd,    // from the pin, synchronous to nothing
    output logic       valid,
    output logic [7:0] data
);
  if (BIT_CYCLES < 4) begin : g_bad_bit_cycles
    $fatal(1, "uart_rx: BIT_CYCLES = %0d, must be at least 4", BIT_CYCLES);
  end

  localparam int unsigned COUNT_BITS = $clog2(BIT_CYCLES);

  logic line, resting_q, running_q;
  logic [3:0] left_q;  // bits that are still to come: start, eight, stop
  logic [COUNT_BITS-1:0] cycle_q;  // until the middle of the next

  sync_bits u_sync (
      .clk(clk),
      .d  (rxd),
      .q  (line)
  );

  always_ff @(posedge clk) begin
    valid <= 1'b0;
    if (!running_q) begin
      resting_q <= line;
      running_q <= resting_q && !line;
      left_q <= 4'd10;
      cycle_q <= COUNT_BITS'(BIT_CYCLES / 2 - 1);
    end else if (cycle_q != '0) begin
      cycle_q <= cycle_q - 1'b1;
    end else begin
      cycle_q <= COUNT_BITS'(BIT_CYCLES - 1);
      left_q  <= left_q - 4'd1;
      if (left_q == 4'd1) begin
        valid <= line;
        running_q <= 1'b0;
        resting_q <= line;
      end else begin
        data <= {line, data[7:1]};
        if (left_q == 4'd10 && line) running_q <= 1'b0;
      end
    end
    if (rst) begin
      valid <= 1'b0;
      running_q <= 1'b0;
      resting_q <= 1'b0;
    end
  end
endmodule
