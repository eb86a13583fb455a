// SPDX-License-Identifier: Apache-2.0
// ShiftRows, MixColumns and the words of the key schedule are those of FIPS 197, 5.1.2, 5.1.3 and 5.2, written on the
// array of four rows with a product of the field. aes_sbox.sv has the S-box.
module aes_round (
    input logic [127:0] state,
    input logic [127:0] key,
    input logic [ 31:0] last_word
);
  import aes_pkg::*;
  import fips197_pkg::times;

  localparam logic [3:0][7:0] MIX = {8'd1, 8'd1, 8'd3, 8'd2};  // row 0: 2 3 1 1

  logic [7:0] state_array[4][4], shifted[4][4], mixed[4][4];  // row, column
  logic [127:0] standard_shift, standard_mix;
  always_comb begin
    for (int r = 0; r < 4; r++) for (int c = 0; c < 4; c++) state_array[r][c] = state[8*(r+4*c)+:8];
    for (int r = 0; r < 4; r++) begin
      for (int c = 0; c < 4; c++) begin
        shifted[r][c] = state_array[r][(c+r)%4];
        mixed[r][c]   = '0;
        for (int k = 0; k < 4; k++) mixed[r][c] ^= times(MIX[(k-r+4)%4], state_array[k][c]);
        standard_shift[8*(r+4*c)+:8] = shifted[r][c];
        standard_mix[8*(r+4*c)+:8]   = mixed[r][c];
      end
    end
  end

  // A word takes the one NK words before it and the one before it, the first of a group the latter through a function.
  logic [31:0] word[4], rotated;
  always_comb begin
    for (int i = 0; i < 4; i++) word[i] = key[32*i+:32] ^ (i == 0 ? last_word : word[(i+3)%4]);
    for (int i = 0; i < 4; i++) rotated[8*i+:8] = last_word[8*((i+1)%4)+:8];
  end

  always_comb begin
    a_shift_rows : assert (shift_rows(state) == standard_shift);
    a_mix_columns : assert (mix_columns(state) == standard_mix);
    a_next_words : assert (next_words(key, last_word) == {word[3], word[2], word[1], word[0]});
    a_rot_word : assert (rot_word(last_word) == rotated);
  end

endmodule
