// SPDX-License-Identifier: Apache-2.0
// Modes that take a block a cycle: a memory for output or multiples, one write port and one registered read port, in LUTs: block
// RAM answers later than the pipeline's clock allows.
// Cycles: `r_data` one edge after `r_en`, held; a word that is written in the cycle in which it is read reads as it was.
// Security: `clear` starts a walk that writes zero to every word; `wiping` is high for DEPTH cycles, and `r_data` is zero.
module aead_pipe_store #(
    parameter int unsigned WIDTH = 128,  // bits
    parameter int unsigned DEPTH = 64,  // words, a power of two
    localparam int unsigned ADDR_BITS = $clog2(DEPTH)
) (
    input  logic                 clk,
    input  logic                 clear,
    output logic                 wiping,
    input  logic                 w_en,    // not while wiping
    input  logic [ADDR_BITS-1:0] w_addr,
    input  logic [    WIDTH-1:0] w_data,
    input  logic                 r_en,
    input  logic                 r_zero,  // r_data <= 0, unless r_en
    input  logic [ADDR_BITS-1:0] r_addr,
    output logic [    WIDTH-1:0] r_data
);

  (* ram_style = "distributed", no_rw_check *)
  logic [WIDTH-1:0] mem[DEPTH];
  logic [ADDR_BITS-1:0] walk_q;

  always_ff @(posedge clk) if (w_en || wiping) mem[wiping?walk_q : w_addr] <= wiping ? '0 : w_data;

  always_ff @(posedge clk) begin
    if (r_en) r_data <= mem[r_addr];
    else if (r_zero) r_data <= '0;
    if (wiping) begin
      walk_q <= walk_q + ADDR_BITS'(1);
      wiping <= walk_q != '1;
    end
    if (clear || wiping) r_data <= '0;
    if (clear) begin
      walk_q <= '0;
      wiping <= 1'b1;
    end
  end

endmodule
