// SPDX-License-Identifier: Apache-2.0
// Both forms of the AES S-box, whole and in halves, are that of FIPS 197, 5.1.1: the inverse in GF(2^8) modulo
// x^8 + x^4 + x^3 + x + 1, zero to zero, then the affine map. The inverse is the seventh square times its like: x^254.
module aes_sbox (
    input logic [7:0] x
);
  import aes_pkg::*;

  function automatic logic [7:0] times(input logic [7:0] a, input logic [7:0] b);
    logic [14:0] product;
    product = '0;
    for (int i = 0; i < 8; i++) if (b[i]) product ^= 15'(a) << i;
    for (int i = 14; i >= 8; i--) if (product[i]) product ^= 15'h11b << (i - 8);
    return product[7:0];
  endfunction

  function automatic logic [7:0] standard(input logic [7:0] value);
    logic [7:0] power, inverse;
    power   = value;
    inverse = 8'd1;
    for (int i = 0; i < 7; i++) begin
      power   = times(power, power);
      inverse = times(inverse, power);
    end
    for (int i = 0; i < 8; i++) begin
      standard[i] = inverse[i] ^ inverse[(i+4)%8] ^ inverse[(i+5)%8] ^ inverse[(i+6)%8] ^ inverse[(i+7)%8];
    end
    return standard ^ 8'h63;
  endfunction

  always_comb begin
    table_form : assert (sub_byte(SBOX_TABLE, x) == standard(x));
    composite_form : assert (sub_byte(SBOX_COMPOSITE, x) == standard(x));
    table_halves : assert (sub_byte_back(SBOX_TABLE, sub_byte_front(SBOX_TABLE, x)) == standard(x));
    composite_halves : assert (sub_byte_back(SBOX_COMPOSITE, sub_byte_front(SBOX_COMPOSITE, x)) == standard(x));
  end

endmodule
