// SPDX-License-Identifier: Apache-2.0
//
// What stands for the ring oscillators in simulation: a seeded generator (xorshift of 32 bits), one bit a sample. +noise_seed=N gives
// its seed; with 0 the source is dead and gives zeros.

module noise_rings (
    input  logic clk,
    input  logic sample,
    output logic raw
);
  logic [31:0] state;

  function automatic logic [31:0] next(input logic [31:0] x);
    logic [31:0] y;
    y = x ^ x << 13;
    y = y ^ y >> 17;
    return y ^ y << 5;
  endfunction

  initial begin
    state = 32'd1;
    if ($value$plusargs("noise_seed=%d", state)) $display("noise_rings: seed %0d", state);
  end

  assign raw = state[31];

  always_ff @(posedge clk) if (sample) state <= next(state);
endmodule
