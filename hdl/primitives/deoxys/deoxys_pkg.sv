// SPDX-License-Identifier: Apache-2.0
// Tweakeys of Deoxys-BC (docs/schemes/deoxys.md, "Definition"): how a word of 16 bytes goes on to the next round and back.
// Byte order: byte i of a word in bits [8i+7:8i].
// Security: wires and sums alone.
package deoxys_pkg;

  localparam int unsigned H[16] = '{1, 6, 11, 12, 5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8};
  localparam logic [7:0] FIRST_CONSTANT = 8'h2f;

  // Version 1.43: place i takes byte H[i]; version 1.41: byte i goes to place H[i], which is the inverse.
  function automatic logic [127:0] permute(input int unsigned version, input logic [127:0] word);
    for (int unsigned i = 0; i < 16; i++) begin
      if (version == 141) permute[8*H[i]+:8] = word[8*i+:8];
      else permute[8*i+:8] = word[8*H[i]+:8];
    end
  endfunction

  function automatic logic [127:0] permute_back(input int unsigned version, input logic [127:0] word);
    return permute(version == 141 ? 143 : 141, word);
  endfunction

  // The shift register of every byte of the key's second word; `shift_down` undoes it, and is that of the first word.
  function automatic logic [127:0] shift_up(input logic [127:0] word);
    for (int unsigned i = 0; i < 16; i++) begin
      shift_up[8*i+:8] = {word[8*i+:7], word[8*i+7] ^ word[8*i+5]};
    end
  endfunction

  function automatic logic [127:0] shift_down(input logic [127:0] word);
    for (int unsigned i = 0; i < 16; i++) begin
      shift_down[8*i+:8] = {word[8*i] ^ word[8*i+6], word[8*i+1+:7]};
    end
  endfunction

  // Halves in the field of AES, where aes_pkg::xtime doubles
  function automatic logic [7:0] half(input logic [7:0] x);
    return {1'b0, x[7:1]} ^ (8'h8d & {8{x[0]}});
  endfunction

  // The byte of round `round`, and the block that it stands in
  function automatic logic [7:0] constant_of(input int unsigned round);
    constant_of = FIRST_CONSTANT;
    for (int unsigned i = 0; i < round; i++) constant_of = aes_pkg::xtime(constant_of);
  endfunction

  function automatic logic [127:0] constant_block(input logic [7:0] constant);
    return {64'h0, {4{constant}}, 32'h08040201};
  endfunction

endpackage
