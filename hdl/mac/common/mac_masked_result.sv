// SPDX-License-Identifier: Apache-2.0
// The end of a MAC command whose tag is in two shares: added up where it is computed, compared in shares where it is
// verified, and then held until it is taken (`mac_result`). A refused command's tag is neither.
// Ports: docs/core-ports.md, MAC cores. Byte order: byte i of a tag in bits [8i+7:8i].
// Cycles: result_valid rises 3 edges after that of `finish` in computing, 12 in verifying; one when the command is refused.
// Security: the comparison takes the same time whatever differs; a verified or refused command shows tag 0. `clear` zeroises
// domain 0 and what is public, `clear_late` domain 1. The tree of ANDs is empty seven cycles later, as it is behind a verdict.
module mac_masked_result
  import aead_pkg::*;
#(
    parameter int unsigned TAG_BITS = 128
) (
    input logic clk,
    input logic clear,
    input logic clear_late,
    input logic [126:0] random,

    input  logic                       finish,        // result_valid and `judging` must be low
    input  logic                       verify,
    input  logic                       refused,
    input  logic [TAG_BITS-1:0]        tag_in,        // expected
    input  logic [         1:0][127:0] computed,      // while `judging`
    output logic                       judging,       // level, from the cycle after `finish` on
    output logic                       done,          // its last cycle
    output logic                       result_valid,
    input  logic                       result_ready,
    output logic                       result_ok,
    output logic [TAG_BITS-1:0]        result_tag
);

  logic verify_q, refused_q, tag_new_q, wrong_q;
  logic [TAG_BITS-1:0] expected_q;
  logic tag_wait, good, wrong;
  logic [TAG_BITS-1:0] tag;
  logic unused;
  assign unused = &{1'b0, tag_wait};

  // A wrong tag is told in the cycle before a right one is: both take one time.
  assign done   = good || wrong_q;

  always_ff @(posedge clk) begin
    tag_new_q <= finish && verify && !refused;
    wrong_q   <= wrong;
    if (finish) begin
      judging   <= 1'b1;
      verify_q  <= verify;
      refused_q <= refused;
    end
    if (finish && verify) expected_q <= tag_in;
    if (done || clear) begin
      judging    <= 1'b0;
      verify_q   <= 1'b0;
      refused_q  <= 1'b0;
      expected_q <= '0;
    end
    if (clear) begin
      tag_new_q <= 1'b0;
      wrong_q   <= 1'b0;
    end
  end

  // With the operation of a command that has no tag the verdict ends at once.
  aead_masked_verdict #(
      .TAG_BITS(TAG_BITS)
  ) u_verdict (
      .clk,
      .clear,
      .clear_late,
      .random,
      .computed,
      .expected (expected_q),
      .op       (refused ? OP_LOAD_AD : verify ? OP_OPEN : OP_SEAL),
      .tag_taken(tag_new_q),
      .finish   (judging),
      .tag_wait,
      .good,
      .wrong,
      .tag
  );

  // The tags were compared: here they are equal, and a wrong one is a refused command.
  mac_result #(
      .TAG_BITS(TAG_BITS)
  ) u_result (
      .clk,
      .clear,
      .finish (done),
      .verify (verify_q),
      .refused(refused_q || wrong_q),
      .tag,
      .tag_in (tag),
      .result_valid,
      .result_ready,
      .result_ok,
      .result_tag
  );

endmodule
