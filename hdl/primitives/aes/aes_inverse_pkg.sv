// SPDX-License-Identifier: Apache-2.0
// AES decryption (FIPS 197, 5.3) beside encryption: the S-box of either direction around one inversion, and the inverses of
// ShiftRows and MixColumns.
// Byte order: byte i of a block in bits [8i+7:8i]; it is row i mod 4, column i / 4 of the state.
// Security: no secret chooses a path; `inverse` is public.
package aes_inverse_pkg;

  import aes_pkg::*;

  // The inverse of the affine map, then the tower field of aes_pkg: the inverse matrix of FROM_TOWER; and that of TO_TOWER
  localparam logic [7:0] INVERSE_TO_TOWER[8] = '{8'h3a, 8'hbc, 8'hba, 8'h5a, 8'h67, 8'h6b, 8'hcb, 8'hb5};
  localparam logic [7:0] INVERSE_FROM_TOWER[8] = '{8'h01, 8'he0, 8'h5d, 8'hb0, 8'ha2, 8'hb8, 8'ha0, 8'h63};

  // The byte in the tower field, and the inverse of its norm
  function automatic logic [11:0] sbox_front_either(input logic inverse, input logic [7:0] x);
    logic [7:0] plain, t;
    logic [3:0] norm;
    plain = x ^ 8'h63;
    t = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      t ^= inverse ? INVERSE_TO_TOWER[i] & {8{plain[i]}} : TO_TOWER[i] & {8{x[i]}};
    end
    norm = gf16_times(gf16_times(t[7:4], t[7:4]), LAMBDA) ^ gf16_times(t[3:0], t[3:0]) ^ gf16_times(t[7:4], t[3:0]);
    return {GF16_INVERSE[norm], t};
  endfunction

  function automatic logic [7:0] sbox_back_either(input logic inverse, input logic [11:0] x);
    logic [7:0] t, y;
    t = {gf16_times(x[11:8], x[7:4]), gf16_times(x[11:8], x[7:4] ^ x[3:0])};
    y = inverse ? 8'h00 : 8'h63;
    for (int unsigned i = 0; i < 8; i++) y ^= (inverse ? INVERSE_FROM_TOWER[i] : FROM_TOWER[i]) & {8{t[i]}};
    return y;
  endfunction

  function automatic logic [127:0] shift_rows_back(input logic [127:0] s);
    for (int unsigned i = 0; i < 16; i++) shift_rows_back[8*((5*i)%16)+:8] = s[8*i+:8];
  endfunction

  // InvMixColumns is this, then MixColumns: the matrix with rows 5 0 4 0 times that of MixColumns is its inverse.
  function automatic logic [127:0] before_mix_back(input logic [127:0] s);
    logic [3:0][7:0] a;
    for (int unsigned c = 0; c < 4; c++) begin
      a = s[32*c+:32];
      for (int unsigned r = 0; r < 4; r++) before_mix_back[32*c+8*r+:8] = a[r] ^ xtime(xtime(a[r] ^ a[(r+2)%4]));
    end
  endfunction

endpackage
