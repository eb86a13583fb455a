// SPDX-License-Identifier: Apache-2.0
// Fields of the masked AES S-box, each over the one before with a normal basis, which makes a Frobenius map an exchange
// of halves (tower after D. Canright, "A Very Compact S-Box for AES", CHES 2005; of his kind of maps the one whose two
// matrices have the fewest ones): GF(4) over GF(2) with {W^2, W}, W^2 + W = 1; GF(16) over GF(4) with {Z^4, Z},
// Z^4 + Z = 1, Z^5 = W; GF(256) over GF(16) with {X^16, X}, X^16 + X = 1, X^17 = W^2 Z. In the field of FIPS 197
// W = bc, Z = 5c and X = fe (hexadecimal). The first of a basis has the upper half.
package aes_masked_pkg;

  // Random bits of a masked inversion in each cycle
  localparam int unsigned SBOX_RANDOM = 8;
  // X^17
  localparam logic [3:0] LAMBDA = 4'b0010;
  // Images of x^0 to x^7 of the standard's field; and back, the linear part of the S-box's affine map included
  localparam logic [7:0] TO_TOWER[8] = '{8'hff, 8'h65, 8'h24, 8'h60, 8'h48, 8'h1f, 8'h3f, 8'h46};
  localparam logic [7:0] FROM_TOWER[8] = '{8'h9e, 8'h0b, 8'h58, 8'h2d, 8'h03, 8'h24, 8'hdc, 8'h04};
  // The constant of the affine map
  localparam logic [7:0] AFFINE = 8'h63;

  function automatic logic [7:0] to_tower(input logic [7:0] x);
    to_tower = '0;
    for (int unsigned i = 0; i < 8; i++) to_tower ^= TO_TOWER[i] & {8{x[i]}};
  endfunction

  function automatic logic [7:0] from_tower(input logic [7:0] x);
    from_tower = '0;
    for (int unsigned i = 0; i < 8; i++) from_tower ^= FROM_TOWER[i] & {8{x[i]}};
  endfunction

  function automatic logic [1:0] gf4_times(input logic [1:0] a, input logic [1:0] b);
    return {a[1] & b[1], a[0] & b[0]} ^ {2{(a[1] ^ a[0]) & (b[1] ^ b[0])}};
  endfunction

  // The square, which is the inverse
  function automatic logic [1:0] gf4_inverse(input logic [1:0] a);
    return {a[0], a[1]};
  endfunction

  function automatic logic [1:0] gf4_times_w(input logic [1:0] a);
    return {a[1] ^ a[0], a[1]};
  endfunction

  function automatic logic [3:0] gf16_times(input logic [3:0] a, input logic [3:0] b);
    return {gf4_times(a[3:2], b[3:2]), gf4_times(a[1:0], b[1:0])} ^
        {2{gf4_times_w(gf4_times(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]))}};
  endfunction

  function automatic logic [3:0] gf16_square(input logic [3:0] a);
    logic [1:0] s;
    s = gf4_times_w(gf4_inverse(a[3:2] ^ a[1:0]));
    return {gf4_inverse(a[3:2]) ^ s, gf4_inverse(a[1:0]) ^ s};
  endfunction

  // The linear parts of the norms: of GF(256) over GF(16), and of GF(16) over GF(4)
  function automatic logic [3:0] gf256_norm_linear(input logic [7:0] a);
    return gf16_times(gf16_square(a[7:4] ^ a[3:0]), LAMBDA);
  endfunction

  function automatic logic [1:0] gf16_norm_linear(input logic [3:0] a);
    return gf4_times_w(gf4_inverse(a[3:2] ^ a[1:0]));
  endfunction

endpackage
