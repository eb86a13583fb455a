// SPDX-License-Identifier: Apache-2.0
// Round keys of the equivalent inverse cipher of AES-128 (FIPS 197, 5.3.5), out of those of the cipher, side by side: in the
// order in which rounds backwards take them, those between the first and the last one through InvMixColumns.
// Byte order: byte i of a key in bits [8i+7:8i].
// Cycles: `ready` rises 11 edges after `keys_ready`.
// Security: constant time; `clear` zeroises everything.
module aes_round_keys_back
  import aes_inverse_pkg::*;
#(
    localparam int unsigned ROUNDS = 10
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic                   key_new,     // pulse: other keys come, `keys_ready` falls
    input  logic                   keys_ready,  // `keys` stand
    input  logic [ROUNDS:0][127:0] keys,
    output logic                   ready,
    output logic [ROUNDS:0][127:0] back         // of the first addition, then of each round; held
);

  logic [127:0] key_q;
  logic [ROUNDS-1:1][127:0] back_q;
  logic [3:0] number_q;  // of the key that key_q takes next
  logic turn_q;  // key_q holds one

  assign back = {keys[0], back_q, keys[ROUNDS]};

  always_ff @(posedge clk) begin
    turn_q <= keys_ready && number_q != '0;
    if (keys_ready && number_q != '0) begin
      key_q    <= keys[number_q];
      number_q <= number_q - 4'd1;
    end
    if (turn_q) back_q <= {mix_columns_back(key_q), back_q[ROUNDS-1:2]};
    ready <= keys_ready && number_q == '0 && !turn_q;
    if (key_new) begin
      number_q <= 4'(ROUNDS - 1);
      turn_q   <= 1'b0;
      ready    <= 1'b0;
    end
    if (clear) begin
      key_q    <= '0;
      back_q   <= '0;
      number_q <= '0;
      turn_q   <= 1'b0;
      ready    <= 1'b0;
    end
  end

endmodule
