// SPDX-License-Identifier: Apache-2.0
// FIPS 197 written anew, for the proofs of AES: products in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (4.2), and SubBytes of one
// byte (5.1.1): the inverse, zero to zero, then the affine map. The inverse is the seventh square times its like: x^254.
package fips197_pkg;

  function automatic logic [7:0] times(input logic [7:0] a, input logic [7:0] b);
    logic [14:0] product;
    product = '0;
    for (int i = 0; i < 8; i++) if (b[i]) product ^= 15'(a) << i;
    for (int i = 14; i >= 8; i--) if (product[i]) product ^= 15'h11b << (i - 8);
    return product[7:0];
  endfunction

  function automatic logic [7:0] standard_sub(input logic [7:0] value);
    logic [7:0] power, inverse;
    power   = value;
    inverse = 8'd1;
    for (int i = 0; i < 7; i++) begin
      power   = times(power, power);
      inverse = times(inverse, power);
    end
    for (int i = 0; i < 8; i++) begin
      standard_sub[i] = inverse[i] ^ inverse[(i+4)%8] ^ inverse[(i+5)%8] ^ inverse[(i+6)%8] ^ inverse[(i+7)%8];
    end
    return standard_sub ^ 8'h63;
  endfunction

endpackage
