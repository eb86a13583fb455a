// SPDX-License-Identifier: Apache-2.0
// Minalpher (docs/cores/minalpher.md): what schedule and data path share.
// Security: no secrets here, but for `beside` in a token that travels with a call.
package minalpher_pkg;

  import aead_block_pkg::*;

  localparam int unsigned BLOCK_BYTES = 32;
  localparam int unsigned T_BYTES = 16;  // the designers' tag
  localparam int unsigned TAG_BYTES = BLOCK_BYTES + T_BYTES;

  localparam logic [7:0] FLAG_TEXT = 8'h40;  // that of associated data is 0

  // What a call of the permutation is for
  typedef enum logic [2:0] {
    CALL_MASK,  // the first mask of associated data or message: what becomes of the zero block under U
    CALL_AD,    // a block of associated data
    CALL_TEXT,  // a block of the message that is not the last one
    CALL_LAST,  // the last block, which is padded
    CALL_SUM,   // a block of ciphertext, for the tag
    CALL_TAG
  } call_e;

  // What goes to the permutation
  typedef enum logic [1:0] {
    X_ZERO,
    X_BLOCK,   // that of the collector; of a last one that is opened the rest is in the tag
    X_SUM,
    X_CHAINED  // ciphertext that has just been made, under its mask for the tag
  } source_e;

  // What the mask becomes
  typedef enum logic [2:0] {
    M_HOLD,
    M_AD,       // U of associated data
    M_TEXT,     // U of the message
    M_Y,        // y times itself
    M_Y_PLUS_1  // y + 1 times itself
  } mask_e;

  // What travels with a call
  typedef struct packed {
    call_e        call;
    output_t      out;
    logic         silent;  // it gives no output
    logic         summed;  // what it gives goes into the sum
    logic [255:0] beside;  // mask behind the permutation
  } token_t;

  localparam int unsigned TOKEN_BITS = $bits(token_t);

  // Orders of the schedule to the data path; they come from registers, each acts on the next edge.
  typedef struct packed {
    logic    load;         // a call of source + mask, with the fields up to `inverse`
    source_e source;
    call_e   call;
    output_t out;
    logic    silent;
    logic    summed;
    logic    pad;          // the block is only padding: its first byte is 80
    logic    inverse;
    mask_e   mask;         // after the load
    logic    block_clear;  // the collector's block is wiped
    logic    text_keep;    // the bytes that count of the collector's block are those of the message's last one
    logic    sum_block;    // sum <= sum + block
    logic    sum_clear;
    logic    sum_restore;  // sum <= cache
    logic    cache_load;   // cache <= sum
    logic    turn;         // tag <= itself, a byte further
    logic    tag_clear;
  } datapath_t;

endpackage
