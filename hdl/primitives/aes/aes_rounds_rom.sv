// SPDX-License-Identifier: Apache-2.0
// The ten rounds of AES-128 (FIPS 197) side by side, a block a cycle, their S-boxes in block RAM (aes_round_rom).
// A round is two stages: the memory's read; then MixColumns and the round key, whose sum is the next address, up to the memory's
// own address register.
// Byte order: byte i of keys and block in bits [8i+7:8i].
// Cycles: `result` 21 edges after `block`.
// Security: constant time. Nothing here has a reset; 21 further blocks push out what is under way, the memories' read
// registers included. A wipe sends zeros, under keys that are zero.
module aes_rounds_rom #(
    localparam int unsigned ROUNDS = 10
) (
    input  logic                   clk,
    input  logic [ROUNDS:0][127:0] keys,
    input  logic [   127:0]        block,
    output logic [   127:0]        result
);

  logic [ROUNDS:0][127:0] state;  // after the round of that number
  assign state[0] = block ^ keys[0];

  for (genvar r = 1; r <= ROUNDS; r++) begin : gen_round
    logic [127:0] plain, mixed;
    logic unused;
    assign unused = &{1'b0, plain, mixed};
    aes_round_rom u_round (
        .clk,
        .state(state[r-1]),
        .plain,
        .mixed
    );
    assign state[r] = (r == ROUNDS ? plain : mixed) ^ keys[r];
  end

  always_ff @(posedge clk) result <= state[ROUNDS];

endmodule
