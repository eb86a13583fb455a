// SPDX-License-Identifier: Apache-2.0
// Masks of Minalpher (docs/schemes/minalpher.md, "Definition"): elements of GF((2^8)^32) with y^32 = y^3 + y^2 + x and
// x^8 = x^7 + x^5 + x + 1.
// Byte order: byte i in bits [8i+7:8i]; byte 0 is that of y^31.
// Security: no data-dependent control; a product is a move by a byte and exclusive-ors in three bytes.
package minalpher_mask_pkg;

  localparam logic [7:0] POLYNOMIAL_X = 8'ha3;  // x^8

  function automatic logic [255:0] times_y(input logic [255:0] mask);
    logic [7:0] top;
    top = mask[7:0];
    times_y = mask >> 8;
    times_y[8*28+:8] ^= top;
    times_y[8*29+:8] ^= top;
    times_y[8*31+:8] = {top[6:0], 1'b0} ^ (POLYNOMIAL_X & {8{top[7]}});
  endfunction

endpackage
