// SPDX-License-Identifier: Apache-2.0
//
// Brings a reset from outside into clk. A pulse of any length, also between two edges, is held in flip-flops with
// asynchronous set, and leaves through flip-flops of clk, so that no logic behind it sees a change between edges.
// rst rises STAGES to STAGES + 1 edges after rst_async_in, stays high for STAGES - 1 edges at least, and falls 2 STAGES to
// 2 STAGES + 1 edges after rst_async_in has fallen. Without edges it stands still. Active high on both sides. Where flip-flops
// have an initial value, logic begins in reset.
module reset_sync #(
    parameter int unsigned STAGES = 2  // 2 or more flip-flops
) (
    input  logic clk,
    input  logic rst_async_in,  // any domain, must be free of glitches
    input  logic rst_in,        // synchronous to clk: counts from the next edge; 0 where there is none
    output logic rst            // synchronous to clk on release
);

  if (STAGES < 2) begin : g_bad_stages
    $fatal(1, "reset_sync: STAGES = %0d, must be at least 2", STAGES);
  end

  (* async_reg = "true" *)logic [STAGES-1:0] held;
  (* async_reg = "true" *)logic [STAGES-1:0] chain;
  initial held = '1;
  initial chain = '1;

  always_ff @(posedge clk or posedge rst_async_in) begin
    if (rst_async_in) held <= '1;
    else held <= {held[STAGES-2:0], 1'b0};
  end

  always_ff @(posedge clk) begin
    chain <= {chain[STAGES-2:0], held[STAGES-1]};
    if (rst_in) chain[STAGES-1] <= 1'b1;
  end

  assign rst = chain[STAGES-1];

endmodule
