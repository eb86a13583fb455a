// SPDX-License-Identifier: Apache-2.0
// The entrance of the untrusted side, on one clock. Frames are whatever comes, and room in the queues, roles and what is awaited
// are free at any moment.
module untrusted_entrance
  import link_pkg::*, link_types_pkg::*;
(
    input logic      clk,
    input logic      rst_wanted,
    input settings_t settings,
    input identity_t identity,
    input awaited_t  awaited,
    input beat_t     given,
    input logic      framed_bad
);
  logic started_q, rst;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign rst = rst_wanted || !started_q;

  // A beat has eight bytes at most.
  beat_t framed;
  always_comb begin
    framed = given;
    if (given.bytes > 4'd8) framed.bytes = 4'd8;
  end

  beat_t arriving, ctxt, message_in;
  counted_t dropped;
  logic framed_ready, arriving_ready, arriving_bad, arriving_known, foreign, runt, damaged;
  outer_strip u_strip (
      .*,
      .untrusted_clk(clk),
      .rst_untrusted(rst)
  );
  receive_ctxt #(
      .BUILD('{suite: 8'h11, drop_when_full: 1'b1, fifo_bytes: 1024, default: '0})
  ) u_receive (
      .*,
      .untrusted_clk(clk),
      .rst_untrusted(rst),
      .core_clk(clk),
      .rst_core(rst),
      .ctxt_ready(1'b1),
      .message_in_ready(1'b1)
  );

  // Fates: a frame is no link packet, dropped under one cause, or stored whole, which the queues tell a cycle later.
  logic [2:0] at_once, fates;
  logic [3:0] open_q, open;  // frames that ended and have no fate yet
  logic [1:0] rest_q;  // cycles since a frame ended, stops at the top
  logic ended;
  assign ended = framed.valid && framed_ready && framed.last;
  always_comb begin
    at_once = 3'(foreign) + 3'(runt) + 3'(damaged);
    for (int i = 0; i < int'(COUNTERS); i++) at_once += 3'(dropped[i]);
    fates = at_once + 3'(ctxt.valid) + 3'(message_in.valid);
    open  = open_q + 4'(ended);
  end
  always_ff @(posedge clk) begin
    open_q <= open - 4'(fates);
    rest_q <= ended ? '0 : (rest_q == '1) ? rest_q : rest_q + 2'd1;
    if (rst) begin
      open_q <= '0;
      rest_q <= '0;
    end
  end

  always_comb
    if (!rst) begin
      assert (framed_ready && arriving_ready);
      assert (4'(fates) <= open);
      assert (rest_q != '1 || open_q == '0);
    end
endmodule
