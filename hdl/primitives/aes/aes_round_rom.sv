// SPDX-License-Identifier: Apache-2.0
// A round of AES (FIPS 197) up to its round key, for a block a cycle, its S-boxes in block RAM: two look-ups each.
// The memory's read is taken up by a register at once, because a block RAM answers late. Rows are shifted before the look-up,
// which commutes with it: what a memory reads then goes to one column.
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

  logic [127:0] rows;
  logic [15:0][7:0] read, read_q;
  assign rows = shift_rows(state);
  for (genvar i = 0; i < 8; i++) begin : gen_rom
    aes_sbox_rom u_rom (
        .clk,
        .x(rows[16*i+:16]),
        .y(read[2*i+:2])
    );
  end
  always_ff @(posedge clk) read_q <= read;

  assign plain = read_q;
  assign mixed = mix_columns(plain);

endmodule
