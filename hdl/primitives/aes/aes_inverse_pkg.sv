// SPDX-License-Identifier: Apache-2.0
// AES decryption (FIPS 197, 5.3): the inverses of ShiftRows and MixColumns, and the inverse S-box out of the S-box.
// S is the inversion in the field, then an affine map. With the inverse of that map before S and behind it, S is its own
// inverse, so that one table serves both directions.
// Byte order: byte i of a block in bits [8i+7:8i]; it is row i mod 4, column i / 4 of the state.
// Security: no secret chooses a path.
package aes_inverse_pkg;

  import aes_pkg::*;

  // The inverse of the affine map of the S-box, on every byte
  function automatic logic [127:0] affine_back(input logic [127:0] s);
    logic [7:0] a;
    for (int unsigned i = 0; i < 16; i++) begin
      a = s[8*i+:8];
      affine_back[8*i+:8] = {a[6:0], a[7]} ^ {a[4:0], a[7:5]} ^ {a[1:0], a[7:2]} ^ 8'h05;
    end
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

  // The product in the field, as the sum of the factor's products with the bits that are set
  function automatic logic [7:0] times(input logic [7:0] factor, input logic [7:0] x);
    logic [7:0] power;
    power = factor;
    times = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      times ^= power & {8{x[i]}};
      power = xtime(power);
    end
  endfunction

  // InvMixColumns at once: two levels of logic
  function automatic logic [127:0] mix_columns_back(input logic [127:0] s);
    logic [3:0][7:0] a;
    for (int unsigned c = 0; c < 4; c++) begin
      a = s[32*c+:32];
      for (int unsigned r = 0; r < 4; r++) begin
        mix_columns_back[32*c+8*r+:8] = times(8'd14, a[r]) ^ times(8'd11, a[(r+1)%4]) ^ times(8'd13, a[(r+2)%4]) ^
            times(8'd9, a[(r+3)%4]);
      end
    end
  endfunction

endpackage
