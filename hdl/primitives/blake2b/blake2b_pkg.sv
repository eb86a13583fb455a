// SPDX-License-Identifier: Apache-2.0
// BLAKE2b compression function F, RFC 7693 sections 2.6, 2.7, 3.1 and 3.2: pure functions and constants.
// Byte order: strings have byte i in bits [8i+7:8i]; BLAKE2b words are little-endian, so word i of a string is
// bits [64i+63:64i].
// Security: constant time by construction; nothing here keeps state.
package blake2b_pkg;

  localparam int unsigned ROUNDS = 12;
  localparam int unsigned PERMUTATIONS = 10;

  typedef logic [63:0] word_t;
  typedef logic [15:0][63:0] state_t;  // word i of the working vector or of the message block is [i]

  localparam logic [7:0][63:0] IV = {
    64'h5be0cd19137e2179,
    64'h1f83d9abfb41bd6b,
    64'h9b05688c2b3e6c1f,
    64'h510e527fade682d1,
    64'ha54ff53a5f1d36f1,
    64'h3c6ef372fe94f82b,
    64'hbb67ae8584caa73b,
    64'h6a09e667f3bcc908
  };

  localparam int unsigned SIGMA[PERMUTATIONS][16] = '{
      '{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
      '{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
      '{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
      '{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
      '{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
      '{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
      '{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
      '{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
      '{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
      '{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}
  };

  function automatic word_t rotr(input word_t x, input int unsigned n);
    return (x >> n) | (x << (64 - n));
  endfunction

  // The mixing function G on one lane {d, c, b, a}, with two message words.
  function automatic logic [3:0][63:0] g(input logic [3:0][63:0] lane, input word_t x, input word_t y);
    word_t a, b, c, d;
    {d, c, b, a} = lane;
    a = a + b + x;
    d = rotr(d ^ a, 32);
    c = c + d;
    b = rotr(b ^ c, 24);
    a = a + b + y;
    d = rotr(d ^ a, 16);
    c = c + d;
    b = rotr(b ^ c, 63);
    return {d, c, b, a};
  endfunction

  // Four Gs on the columns of v; x holds the eight message words in the order of use.
  function automatic state_t columns(input state_t v, input logic [7:0][63:0] x);
    logic [3:0][63:0] lane;
    for (int unsigned i = 0; i < 4; i++) begin
      lane = g({v[i+12], v[i+8], v[i+4], v[i]}, x[2*i], x[2*i+1]);
      {columns[i+12], columns[i+8], columns[i+4], columns[i]} = lane;
    end
  endfunction

  // Four Gs on the diagonals of v.
  function automatic state_t diagonals(input state_t v, input logic [7:0][63:0] x);
    logic [3:0][63:0] lane;
    for (int unsigned i = 0; i < 4; i++) begin
      lane = g({v[12+(i+3)%4], v[8+(i+2)%4], v[4+(i+1)%4], v[i]}, x[2*i], x[2*i+1]);
      {diagonals[12+(i+3)%4], diagonals[8+(i+2)%4], diagonals[4+(i+1)%4], diagonals[i]} = lane;
    end
  endfunction

endpackage
