// SPDX-License-Identifier: Apache-2.0
// SIV-OMD (experimental, docs/schemes/siv-omd.md): types and constants shared by the control and the data path.
// Operations and the number of calls of a string are those of omd_pkg.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package sivomd_pkg;

  // j of mask(i, j): what a call is for
  typedef enum logic [3:0] {
    J_AD        = 4'd1,
    J_AD_SHORT  = 4'd2,
    J_MSG       = 4'd3,
    J_MSG_SHORT = 4'd4,
    J_TAG       = 4'd5,
    J_PARALLEL  = 4'd6,
    J_SERIAL    = 4'd7
  } j_e;

  // Orders of the schedule to the data path; each acts on the next edge.
  typedef struct packed {
    logic key_load;        // key register <= key port
    logic l_star_load;     // L* <= digest
    logic nonce_take;      // nonce register <= nonce port
    logic delta_clear;     // Delta <= 0
    logic delta_add_l;     // Delta += L
    logic l_restart;       // L <= L*
    logic l_double;        // L <= 2 L
    logic left_clear;      // left half <= 0
    logic left_from_sum;   // left half <= sum
    logic left_from_iv;    // left half <= IV || 0..
    logic right_clear;     // right half <= 0
    logic sum_clear;       // sum <= 0
    logic sum_from_cache;  // sum <= cache
    logic sum_add;         // sum += digest
    logic cache_load;      // cache <= sum
    logic iv_from_digest;  // IV <= digest (the tag that is made)
    logic iv_from_port;    // IV <= tag_in (the tag that came)
    logic iv_clear;        // IV <= 0
    // Selections while a call starts
    logic use_h;           // chain = digest + left half + Delta (else without digest)
    logic use_nonce;       // message half = padded nonce (else the right half)
    logic use_tau;         // message half = right half + <tau>
    logic open;            // right half holds ciphertext: message half = digest + it, where bytes are of the message
  } datapath_t;

endpackage
