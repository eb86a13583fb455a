// SPDX-License-Identifier: Apache-2.0
//
// Times of the handshake, in milliseconds of the session's tick. Of the initiator: 250 ms to the next hello or confirm, 500 ms to the
// end of CONFIRM, 750 ms of silence. Of the responder: the second in which it answers so many hellos and no more.
// Specification: docs/wire-format.md, "Handshake" and receive rule 6. Resolution: one millisecond.

module hs_timers
  import link_pkg::*;
(
    input  logic clk,
    input  logic rst,
    input  logic tick,
    input  logic sent,        // pulse: hello or confirm went out
    input  logic confirming,  // pulse: CONFIRM begins
    input  logic heard,       // pulse: a valid data packet, in any session
    input  logic answered,    // pulse: an answer to a hello begins
    output logic resend,      // levels
    output logic give_up,
    output logic silent,
    output logic exhausted    // no answer is left in this second
);
  logic [9:0] sent_q, confirm_q, heard_q;  // milliseconds since, stop at the time they are compared with

  function automatic logic [9:0] after(input logic restart, input logic [9:0] ms, input logic [9:0] limit,
                                       input logic one);
    return restart ? '0 : (one && ms != limit) ? ms + 10'd1 : ms;
  endfunction

  assign resend  = sent_q == 10'(RESEND_MS);
  assign give_up = confirm_q == 10'(CONFIRM_MS);
  assign silent  = heard_q == 10'(SILENCE_MS);

  always_ff @(posedge clk) begin
    sent_q    <= after(sent || rst, sent_q, 10'(RESEND_MS), tick);
    confirm_q <= after(confirming || rst, confirm_q, 10'(CONFIRM_MS), tick);
    heard_q   <= after(heard || rst, heard_q, 10'(SILENCE_MS), tick);
  end

  logic [9:0] second_q;  // milliseconds of this second
  logic [4:0] answers_q;
  logic second;
  assign second = tick && second_q == 10'(SECOND_MS - 1);
  assign exhausted = answers_q == 5'(REPLIES);

  always_ff @(posedge clk) begin
    second_q  <= (second || rst) ? '0 : second_q + 10'(tick);
    answers_q <= rst ? '0 : (second ? '0 : answers_q) + 5'(answered);
  end
endmodule
