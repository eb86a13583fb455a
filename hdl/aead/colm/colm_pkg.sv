// SPDX-License-Identifier: Apache-2.0
// COLM (docs/cores/colm.md): what schedule and data path share.
// Security: no secrets here, but for `beside` in a token that travels with a call.
package colm_pkg;

  import aead_block_pkg::*;

  // What a call of AES is for
  typedef enum logic [2:0] {
    CALL_KEY,        // L
    CALL_START,      // nonce and associated data: a term of W before the first block
    CALL_FIRST,      // first call of a block
    CALL_SECOND,     // second call of a block
    CALL_TAG_FIRST,  // first call of the block behind the last
    CALL_TAG_SECOND  // second call of the block behind the last
  } call_e;

  // What goes to the input of AES
  typedef enum logic [2:0] {
    X_ZERO,
    X_NONCE,
    X_BLOCK,   // that of the collector
    X_TOTAL,   // sum of the message's blocks
    X_BOTH,    // block and sum
    X_JOINED,  // block, with bytes of the tag behind the ciphertext's end
    X_CHAINED  // what the chain made of a first call
  } source_e;

  // What the mask becomes; both masks of a block are known from one, for the other is 5 times that
  typedef enum logic [2:0] {
    M_HOLD,
    M_ZERO,
    M_ONE,     // L
    M_THREE,   // 3 L
    M_TWICE,   // 2 times itself
    M_SEVENFOLD
  } mask_e;

  // What travels with a call
  typedef struct packed {
    call_e        call;
    output_t      out;
    logic         empty;   // it is the whole of the empty string
    logic [127:0] beside;  // mask behind the second call
  } token_t;

  localparam int unsigned TOKEN_BITS = $bits(token_t);

  // Orders of the schedule to the data path; they come from registers, each acts on the next edge.
  typedef struct packed {
    logic    load;         // input of AES <= source + mask, with the fields up to `inverse`
    source_e source;
    call_e   call;
    output_t out;
    logic    empty;        // the block is the whole of the empty string
    logic    inverse;      // the two masks change places
    mask_e   mask;
    logic    block_clear;  // the collector's block is wiped
    logic    total_block;  // sum <= sum + block
    logic    total_clear;
    logic    text_keep;    // the bytes that count of the collector's block are those of the message's last one
    logic    w_clear;      // W <= 0
    logic    w_restore;    // W <= cache
    logic    cache_load;   // cache <= W
    logic    turn;         // tag <= itself, a byte further
    logic    tag_clear;
  } datapath_t;

endpackage
