// SPDX-License-Identifier: Apache-2.0
// OMD (CAESAR submission v1 and v2, docs/cores/omd.md): types shared by the control and the data path.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package omd_pkg;

  // Longest string, in blocks: 2^48 - 1 (2^54 bytes of message at n = 64). p-OMD and SIV-OMD have this bound as well.
  localparam int unsigned INDEX_BITS = 48;

  // What Delta takes up. The padded nonce passes through it on its way to the chaining value: a wider choice there
  // would be one more LUT for each of its bits.
  typedef enum logic [1:0] {
    ADD_NONE,
    ADD_L,
    ADD_DIGEST,
    ADD_NONCE
  } delta_e;

  // Orders of the schedule to the data path; each acts on the next edge.
  typedef struct packed {
    logic   key_load;        // key register <= key port
    logic   l_star_load;     // L* <= digest
    logic   nonce_take;      // nonce register <= nonce port
    logic   delta_clear;     // Delta <= 0, else Delta + the term below
    delta_e delta_add;
    logic   l_restart;       // L <= L*
    logic   l_double;        // L <= 2 L
    logic   open;            // what is written to the block buffer is ciphertext: message half = digest + buffer
    logic   block_clear;     // block buffer <= 0
    logic   sum_clear;       // sum <= 0
    logic   sum_from_cache;  // sum <= cache
    logic   sum_add;         // sum += digest
    logic   cache_load;      // cache <= sum
    // Selections while a call starts
    logic   use_h;           // chain = left half + Delta + digest, one of left half and digest being zero
    logic   msg_tau;         // message half = <tau>
  } datapath_t;

endpackage
