// SPDX-License-Identifier: Apache-2.0
// Calls of Ascon-p on a state in two shares (their sum is the state), one after the other, and masks for the user's shares.
// First-order secure with glitches and transitions, if shares enter with fresh masks (docs/probing.md).
// Specification: NIST SP 800-232 section 3; a call is the last rounds of the twelve, from number `from` on.
// Cycles: two a round. A call starts with `load`, in front of which is the state; `made` comes with its last round's
// outcome, 2 (12 - from) cycles later, as logic after registers and linear in each domain.
// Security: no data-dependent control. A state that goes nowhere is followed by zeros: no enable, no reset, and two cycles
// after `clear` or `stop` it is gone. Domains meet in the round alone.
module ascon_masked_permutation
  import ascon_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic stop,   // the call under way goes no further

    input logic [2:0][63:0] random,  // new in each cycle; nobody else takes them for a state in work

    input  logic         load,  // x enters
    input  logic   [3:0] from,  // number of the first round, with `load`
    input  state_t [1:0] x,
    output state_t [1:0] y,     // behind the rounds
    output logic         made,  // y is the call's outcome
    output logic         idle,  // no call is under way, nor begins
    output state_t       mask   // random bits that the round takes for no state in work; both domains take the same
);

  localparam logic [4:0] MADE = 5'(2 * ROUNDS);

  state_t [1:0] front;
  logic [4:0] step_q;  // of a call: twice the number of the round that comes next, one less in the cycle before; else 0
  logic [7:0] constant;
  logic go;
  logic full_q;  // the first registers of the round hold a state

  assign made = step_q == MADE;
  assign idle = step_q == '0 && !load;
  assign go   = step_q != '0 && !step_q[0] && !made;

  always_comb begin
    constant = '0;
    if (load) constant = round_constant(from);
    else if (go) constant = round_constant(step_q[4:1]);
  end

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    always_comb begin
      front[d] = (x[d] & {320{load}}) | (y[d] & {320{go}});
      if (d == 0) front[d][2][7:0] ^= constant;
    end
  end

  ascon_masked_round u_round (
      .clk,
      .random,
      .x0(front[0]),
      .x1(front[1]),
      .y0(y[0]),
      .y1(y[1])
  );

  always_ff @(posedge clk) begin
    full_q <= load || go;
    // A state is followed by zeros, so that every other cycle of a call gives masks.
    if (!full_q) mask <= {mask[1:0], random};
    if (load) step_q <= {from, 1'b1};
    else if (made) step_q <= '0;
    else if (step_q != '0) step_q <= step_q + 5'd1;
    if (clear || stop) step_q <= '0;
    if (clear) begin
      full_q <= 1'b0;
      mask   <= '0;
    end
  end

endmodule
