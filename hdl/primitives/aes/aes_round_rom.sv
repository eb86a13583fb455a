// SPDX-License-Identifier: Apache-2.0
// A round of AES (FIPS 197) up to its round key, for a block a cycle, its S-boxes in block RAM: two look-ups each.
// The memory's read is taken up by a register at once, because a block RAM answers late; behind it the columns are sums alone.
// Byte order: byte i of a block in bits [8i+7:8i].
// Cycles: `plain` and `mixed` two edges after `state`.
// Security: constant time. Nothing here has a reset; two further blocks push out what was read.
module aes_round_rom
  import aes_pkg::*;
(
    input  logic         clk,
    input  logic [127:0] state,
    output logic [127:0] plain,  // bytes substituted, rows shifted
    output logic [127:0] mixed   // columns mixed, too
);

  logic [15:0][15:0] read, read_q;  // of a byte, 2 S and S
  for (genvar i = 0; i < 8; i++) begin : gen_rom
    aes_sbox_rom u_rom (
        .clk,
        .x(state[16*i+:16]),
        .y(read[2*i+:2])
    );
  end
  always_ff @(posedge clk) read_q <= read;

  logic [127:0] once, twice;  // S and 2 S, their rows shifted
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) {twice[8*i+:8], once[8*i+:8]} = read_q[i];
    once  = shift_rows(once);
    twice = shift_rows(twice);
  end
  assign plain = once;

  // 3 S = S + 2 S
  always_comb begin
    for (int unsigned c = 0; c < 16; c += 4) begin
      for (int unsigned i = 0; i < 4; i++) begin
        mixed[8*(c+i)+:8] = twice[8*(c+i)+:8] ^ twice[8*(c+(i+1)%4)+:8] ^ once[8*(c+(i+1)%4)+:8] ^
            once[8*(c+(i+2)%4)+:8] ^ once[8*(c+(i+3)%4)+:8];
      end
    end
  end

endmodule
