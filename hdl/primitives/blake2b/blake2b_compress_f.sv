// SPDX-License-Identifier: Apache-2.0
// BLAKE2b compression function F'(chain, key || msg) with t = 0 and f = 0, one full round a cycle (RFC 7693, 3.2).
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: 12 after the edge that takes `start`; then `ready` is high, `digest` is valid and the next `start`
// may be taken on the next edge: 13 a call.
// Short path: the message words of a round are chosen one round ahead, so a cycle is the eight additions of two Gs.
// The key half of the block is never copied: its words are taken from `key` where it lies.
// Security: constant time; `clear` zeroises everything. `digest` is meaningless while `ready` is low.
module blake2b_compress_f (
    input  logic         clk,
    input  logic         clear,  // zeroise, drop the call in flight
    input  logic [511:0] key,    // first half of the block, held by the user
    input  logic         start,  // pulse: take chain and msg; only while ready
    input  logic [511:0] chain,  // chaining value
    input  logic [511:0] msg,    // second half of the block
    output logic         ready,  // idle: start may come, digest is valid
    output logic [511:0] digest  // result of the last call
);

  import blake2b_pkg::*;

  localparam logic [3:0] LAST_ROUND = 4'(ROUNDS - 1);
  localparam logic [3:0] LAST_PERMUTATION = 4'(PERMUTATIONS - 1);

  logic         run_q;
  logic   [3:0] round_q;
  logic   [3:0] sigma_q;  // permutation of the round after this one
  state_t       v_q;
  state_t       x_q;  // message words of this round in the order of use
  logic [7:0][63:0] msg_q, chain_q;

  state_t words, chosen, round_out;
  assign words = {msg_q, key};
  always_comb begin
    chosen = '0;
    for (int unsigned p = 0; p < PERMUTATIONS; p++) begin
      for (int unsigned i = 0; i < 16; i++) chosen[i] |= words[SIGMA[p][i]] & {64{sigma_q == 4'(p)}};
    end
  end
  assign round_out = diagonals(columns(v_q, x_q[7:0]), x_q[15:8]);

  always_ff @(posedge clk) begin
    if (start) begin
      run_q   <= 1'b1;
      round_q <= '0;
      sigma_q <= 4'd1;
      v_q     <= {IV, chain};
      x_q     <= {msg, key};  // permutation 0 is the identity
      msg_q   <= msg;
    end else if (run_q) begin
      run_q   <= round_q != LAST_ROUND;
      round_q <= round_q + 4'd1;
      sigma_q <= (sigma_q == LAST_PERMUTATION) ? 4'd0 : sigma_q + 4'd1;
      v_q     <= round_out;
      x_q     <= chosen;
      if (round_q == '0) chain_q <= v_q[7:0];
    end
    if (clear) begin
      run_q   <= 1'b0;
      round_q <= '0;
      sigma_q <= '0;
      v_q     <= '0;
      x_q     <= '0;
      msg_q   <= '0;
      chain_q <= '0;
    end
  end

  assign ready  = !run_q;
  assign digest = chain_q ^ v_q[7:0] ^ v_q[15:8];

endmodule
