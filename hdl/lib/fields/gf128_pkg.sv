// SPDX-License-Identifier: Apache-2.0
// Doubling in GF(2^128), as block-cipher modes use it (NIST SP 800-38B; OCB; AES-OTR v3, section 2).
// Polynomial: x^128 + x^7 + x^2 + x + 1.
// Byte order: operands are byte strings, byte i in bits [8i+7:8i]; the field reads byte 0 as the most
// significant one, so the function reverses the bytes, shifts, reduces, and reverses back (wires only).
// Security: no data-dependent control; a doubling is a shift and three exclusive-ors.
package gf128_pkg;

  localparam logic [127:0] GF128_POLY = 128'h87;

  function automatic logic [127:0] bytes128_reverse(input logic [127:0] x);
    for (int unsigned i = 0; i < 16; i++) bytes128_reverse[8*i+:8] = x[8*(15-i)+:8];
  endfunction

  function automatic logic [127:0] gf128_double(input logic [127:0] x);
    logic [127:0] p;
    p = bytes128_reverse(x);
    p = {p[126:0], 1'b0} ^ (GF128_POLY & {128{p[127]}});
    return bytes128_reverse(p);
  endfunction

endpackage
