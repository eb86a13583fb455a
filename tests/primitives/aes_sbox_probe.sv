// SPDX-License-Identifier: Apache-2.0
// Every form of the AES S-box side by side, for its bench. Byte order: one byte.
// Cycles: none, combinational.
module aes_sbox_probe
  import aes_pkg::*;
(
    input  logic [7:0] x,
    output logic [7:0] table_form,
    output logic [7:0] composite_form,
    output logic [7:0] table_halves,
    output logic [7:0] composite_halves
);

  assign table_form       = sub_byte(SBOX_TABLE, x);
  assign composite_form   = sub_byte(SBOX_COMPOSITE, x);
  assign table_halves     = sub_byte_back(SBOX_TABLE, sub_byte_front(SBOX_TABLE, x));
  assign composite_halves = sub_byte_back(SBOX_COMPOSITE, sub_byte_front(SBOX_COMPOSITE, x));

endmodule
