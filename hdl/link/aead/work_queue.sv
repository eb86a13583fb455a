// SPDX-License-Identifier: Apache-2.0
//
// Queue of the packets in work: a packet shows in the cycle after it was put in, and `work.valid` is exact, so that "no packet in
// work" can be read from it. Read without a register (LUT memory); for queues with much data use stream_fifo.
// begins_ready does not depend on work_done. Lengths and packet numbers are not secrets: rst empties, nothing is wiped.

module work_queue
  import link_types_pkg::*;
#(
    parameter int unsigned DEPTH = 2  // packets, a power of two, 2 or more
) (
    input  logic     clk,
    input  logic     rst,
    input  logic     begins,        // cmd.packet is in work from now on
    output logic     begins_ready,
    input  command_t cmd,
    output command_t work,          // the oldest packet
    input  logic     work_done      // it is no more in work
);
  localparam int unsigned ADDR_BITS = $clog2(DEPTH);

  if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad_depth
    $fatal(1, "work_queue: DEPTH = %0d, must be a power of two, 2 or more", DEPTH);
  end

  packet_t packets[DEPTH];
  logic [ADDR_BITS:0] put_q, taken_q;  // so far
  logic put;

  assign begins_ready = put_q - taken_q != (ADDR_BITS + 1)'(DEPTH);
  assign work = '{valid: put_q != taken_q, packet: packets[taken_q[ADDR_BITS-1:0]]};
  assign put = begins && begins_ready;

  always_ff @(posedge clk) if (put) packets[put_q[ADDR_BITS-1:0]] <= cmd.packet;

  always_ff @(posedge clk) begin
    put_q   <= put_q + (ADDR_BITS + 1)'(put);
    taken_q <= taken_q + (ADDR_BITS + 1)'(work.valid && work_done);
    if (rst) begin
      put_q   <= '0;
      taken_q <= '0;
    end
  end

  wire unused = &{1'b0, cmd.valid};
endmodule
