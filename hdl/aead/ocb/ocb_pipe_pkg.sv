// SPDX-License-Identifier: Apache-2.0
// OCB, a block a cycle (docs/cores/ocb.md): what schedule, offsets and data path share.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package ocb_pipe_pkg;

  // What the result of a call is for
  typedef enum logic [2:0] {
    K_NONE,
    K_STAR,  // L_*
    K_TOP,   // Ktop, from the nonce
    K_AD,
    K_TEXT,
    K_TAG
  } kind_e;

  // What travels with a call
  typedef struct packed {
    kind_e kind;
    logic  whole;    // a whole block of the message: the offset is added to the result as well
    logic  cut;      // a short one: the offset alone goes to AES, the block is added to what counts of the result
    logic  inverse;  // AES runs backwards
    logic  sum;      // what is made goes to the sum of the plaintext,
    logic  sum_end;  // which is complete with that
    logic  last;     // last block of the message
  } token_t;

  // A call to be made in the next cycle
  typedef struct packed {
    token_t token;
    logic   from_block;  // AES takes the block
    logic   from_nonce;
    logic   from_sum;
    logic   sum_block;   // the sum of the plaintext takes up the block
    logic   restart;     // the offset is that of the message's begin, before it takes up
    logic   odd;         // L_0,
    logic   even;        // L_i of a block with an even number,
    logic   star;        // L_*, or
    logic   dollar;      // L_$
  } call_t;

endpackage
