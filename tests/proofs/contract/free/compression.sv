// SPDX-License-Identifier: Apache-2.0
// In the place of a compression function: a call takes as long as the solver likes, the digest is zero. A start while it is not
// ready fails.
module compression #(
    parameter bit BLAKE2B = 1'b0,
    parameter int unsigned N_BITS = 512,
    parameter int unsigned HALF_ROUNDS = 2
) (
    input  logic              clk,
    input  logic              clear,
    input  logic [N_BITS-1:0] key,
    input  logic              key_new,
    input  logic              start,
    input  logic [N_BITS-1:0] chain,
    input  logic [N_BITS-1:0] msg,
    output logic              ready,
    output logic [N_BITS-1:0] digest
);
  logic ends;  // free
  logic seen_q, run_q;
  initial seen_q = 1'b0;
  assign ready  = !run_q;
  assign digest = '0;
  always_ff @(posedge clk) begin
    if (clear) seen_q <= 1'b1;
    if (start) run_q <= 1'b1;
    else if (ends) run_q <= 1'b0;
    if (clear) run_q <= 1'b0;
    if (seen_q && !clear) begin
      a_start_only_when_ready : assert (!start || ready);
      a_key_only_when_ready : assert (!key_new || ready);
    end
  end
endmodule
