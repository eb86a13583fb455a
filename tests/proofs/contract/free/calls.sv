// SPDX-License-Identifier: Apache-2.0
// In the place of a cipher that has a call in its round and, with WAITING, one more in front of it: a call waits there and
// takes as long as the solver likes, four cycles at least, and its token comes back. A call that finds no place fails.
module calls #(
    parameter bit WAITING = 1'b1,  // 1: calls come by `load`; 0: they come by `start`
    parameter int unsigned TOKEN_BITS = 4
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  key_new,
    output logic                  key_ready,
    input  logic                  load,
    output logic                  waiting,
    input  logic                  start,
    output logic                  free,
    input  logic [TOKEN_BITS-1:0] token,
    output logic                  done,
    output logic [TOKEN_BITS-1:0] done_token
);
  logic ends, key_ends;  // free
  logic seen_q, key_q, run_q, leaves, enters;
  logic [1:0] age_q;
  logic [TOKEN_BITS-1:0] token_q, entering;
  initial seen_q = 1'b0;

  if (WAITING) begin : g_waiting
    logic goes;  // free
    logic wait_q;
    logic [TOKEN_BITS-1:0] wait_token_q;
    assign waiting  = wait_q;
    assign entering = wait_token_q;
    assign enters   = wait_q && goes && (!run_q || leaves);
    always_ff @(posedge clk) begin
      if (load) wait_token_q <= token;
      if (load) wait_q <= 1'b1;
      else if (enters) wait_q <= 1'b0;
      if (clear) wait_q <= 1'b0;
    end
  end else begin : g_at_once
    assign waiting  = 1'b0;
    assign entering = token;
    assign enters   = start;
  end

  assign key_ready = !key_q;
  assign leaves = run_q && ends && (&age_q);
  assign free = key_ready && (!run_q || leaves);
  always_ff @(posedge clk) begin
    if (clear) seen_q <= 1'b1;
    if (key_new) key_q <= 1'b1;
    else if (key_ends) key_q <= 1'b0;
    run_q <= enters || (run_q && !leaves);
    if (enters) token_q <= entering;
    if (enters) age_q <= '0;
    else if (!(&age_q)) age_q <= age_q + 2'd1;
    done <= leaves;
    if (leaves) done_token <= token_q;
    if (clear) begin
      key_q <= 1'b0;
      run_q <= 1'b0;
      done  <= 1'b0;
    end
    if (seen_q && !clear) begin
      a_load_into_a_free_place : assert (!load || (!waiting && key_ready));
      a_start_only_when_free : assert (!start || free);
      a_key_at_rest : assert (!key_new || !(run_q || waiting || done));
    end
  end
endmodule
