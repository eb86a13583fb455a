// SPDX-License-Identifier: Apache-2.0
//
// Write-only words of a secret, gathered over a register bus and handed over at once. A commit passes only after every word was
// written since the last commit, clear or reset, so no secret is ever handed over twice or in part.
// Byte order: word i is bits [32i+31:32i] of data, as it was written. A word written with a commit or while one waits is ignored.
// Security: the words are wiped with the handover and by clear.

module link_staging #(
    parameter int unsigned WORDS = 16  // of 32 bits, 2 or more
) (
    input  logic                     clk,
    input  logic                     rst,
    input  logic                     clear,     // level: wipe all
    input  logic                     put,       // pulse: write `word`
    input  logic [$clog2(WORDS)-1:0] index,     // of the word
    input  logic [             31:0] word,
    input  logic                     commit,    // pulse
    output logic                     refused,   // pulse: words missing, or the last commit still waits
    output logic                     complete,  // every word is there
    output logic                     valid,     // committed, until taken
    input  logic                     ready,
    output logic [     32*WORDS-1:0] data
);
  logic [WORDS-1:0][31:0] words_q, words_d;
  logic [WORDS-1:0] written_q, written_d;
  logic wipe;

  assign complete = &written_q;
  assign data = words_q;
  assign wipe = rst || clear || (valid && ready);

  always_comb begin
    words_d   = words_q;
    written_d = written_q;
    if (put && !valid && !commit) begin
      words_d[index]   = word;
      written_d[index] = 1'b1;
    end
    if (wipe) begin
      words_d   = '0;
      written_d = '0;
    end
  end

  always_ff @(posedge clk) begin
    words_q   <= words_d;
    written_q <= written_d;
    refused   <= commit && (valid || !complete) && !rst;
    if (commit && complete) valid <= 1'b1;
    if (wipe) valid <= 1'b0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst)
      a_whole :
      assert (!valid || complete)
      else $error("link_staging: a secret is offered in part");
`endif
endmodule
