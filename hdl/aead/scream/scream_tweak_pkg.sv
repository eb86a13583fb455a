// SPDX-License-Identifier: Apache-2.0
// What SCREAM's mode gives its cipher beside blocks (docs/schemes/scream.md, "Definition").
// Byte order: byte i of nonce, tweak and block in bits [8i+7:8i].
// Security: no secrets here.
package scream_tweak_pkg;

  import thetacb_pkg::*;

  localparam int unsigned NUMBER_BITS = 32;  // of a block in its tweak

  // Nonce, number (its most significant byte first), and a byte that says what the call is for
  function automatic logic [127:0] tweak_of(input about_t about, input logic [87:0] nonce);
    logic [7:0] control;
    unique case (about.call)
      CALL_AD:  control = about.rest != '0 ? 8'h06 : about.last ? 8'h04 : 8'h02;
      CALL_TAG: control = {about.rest, 4'h1};
      default:  control = 8'h00;
    endcase
    tweak_of[87:0] = nonce;
    for (int unsigned i = 0; i < 4; i++) tweak_of[88+8*i+:8] = about.number[8*(3-i)+:8];
    tweak_of[127:120] = control;
  endfunction

  // What is encrypted for a short block: its length in bits, in the last byte
  function automatic logic [127:0] short_block_of(input logic [3:0] rest);
    return {1'b0, rest, 123'h0};
  endfunction

endpackage
