// SPDX-License-Identifier: Apache-2.0
//
// Flip-flop chain into clk for values of another clock domain.
// Correct for WIDTH > 1 only where at most one bit changes at a time (gray code)
// or where the value is quasi-static (nobody uses it while it changes).
// q follows d after STAGES to STAGES + 1 edges. No reset: it follows its input.
// d must come straight from flip-flops; combinational glitches would be caught.
module sync_bits #(
    parameter int unsigned WIDTH  = 1,  // bits
    parameter int unsigned STAGES = 2   // 2 or more flip-flops
) (
    input  logic             clk,
    input  logic [WIDTH-1:0] d,    // any domain
    output logic [WIDTH-1:0] q     // synchronous to clk
);

  if (STAGES < 2) begin : g_bad_stages
    $fatal(1, "sync_bits: STAGES = %0d, must be at least 2", STAGES);
  end

  (* async_reg = "true" *) logic [STAGES-1:0][WIDTH-1:0] chain;

  always_ff @(posedge clk) chain <= {chain[STAGES-2:0], d};

  assign q = chain[STAGES-1];

endmodule
