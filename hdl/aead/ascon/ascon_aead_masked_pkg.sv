// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128, masked: where the key meets the state, as functions of one domain's share of each.
// Specification: NIST SP 800-232 section 4. Security: no secrets here; every function is linear in each of its arguments.
package ascon_aead_masked_pkg;

  import ascon_pkg::state_t;

  // The state in front of the first or the last call: the key takes its place beside IV and nonce, or is added behind the rate.
  function automatic state_t entry(input state_t plain, input logic [127:0] key, input logic last, input state_t mask);
    state_t x;
    x = plain ^ mask;
    x[2:1] ^= key & {128{!last}};
    x[3:2] ^= key & {128{last}};
    return x;
  endfunction

  // Behind the first call, and in the tag: the key in the last two words, with fresh masks
  function automatic logic [127:0] sealed(input logic [127:0] words, input logic [127:0] key, input logic [127:0] mask);
    return words ^ key ^ mask;
  endfunction

endpackage
