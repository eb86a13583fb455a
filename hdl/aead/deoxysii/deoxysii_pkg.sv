// SPDX-License-Identifier: Apache-2.0
// Deoxys-II (docs/cores/deoxys.md): what schedule and data path share.
// Security: no secrets here, but for `beside` in a token that travels with a call.
package deoxysii_pkg;

  import aead_block_pkg::*;

  localparam int unsigned NUMBER_BITS = 56;  // of blocks: at 14 cycles a block and 300 MHz more than a hundred years

  // What a call of the cipher is for; it says which tweak goes with it.
  typedef enum logic [1:0] {
    CALL_SUM,    // a block of associated data or message: stage and number
    CALL_TAG,    // the sum: the nonce
    CALL_STREAM  // key stream for a block: the tag and number
  } call_e;

  // What travels with a call; a block of output is (result & text) + beside.
  typedef struct packed {
    call_e        call;
    output_t      out;
    logic [15:0]  text;    // bytes of the result that count
    logic [127:0] beside;
  } token_t;

  localparam int unsigned TOKEN_BITS = $bits(token_t);

  // Orders of the schedule to the data path; they come from registers, each acts on the next edge.
  typedef struct packed {
    logic                   load;         // a call, with the fields up to `out`
    call_e                  call;
    logic                   from_output;  // its block is that of the last place of output, not that of the collector
    logic                   ad;           // the stage: associated data
    logic                   partial;      // the stage: the block is short
    logic [NUMBER_BITS-1:0] number;
    output_t                out;
    logic                   block_clear;  // the collector's block is wiped
    logic                   sum_clear;
    logic                   sum_restore;  // sum <= cache
    logic                   cache_load;   // cache <= sum
    logic                   iv_clear;
  } datapath_t;

endpackage
