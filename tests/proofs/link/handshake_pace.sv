// SPDX-License-Identifier: Apache-2.0
// The pace of the handshake. Messages, random values, keys, timers, wipes, the sessions and the way out are free, and a call
// of the key schedule takes as long as it likes. What is counted are those calls, and the cycles in which the handshake waits for
// none of all this.
module handshake_pace
  import link_pkg::*, link_types_pkg::*;
#(
    parameter logic [5:0] IN_CYCLES  = 6'd20,
    parameter logic [5:0] OUT_CYCLES = 6'd17,
    parameter logic [3:0] IN_CALLS   = 4'd6,
    parameter logic [3:0] OUT_CALLS  = 4'd5
) (
    input logic clk,
    input logic rst_wanted,
    input logic initiator_wanted,
    input logic enabled,
    input logic wipe,
    input progress_t progress,
    input slot_t [1:0] slots,
    input logic psk_valid,
    input logic random_valid,
    input logic [31:0] random_sid,
    input logic message_valid,
    input logic [36:0] message_word,
    input logic message_out_ready
);
  logic started_q, rst, initiator_q, initiator;
  initial started_q = 1'b0;
  always_ff @(posedge clk) begin
    started_q   <= 1'b1;
    initiator_q <= initiator;
  end
  assign rst = rst_wanted || !started_q;
  assign initiator = started_q ? initiator_q : initiator_wanted;

  order_t order;
  identity_t identity;
  beat_t message_in, message_out;
  proposal_t  proposal;
  handshake_e state;
  counted_t   handshake_counted;
  awaited_t   awaited;
  logic psk_ready, psk_known, random_ready, message_in_ready, coming, handshake_busy, handshake_stirs;
  logic [31:0] coming_sid;
  always_comb begin
    order      = '0;
    order.wipe = wipe;
    identity   = '{initiator: initiator, bad: 1'b0, id_i: 64'd1, id_r: 64'd2};
    message_in = '{valid: message_valid, data: 64'(message_word), bytes: 4'd8, last: 1'b0};
  end

  handshake #(
      .SUITE(8'h11)
  ) u_handshake (
      .*,
      .psk_data('0),
      .psk_number('0),
      .random_data(256'(random_sid))
  );

  // Cycles of its own: no call of the key schedule runs, nothing is offered to the sessions or the way out in vain, and what
  // begins a handshake anew does not come.
  logic own, offered, outside;
  assign offered = proposal.offer && !progress.taken;
  assign outside = rst || wipe || psk_valid || progress.promoted;
  assign own = u_handshake.u_schedule.ready && !offered && !(message_out.valid && !message_out_ready);

  // A message that came, until its place is free again
  logic [5:0] in_q, out_q;
  logic [3:0] in_calls_q, out_calls_q;
  logic held;
  assign held = !message_in_ready;
  always_ff @(posedge clk) begin
    in_q       <= in_q + 6'(own);
    in_calls_q <= in_calls_q + 4'(u_handshake.d_start);
    if (!held || outside) begin
      in_q       <= '0;
      in_calls_q <= '0;
    end
  end

  // The first hello of HELLO, if it has R, and the first confirm of CONFIRM
  logic due_q, sent;
  assign sent = message_out.valid && message_out_ready && message_out.last;
  always_ff @(posedge clk) begin
    due_q       <= (due_q || u_handshake.enter_hello || (u_handshake.confirming && initiator)) && !sent;
    out_q       <= out_q + 6'(own);
    out_calls_q <= out_calls_q + 4'(u_handshake.d_start);
    if (rst || wipe || (progress.promoted && initiator)) due_q <= 1'b0;
    if (!due_q || outside || !enabled || (state == HS_HELLO && !u_handshake.have_r)) begin
      out_q       <= '0;
      out_calls_q <= '0;
    end
  end

  // A hello that was taken for good has its answer before its place is free, if there is an R.
  logic answer_q;
  always_ff @(posedge clk) begin
    if (u_handshake.answered && u_handshake.have_r) answer_q <= 1'b1;
    if (sent || rst || wipe) answer_q <= 1'b0;
  end

  always_comb begin
    if (!rst) begin
      a_in : assert (in_q <= IN_CYCLES);
      a_in_calls : assert (in_calls_q <= IN_CALLS);
      a_out : assert (out_q <= OUT_CYCLES);
      a_out_calls : assert (out_calls_q <= OUT_CALLS);
      a_answer : assert (!answer_q || held);
    end
  end
endmodule
