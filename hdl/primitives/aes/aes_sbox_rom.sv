// SPDX-License-Identifier: Apache-2.0
// The S-box of AES (FIPS 197) in a block RAM, for two bytes a cycle.
// A constant memory with two registered read ports, which one true dual-port block RAM holds.
// Cycles: `y` one edge after `x`.
// Security: a read takes one cycle, whatever the address. The memory holds no secret. `y` has no reset and tells the last
// address: a wipe reads another one.
module aes_sbox_rom
  import aes_pkg::*;
(
    input  logic            clk,
    input  logic [1:0][7:0] x,
    output logic [1:0][7:0] y
);

  (* rom_style = "block" *) logic [7:0] rom[256];
  initial for (int unsigned i = 0; i < 256; i++) rom[i] = sbox_table(8'(i));

  always_ff @(posedge clk) y[0] <= rom[x[0]];
  always_ff @(posedge clk) y[1] <= rom[x[1]];

endmodule
