// SPDX-License-Identifier: Apache-2.0
// The permutation Ascon-p on five 64-bit words, as pure functions.
// Specification: NIST SP 800-232 section 3; Ascon v1.2 section 2.6. p^a is the last a of the twelve rounds.
// Byte order: none here; `word_of` and `bytes_of` turn the byte strings of ports (byte i in bits [8i+7:8i]) into words
// in either convention of the field, little-endian (SP 800-232) or big-endian (Ascon v1.2).
// Security: no data-dependent control; a column is five functions of five bits.
package ascon_pkg;

  localparam int unsigned ROUNDS = 12;  // of the whole permutation

  typedef logic [4:0][63:0] state_t;  // word x_i is state[i]

  // f0 e1 d2 ... 4b: the number of the round, and its complement above it
  function automatic logic [7:0] round_constant(input logic [3:0] round);
    return {~round, round};
  endfunction

  // The S-box on all 64 columns; bit j of the five words is column j.
  function automatic state_t substitute(input state_t x, input logic [7:0] constant);
    state_t u, t;
    u = x;
    u[2][7:0] ^= constant;
    u[0] ^= x[4];
    u[4] ^= x[3];
    u[2] ^= x[1];
    for (int unsigned i = 0; i < 5; i++) t[i] = u[i] ^ (~u[(i+1)%5] & u[(i+2)%5]);
    return {t[4], t[3] ^ t[2], ~t[2], t[1] ^ t[0], t[0] ^ t[4]};
  endfunction

  function automatic logic [63:0] rotate(input logic [63:0] x, input int unsigned right);
    return 64'({x, x} >> right);
  endfunction

  // The linear layer: each word with two of its rotations
  function automatic state_t diffuse(input state_t x);
    return {
      x[4] ^ rotate(x[4], 7) ^ rotate(x[4], 41),
      x[3] ^ rotate(x[3], 10) ^ rotate(x[3], 17),
      x[2] ^ rotate(x[2], 1) ^ rotate(x[2], 6),
      x[1] ^ rotate(x[1], 61) ^ rotate(x[1], 39),
      x[0] ^ rotate(x[0], 19) ^ rotate(x[0], 28)
    };
  endfunction

  // Eight bytes of a string, byte i in bits [8i+7:8i], as a word, and back (it is its own inverse)
  function automatic logic [63:0] word_of(input logic [63:0] bytes, input logic little_endian);
    for (int unsigned i = 0; i < 8; i++) word_of[8*i+:8] = little_endian ? bytes[8*i+:8] : bytes[8*(7-i)+:8];
  endfunction

  function automatic logic [63:0] bytes_of(input logic [63:0] word, input logic little_endian);
    return word_of(word, little_endian);
  endfunction

endpackage
