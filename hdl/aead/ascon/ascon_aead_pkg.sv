// SPDX-License-Identifier: Apache-2.0
// What schedule and data path of Ascon-AEAD128 share.
// Specification: NIST SP 800-232 section 4. Security: no secrets here.
package ascon_aead_pkg;

  localparam logic [63:0] IV = 64'h0000_1000_808C_0001;  // version, rounds, tag length and rate
  localparam int unsigned ROUNDS_A = 12;  // of the first and the last call
  localparam int unsigned ROUNDS_B = 8;  // of a call after a block

  // Orders to the data path. What a call adds to the state is added in the cycle of its first rounds.
  typedef struct packed {
    logic rest;         // level: no command is in flight, the state is zero but for the nonce at the port
    logic fill;         // IV and key join the nonce
    logic key_load;
    logic run;          // rounds are done in this cycle
    logic absorb;       // add the block
    logic open;         // level: the bytes of a message block are ciphertext
    logic pad;          // add the padding of an empty block
    logic key_first;    // add the key behind the first call
    logic separate;     // add the bit that parts associated data from message
    logic key_last;     // add the key before the last call
    logic block_clear;
  } orders_t;

endpackage
