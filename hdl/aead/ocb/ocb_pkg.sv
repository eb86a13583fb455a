// SPDX-License-Identifier: Apache-2.0
// OCB (docs/cores/ocb.md): what schedule and data path share.
// Security: no secrets here, but for `beside` in a token that travels with a call.
package ocb_pkg;

  import aead_block_pkg::*;

  // What a call of AES is for
  typedef enum logic [2:0] {
    CALL_STAR,  // L_*
    CALL_TOP,   // Ktop, from the nonce
    CALL_AD,
    CALL_TEXT,
    CALL_TAG
  } call_e;

  // What goes to the input of AES, beside the offset
  typedef enum logic [1:0] {
    X_ZERO,
    X_BLOCK,  // that of the collector
    X_SUM,
    X_NONCE
  } source_e;

  // What the offset takes up
  typedef enum logic [1:0] {
    T_STAR,    // L_*
    T_ZERO,    // L_0
    T_L,       // the multiple that the doubling register holds
    T_STRETCH
  } term_e;

  // What waits beside a call, for made = (result & text) + beside
  typedef enum logic [1:0] {
    B_ZERO,
    B_OFFSET,
    B_BLOCK,
    B_AD_SUM
  } beside_e;

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
    logic    load;          // input of AES <= source + offset, with the fields up to `inverse`
    source_e source;
    beside_e beside;
    logic    text_masked;   // only the bytes of the text count
    call_e   call;
    output_t out;
    logic    inverse;
    logic    block_clear;   // the collector's block is wiped
    logic    sum_block;     // sum <= sum + block
    logic    sum_clear;
    logic    step;          // offset <= offset + term
    term_e   term;
    logic    offset_clear;
    logic    l_load;        // doubling register <= L_$
    logic    l_double;      // doubling register <= its double
    logic    ad_clear;      // sum over the associated data <= 0
    logic    ad_restore;    // or the cache
    logic    cache_load;    // cache <= sum over the associated data
    logic    tag_clear;     // place 0 <= 0
  } datapath_t;

endpackage
