// SPDX-License-Identifier: Apache-2.0
// COLM and AES-COPA (docs/cores/colm.md, docs/cores/copa.md): two calls of AES a block with a chain between them; what
// schedule, data path and tag share.
// Security: no secrets here, but for `beside` in a token that travels with a call.
package chained_pkg;

  import aead_block_pkg::*;

  typedef enum bit {
    COLM,
    COPA
  } mode_e;

  // What a call of AES is for
  typedef enum logic [2:0] {
    CALL_KEY,        // L
    CALL_START,      // a block before the message: a term of the chain
    CALL_NONCE,      // COPA: nonce, with the sum of associated data: the chain before the first block
    CALL_FIRST,      // first call of a block
    CALL_SECOND,     // second call of a block
    CALL_TAG_FIRST,  // first call of the block behind the last
    CALL_TAG_SECOND  // second call of the block behind the last
  } call_e;

  // What goes to the input of AES
  typedef enum logic [2:0] {
    X_ZERO,
    X_NONCE,   // from the tag register; of COPA its bytes behind the last block's, padded, and the chain
    X_BLOCK,   // that of the collector
    X_TOTAL,   // sum of the message's blocks
    X_BOTH,    // COLM: block and sum
    X_JOINED,  // block, with bytes of the tag register behind its end
    X_CHAINED  // what the chain made of a first call
  } source_e;

  // What a mask becomes
  typedef enum logic [2:0] {
    M_HOLD,
    M_ONE,       // L
    M_TWICE,     // 2 times itself
    M_THRICE,
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
    logic    load;           // input of AES <= source + mask, with the fields up to `inverse`
    source_e source;
    call_e   call;
    output_t out;
    logic    empty;          // the block is the whole of the empty string
    logic    inverse;        // the two masks change places
    mask_e   mask_first;     // before a first call
    mask_e   mask_second;    // behind a second call
    logic    block_clear;    // the collector's block is wiped
    logic    total_block;    // sum <= sum + block
    logic    total_clear;
    logic    text_keep;      // the bytes that count of the collector's block are those of the string's last one
    logic    chain_clear;    // chain <= 0
    logic    chain_restore;  // chain <= cache
    logic    cache_load;     // cache <= chain
    logic    turn;           // tag register <= itself, a byte further
    logic    tag_clear;      // no tag, and no short block
  } datapath_t;

endpackage
