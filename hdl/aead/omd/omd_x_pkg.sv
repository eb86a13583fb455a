// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD (docs/cores/omd-x8.md): types shared by the contexts, the engine and the top.
// Security: no secrets here.
package omd_x_pkg;

  // What the engine does for a context in eight cycles
  typedef enum logic [2:0] {
    P_AD,     // add the last digest to the sum; start value, right half of the next block of AD
    P_NONCE,  // add the last digest to the sum, or take the cache; start value from the nonce
    P_TAU,    // first message call: end mask; the first block to the words (seal)
    P_MSG,    // output; end mask; the block (open) or the next one (seal) to the words
    P_TAG,    // add the last digest to the sum: tag, or AD cache
    P_KEY,    // start value for L*
    P_LSTAR   // last digest to the table of L
  } pass_e;

  // Numbers in the table of L: L[i] is number i, and
  localparam logic [5:0] STAR_3 = 6'd61;
  localparam logic [5:0] STAR_1 = 6'd62;
  localparam logic [5:0] STAR_2 = 6'd63;
  localparam logic [5:0] L_MAX = 6'd47;

  typedef struct packed {
    pass_e      kind;
    logic [2:0] ctx;
    logic       from_sum;     // the call starts from the last sum
    logic       count_first;  // the index of the call starts again
    logic       l_use;        // Delta takes an L:
    logic       l_star;       //   this one, else L[ntz(index)]
    logic [5:0] l_number;
    logic       delta_zero;   // Delta was 0
    logic       last;         // no call follows that takes this one's digest as chain
    logic       open;
    logic       seal;
    logic       bad;
    logic       load_ad;
    logic       digest_acc;   // the sum of digests takes the last digest
    logic       sum_zero;     // it was 0
    logic       sum_cache;    // it was the cache
    logic       bank;         // bank to load
    logic [2:0] ad_block;     // place of the block of AD in its memory
    logic [4:0] ad_words;     // words of it
    logic       ad_pad;       // 80 00.. in the word after them
    logic [2:0] msg_block;    // place of the block that is output
    logic [3:0] out_words;
    logic       out_last;     // the output ends with it
    logic       out_empty;    // empty output
    logic [2:0] load_block;   // place of the block that is loaded
    logic [3:0] load_words;
    logic       load_pad;
  } pass_t;

endpackage
