// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: opens the strings of one packet after the other to the intake, ahead of their calls (docs/cores/otr.md).
// The next packet's open as soon as the last block before them has gone to the queue. A packet that loads associated data waits for
// the results before it; behind it, and behind a refused packet, the next one waits for its result.
// Cycles: two from the last beat of a packet to the first beat of the next one.
// Security: depends on lengths, operations and what is refused; a refused packet's further beats are taken and forgotten.
module otr_pipe_door
  import aead_pkg::*, aead_pipe_pkg::*;
(
    input logic clk,
    input logic clear,

    input number_t                accepted,  // commands that have come
    input number_t                given,     // whose result has gone
    input command_t [PACKETS-1:0] commands,
    input logic                   cache_ok,

    input  chunk_t   chunk,    // what stands in the intake,
    input  logic     is_ad,
    input  logic     take,     // and is taken now
    output collect_t collect,
    output logic     follows,  // level: a message follows the associated data

    input  logic ad_end,       // pulse: the last beat of the string is taken
    input  logic msg_end,
    output logic swallow_ad,   // level: beats are taken and forgotten
    output logic swallow_msg,
    output logic refuses,      // pulse: a command is refused for itself, and comes to the queue as a bad chunk
    output logic strings_over  // level: no beat of the packet is still to come
);

  number_t  opened_q;  // packets whose strings have been opened; the next one is looked at:
  command_t command_q;
  // Its command is there; every result before it has gone; its strings may be opened; it is refused for itself.
  logic known_q, first_q, fit_q, unfit_q;
  logic loads_q;  // of the packet whose strings are open
  logic busy_q;  // blocks of them are still to come
  logic alone_q;  // nothing is opened until its result has gone
  logic swallow_q, want_ad_q, want_msg_q;
  logic load_ad, is_unfit, ends, opens, bad, goes_on;

  assign load_ad = command_q.op == OP_LOAD_AD;
  assign is_unfit = unfit(command_q.op, command_q.cached, cache_ok, 1'b1);

  assign bad = take && chunk.bad;
  assign ends = take && chunk.last && !chunk.bad && (loads_q || !is_ad);
  assign opens = fit_q && !alone_q && (!busy_q || ends);
  assign refuses = unfit_q && !alone_q;
  assign goes_on = opens || refuses;

  assign collect = '{
          start_ad: opens && takes_ad(command_q.op, command_q.cached),
          start_msg: opens && !takes_ad(command_q.op, command_q.cached),
          next: take,
          stop: bad
      };
  assign follows = !loads_q;
  assign swallow_ad = swallow_q && want_ad_q;
  assign swallow_msg = swallow_q && want_msg_q;
  assign strings_over = !want_ad_q && !want_msg_q;

  always_ff @(posedge clk) begin
    command_q <= commands[packet_t'(opened_q)];
    known_q   <= opened_q != accepted && !goes_on;
    first_q   <= opened_q == given && !goes_on;
    fit_q     <= known_q && !is_unfit && (!load_ad || first_q) && !goes_on;
    // What may make the cache fit is still to come, or was refused: only the packets before tell.
    unfit_q   <= known_q && is_unfit && first_q && !goes_on;

    if (ends) busy_q <= 1'b0;
    if (ad_end) want_ad_q <= 1'b0;
    if (msg_end) want_msg_q <= 1'b0;
    if (first_q) begin
      alone_q   <= 1'b0;
      swallow_q <= 1'b0;
    end
    if (goes_on) begin
      opened_q   <= opened_q + number_t'(1);
      want_ad_q  <= takes_ad(command_q.op, command_q.cached);
      want_msg_q <= command_q.op <= OP_OPEN;
      loads_q    <= load_ad;
      busy_q     <= opens;
      alone_q    <= load_ad || refuses;
      swallow_q  <= refuses;
    end
    if (bad) begin
      busy_q    <= 1'b0;
      alone_q   <= 1'b1;
      swallow_q <= 1'b1;
    end

    if (clear) begin
      opened_q   <= '0;
      command_q  <= '0;
      known_q    <= 1'b0;
      first_q    <= 1'b0;
      fit_q      <= 1'b0;
      unfit_q    <= 1'b0;
      loads_q    <= 1'b0;
      busy_q     <= 1'b0;
      alone_q    <= 1'b0;
      swallow_q  <= 1'b0;
      want_ad_q  <= 1'b0;
      want_msg_q <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, chunk};

endmodule
