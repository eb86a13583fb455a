// SPDX-License-Identifier: Apache-2.0
// Deoxys-II, a call a cycle (docs/cores/deoxys.md): what schedule and data path share.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package deoxysii_pipe_pkg;

  localparam int unsigned NUMBER_BITS = 56;  // of blocks: at a block a cycle and 300 MHz more than seven years

  // What a call of the cipher is for; it says which tweak goes with it.
  typedef enum logic [1:0] {
    K_NONE,
    K_SUM,    // a block of associated data or message: stage and number
    K_TAG,    // the sum: the nonce
    K_STREAM  // key stream for a block: the tag and number
  } kind_e;

  // What travels with a call
  typedef struct packed {
    kind_e kind;
    logic  cut;    // only the bytes of the string count, of a short block of the message
    logic  again;  // opening: what is made goes back to the cipher, for the sum
    logic  last;   // last block of the message
  } token_t;

  // A call to be made in the next cycle
  typedef struct packed {
    token_t                 token;
    logic                   ad;       // the stage: associated data
    logic                   partial;  // the stage: the block is short
    logic [NUMBER_BITS-1:0] number;
  } call_t;

  // The last eight bytes of a tweak, which count with the most significant byte first
  function automatic logic [127:0] numbered(input logic [NUMBER_BITS-1:0] number);
    numbered = '0;
    for (int unsigned i = 0; i < NUMBER_BITS / 8; i++) numbered[8*(15-i)+:8] = number[8*i+:8];
  endfunction

  // The tweak of a block that joins the sum
  function automatic logic [127:0] stage(input logic ad, input logic partial, input logic [NUMBER_BITS-1:0] number);
    return numbered(number) | 128'({1'b0, partial, ad, 1'b0, 4'h0});
  endfunction

endpackage
