// SPDX-License-Identifier: Apache-2.0
// What one domain of masked AES does with its share outside the S-boxes, half a block a cycle: affine map, MixColumns, round
// key, ShiftRows, map into the tower field. All of it is linear. Nothing here sees the other domain.
// Byte order: byte i of a half in bits [8i+7:8i]; a half is two columns.
// Cycles: a half whose inverses stand in cycle 0 stands in cycle 1 behind the affine map, where the round key is added, and
// the lower half of the next round in cycle 3 in front of the S-boxes.
// Security: no data-dependent control. `clear` zeroises everything but the memory of round keys, which `wiping` overwrites.
module aes_masked_share
  import aes_pkg::*;
  import aes_masked_pkg::*;
#(
    parameter bit CONSTANTS = 1'b1  // the domain that adds the constants of AES
) (
    input logic clk,
    input logic clear,
    input logic wiping,
    input logic [3:0] walk,
    input logic upper,  // the upper half of a slot stands behind the affine map, and the lower one comes

    // Of the slot that comes
    input logic [3:0] round,  // its round key
    input logic       live,   // it adds a round key
    input logic       mix,    // to MixColumns of the inverses
    input logic       show,   // inverses go out
    // Of the slot that stands behind the affine map
    input logic       out,    // its result goes out
    // Of the slot that goes to the S-boxes
    input logic       go,

    input logic         key_load,
    input logic [127:0] key,
    input logic [ 63:0] mask,
    input logic         key_step,
    input logic [  7:0] round_constant,

    input  logic [63:0] block,    // zero unless one comes
    input  logic [63:0] inverse,
    output logic [63:0] state,
    output logic [63:0] result
);

  logic [63:0] substituted, mix_q, show_q, add_q, added, mapped, lower_q, later_q, round_key;
  logic [127:0] shifted;
  logic [ 15:0] saved_q;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      substituted[8*i+:8] = from_tower(inverse[8*i+:8]) ^ (CONSTANTS ? AFFINE : 8'h00);
    end
    added = 64'(mix_columns(128'(mix_q))) ^ add_q;
    for (int unsigned i = 0; i < 8; i++) mapped[8*i+:8] = to_tower(added[8*i+:8]);
  end

  assign shifted = shift_rows({mapped, lower_q});

  always_ff @(posedge clk) begin
    mix_q   <= mix ? substituted : '0;
    show_q  <= show ? substituted : '0;
    add_q   <= live ? round_key ^ block : '0;
    lower_q <= mapped;
    later_q <= shifted[127:64];
    state   <= !go ? '0 : upper ? shifted[63:0] : later_q;
    result  <= out ? show_q ^ add_q : '0;
    saved_q <= {show_q[31:24], show_q[55:48]};
    if (clear) begin
      mix_q   <= '0;
      show_q  <= '0;
      add_q   <= '0;
      lower_q <= '0;
      later_q <= '0;
      state   <= '0;
      saved_q <= '0;
      result  <= '0;
    end
  end

  // The bytes of a round key's last word stand where ShiftRows has brought them.
  aes_masked_keys u_keys (
      .clk,
      .clear,
      .wiping,
      .walk,
      .load (key_load),
      .key,
      .mask,
      .step (key_step),
      .word ({show_q[39:32], saved_q, show_q[15:8]} ^ (CONSTANTS ? {24'b0, round_constant} : 32'b0)),
      .round,
      .upper(!upper),
      .half (round_key)
  );

endmodule
