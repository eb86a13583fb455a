// SPDX-License-Identifier: Apache-2.0
// Constant and S-box of one round of Ascon-p, combinational.
// Specification: NIST SP 800-232 section 3, through ascon_pkg. Byte order: none, five words.
// Area: 320 LUTs of six inputs: every output bit is one function of its column and a bit of the constant. The module is kept
// apart in synthesis: a mapper that restructures across its border finds a third more logic.
// Security: no data-dependent control.
(* keep_hierarchy *)
module ascon_substitute
  import ascon_pkg::*;
(
    input  state_t       x,
    input  logic   [7:0] constant,
    output state_t       y
);

  assign y = substitute(x, constant);

endmodule
