// SPDX-License-Identifier: Apache-2.0
// Serial sponge MAC: what the control says to the datapath in a cycle, and the IV of an instance.
// Specification: docs/cores/ascon-mac.md.
package sponge_pkg;

  typedef struct packed {
    logic load;     // state <= IV || K || 0
    logic fresh;    // what the state would take is IV || K, not what the rounds give
    logic run;      // state <= the rounds of this cycle, and what is absorbed
    logic domain;   // the domain bit, with the last block
    logic squeeze;  // the first half of two comes out of this cycle
    logic finish;   // the tag comes out of this cycle
  } step_t;

  // Sizes and rounds in the layout of SP 800-232, or in that of Ascon v1.2 with the rate in bytes beside them
  function automatic logic [63:0] instance_iv(input int unsigned rate_bits, input int unsigned squeeze_bits,
                                              input int unsigned rounds_a, input int unsigned rounds_b,
                                              input int unsigned bytes_le);
    if (bytes_le != 0)
      return {8'd0, 8'(squeeze_bits / 8), 8'(rate_bits / 8), 16'd128, 4'(rounds_b), 4'(rounds_a), 16'h0005};
    return {8'd128, 8'(squeeze_bits), 8'(128 + rounds_a), 8'(rounds_a - rounds_b), 8'(rate_bits / 8), 24'd128};
  endfunction

endpackage
