// SPDX-License-Identifier: Apache-2.0
// AES-OTR over an AES of one round (docs/cores/otr.md): orders to its data path.
// Security: no secrets here.
package otr_round_pkg;

  import otr_pkg::*;

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
  } calls_t;

  // Orders to the data path; they come from registers, each acts on the next edge.
  typedef struct packed {
    logic    input_load;   // input of AES <= source + A, or the mask before it
    source_e source;
    logic    input_keep;   // + itself
    logic    mask_before;  // two stages: the mask before A instead of A
    logic    mask_twice;   // + twice the mask
    pass_e   input_pass;   // bytes of the result before, as the call starts
    logic    chunk_clear;  // the collector's chunk <= 0
    logic    to_chunk;     // first place of a chunk <= collector, which is emptied
    logic    to_second;    // two stages: second place <= first place
    logic    to_late;      // first block of the second call's chunk <= that of the place before
    logic    late_wipe;    // or 0
    logic    second_wipe;  // second block of the chunk whose second call comes <= 0
    logic    make;         // made <= result, its bytes that pass, + a block of the chunk
    logic    make_late;    // result and block of the second call, else of the first one
    pass_e   make_pass;
    logic    made_move;    // two stages: output <= made
    logic    sum_made;     // sum <= sum + made
    logic    sum_second;   // sum <= sum + second block of the chunk
    logic    sum_clear;
    logic    a_q;          // A <= Q
    logic    a_nonce;      // A <= formatted nonce
    logic    a_result;     // A <= result, or 2 (result + TA)
    logic    a_double;
    logic    a_clear;
    logic    q_load;
    logic    ta_load;
    logic    ta_clear;
    logic    cache_load;   // cache <= TA
    logic    tag_load;     // computed tag <= result (+ TA or cache)
    logic    tag_clear;
  } datapath_t;

endpackage
