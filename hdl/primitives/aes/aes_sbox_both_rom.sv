// SPDX-License-Identifier: Apache-2.0
// The S-box of AES and its inverse (FIPS 197) in a block RAM, for two bytes a cycle, each in its own direction, which is a bit of
// the address. InvMixColumns is a matrix with rows 5 0 4 0, then MixColumns (aes_inverse_pkg): the inverse half holds both
// products with that matrix, the other half the S-box and zero. So one formula, `near` of a row + `far` of the row two on, then
// MixColumns, serves both directions without a choice.
// A constant memory with two registered read ports, which one true dual-port block RAM holds.
// Cycles: `near` and `far` one edge after `x`.
// Security: a read takes one cycle, whatever the address. The memory holds no secret. What was read has no reset and tells the
// last address: a wipe reads another one.
module aes_sbox_both_rom
  import aes_pkg::*;
#(
    parameter bit MIXED = 1'b1  // columns are mixed next; otherwise `near` is the byte and `far` zero
) (
    input  logic            clk,
    input  logic [1:0]      inverse,
    input  logic [1:0][7:0] x,
    output logic [1:0][7:0] near,     // S(x), or 5 times the inverse S-box of x in the field of AES
    output logic [1:0][7:0] far       // 0, or 4 times it
);

  (* rom_style = "block" *) logic [15:0] rom[512];
  initial begin
    for (int unsigned i = 0; i < 256; i++) begin
      rom[i] = {8'h00, sbox_table(8'(i))};
      rom[{24'd1, sbox_table(8'(i))}] = MIXED ? {xtime(xtime(8'(i))), 8'(i) ^ xtime(xtime(8'(i)))} : 16'(i);
    end
  end

  always_ff @(posedge clk) {far[0], near[0]} <= rom[{inverse[0], x[0]}];
  always_ff @(posedge clk) {far[1], near[1]} <= rom[{inverse[1], x[1]}];

endmodule
