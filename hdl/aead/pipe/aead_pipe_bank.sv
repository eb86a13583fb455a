// SPDX-License-Identifier: Apache-2.0
// Modes that have blocks of several packets in flight: a word for each packet, in LUTs: one write port, and read ports that answer in
// the same cycle.
// Cycles: a word reads as written from the next cycle on.
// Security: `wipe` writes `w_data` to every word, one after the other: hold it, and zero at `w_data`, for PACKETS cycles.
module aead_pipe_bank
  import aead_pipe_pkg::*;
#(
    parameter int unsigned WIDTH = 128,  // bits
    parameter int unsigned READS = 1
) (
    input logic clk,
    input logic wipe,
    input logic w_en,
    input packet_t w_addr,
    input logic [WIDTH-1:0] w_data,
    input packet_t [READS-1:0] r_addr,
    output logic [READS-1:0][WIDTH-1:0] r_data
);

  (* ram_style = "distributed", no_rw_check *)
  logic [WIDTH-1:0] mem[PACKETS];
  packet_t walk_q;

  always_ff @(posedge clk) begin
    walk_q <= wipe ? walk_q + packet_t'(1) : '0;
    if (w_en || wipe) mem[wipe?walk_q : w_addr] <= w_data;
  end

  always_comb for (int unsigned i = 0; i < READS; i++) r_data[i] = mem[r_addr[i]];

`ifndef SYNTHESIS
  logic wipe_q;
  logic [7:0] cycles_q, zeros_q;  // of this wipe, and in how many of them, up to the last one, zero was written
  initial cycles_q = '0;
  always_ff @(posedge clk) begin
    wipe_q   <= wipe;
    cycles_q <= !wipe ? '0 : cycles_q == '1 ? '1 : cycles_q + 8'd1;
    zeros_q  <= !wipe || w_data != '0 ? '0 : zeros_q == '1 ? '1 : zeros_q + 8'd1;
    // Before the first clear nothing is known.
    if (wipe_q && !wipe && cycles_q >= 8'(2 * PACKETS)) a_wiped_with_zeros : assert (zeros_q >= 8'(PACKETS));
  end
`endif

endmodule
