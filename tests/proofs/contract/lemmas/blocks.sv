// SPDX-License-Identifier: Apache-2.0
// Help for proofs of the contract: every block of output on its way is one beat of legal length, and none is younger than the
// last one. The blocks are in the order of their age, the youngest has index 0.
module blocks
  import aead_block_pkg::*;
#(
    parameter int unsigned BLOCKS = 3,
    parameter int unsigned BEAT_BYTES = 16  // a block is a beat
) (
    input logic clk,
    input logic clear,
    input logic [BLOCKS-1:0] valid,
    input output_t [BLOCKS-1:0] about
);
  always_ff @(posedge clk) begin
    if (!clear)
      for (int unsigned i = 0; i < BLOCKS; i++) begin
        if (valid[i]) begin
          a_legal :
          assert (about[i].beats == '0 && about[i].bytes != '0 && about[i].bytes <= 7'(BEAT_BYTES) &&
                  (about[i].last || about[i].bytes == 7'(BEAT_BYTES)));
          for (int unsigned k = i + 1; k < BLOCKS; k++) a_none_behind_the_last : assert (!valid[k] || !about[k].last);
        end
      end
  end
endmodule
