// SPDX-License-Identifier: Apache-2.0
// One round of Ascon-p, combinational: constant, S-box, linear layer.
// Specification: NIST SP 800-232 section 3, through ascon_pkg. Byte order: none, five words.
// Area: 640 LUTs of six inputs (320 for the S-box, 320 for the linear layer, whose LUTs have inputs to spare).
// Security: no data-dependent control.
module ascon_round
  import ascon_pkg::*;
(
    input  state_t       x,
    input  logic   [7:0] constant,
    output state_t       y
);

  state_t columns;

  ascon_substitute u_substitute (
      .x,
      .constant,
      .y(columns)
  );

  assign y = diffuse(columns);

endmodule
