// SPDX-License-Identifier: Apache-2.0
// RFC 7693 written anew, for the proofs of BLAKE2b: the IV (2.6), the order of words in a round (2.7), rotation bit by bit (2.3).
package rfc7693_pkg;

  localparam logic [7:0][63:0] START = {
    64'h5be0cd19137e2179,
    64'h1f83d9abfb41bd6b,
    64'h9b05688c2b3e6c1f,
    64'h510e527fade682d1,
    64'ha54ff53a5f1d36f1,
    64'h3c6ef372fe94f82b,
    64'hbb67ae8584caa73b,
    64'h6a09e667f3bcc908
  };
  // A digit for each word, the first one uppermost
  localparam logic [63:0] ORDER[10] = '{
      64'h0123456789abcdef,
      64'hea489fd61c02b753,
      64'hb8c052fdae367194,
      64'h7931dcbe265a40f8,
      64'h905724afe1bc683d,
      64'h2c6a0b834d75fe19,
      64'hc51fed4a0763928b,
      64'hdb7ec13950f4862a,
      64'h6fe9b308c2d714a5,
      64'ha2847615fb9e3cd0
  };

  function automatic logic [63:0] right(input logic [63:0] value, input int by);
    for (int j = 0; j < 64; j++) right[j] = value[(j+by)%64];
  endfunction

endpackage
