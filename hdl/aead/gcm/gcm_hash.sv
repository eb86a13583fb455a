// SPDX-License-Identifier: Apache-2.0
// GHASH (NIST SP 800-38D, 6.4): the hash takes up a block and is multiplied by the key, 16 coefficients a cycle from the
// highest on. The products of both halves of a digit stand in registers before they join the sum.
// Byte order: byte i of a block in bits [8i+7:8i].
// Cycles: `start` may come every 10 cycles; the hash stands 10 edges after the one that takes `start`.
// Security: constant time; `clear` zeroises everything, `wipe` everything but the cache.
module gcm_hash
  import gcm_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic wipe,   // level: no command is in flight

    input  logic [127:0] key,
    input  logic         start,       // pulse: take up `block`
    input  logic [127:0] block,
    input  logic         restore,     // pulse: hash <= cache
    input  logic         cache_load,  // pulse: cache <= hash
    output logic [127:0] hash
);

  localparam logic [3:0] LAST = 4'(DIGITS + 1);

  logic [127:0] factor_q;  // hash + block; the next digit is the uppermost
  logic [127:0] sum_q, cache_q;
  logic [127:0] key_polynomial;
  logic [PARTIAL_BITS-1:0] low_q, high_q;
  logic [3:0] step_q;  // 0: at rest; from 1 on digits, from 2 on their products

  assign key_polynomial = mirror(key);
  assign hash = mirror(sum_q);

  always_ff @(posedge clk) begin
    factor_q <= start ? sum_q ^ mirror(block) : factor_q << DIGIT_BITS;
    low_q    <= times(factor_q[127-DIGIT_BITS/2-:DIGIT_BITS/2], key_polynomial);
    high_q   <= times(factor_q[127-:DIGIT_BITS/2], key_polynomial);

    if (start) step_q <= 4'd1;
    else if (step_q == LAST) step_q <= '0;
    else if (step_q != '0) step_q <= step_q + 4'd1;

    if (restore) sum_q <= cache_q;
    else if (step_q > 4'd1) sum_q <= shift_add(sum_q, low_q, high_q);
    if (cache_load) cache_q <= sum_q;

    if (step_q == 4'd1 || wipe || clear) sum_q <= '0;
    if (wipe || clear) begin
      factor_q <= '0;
      low_q    <= '0;
      high_q   <= '0;
      step_q   <= '0;
    end
    if (clear) cache_q <= '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear && !wipe) a_start_at_rest : assert (!start || step_q == '0);
  end
`endif

endmodule
