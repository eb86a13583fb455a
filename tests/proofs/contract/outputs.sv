// SPDX-License-Identifier: Apache-2.0
// Places of output by themselves. Free are the mode, but for what they ask of it (a call is loaded only while a place is left,
// a result comes only for a call), and the emitter, which is busy from a load until what it was given has gone.
module outputs
  import aead_pkg::*, aead_block_pkg::*;
#(
    parameter int unsigned PLACES = 3
) (
    input logic clk,
    input logic clear_wanted,
    input logic promise_wanted,
    input logic put_wanted,
    input logic empty_wanted,
    input logic hold,
    input logic more,
    input logic refused,
    input logic gone  // the emitter has sent the last beat
);
  logic started_q, clear;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign clear = clear_wanted || !started_q;

  logic promise, put, empty, place_left, first_free, outputs_drained, outputs_idle, out_made, stands, sent;
  logic [PLACES-1:1] move;
  output_t put_about, last_about;
  emit_t emit;
  logic  busy_q;

  // Blocks by what they have come to: in the primitive; put into place 0 and not yet given to the emitter; given to it and not
  // yet gone from the last place. The number of a block tells it from the others.
  logic [2:0] called_q, waiting_q, given_q;
  logic [2:0] put_number_q, given_number_q;
  logic [2:0] idle_cycles_q;  // in which a block waits for nobody

  assign promise = promise_wanted && (place_left || sent) && !clear;
  assign put = put_wanted && called_q != '0 && !clear;
  assign empty = empty_wanted && !busy_q && outputs_idle && !clear;
  always_comb begin
    put_about       = '0;
    put_about.bytes = 7'(put_number_q);
  end

  aead_outputs #(
      .PLACES(PLACES)
  ) u_outputs (
      .end_empty(1'b0),
      .emit_idle(!busy_q),
      .*
  );

  always_ff @(posedge clk) begin
    if (emit.load || emit.empty) busy_q <= 1'b1;
    else if (gone) busy_q <= 1'b0;
    called_q  <= called_q + 3'(promise) - 3'(put);
    waiting_q <= waiting_q + 3'(put) - 3'(emit.load);
    given_q   <= given_q + 3'(emit.load) - 3'(sent);
    if (put) put_number_q <= put_number_q + 3'd1;
    if (emit.load) given_number_q <= given_number_q + 3'd1;
    idle_cycles_q <= (waiting_q != '0 && given_q == '0 && !busy_q && !emit.load) ? idle_cycles_q + 3'd1 : '0;
    if (clear) begin
      busy_q <= 1'b0;
      {called_q, waiting_q, given_q, put_number_q, given_number_q, idle_cycles_q} <= '0;
    end
  end

  always_comb begin
    if (started_q && !clear) begin
      a_place_is_free : assert (!put || first_free);
      a_as_many_as_places : assert (32'(called_q) + 32'(waiting_q) + 32'(given_q) <= PLACES);
      a_no_place_is_idle : assert (place_left == (32'(called_q) + 32'(waiting_q) + 32'(given_q) < PLACES));
      a_given_in_order : assert (!emit.load || (waiting_q != '0 && last_about.bytes == 7'(given_number_q)));
      a_one_at_a_time : assert (!emit.load || (given_q == '0 && !busy_q));
      a_stands_while_it_goes : assert (given_q == '0 || stands);
      a_leaves_when_gone : assert (!sent || (given_q != '0 && !busy_q && !hold));
      a_leaves_at_once : assert (sent || given_q == '0 || busy_q || hold);
      a_waits_for_nobody : assert (32'(idle_cycles_q) < PLACES);
      a_drained : assert (outputs_drained == (called_q == '0 && waiting_q == '0));
      a_idle : assert (outputs_idle == (called_q == '0 && waiting_q == '0 && given_q == '0));
      a_more_follows : assert (given_q == '0 || emit.more == (called_q != '0 || waiting_q != '0 || more));
      a_made : assert (out_made == (emit.load || empty) && emit.empty == empty && emit.cut == refused);
    end
  end
endmodule
