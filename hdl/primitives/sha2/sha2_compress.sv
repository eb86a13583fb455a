// SPDX-License-Identifier: Apache-2.0
// SHA-256 and SHA-512 compression functions F'(chain, key || msg), one or two rounds a cycle (FIPS 180-4, 6.2.2, 6.4.2).
// Byte order: byte i of every string in bits [8i+7:8i]; words are big-endian.
// Cycles: ROUNDS / ROUNDS_PER_CYCLE steps after the edge that takes `start`; then `ready` is high, `digest` is valid
// and the next `start` may be taken on the next edge. A new key costs 16 / ROUNDS_PER_CYCLE - 1.
// Short path: h + K + W is added up one step ahead, K + W two ahead, and a word of the schedule in three steps.
// The key words of the next call enter the schedule during the last steps of this one, when it has no words of its
// own to make; a new key runs those steps once. The last steps also make the digest, as its words pass the adders.
// Security: constant time; `clear` zeroises everything. `digest` is meaningless while `ready` is low.
module sha2_compress #(
    parameter int unsigned WORD_BITS = 64,  // 32: SHA-256, 64: SHA-512
    parameter int unsigned ROUNDS_PER_CYCLE = 1,  // 1 or 2
    localparam int unsigned N_BITS = 8 * WORD_BITS
) (
    input  logic              clk,
    input  logic              clear,    // zeroise, drop the call in flight
    input  logic [N_BITS-1:0] key,      // first half of the block, held by the user
    input  logic              key_new,  // pulse: `key` changes with this edge; only while ready
    input  logic              start,    // pulse: take chain and msg; only while ready
    input  logic [N_BITS-1:0] chain,    // chaining value
    input  logic [N_BITS-1:0] msg,      // second half of the block
    output logic              ready,    // idle: start may come, digest is valid
    output logic [N_BITS-1:0] digest    // result of the last call
);

  if (WORD_BITS != 32 && WORD_BITS != 64) begin : gen_bad_word
    $fatal(1, "sha2_compress: WORD_BITS = %0d, allowed: 32, 64", WORD_BITS);
  end
  if (ROUNDS_PER_CYCLE != 1 && ROUNDS_PER_CYCLE != 2) begin : gen_bad_rounds
    $fatal(1, "sha2_compress: ROUNDS_PER_CYCLE = %0d, allowed: 1, 2", ROUNDS_PER_CYCLE);
  end

  typedef logic [WORD_BITS-1:0] word_t;

  localparam int unsigned R = ROUNDS_PER_CYCLE;
  localparam int unsigned ROUNDS = WORD_BITS == 64 ? 80 : 64;
  localparam int unsigned PASSES = 4 / R;  // steps in which all words pass the first R of a to d, or the last R
  localparam logic [6:0] LAST_STEP = 7'(ROUNDS / R - 1);
  localparam logic [6:0] KEY_STEP = 7'((ROUNDS - 16) / R + 1);  // from here on the key words enter the schedule

  // Rotations; the last of the small ones is a shift
  localparam int unsigned BIG0[3] = WORD_BITS == 64 ? '{28, 34, 39} : '{2, 13, 22};
  localparam int unsigned BIG1[3] = WORD_BITS == 64 ? '{14, 18, 41} : '{6, 11, 25};
  localparam int unsigned SMALL0[3] = WORD_BITS == 64 ? '{1, 8, 7} : '{7, 18, 3};
  localparam int unsigned SMALL1[3] = WORD_BITS == 64 ? '{19, 61, 6} : '{17, 19, 10};

  function automatic word_t rotr(input word_t x, input int unsigned n);
    return (x >> n) | (x << (WORD_BITS - n));
  endfunction

  function automatic word_t ch(input word_t x, input word_t y, input word_t z);
    return (x & y) ^ (~x & z);
  endfunction

  function automatic word_t maj(input word_t x, input word_t y, input word_t z);
    return (x & y) ^ (x & z) ^ (y & z);
  endfunction

  function automatic word_t big_sigma0(input word_t x);
    return rotr(x, BIG0[0]) ^ rotr(x, BIG0[1]) ^ rotr(x, BIG0[2]);
  endfunction

  function automatic word_t big_sigma1(input word_t x);
    return rotr(x, BIG1[0]) ^ rotr(x, BIG1[1]) ^ rotr(x, BIG1[2]);
  endfunction

  function automatic word_t small_sigma0(input word_t x);
    return rotr(x, SMALL0[0]) ^ rotr(x, SMALL0[1]) ^ (x >> SMALL0[2]);
  endfunction

  function automatic word_t small_sigma1(input word_t x);
    return rotr(x, SMALL1[0]) ^ rotr(x, SMALL1[1]) ^ (x >> SMALL1[2]);
  endfunction

  // Bytes in string order <-> one big-endian word (its own inverse).
  function automatic word_t swap_bytes(input word_t x);
    for (int unsigned i = 0; i < WORD_BITS / 8; i++) swap_bytes[8*i+:8] = x[8*(WORD_BITS/8-1-i)+:8];
  endfunction

  // K of all rounds of a step: a tree of multiplexers, since a block RAM would be the slowest part by far.
  function automatic logic [R-1:0][WORD_BITS-1:0] constants(input logic [6:0] step);
    logic [R*WORD_BITS-1:0] level[128];
    for (int unsigned i = 0; i < 128; i++) level[i] = '0;
    for (int unsigned i = 0; i < ROUNDS; i++) begin
      level[i/R][(i%R)*WORD_BITS+:WORD_BITS] = sha2_pkg::K[i][63-:WORD_BITS];
    end
    for (int unsigned b = 0; b < 7; b++) begin
      for (int unsigned i = 0; i < (64 >> b); i++) level[i] = step[b] ? level[2*i+1] : level[2*i];
    end
    return level[0];
  endfunction

  logic run_q;
  logic [6:0] step_q;  // stays at ROUNDS / R between calls
  logic [6:0] k_step_q;  // step of the constants that k_q takes next
  logic [R-1:0][WORD_BITS-1:0] k_q;
  logic [R-1:0][WORD_BITS-1:0] kw_q;  // K + W of the next step (idle: of step 0)
  logic [R-1:0][WORD_BITS-1:0] hkw_q;  // h + K + W of this step
  logic [7:0][WORD_BITS-1:0] s_q;  // a to h
  // w_q[i] = W[first round of the step + i]; the last R only in step 0; idle: key words in 0 to 7
  logic [15:0][WORD_BITS-1:0] w_q;
  logic [R-1:0][WORD_BITS-1:0] w_two_q;  // for the words of the step: W + sigma0(W one later)
  logic [R-1:0][WORD_BITS-1:0] w_three_q;  // and W nine later, all of the step before
  // Chain and digest move as words pass through the first R of a to d and e to h: [0] is the newest
  logic [PASSES-1:0][1:0][R-1:0][WORD_BITS-1:0] chain_q;
  logic [PASSES-2:0][1:0][R-1:0][WORD_BITS-1:0] sum_q;

  // Strings to words
  logic [7:0][WORD_BITS-1:0] key_w, msg_w, chain_w;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      key_w[i]   = swap_bytes(key[WORD_BITS*i+:WORD_BITS]);
      msg_w[i]   = swap_bytes(msg[WORD_BITS*i+:WORD_BITS]);
      chain_w[i] = swap_bytes(chain[WORD_BITS*i+:WORD_BITS]);
    end
  end

  // The rounds of a step
  logic [7:0][WORD_BITS-1:0] s_next;
  word_t t1;
  always_comb begin
    s_next = s_q;
    for (int unsigned r = 0; r < R; r++) begin
      t1 = hkw_q[r] + big_sigma1(s_next[4]) + ch(s_next[4], s_next[5], s_next[6]);
      s_next = {
        s_next[6:4], s_next[3] + t1, s_next[2:0], t1 + big_sigma0(s_next[0]) + maj(s_next[0], s_next[1], s_next[2])
      };
    end
  end

  // Words entering the schedule
  logic [R-1:0][WORD_BITS-1:0] w_in, w_two, w_three;
  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      w_two[r] = w_q[R+r] + small_sigma0(w_q[R+r+1]);
      w_three[r] = w_two_q[r] + w_q[9+r];
      w_in[r] = small_sigma1(w_q[14-R+r]) + w_three_q[r];
      if (step_q == '0) w_in[r] = w_q[16-R+r];
      if (step_q >= KEY_STEP) w_in[r] = key_w[3'((step_q-KEY_STEP)*7'(R)+7'(r))];
    end
  end

  // Sums made ahead
  logic [R-1:0][WORD_BITS-1:0] k_next, kw_next, hkw_next;
  assign k_next = constants(k_step_q);
  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      kw_next[r]  = k_q[r] + (start ? w_q[R+r] : w_q[2*R+r]);
      hkw_next[r] = kw_q[r] + (start ? chain_w[7-r] : s_q[7-R-r]);
    end
  end

  // Digest
  logic [1:0][R-1:0][WORD_BITS-1:0] sum;
  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      for (int unsigned r = 0; r < R; r++) sum[i][r] = s_q[4*i+r] + chain_q[PASSES-1][i][r];
    end
  end

  always_ff @(posedge clk) begin
    if (start || run_q) hkw_q <= hkw_next;
    // In the last step and while idle k_q and kw_q wait with the constants of step 1 and the sums of step 0.
    if (start || (run_q && step_q != LAST_STEP)) begin
      k_q      <= k_next;
      k_step_q <= (k_step_q == LAST_STEP) ? 7'd0 : k_step_q + 7'd1;
      kw_q     <= kw_next;
    end

    if (start) begin
      run_q     <= 1'b1;
      step_q    <= 7'd0;
      s_q       <= chain_w;
      w_q[15:8] <= msg_w;
    end else if (run_q) begin
      run_q          <= step_q != LAST_STEP;
      step_q         <= step_q + 7'd1;
      s_q            <= s_next;
      w_q[15-R:0]    <= w_q[15:R];
      w_q[16-2*R+:R] <= w_in;
      w_two_q        <= w_two;
      w_three_q      <= w_three;
      if (step_q < 7'(PASSES) || step_q > LAST_STEP - 7'(PASSES - 1)) begin
        chain_q <= $bits(chain_q)'({chain_q, s_q[7-:R], s_q[3-:R]});
        sum_q   <= $bits(sum_q)'({sum_q, sum});
      end
    end

    // A new key runs the last steps for the sake of w_q, w_two_q, k_q and kw_q.
    if (key_new) begin
      run_q    <= 1'b1;
      step_q   <= KEY_STEP;
      k_step_q <= KEY_STEP + 7'd3;
    end

    if (clear) begin
      run_q     <= 1'b0;
      step_q    <= '0;
      k_step_q  <= '0;
      k_q       <= '0;
      kw_q      <= '0;
      hkw_q     <= '0;
      s_q       <= '0;
      w_q       <= '0;
      w_two_q   <= '0;
      w_three_q <= '0;
      chain_q   <= '0;
      sum_q     <= '0;
    end
  end

  assign ready = !run_q;

  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      for (int unsigned r = 0; r < R; r++) begin
        digest[WORD_BITS*(4*i+r)+:WORD_BITS] = swap_bytes(sum[i][r]);
        for (int unsigned p = 1; p < PASSES; p++) begin
          digest[WORD_BITS*(4*i+R*p+r)+:WORD_BITS] = swap_bytes(sum_q[p-1][i][r]);
        end
      end
    end
  end

endmodule
