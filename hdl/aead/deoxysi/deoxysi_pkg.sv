// SPDX-License-Identifier: Apache-2.0
// Deoxys-I (docs/cores/deoxys.md): what schedule and data path share.
// Security: no secrets here, but for `beside` in a token that travels with a call.
package deoxysi_pkg;

  import aead_block_pkg::*;

  localparam int unsigned NUMBER_BITS = 56;  // of blocks: at 14 cycles a block and 300 MHz more than a hundred years

  // What a call of the cipher is for
  typedef enum logic [1:0] {
    CALL_AD,
    CALL_TEXT,
    CALL_TAG
  } call_e;

  // What goes to the cipher
  typedef enum logic [1:0] {
    X_ZERO,
    X_BLOCK,  // that of the collector
    X_SUM
  } source_e;

  // What waits beside a call, for made = (result & text) + beside
  typedef enum logic [1:0] {
    B_ZERO,
    B_BLOCK,
    B_AUTH
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
    logic                   load;          // a call, with the fields up to `inverse`
    call_e                  call;          // gives bits 0 and 1 of the stage
    logic                   partial;       // bit 2 of the stage: the block, or the message, is short
    logic [NUMBER_BITS-1:0] number;
    source_e                source;
    beside_e                beside;
    logic                   text_masked;   // only the bytes of the text count
    output_t                out;
    logic                   inverse;
    logic                   block_clear;   // the collector's block is wiped
    logic                   sum_block;     // sum of the plaintext <= sum + block
    logic                   sum_clear;
    logic                   auth_clear;    // sum over the associated data <= 0
    logic                   auth_restore;  // or the cache
    logic                   cache_load;    // cache <= sum over the associated data
    logic                   tag_clear;     // place 0 <= 0
  } datapath_t;

endpackage
