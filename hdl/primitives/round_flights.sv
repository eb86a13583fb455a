// SPDX-License-Identifier: Apache-2.0
// Calls of an iterated cipher in both directions: which of them waits, which fly and in what round. The cipher has one round
// in STAGES stages; as many calls fly, each with its own direction. One more waits in front of the round. A round of
// encryption ends with the linear layer, one of decryption begins with it: so the layer stands at the round's end, a block
// that is to be decrypted takes it on its way in, and nothing takes it in the last round of decryption.
// Cycles: a call leaves the waiting place when another leaves the round, as soon as two edges after `load`; it is done
// ROUNDS STAGES edges later. A call that decrypts waits a cycle longer if one that encrypted leaves. Results come in the
// order of the calls.
// Security: directions and times only, but for the token, which is the owner's; `clear` zeroises everything.
module round_flights #(
    parameter int unsigned ROUNDS = 20,
    parameter int unsigned STAGES = 1,  // of a round, and calls in flight: 1, 2
    parameter int unsigned TOKEN_BITS = 4,
    localparam int unsigned LEFT_BITS = $clog2(ROUNDS)
) (
    input logic clk,
    input logic clear,

    input  logic                  load,       // take a call; only while none is `waiting`
    input  logic                  inverse,    // decrypt
    input  logic [TOKEN_BITS-1:0] token,
    output logic                  waiting,    // a call waits in front of the round
    output logic                  done,       // a call left the round with the edge before
    output logic [TOKEN_BITS-1:0] done_token, // its token; held until the next

    // What stands at the end of the round, from registers
    output logic start,        // the call that waits goes into the round
    output logic start_plain,  // it is to be encrypted
    output logic layer_back,   // the linear layer is that of decryption
    output logic last,         // a call leaves the round
    output logic last_inverse, // it was decrypted, if one does

    // What stands there in the next cycle, if anything does
    output logic                 ahead_inverse,
    output logic [LEFT_BITS-1:0] ahead_left      // rounds after this one
);

  typedef struct packed {
    logic                  valid;
    logic                  inverse;
    logic                  last;
    logic [LEFT_BITS-1:0]  left;
    logic [TOKEN_BITS-1:0] token;
  } flight_t;

  flight_t entry, front_q, back, ahead;  // into the round, in its first stage, in its last; there in the next cycle
  logic wait_inverse_q, start_next;
  logic [TOKEN_BITS-1:0] wait_token_q;
  logic unused;
  assign unused = &{1'b0, ahead};

  always_comb begin
    entry = back;
    if (start) begin
      entry.valid   = 1'b1;
      entry.inverse = wait_inverse_q;
      entry.last    = 1'b0;
      entry.left    = LEFT_BITS'(ROUNDS - 1);
      entry.token   = wait_token_q;
    end else begin
      entry.valid = back.valid && !back.last;
      entry.last  = back.left == LEFT_BITS'(1);
      entry.left  = back.left - LEFT_BITS'(1);
    end
  end

  if (STAGES == 2) begin : gen_cut
    flight_t back_q;
    always_ff @(posedge clk) begin
      back_q <= front_q;
      if (clear) back_q <= '0;
    end
    assign back  = back_q;
    assign ahead = front_q;
  end else begin : gen_whole
    assign back  = front_q;
    assign ahead = entry;
  end

  assign last = back.valid && back.last;
  assign last_inverse = back.inverse;
  assign ahead_inverse = ahead.inverse;
  assign ahead_left = ahead.left;
  assign start_next = waiting && !start && (!ahead.valid || (ahead.last && (ahead.inverse || !wait_inverse_q)));

  always_ff @(posedge clk) begin
    front_q     <= entry;
    start       <= start_next;
    start_plain <= start_next && !wait_inverse_q;
    layer_back  <= start_next ? wait_inverse_q : ahead.inverse;
    done        <= last;
    if (last) done_token <= back.token;
    if (start) waiting <= 1'b0;
    if (load) begin
      waiting        <= 1'b1;
      wait_inverse_q <= inverse;
      wait_token_q   <= token;
    end
    if (clear) begin
      front_q        <= '0;
      start          <= 1'b0;
      start_plain    <= 1'b0;
      layer_back     <= 1'b0;
      done           <= 1'b0;
      done_token     <= '0;
      waiting        <= 1'b0;
      wait_inverse_q <= 1'b0;
      wait_token_q   <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_load_into_a_free_place : assert (!load || !waiting);
      a_layer_is_free : assert (!(start && layer_back && last && !last_inverse));
    end
  end
`endif

endmodule
