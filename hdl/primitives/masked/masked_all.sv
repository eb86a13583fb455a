// SPDX-License-Identifier: Apache-2.0
// Whether all bits of a word in two shares (their sum is the word) are one, as a bit in two shares: a tree of masked ANDs.
// First-order secure with glitches and transitions (docs/probing.md).
// Cycles: log2 WIDTH registers deep, a word a cycle; y0 and y1 are logic after the last registers. Every AND has a random
// bit of its own.
// Security: no enable and no reset; the user shifts other values in to overwrite secrets.
module masked_all #(
    parameter  int unsigned WIDTH  = 128,           // a power of two, 2 or more
    localparam int unsigned LEVELS = $clog2(WIDTH)
) (
    input logic clk,
    input logic [WIDTH-2:0] random,
    input logic [WIDTH-1:0] x0,
    input logic [WIDTH-1:0] x1,
    output logic y0,
    output logic y1
);

  if (WIDTH < 2 || (WIDTH & (WIDTH - 1)) != 0) begin : gen_bad_width
    $fatal(1, "masked_all: WIDTH = %0d, allowed: powers of two from 2 on", WIDTH);
  end

  for (genvar level = 0; level < LEVELS; level++) begin : gen_level
    localparam int unsigned HALF = WIDTH >> (level + 1);
    // ANDs of the levels before: WIDTH - 2 HALF
    localparam int unsigned FIRST = WIDTH - 2 * HALF;
    logic [2*HALF-1:0] from0, from1;
    logic [HALF-1:0] to0, to1;

    if (level == 0) begin : gen_word
      assign from0 = x0;
      assign from1 = x1;
    end else begin : gen_below
      assign from0 = gen_level[level-1].to0;
      assign from1 = gen_level[level-1].to1;
    end

    masked_and #(
        .WIDTH(HALF)
    ) u_and (
        .clk,
        .random(random[FIRST+:HALF]),
        .a0(from0[HALF-1:0]),
        .a1(from1[HALF-1:0]),
        .b0(from0[2*HALF-1:HALF]),
        .b1(from1[2*HALF-1:HALF]),
        .c0(to0),
        .c1(to1)
    );
  end

  assign y0 = gen_level[LEVELS-1].to0;
  assign y1 = gen_level[LEVELS-1].to1;

endmodule
