// SPDX-License-Identifier: Apache-2.0
// Both forms of the AES S-box, whole and in halves, are that of FIPS 197, 5.1.1: the inverse in GF(2^8) modulo
// x^8 + x^4 + x^3 + x + 1, zero to zero, then the affine map. The inverse is the seventh square times its like: x^254.
module aes_sbox (
    input logic [7:0] x
);
  import aes_pkg::*;
  import fips197_pkg::standard_sub;

  always_comb begin
    table_form : assert (sub_byte(SBOX_TABLE, x) == standard_sub(x));
    composite_form : assert (sub_byte(SBOX_COMPOSITE, x) == standard_sub(x));
    table_halves : assert (sub_byte_back(SBOX_TABLE, sub_byte_front(SBOX_TABLE, x)) == standard_sub(x));
    composite_halves : assert (sub_byte_back(SBOX_COMPOSITE, sub_byte_front(SBOX_COMPOSITE, x)) == standard_sub(x));
  end

endmodule
