// SPDX-License-Identifier: Apache-2.0
// What the schedule of Deoxys-II counts
module deoxysii_lemmas
  import deoxysii_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic opening,
    input datapath_t orders,
    input logic [2:0] valid,  // a call waits, is in the round, is done
    input token_t [2:0] token,
    input logic joined,
    input logic [2:0] places,  // of output
    input logic [2:0] calls,
    input logic [2:0] sums,
    input logic [2:0] owed,
    input logic [1:0] promised
);
  logic [3:0] at, sum, stream;
  logic [6:0] unjoined;
  always_comb begin
    at = {orders.load, valid};
    for (int unsigned i = 0; i < 3; i++) begin
      sum[i] = valid[i] && token[i].call == CALL_SUM;
      stream[i] = valid[i] && token[i].call == CALL_STREAM;
    end
    sum[3] = orders.load && orders.call == CALL_SUM;
    stream[3] = orders.load && orders.call == CALL_STREAM;
    unjoined = opening ? {stream, places[2] && !joined, places[1:0]} : '0;
  end
  always_ff @(posedge clk) begin
    if (!clear) a_joined : assert (!joined || places[2]);
  end
  at_work #(
      .COUNTS(4)
  ) u_counts (
      .counted({calls, sums, 3'(promised), owed}),
      .there  ({8'(at), 8'(sum), 8'({stream, places}), 8'(unjoined)}),
      .*
  );
endmodule

bind deoxysii_core deoxysii_lemmas u_lemmas (
    .valid({bc_waiting, u_bc.u_calls.run_q, bc_done}),
    .token({u_bc.u_calls.g_waiting.wait_token_q, u_bc.u_calls.token_q, bc_token}),
    .joined(u_schedule.joined_q),
    .places(u_schedule.u_outputs.valid_q),
    .calls(u_schedule.calls_q),
    .sums(u_schedule.sum_calls_q),
    .owed(u_schedule.owed_q),
    .promised(u_schedule.u_outputs.promised_q),
    .*
);
