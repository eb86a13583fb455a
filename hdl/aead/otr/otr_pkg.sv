// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 (docs/cores/otr.md): types shared by the control and the data path.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package otr_pkg;

  // What goes to the input of AES
  typedef enum logic [1:0] {
    X_FIRST,  // first block of the chunk in the collector + mask of lane 0
    X_LATE,   // late output block + mask of lane 0
    X_SUM,    // sum + mask of lane 0
    X_LANE1   // second block of the chunk in stage A + mask of lane 1 (+ result 0, as it starts)
  } source_e;

  // Bytes of result 0 that pass
  typedef enum logic [1:0] {
    PASS_NONE,
    PASS_ALL,
    PASS_TEXT,   // bytes of the string in the chunk's last block
    PASS_BEYOND  // all other bytes
  } pass_e;

  // Orders of the schedule to AES
  typedef struct packed {
    logic tick;   // a turn begins
    logic start;
    logic lane;
  } calls_t;

  // Orders of the schedule to the data path; they come from registers, each acts on the next edge.
  typedef struct packed {
    source_e source;
    logic    input_load;   // input of AES <= source
    logic    input_lane0;  // the source is not X_LANE1: + mask of lane 0
    logic    sum_keep;     // sum <= sum, or 0, + the terms below
    logic    sum_first;    // + first block of the chunk in the collector
    logic    sum_second;   // + second block of the chunk in stage A
    logic    sum_late;     // + late output block
    logic    sum_result;   // + result 0, its bytes that `sum_pass` lets pass
    logic    q_load;       // Q <= result 0
    logic    mask_q;       // L <= Q
    logic    mask_nonce;   // L <= result 0, or 2 (result 0 + TA)
    logic    mask_double;  // L <= 2 L
    logic    mask0_load;
    logic    mask0_keep;   // mask of lane 0 <= itself, or 0, + the terms below
    logic    mask0_add;    // + L
    logic    mask0_nonce;  // + formatted nonce, to be encrypted with an empty collector
    logic    mask1_load;   // mask of lane 1, next chunk <= mask 0 + L if mask1_add; or L alone
    logic    mask1_add;
    logic    mask1_alone;
    logic    to_a;         // stage A <= collector, which is emptied
    pass_e   a_pass;       // for the input of lane 1
    logic    a_pass_set;   // without to_a
    pass_e   a_sum_pass;
    logic    to_b;         // stage B <= stage A
    logic    b_mask;       // the late block takes result 1 under the mask of the text
    logic    b_wipe;       // associated data: the late block is result 1 alone
    logic    late_load;    // late block <= result 1 + first block of stage B
    logic    early_load;   // early block <= that of stage B
    logic    ta_load;      // TA <= result 0
    logic    ta_clear;
    logic    ta_restore;   // TA <= cache
    logic    cache_load;   // cache <= TA
    logic    tag_load;     // computed tag <= result 0 (+ TA)
    logic    tag_clear;    // computed tag <= 0
  } datapath_t;

endpackage
