// SPDX-License-Identifier: Apache-2.0
// Ascon-Farfalle, datapath: six rounds with a register behind each, the last of them the sum; mask, and k to begin with.
// Specification: docs/cores/ascon-mac.md. Byte order: byte i of key, block and tag in bits [8i+7:8i] of its port.
// The derivation of k and the two passes over the sum go through the same six rounds.
// Security: key, masks, sum and stages are zeroised by clear; mask, sum and stages after each command too.
module farfalle_datapath
  import ascon_pkg::*;
  import farfalle_pkg::*;
#(
    parameter int unsigned BYTES_LE = 1
) (
    input  logic           clk,
    input  logic           clear,
    input  logic           key_taken,
    input  logic   [127:0] key,
    input  state_t         block,      // padded; zero when nothing is absorbed
    input  step_t          step,
    output logic           flowing,
    output logic           leaving,
    output logic   [127:0] tag         // of the cycle with `finish`
);

  localparam int unsigned STAGES = 6;
  localparam logic LE = BYTES_LE != 0;

  state_t k_q, mask_q, sum_q, sum_d;
  state_t x[STAGES], y[STAGES];
  logic [STAGES-1:1] valid_q;
  logic [STAGES-2:0] moves;  // into the stage behind
  logic after;  // a command or the derivation of k is over

  assign moves = {valid_q[STAGES-2:1], step.enter};
  assign after = step.finish || step.key_done || clear;

  assign x[0]  = step.from_sum ? sum_q : block ^ mask_q;
  for (genvar j = 0; j < STAGES; j++) begin : g_stage
    if (j != 0) begin : g_held
      state_t stage_q;  // behind j rounds
      always_ff @(posedge clk) begin
        if (moves[j-1]) stage_q <= y[j-1];
        if (after) stage_q <= '0;
      end
      assign x[j] = stage_q;
    end
    ascon_round u_round (
        .x(x[j]),
        .constant(step.early ? round_constant(4'(j)) : round_constant(4'(ROUNDS - STAGES + j))),
        .y(y[j])
    );
  end

  assign flowing = |valid_q;
  assign leaving = valid_q[STAGES-1];
  assign sum_d   = y[STAGES-1] ^ (sum_q & {320{step.add}});

  always_ff @(posedge clk) begin
    // What leaves stays while it cannot be taken.
    valid_q <= {valid_q[STAGES-2] || (leaving && !step.take && !step.finish), valid_q[STAGES-3:1], step.enter};
    if (step.take) sum_q <= sum_d;
    if (step.key_done) k_q <= sum_d;
    if (step.roll_mask) mask_q <= roll(mask_q);
    if (step.start) mask_q <= k_q;
    if (key_taken) mask_q <= padded_key(key, LE);
    if (after) begin
      valid_q <= '0;
      mask_q  <= '0;
      sum_q   <= '0;
    end
    if (clear) k_q <= '0;
  end

  assign tag = {bytes_of(y[STAGES-1][1] ^ mask_q[1], LE), bytes_of(y[STAGES-1][0] ^ mask_q[0], LE)};

endmodule
