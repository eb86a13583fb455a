// SPDX-License-Identifier: Apache-2.0
// p-OMD (FSE 2015, docs/cores/pomd.md): types shared by the control and the data path.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package pomd_pkg;

  // Orders of the schedule to the data path; each acts on the next edge.
  typedef struct packed {
    logic key_load;     // key register <= key port
    logic l_star_load;  // L* <= digest
    logic nonce_take;   // nonce register <= nonce port
    logic nonce_use;    // left half <= padded nonce
    logic delta_clear;  // Delta <= 0, else Delta + the terms below
    logic delta_add_l;  //   + L
    logic delta_add_h;  //   + digest
    logic l_restart;    // L <= L*
    logic l_double;     // L <= 2 L
    logic left_clear;   // left half <= 0
    logic right_clear;  // right half <= 0
    logic check_load;   // check <= digest
    logic check_clear;  // check <= 0
    // Selections while a call starts
    logic use_h;        // chain = digest + left half + Delta (else without digest)
    logic msg_tau;      // message half = <tau> (else the right half)
    logic open;         // right half holds ciphertext: message half = digest + it, where bytes are of the message
  } datapath_t;

endpackage
