// SPDX-License-Identifier: Apache-2.0
// What schedule and data path of Ascon-AEAD128 share.
// Specification: NIST SP 800-232 section 4. Security: no secrets here.
package ascon_aead_pkg;

  localparam logic [63:0] IV = 64'h0000_1000_808C_0001;  // version, rounds, tag length and rate
  localparam int unsigned ROUNDS_A = ascon_pkg::ROUNDS;  // of the first and the last call
  localparam int unsigned ROUNDS_B = 8;  // of a call after a block

  // A call, and what it adds to the state in the cycle of its first rounds
  typedef struct packed {
    logic start;
    logic twelve;     // ROUNDS_A, else ROUNDS_B
    logic absorb;     // the block
    logic pad;        // the padding of an empty block
    logic key_first;  // the key behind the first call
    logic separate;   // the bit that parts associated data from message
    logic key_last;   // the key before the last call
  } call_t;

endpackage
