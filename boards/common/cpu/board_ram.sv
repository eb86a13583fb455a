// SPDX-License-Identifier: Apache-2.0
//
// The processor's memory, which holds the firmware from configuration on. Bytes are written one by one; byte 0 of a word is its low byte.
// Cycles: a word is read with the edge behind its address.
// Security: a reset overwrites nothing; the firmware wipes its secrets.

module board_ram #(
    parameter int unsigned WORDS = 4096,  // of 32 bits; a power of two
    parameter string IMAGE = ""  // file of $readmemh with the firmware; none: the memory begins as the device leaves it
) (
    input  logic                     clk,
    input  logic                     en,
    input  logic [              3:0] write,   // bytes to write
    input  logic [$clog2(WORDS)-1:0] addr,    // of the word
    input  logic [             31:0] w_data,
    output logic [             31:0] r_data
);
  logic [31:0] words[WORDS];

  if (IMAGE != "") begin : g_image
    initial $readmemh(IMAGE, words);
  end

  always_ff @(posedge clk)
    if (en) begin
      for (int unsigned i = 0; i < 4; i++) if (write[i]) words[addr][8*i+:8] <= w_data[8*i+:8];
      if (write == '0) r_data <= words[addr];
    end
endmodule
