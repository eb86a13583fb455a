// SPDX-License-Identifier: Apache-2.0
// The parts of SCREAM's tweakable cipher (docs/schemes/scream.md, "Definition").
// Byte order: byte i of block, key and tweak in bits [8i+7:8i], so that row j of a block is bits [16j+15:16j].
// Security: sums and products of bits alone.
package scream_pkg;

  typedef logic [7:0][15:0] rows_t;

  // What each bit of a row becomes, from the least significant; the matrix is orthogonal.
  localparam logic [15:0] IMAGES[16] = '{
      16'h385c,
      16'h52a9,
      16'h7bb3,
      16'h96c1,
      16'hd76d,
      16'h3ae0,
      16'he524,
      16'hfea5,
      16'h464b,
      16'hf1af,
      16'ha133,
      16'h7f74,
      16'h6712,
      16'h7a6f,
      16'h701b,
      16'h8ab1
  };

  // First step of the S-box in every column; `ones` inverts all bits of a: the third step.
  function automatic rows_t outer_step(input rows_t x, input logic [15:0] ones);
    logic [15:0] a, b, c;
    a = (x[1] & x[2]) ^ x[0] ^ ones;
    b = x[1] ^ x[3];
    c = a ^ x[2];
    outer_step = x;
    outer_step[5] = x[5] ^ c;
    outer_step[6] = x[6] ^ (a & x[3]);
    outer_step[7] = x[7] ^ (b & c);
    outer_step[4] = x[4] ^ ((c ^ x[3]) & (b ^ x[2]));
  endfunction

  // Second step
  function automatic rows_t inner_step(input rows_t x);
    logic [15:0] a, b, c, d;
    a = (x[4] & x[5]) ^ x[6];
    c = (x[5] | x[6]) ^ x[7];
    d = (a & x[7]) ^ x[4];
    b = (c & x[4]) ^ x[5];
    inner_step = x;
    inner_step[0] = x[0] ^ a;
    inner_step[1] = x[1] ^ d;
    inner_step[2] = x[2] ^ c;
    inner_step[3] = x[3] ^ b;
  endfunction

  // The S-box. Its inverse takes the steps the other way: the first one has the ones. Row 0 is read in the sum a of the outer
  // steps alone, and the inner step adds to it, so that inverting row 0 moves the ones from one outer step to the other:
  // the inverse is the S-box with row 0 inverted before it and behind it.
  function automatic rows_t substitute(input rows_t x);
    return outer_step(inner_step(outer_step(x, '0)), '1);
  endfunction

  function automatic logic [15:0] mix_row(input logic [15:0] row);
    mix_row = '0;
    for (int unsigned i = 0; i < 16; i++) mix_row ^= IMAGES[i] & {16{row[i]}};
  endfunction

  function automatic rows_t mix(input rows_t x);
    for (int unsigned j = 0; j < 8; j++) mix[j] = mix_row(x[j]);
  endfunction

  // The transposed matrix, which is the inverse
  function automatic rows_t mix_back(input rows_t x);
    for (int unsigned j = 0; j < 8; j++) begin
      for (int unsigned i = 0; i < 16; i++) mix_back[j][i] = ^(x[j] & IMAGES[i]);
    end
  endfunction

  // What round `round`, from 0, adds to row 0
  function automatic logic [15:0] constant_of(input int unsigned round);
    return 16'(2199 * round);
  endfunction

  // From the tweak of a subtweakey to that of the next one: t0 || t1, (t0 + t1) || t0, t1 || (t0 + t1), and round again
  function automatic logic [127:0] tweak_on(input logic [127:0] t);
    return {t[63:0], t[63:0] ^ t[127:64]};
  endfunction

  function automatic logic [127:0] tweak_back(input logic [127:0] t);
    return {t[63:0] ^ t[127:64], t[127:64]};
  endfunction

endpackage
