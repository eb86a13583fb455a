// SPDX-License-Identifier: Apache-2.0
// Ascon-Farfalle: what the control says to the datapath in a cycle, the rolling function of the masks, the padded key.
// Specification: Farfalle (ToSC 2017(4)) with the choices of docs/cores/ascon-mac.md.
// Words: word x_i holds the coefficients 64i to 64i+63 of a polynomial over GF(2).
package farfalle_pkg;
  import ascon_pkg::*;

  typedef struct packed {
    logic start;      // mask <= k, sum <= 0
    logic enter;      // something goes into the first stage
    logic from_sum;   // the sum enters, not a masked block
    logic early;      // rounds 0 to 5, not 6 to 11
    logic roll_mask;
    logic take;       // what leaves goes to the sum
    logic add;        // and is added to it
    logic key_done;   // what leaves is k
    logic finish;     // what leaves makes the tag
  } step_t;

  // Multiply by x^64 modulo x^320 + x^4 + x^3 + x + 1: 64 steps of that Galois LFSR at once
  function automatic state_t roll(input state_t k);
    logic [67:0] top;  // what leaves at the end, times x^4 + x^3 + x + 1
    top = {4'h0, k[4]} ^ {3'h0, k[4], 1'h0} ^ {1'h0, k[4], 3'h0} ^ {k[4], 4'h0};
    return {k[3], k[2], k[1], k[0] ^ {60'h0, top[67:64]}, top[63:0]};
  endfunction

  // K || 10*
  function automatic state_t padded_key(input logic [127:0] key, input logic little_endian);
    return {
      64'h0,
      64'h0,
      little_endian ? 64'h1 : 64'h8000000000000000,
      word_of(key[127:64], little_endian),
      word_of(key[63:0], little_endian)
    };
  endfunction

endpackage
