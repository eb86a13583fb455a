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
  logic [WORDS-1:0][31:0] words_q;
  logic [WORDS-1:0] written_q;
  logic wipe, write;

  assign complete = &written_q;
  assign data = words_q;
  assign wipe = rst || clear || (valid && ready);
  assign write = put && !valid && !commit;

  // Each word has an enable of its own, which costs no logic before its flip-flops.
  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < WORDS; i++) begin
      if (write && 32'(index) == i) begin
        words_q[i]   <= word;
        written_q[i] <= 1'b1;
      end
    end
    refused <= commit && (valid || !complete) && !rst;
    if (commit && complete) valid <= 1'b1;
    if (wipe) begin
      words_q   <= '0;
      written_q <= '0;
      valid     <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst)
      a_whole :
      assert (!valid || complete)
      else $error("link_staging: a secret is offered in part");
`endif
endmodule
