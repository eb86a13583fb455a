// SPDX-License-Identifier: Apache-2.0
// G and the two halves of a round are those of RFC 7693, 3.1 and 3.2: v as an array, each rotation bit by bit.
module blake2b_g (
    input logic [15:0][63:0] v,
    input logic [15:0][63:0] x   // message words in the order of use
);
  import blake2b_pkg::*;
  import rfc7693_pkg::right;

  function automatic logic [15:0][63:0] mix(input logic [15:0][63:0] old, input int a, input int b, input int c,
                                            input int d, input logic [63:0] x_word, input logic [63:0] y_word);
    mix    = old;
    mix[a] = mix[a] + mix[b] + x_word;
    mix[d] = right(mix[d] ^ mix[a], 32);
    mix[c] = mix[c] + mix[d];
    mix[b] = right(mix[b] ^ mix[c], 24);
    mix[a] = mix[a] + mix[b] + y_word;
    mix[d] = right(mix[d] ^ mix[a], 16);
    mix[c] = mix[c] + mix[d];
    mix[b] = right(mix[b] ^ mix[c], 63);
  endfunction

  logic [15:0][63:0] upper, lower;
  always_comb begin
    upper = v;
    upper = mix(upper, 0, 4, 8, 12, x[0], x[1]);
    upper = mix(upper, 1, 5, 9, 13, x[2], x[3]);
    upper = mix(upper, 2, 6, 10, 14, x[4], x[5]);
    upper = mix(upper, 3, 7, 11, 15, x[6], x[7]);
    lower = v;
    lower = mix(lower, 0, 5, 10, 15, x[8], x[9]);
    lower = mix(lower, 1, 6, 11, 12, x[10], x[11]);
    lower = mix(lower, 2, 7, 8, 13, x[12], x[13]);
    lower = mix(lower, 3, 4, 9, 14, x[14], x[15]);
    a_columns : assert (columns(v, x[7:0]) == upper);
    a_diagonals : assert (diagonals(v, x[15:8]) == lower);
  end

endmodule
