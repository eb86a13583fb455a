// SPDX-License-Identifier: Apache-2.0
// Modes of the form of ThetaCB3 (docs/cores/thetacb.md): what schedule and data path share, and what a tweak is made of.
// Security: no secrets here, but for `beside` in a token that travels with a call.
package thetacb_pkg;

  import aead_block_pkg::*;

  localparam int unsigned MAX_NUMBER_BITS = 56;  // of blocks: more than a hundred years at 14 cycles and 300 MHz

  // What a call of the cipher is for
  typedef enum logic [1:0] {
    CALL_AD,
    CALL_TEXT,
    CALL_TAG
  } call_e;

  // What goes to the cipher
  typedef enum logic [1:0] {
    X_SHORT,  // what stands for a short block of the message
    X_BLOCK,  // that of the collector
    X_SUM
  } source_e;

  // What waits beside a call, for made = (result & text) + beside
  typedef enum logic [1:0] {
    B_ZERO,
    B_BLOCK,
    B_AUTH
  } beside_e;

  // What the tweak of a call is made of, beside the nonce
  typedef struct packed {
    call_e                      call;
    logic                       last;    // the last block of its string
    logic [3:0]                 rest;    // bytes of the block, of the last one in the tag's call; 0: it is whole
    logic [MAX_NUMBER_BITS-1:0] number;  // of the block in its string; in the tag's call that of one more
  } about_t;

  // What travels with a call
  typedef struct packed {
    call_e        call;
    output_t      out;
    logic [15:0]  text;    // bytes of the result that count
    logic [127:0] beside;
  } token_t;

  localparam int unsigned TOKEN_BITS = $bits(token_t);

  // Orders of the schedule to the data path; they come from registers, each acts on the next edge.
  typedef struct packed {
    logic    load;          // a call, with the fields up to `inverse`
    about_t  about;
    source_e source;
    beside_e beside;
    logic    text_masked;   // only the bytes of the text count
    output_t out;
    logic    inverse;
    logic    block_clear;   // the collector's block is wiped
    logic    sum_block;     // sum of the plaintext <= sum + block
    logic    sum_clear;
    logic    auth_clear;    // sum over the associated data <= 0
    logic    auth_restore;  // or the cache
    logic    cache_load;    // cache <= sum over the associated data
    logic    tag_clear;     // place 0 <= 0
  } datapath_t;

endpackage
