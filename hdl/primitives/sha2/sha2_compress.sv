// SPDX-License-Identifier: Apache-2.0
// SHA-256 and SHA-512 compression functions F'(chain, key || msg), one or two rounds a cycle (FIPS 180-4, 6.2.2, 6.4.2).
// Byte order: byte i of every string in bits [8i+7:8i]; words are big-endian.
// Cycles: ROUNDS / ROUNDS_PER_CYCLE steps after the edge that takes `start`; then `ready` is high, `digest` is valid
// and the next `start` may be taken on the next edge. A new key costs 16 / ROUNDS_PER_CYCLE - 2.
// Short path, with one round a step one addition of three terms: K + W is added up two steps ahead, h and d one step ahead,
// a word of the schedule in three steps, and a lags one step behind e (e needs it as d only, three rounds later).
// The key words of the next call enter the schedule during the last steps of this one, when it has no words of its
// own to make; a new key runs those steps once. The last steps also make the digest, as its words pass the adders.
// Idle is the step before the first, held; `start` lets it pass.
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
  localparam int unsigned PASSES = 4 / R;  // steps in which all words of a half pass the first R or the last R places
  localparam logic [6:0] LAST_STEP = 7'(ROUNDS / R - 1);
  localparam logic [6:0] KEY_STEP = 7'((ROUNDS - 16) / R + 2);  // from here on the key words enter the schedule
  localparam int unsigned STEPS = ROUNDS / R + 1;  // with the one in which a call waits
  localparam logic [6:0] IDLE_STEP = 7'(STEPS - 1);

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

  // x + y + z with one carry chain
  function automatic word_t sum3(input word_t x, input word_t y, input word_t z);
    return (x ^ y ^ z) + (maj(x, y, z) << 1);
  endfunction

  // Bytes in string order <-> one big-endian word (its own inverse).
  function automatic word_t swap_bytes(input word_t x);
    for (int unsigned i = 0; i < WORD_BITS / 8; i++) swap_bytes[8*i+:8] = x[8*(WORD_BITS/8-1-i)+:8];
  endfunction

  // K of all rounds of the third step after this one: a tree of multiplexers, since a block RAM would be the slowest part
  // by far.
  function automatic logic [R-1:0][WORD_BITS-1:0] constants(input logic [6:0] step);
    logic [R*WORD_BITS-1:0] level[128];
    for (int unsigned i = 0; i < 128; i++) level[i] = '0;
    for (int unsigned i = 0; i < ROUNDS; i++) begin
      level[(i/R+STEPS-3)%STEPS][(i%R)*WORD_BITS+:WORD_BITS] = sha2_pkg::K[i][63-:WORD_BITS];
    end
    for (int unsigned b = 0; b < 7; b++) begin
      for (int unsigned i = 0; i < (64 >> b); i++) level[i] = step[b] ? level[2*i+1] : level[2*i];
    end
    return level[0];
  endfunction

  logic run_q, ready_q;  // ready_q is the opposite, for the user: run_q goes to every register here
  logic [6:0] step_q;  // IDLE_STEP between calls
  logic first_q;  // step 0
  logic keys_q;  // key words enter the schedule
  logic fold_q;  // last step but one
  logic pass_a_q, pass_e_q;  // words of the chaining value are taken, or met by those of the result
  logic [R-1:0][WORD_BITS-1:0] k_q;  // K, two steps ahead
  logic [R-1:0][WORD_BITS-1:0] kw_q;  // K + W of the next step
  logic [R-1:0][WORD_BITS-1:0] hkw_q;  // h + K + W; in the last step and the word of the chaining value for a
  logic [R-1:0][WORD_BITS-1:0] t1_q;  // T1 of the step before, to which a_next adds the rest
  logic [  2:0][WORD_BITS-1:0] a_q;  // a to c of the step before
  logic [  3:0][WORD_BITS-1:0] e_q;  // e to h
  // w_q[i] = W[first round of the step + i]; the last R only in step 0; idle: key words in R to R + 7
  logic [ 15:0][WORD_BITS-1:0] w_q;
  logic [R-1:0][WORD_BITS-1:0] w_two_q;  // for the words of the step: W + sigma0(W one later)
  logic [R-1:0][WORD_BITS-1:0] w_three_q;  // and W nine later, all of the step before
  // Chain and digest move as words pass through the first R of a_q and e_q (digest) and the last R (chain): [0] is newest
  logic [PASSES-1:0][R-1:0][WORD_BITS-1:0] chain_a_q, chain_e_q;
  logic [PASSES-2:0][R-1:0][WORD_BITS-1:0] sum_a_q, sum_e_q;

  // Strings to words
  logic [7:0][WORD_BITS-1:0] key_w, msg_w, chain_w;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      key_w[i]   = swap_bytes(key[WORD_BITS*i+:WORD_BITS]);
      msg_w[i]   = swap_bytes(msg[WORD_BITS*i+:WORD_BITS]);
      chain_w[i] = swap_bytes(chain[WORD_BITS*i+:WORD_BITS]);
    end
  end

  // h + K + W of the next step
  logic [R-1:0][WORD_BITS-1:0] h_ahead, kw_next, hkw_next;
  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      kw_next[r]  = k_q[r] + w_q[2*R+r];
      h_ahead[r]  = run_q ? e_q[3-R-r] : chain_w[7-r];
      hkw_next[r] = kw_q[r] + h_ahead[r];
    end
    if (R == 1) hkw_next[0] = sum3(kw_q[0], h_ahead[0], fold_q ? chain_a_q[0][0] : '0);
  end

  // d + h + K + W of this step
  logic [R-1:0][WORD_BITS-1:0] dhkw;
  if (R == 1) begin : gen_d_ahead
    logic [WORD_BITS-1:0] dhkw_q, dhkw_next;
    assign dhkw_next = sum3(kw_q[0], h_ahead[0], run_q ? a_q[1] : chain_w[3]);
    always_ff @(posedge clk) begin
      if (start || run_q) dhkw_q <= dhkw_next;
      if (clear) dhkw_q <= '0;
    end
    assign dhkw = dhkw_q;
  end else begin : gen_d_now
    for (genvar r = 0; r < R; r++) begin : gen_round
      assign dhkw[r] = hkw_q[r] + a_q[3-R-r];
    end
  end

  // The rounds of a step: e to h
  logic [  3:0][WORD_BITS-1:0] e_next;
  logic [R-1:0][WORD_BITS-1:0] t1_next;
  word_t s1, c1;
  always_comb begin
    e_next = e_q;
    for (int unsigned r = 0; r < R; r++) begin
      s1 = big_sigma1(e_next[0]);
      c1 = ch(e_next[0], e_next[1], e_next[2]);
      t1_next[r] = sum3(hkw_q[r], s1, c1);
      e_next = {e_next[2:0], sum3(dhkw[r], s1, c1)};
    end
  end

  // a to c, a step later. In step 0 they are those of the chaining value as they stand.
  logic [  2:0][WORD_BITS-1:0] a_next;
  logic [R-1:0][WORD_BITS-1:0] a_new;
  logic [R-1:0][WORD_BITS-1:0] t1_first;
  word_t s0, m0;
  always_comb begin
    for (int unsigned r = 0; r < R; r++) t1_first[r] = chain_w[R-1-r];
    a_next = a_q;
    for (int unsigned r = 0; r < R; r++) begin
      s0 = first_q ? '0 : big_sigma0(a_next[0]);
      m0 = first_q ? '0 : maj(a_next[0], a_next[1], a_next[2]);
      a_new[r] = sum3(t1_q[r], s0, m0);
      a_next = {a_next[1:0], a_new[r]};
    end
  end

  // Words entering the schedule
  logic [R-1:0][WORD_BITS-1:0] w_in, w_two, w_three;
  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      w_two[r] = w_q[R+r] + small_sigma0(w_q[R+r+1]);
      w_three[r] = w_two_q[r] + w_q[9+r];
      w_in[r] = small_sigma1(w_q[14-R+r]) + w_three_q[r];
      if (first_q) w_in[r] = w_q[16-R+r];
      if (keys_q) w_in[r] = key_w[3'((step_q-KEY_STEP)*7'(R)+7'(r))];
    end
  end

  logic [6:0] step_next;
  // step_q + 1 without a carry chain, which synthesis would also use for the multiplexers of the constants.
  always_comb begin
    for (int unsigned i = 0; i < 7; i++) step_next[i] = !start && (step_q[i] ^ &(step_q | ~7'((1 << i) - 1)));
  end

  // Digest
  logic [R-1:0][WORD_BITS-1:0] sum_a, sum_e;
  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      sum_a[r] = a_q[r] + chain_a_q[PASSES-1][r];
      sum_e[r] = e_q[r] + chain_e_q[PASSES-1][r];
    end
  end

  always_ff @(posedge clk) begin
    if (start || run_q) begin
      run_q       <= start || step_q != LAST_STEP;
      ready_q     <= !start && step_q == LAST_STEP;
      step_q      <= step_next;
      first_q     <= start;
      keys_q      <= step_next >= KEY_STEP;
      fold_q      <= step_next == LAST_STEP - 7'd1;
      pass_a_q    <= step_next < 7'(PASSES) || (step_next > LAST_STEP - 7'(PASSES - 2) && step_next != IDLE_STEP);
      pass_e_q    <= step_next < 7'(PASSES) || (step_next > LAST_STEP - 7'(PASSES - 1) && step_next != IDLE_STEP);
      k_q         <= constants(step_q);
      kw_q        <= kw_next;
      hkw_q       <= hkw_next;
      w_q[15-R:0] <= w_q[15:R];
      w_two_q     <= w_two;
      w_three_q   <= w_three;
      if (run_q) begin
        t1_q           <= t1_next;
        a_q            <= a_next;
        e_q            <= e_next;
        w_q[16-2*R+:R] <= w_in;
      end else begin
        t1_q      <= t1_first;
        a_q       <= $bits(a_q)'(chain_w[3:R]);
        e_q       <= chain_w[7:4];
        w_q[15:8] <= msg_w;
      end
    end
    if (pass_a_q) begin
      chain_a_q <= $bits(chain_a_q)'({chain_a_q, a_q[3-R-:R]});
      sum_a_q   <= $bits(sum_a_q)'({sum_a_q, sum_a});
    end
    if (pass_e_q) begin
      chain_e_q <= $bits(chain_e_q)'({chain_e_q, e_q[3-:R]});
      sum_e_q   <= $bits(sum_e_q)'({sum_e_q, sum_e});
    end

    // A new key runs the last steps for the sake of w_q, w_two_q, k_q and kw_q.
    if (key_new) begin
      run_q   <= 1'b1;
      ready_q <= 1'b0;
      step_q  <= KEY_STEP;
      keys_q  <= 1'b1;
    end

    if (clear) begin
      run_q     <= 1'b0;
      ready_q   <= 1'b1;
      step_q    <= '0;
      first_q   <= 1'b0;
      keys_q    <= 1'b0;
      fold_q    <= 1'b0;
      pass_a_q  <= 1'b0;
      pass_e_q  <= 1'b0;
      k_q       <= '0;
      kw_q      <= '0;
      hkw_q     <= '0;
      t1_q      <= '0;
      a_q       <= '0;
      e_q       <= '0;
      w_q       <= '0;
      w_two_q   <= '0;
      w_three_q <= '0;
      chain_a_q <= '0;
      chain_e_q <= '0;
      sum_a_q   <= '0;
      sum_e_q   <= '0;
    end
  end

  assign ready = ready_q;

  // The first R words of a half come from the adders, as do the next R of the first half, since a lags.
  logic [PASSES-1:0][R-1:0][WORD_BITS-1:0] digest_a, digest_e;
  always_comb begin
    for (int unsigned r = 0; r < R; r++) begin
      digest_a[0][r] = a_new[R-1-r] + (R == 1 ? '0 : chain_a_q[PASSES-2][r]);
      digest_a[1][r] = sum_a[r];
      for (int unsigned p = 2; p < PASSES; p++) digest_a[p][r] = sum_a_q[p-2][r];
      digest_e[0][r] = sum_e[r];
      for (int unsigned p = 1; p < PASSES; p++) digest_e[p][r] = sum_e_q[p-1][r];
    end
    for (int unsigned i = 0; i < 4; i++) begin
      digest[WORD_BITS*i+:WORD_BITS]     = swap_bytes(digest_a[i/R][i%R]);
      digest[WORD_BITS*(4+i)+:WORD_BITS] = swap_bytes(digest_e[i/R][i%R]);
    end
  end

endmodule
