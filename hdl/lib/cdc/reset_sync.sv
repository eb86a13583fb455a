// SPDX-License-Identifier: Apache-2.0
//
// Reset synchroniser: asserts at once (asynchronously), releases on the clock.
// For resets that come from outside; inside the house every reset is synchronous.
// rst stays high for STAGES edges of clk after rst_async_in has fallen, so logic
// released by it never sees a recovery violation. Active high on both sides.
module reset_sync #(
    parameter int unsigned STAGES = 2  // 2 or more flip-flops
) (
    input  logic clk,
    input  logic rst_async_in,  // any domain, must be free of glitches
    output logic rst            // synchronous to clk on release
);

  if (STAGES < 2) begin : g_bad_stages
    $fatal(1, "reset_sync: STAGES = %0d, must be at least 2", STAGES);
  end

  (* async_reg = "true" *) logic [STAGES-1:0] chain;

  always_ff @(posedge clk or posedge rst_async_in) begin
    if (rst_async_in) chain <= '1;
    else chain <= {chain[STAGES-2:0], 1'b0};
  end

  assign rst = chain[STAGES-1];

endmodule
