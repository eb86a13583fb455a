// SPDX-License-Identifier: Apache-2.0
// Tweaks of Deoxys-I (docs/schemes/deoxys.md, "Definition").
// Byte order: byte i of nonce and tweak in bits [8i+7:8i].
// Security: no secrets here.
package deoxysi_pkg;

  import thetacb_pkg::*;

  // As a number: stage, nonce, number of the block; its most significant byte comes first. Associated data have no nonce.
  function automatic logic [127:0] tweak_of(input about_t about, input logic [63:0] nonce);
    logic [3:0] stage;
    logic [63:0] nonce_number;
    logic [127:0] counted;
    logic unused;
    unused = about.last;
    for (int unsigned i = 0; i < 8; i++) nonce_number[8*i+:8] = nonce[8*(7-i)+:8] & {8{about.call != CALL_AD}};
    stage   = {1'b0, about.rest != '0, about.call == CALL_AD, about.call == CALL_TAG};
    counted = {stage, nonce_number, 60'(about.number)};
    for (int unsigned i = 0; i < 16; i++) tweak_of[8*i+:8] = counted[8*(15-i)+:8];
  endfunction

endpackage
