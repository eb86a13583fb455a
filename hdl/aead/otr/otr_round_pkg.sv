// SPDX-License-Identifier: Apache-2.0
// AES-OTR over an AES of one round (docs/cores/otr.md): chunks on their way, orders to AES and to the data path.
// Security: no secrets here.
package otr_round_pkg;

  import otr_pkg::*;

  // A chunk on its way
  typedef struct packed {
    logic ad;
    logic serial;  // of associated data in mode S
    logic last;
    logic single;  // of one block
    logic call1;   // it has a first call, in lane 0
    logic call2;   // and a second one, in lane 1,
    logic chain;   // which takes up the result of the first
  } way_t;

  // What goes to the input of AES, beside a mask
  typedef enum logic [1:0] {
    X_FIRST,   // first block of the chunk whose first call comes
    X_SECOND,  // second block of the chunk whose second call comes
    X_SUM,
    X_MADE     // the block that was made last
  } source_e;

  // Orders to AES
  typedef struct packed {
    logic tick;   // two stages: a turn begins
    logic start;
    logic lane;
  } start_t;

  // Orders to the data path on chunks, input of AES and masks; they come from registers, each acts on the next edge.
  typedef struct packed {
    logic    chunk_clear;   // the collector's chunk <= 0
    logic    to_first;      // first place of a chunk <= collector, which is emptied
    logic    to_second;     // two stages: second place <= first place
    logic    to_late;       // first block of the chunk whose second call runs <= that of the place before
    logic    late_wipe;     // or 0
    logic    second_wipe;   // second block of the chunk whose second call runs <= 0
    logic    input_load;    // input of AES <= source + mask, which is A
    source_e source;
    logic    input_keep;    // + itself
    logic    mask_earlier;  // two stages: the mask is what A was before its last doubling
    logic    mask_twice;    // + twice the mask
    pass_e   input_pass;    // bytes of the result before it that the call takes up as it starts
    logic    sum_clear;
    logic    a_clear;
    logic    a_q;           // A <= Q
    logic    a_nonce;       // A <= formatted nonce
    logic    a_result;      // A <= result, or 2 (result + TA)
    logic    a_double;
  } load_t;

  // Orders to the data path on results; likewise
  typedef struct packed {
    logic  make;        // made <= result, its bytes that pass, + a block of the chunk
    logic  make_late;   // those of the second call, else of the first one
    pass_e make_pass;
    logic  made_move;   // two stages: output <= made
    logic  sum_made;    // sum <= sum + made
    logic  sum_second;  // sum <= sum + second block of the chunk
    logic  q_load;
    logic  ta_load;
    logic  ta_clear;
    logic  cache_load;  // cache <= TA
    logic  tag_load;    // computed tag <= result (+ TA or cache)
    logic  tag_clear;
  } take_t;

endpackage
