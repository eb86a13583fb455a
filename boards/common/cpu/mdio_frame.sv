// SPDX-License-Identifier: Apache-2.0
//
// Management frames of IEEE 802.3 clause 22 to a PHY: 32 ones, start 01, operation (10 read, 01 write), PHY and register addresses of
// five bits, turnaround, 16 bits of data, all highest bit first. This end changes the line at falling edges of MDC, the PHY within
// 300 ns of rising ones, and its bits count at the next rising edge. A PHY answers a read by 0 in the second bit of the turnaround;
// a line that the pull-up holds at 1 then means that nobody is there.
// Cycles: 128 * HALF_CYCLES + 1 a frame. MDC is at most 2.5 MHz: HALF_CYCLES of 20 at 100 MHz.

module mdio_frame #(
    parameter int unsigned HALF_CYCLES = 20  // cycles of clk in half a period of MDC, 3 or more
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        start,     // pulse while not busy
    input  logic        write,
    input  logic [ 4:0] phy,
    input  logic [ 4:0] reg_addr,
    input  logic [15:0] send,
    output logic        busy,
    output logic        answered,  // by the last read, once not busy
    output logic [15:0] received,
    output logic        mdc,
    output logic        mdio_out,
    output logic        mdio_en,   // this end drives the line
    input  logic        mdio_in
);
  if (HALF_CYCLES < 3) begin : g_bad_half_cycles
    $fatal(1, "mdio_frame: HALF_CYCLES = %0d, must be at least 3", HALF_CYCLES);
  end

  localparam int unsigned COUNT_BITS = $clog2(HALF_CYCLES);
  localparam logic [COUNT_BITS-1:0] LAST_CYCLE = COUNT_BITS'(HALF_CYCLES - 1);
  localparam logic [6:0] BEHIND_ADDRESSES = 7'd18;  // bits of turnaround and data
  localparam logic [6:0] LAST_TURNAROUND = 7'd17;

  logic line, reading_q;
  logic [6:0] left_q;  // bits of the frame, of which the present one has not ended
  logic [COUNT_BITS-1:0] cycle_q;
  logic [63:0] shift_q;

  sync_bits u_sync (
      .clk(clk),
      .d  (mdio_in),
      .q  (line)
  );

  assign busy = left_q != '0;
  assign mdio_out = shift_q[63];
  assign mdio_en = busy && !(reading_q && left_q <= BEHIND_ADDRESSES);

  always_ff @(posedge clk) begin
    cycle_q <= cycle_q + 1'b1;
    if (busy && cycle_q == LAST_CYCLE) begin
      cycle_q <= '0;
      mdc <= !mdc;
      if (!mdc) begin  // the synchroniser holds what the line was before this rising edge
        received <= {received[14:0], line};
        if (left_q == LAST_TURNAROUND) answered <= !line;
      end else begin
        shift_q <= shift_q << 1;
        left_q  <= left_q - 7'd1;
      end
    end
    if (start && !busy) begin
      shift_q   <= {32'hffff_ffff, 2'b01, write ? 2'b01 : 2'b10, phy, reg_addr, 2'b10, send};
      reading_q <= !write;
      answered  <= 1'b0;
      left_q    <= 7'd64;
      cycle_q   <= '0;
    end
    if (rst) begin
      left_q <= '0;
      mdc <= 1'b0;
    end
  end
endmodule
