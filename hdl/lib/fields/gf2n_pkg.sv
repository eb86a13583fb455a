// SPDX-License-Identifier: Apache-2.0
// Doubling in GF(2^256) and GF(2^512), as used by OMD (CAESAR submission, section "Notation").
// Polynomials: x^256 + x^10 + x^5 + x^2 + 1 and x^512 + x^8 + x^5 + x^2 + 1.
// Byte order: operands are byte strings, byte i in bits [8i+7:8i]; the field reads byte 0 as the most
// significant one, so the functions reverse the bytes, shift, reduce, and reverse back (wires only).
// Security: no data-dependent control; a doubling is a shift and three exclusive-ors.
package gf2n_pkg;

  localparam logic [255:0] GF256_POLY = 256'h425;
  localparam logic [511:0] GF512_POLY = 512'h125;

  function automatic logic [255:0] bytes256_reverse(input logic [255:0] x);
    for (int unsigned i = 0; i < 32; i++) bytes256_reverse[8*i+:8] = x[8*(31-i)+:8];
  endfunction

  function automatic logic [511:0] bytes512_reverse(input logic [511:0] x);
    for (int unsigned i = 0; i < 64; i++) bytes512_reverse[8*i+:8] = x[8*(63-i)+:8];
  endfunction

  function automatic logic [255:0] gf256_double(input logic [255:0] x);
    logic [255:0] p;
    p = bytes256_reverse(x);
    p = {p[254:0], 1'b0} ^ (GF256_POLY & {256{p[255]}});
    return bytes256_reverse(p);
  endfunction

  function automatic logic [511:0] gf512_double(input logic [511:0] x);
    logic [511:0] p;
    p = bytes512_reverse(x);
    p = {p[510:0], 1'b0} ^ (GF512_POLY & {512{p[511]}});
    return bytes512_reverse(p);
  endfunction

endpackage
