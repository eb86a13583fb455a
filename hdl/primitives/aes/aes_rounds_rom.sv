// SPDX-License-Identifier: Apache-2.0
// The ten rounds of AES-128 (FIPS 197) side by side, a block a cycle, their S-boxes in block RAM: two look-ups each.
// A round is two stages: the memory's read, which a register takes up at once, because a block RAM answers late; then
// MixColumns and the round key, whose sum is the next address, up to the memory's own address register.
// Byte order: byte i of keys and block in bits [8i+7:8i].
// Cycles: `result` 21 edges after `block`.
// Security: constant time. Nothing here has a reset; 21 further blocks push out what is under way, the memories' read
// registers included. A wipe sends zeros, under keys that are zero.
module aes_rounds_rom
  import aes_pkg::*;
#(
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
    logic [15:0][15:0] read, read_q;  // of a byte, 2 S and S
    for (genvar i = 0; i < 8; i++) begin : gen_rom
      aes_sbox_rom u_rom (
          .clk,
          .x(state[r-1][16*i+:16]),
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

    if (r == ROUNDS) begin : gen_last
      logic unused;
      assign unused   = &{1'b0, twice};
      assign state[r] = once ^ keys[r];
    end else begin : gen_mixed
      // 3 S = S + 2 S
      always_comb begin
        for (int unsigned c = 0; c < 16; c += 4) begin
          for (int unsigned i = 0; i < 4; i++) begin
            state[r][8*(c+i)+:8] = twice[8*(c+i)+:8] ^ twice[8*(c+(i+1)%4)+:8] ^ once[8*(c+(i+1)%4)+:8] ^
                once[8*(c+(i+2)%4)+:8] ^ once[8*(c+(i+3)%4)+:8] ^ keys[r][8*(c+i)+:8];
          end
        end
      end
    end
  end

  always_ff @(posedge clk) result <= state[ROUNDS];

endmodule
