// SPDX-License-Identifier: Apache-2.0
// Serial sponge MAC, masked: what goes into the state between two calls, as functions of one domain's share of each.
// Specification: docs/cores/ascon-mac-masked.md. Security: no secrets here; every function is linear in each of its arguments.
package sponge_masked_pkg;

  import ascon_pkg::state_t;

  // IV || K || 0, with fresh masks; the IV is in domain 0
  function automatic state_t begun(input logic [63:0] iv, input logic [1:0][63:0] key, input state_t mask);
    return {128'b0, key, iv} ^ mask;
  endfunction

  // Behind a call, with fresh masks
  function automatic state_t kept(input state_t behind, input state_t mask);
    return behind ^ mask;
  endfunction

endpackage
