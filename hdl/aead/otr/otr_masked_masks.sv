// SPDX-License-Identifier: Apache-2.0
// AES-OTR, masked: one domain's share of the masks of the calls (specification, section 3; docs/cores/otr.md), made a bit of
// the multiple of A a cycle, highest first. First calls run ahead of second ones, so each has its own A = 2^i L.
// Byte order: byte i of a mask in bits [8i+7:8i]; halves come lower first.
// Cycles: `mask` stands after the last step.
// Security: no data-dependent control; `clear` zeroises everything.
module otr_masked_masks
  import gf128_pkg::*;
(
    input logic clk,
    input logic clear,

    input logic         begins,      // A <= Q, both, one and two edges later
    input logic [127:0] q,
    input logic         load_lower,  // or <= what comes in two halves
    input logic         load_upper,
    input logic [ 63:0] half,
    input logic         copy,        // the second of these edges

    input logic step,         // mask <= 2 mask + A, or A of a second call; each if wanted
    input logic with_mask,
    input logic with_first,
    input logic with_second,
    input logic next_first,   // A <= 2 A
    input logic next_second,

    output logic [127:0] mask
);

  logic [127:0] first_q, second_q;

  always_ff @(posedge clk) begin
    if (step) begin
      mask <= (gf128_double(mask) & {128{with_mask}}) ^ (first_q & {128{with_first}}) ^ (second_q & {128{with_second}});
    end
    if (copy || next_first) first_q <= copy ? second_q : gf128_double(first_q);
    if (begins || load_lower || next_second) begin
      second_q[63:0] <= begins ? q[63:0] : load_lower ? half : 64'(gf128_double(second_q));
    end
    if (begins || load_upper || next_second) begin
      second_q[127:64] <= begins ? q[127:64] : load_upper ? half : 64'(gf128_double(second_q) >> 64);
    end
    if (clear) begin
      mask     <= '0;
      first_q  <= '0;
      second_q <= '0;
    end
  end

endmodule
