// SPDX-License-Identifier: Apache-2.0
// SHA-512 compression function F'(chain, key || msg), one round a cycle (FIPS 180-4 section 6.4.2).
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: 80 after the edge that takes `start`; then `ready` is high, `digest` is valid and the next `start`
// may be taken on the next edge: 81 a call. A new key costs 14 cycles.
// Short path: h + K + W is added up one round ahead, K + W two ahead, and the message schedule is split over two
// cycles, which its recurrence (W[t] needs W[t-2]) allows; the round itself is carry-save plus one addition.
// The key words of the next call enter the schedule during the last rounds of this one, when it has no words of its
// own to make; a new key runs those rounds once. Six of the eight final additions are done in the last rounds, by
// the two adders that finish the digest.
// Security: constant time; `clear` zeroises everything. `digest` is meaningless while `ready` is low.
module sha512_compress_r1 (
    input  logic         clk,
    input  logic         clear,    // zeroise, drop the call in flight
    input  logic [511:0] key,      // first half of the block, held by the user
    input  logic         key_new,  // pulse: `key` changes with this edge; only while ready
    input  logic         start,    // pulse: take chain and msg; only while ready
    input  logic [511:0] chain,    // chaining value
    input  logic [511:0] msg,      // second half of the block
    output logic         ready,    // idle: start may come, digest is valid
    output logic [511:0] digest    // result of the last call
);

  import sha512_pkg::*;

  localparam logic [6:0] LAST_ROUND = 7'(ROUNDS - 1);
  localparam logic [6:0] KEY_ROUND = 7'(ROUNDS - 14);  // from here on the key words enter the schedule

  logic run_q;
  logic [6:0] round_q;  // stays at 80 between calls
  logic [6:0] k_index_q;  // index of the constant that k_q takes next
  word_t k_q;
  word_t kw_q;  // K + W of the next round (idle: of round 0)
  word_t hkw_q;  // h + K + W of this round
  word_t a_q, b_q, c_q, d_q, e_q, f_q, g_q, h_q;
  word_t chain_q[8];
  word_t sum_q[8];  // digest words 1 to 3 and 5 to 7
  word_t w_q[16];  // w_q[i] = W[round + i]; 14 and 15 only in the first two rounds; idle: key words in 0 to 7
  word_t w_past_q;  // W[round - 1]
  word_t w_part_q;  // W[round + 7] + sigma0(W[round - 1]) + W[round - 2]

  // Strings to words
  word_t key_w[8];
  word_t msg_w[8];
  word_t chain_w[8];
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      key_w[i]   = swap_bytes(key[64*i+:64]);
      msg_w[i]   = swap_bytes(msg[64*i+:64]);
      chain_w[i] = swap_bytes(chain[64*i+:64]);
    end
  end

  // One round
  word_t s1, ch1, t_sum, t_carry, e_sum, e_carry, s0, maj0, u_sum, u_carry, a_sum, a_carry;
  always_comb begin
    s1      = big_sigma1(e_q);
    ch1     = ch(e_q, f_q, g_q);
    t_sum   = csa_sum(hkw_q, s1, ch1);
    t_carry = csa_carry(hkw_q, s1, ch1);
    e_sum   = csa_sum(t_sum, t_carry, d_q);
    e_carry = csa_carry(t_sum, t_carry, d_q);
    s0      = big_sigma0(a_q);
    maj0    = maj(a_q, b_q, c_q);
    u_sum   = csa_sum(t_sum, s0, maj0);
    u_carry = csa_carry(t_sum, s0, maj0);
    a_sum   = csa_sum(u_sum, u_carry, t_carry);
    a_carry = csa_carry(u_sum, u_carry, t_carry);
  end

  // Words entering the schedule
  word_t w_in;
  always_comb begin
    w_in = small_sigma1(w_q[12]) + w_part_q;
    if (round_q < 7'd2) w_in = w_q[14];
    if (round_q >= KEY_ROUND) w_in = key_w[round_q[2:0]-KEY_ROUND[2:0]];
  end

  // Digest: a and e pass through the words 3 to 0 and 7 to 4 in rounds 77 to 80
  logic [1:0] sum_index;
  word_t sum_a, sum_e;
  assign sum_index = -round_q[1:0];
  assign sum_a = a_q + chain_q[{1'b0, sum_index}];
  assign sum_e = e_q + chain_q[{1'b1, sum_index}];

  always_ff @(posedge clk) begin
    if (start || run_q) hkw_q <= (start ? chain_w[7] : g_q) + kw_q;
    // In the last round and while idle k_q and kw_q wait with K[1] and K[0] + key word 0.
    if (start || (run_q && round_q != LAST_ROUND)) begin
      k_q       <= K[k_index_q];
      k_index_q <= (k_index_q == LAST_ROUND) ? 7'd0 : k_index_q + 7'd1;
      kw_q      <= k_q + (start ? w_q[1] : w_q[2]);
    end

    if (start) begin
      run_q <= 1'b1;
      round_q <= 7'd0;
      {a_q, b_q, c_q, d_q} <= {chain_w[0], chain_w[1], chain_w[2], chain_w[3]};
      {e_q, f_q, g_q, h_q} <= {chain_w[4], chain_w[5], chain_w[6], chain_w[7]};
      for (int unsigned i = 0; i < 8; i++) w_q[8+i] <= msg_w[i];
    end else if (run_q) begin
      run_q <= round_q != LAST_ROUND;
      round_q <= round_q + 7'd1;
      {a_q, b_q, c_q, d_q} <= {a_sum + a_carry, a_q, b_q, c_q};
      {e_q, f_q, g_q, h_q} <= {e_sum + e_carry, e_q, f_q, g_q};
      w_past_q <= w_q[0];
      w_part_q <= w_q[8] + small_sigma0(w_q[0]) + w_past_q;
      for (int unsigned i = 0; i < 15; i++) w_q[i] <= w_q[i+1];
      w_q[13] <= w_in;
      if (round_q == 7'd0) chain_q <= '{a_q, b_q, c_q, d_q, e_q, f_q, g_q, h_q};
      for (int unsigned i = 1; i < 4; i++) begin
        if (sum_index == 2'(i)) begin
          sum_q[i]   <= sum_a;
          sum_q[4+i] <= sum_e;
        end
      end
    end

    // A new key runs the last rounds for the sake of w_q, k_q and kw_q.
    if (key_new) begin
      run_q     <= 1'b1;
      round_q   <= KEY_ROUND;
      k_index_q <= KEY_ROUND + 7'd3;
    end

    if (clear) begin
      run_q                                    <= 1'b0;
      round_q                                  <= '0;
      k_index_q                                <= '0;
      k_q                                      <= '0;
      kw_q                                     <= '0;
      hkw_q                                    <= '0;
      {a_q, b_q, c_q, d_q, e_q, f_q, g_q, h_q} <= '0;
      for (int unsigned i = 0; i < 8; i++) chain_q[i] <= '0;
      for (int unsigned i = 0; i < 8; i++) sum_q[i] <= '0;
      for (int unsigned i = 0; i < 16; i++) w_q[i] <= '0;
      w_past_q <= '0;
      w_part_q <= '0;
    end
  end

  assign ready = !run_q;

  always_comb begin
    for (int unsigned i = 1; i < 4; i++) begin
      digest[64*i+:64]     = swap_bytes(sum_q[i]);
      digest[64*(4+i)+:64] = swap_bytes(sum_q[4+i]);
    end
    digest[64*0+:64] = swap_bytes(sum_a);
    digest[64*4+:64] = swap_bytes(sum_e);
  end

endmodule
