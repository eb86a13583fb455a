// SPDX-License-Identifier: Apache-2.0
// In the place of the key schedule: a call takes as long as the solver likes, and what it gives is the solver's.
module key_schedule
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE  = 8'h01,
    parameter logic [7:0] KIND   = 8'h00,
    parameter bit         FAST   = 1'b0,
    parameter bit         SLICES = 1'b0
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              wipe,
    input  identity_t         identity,
    input  logic              psk_valid,
    output logic              psk_taken,
    input  logic      [511:0] psk_data,
    output logic              psk_known,
    output logic              psk_same,
    output logic              ready,
    input  logic              start,
    input  logic      [  7:0] c,
    output logic      [  2:0] chain_at,
    input  logic      [ 63:0] chain_word,
    output logic              word_valid,
    output logic      [  2:0] word_at,
    output logic      [ 63:0] word,
    output logic              done
);
  logic ends, same, takes;  // free
  logic [36:0] given;  // free, as wide as the words of a message here
  logic run_q, gave_q, known_q;
  assign ready = !run_q;
  assign done = gave_q;
  assign psk_taken = psk_valid && takes && !rst && !wipe;
  assign psk_known = known_q;
  assign psk_same = same;
  assign word_valid = run_q && !gave_q && ends;
  assign word = 64'(given);
  assign {chain_at, word_at} = '0;  // one word stands for those of a MAC
  always_ff @(posedge clk) begin
    gave_q <= word_valid;
    if (start) run_q <= 1'b1;
    if (done) run_q <= 1'b0;
    if (psk_taken) known_q <= 1'b1;
    if (rst || wipe) begin
      run_q   <= 1'b0;
      gave_q  <= 1'b0;
      known_q <= 1'b0;
    end
  end
endmodule
