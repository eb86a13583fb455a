// SPDX-License-Identifier: Apache-2.0
// SHA-512 compression function F'(chain, key || msg), one sum of three terms a cycle (FIPS 180-4, 6.4.2).
// Byte order: byte i of every string in bits [8i+7:8i]; words are big-endian.
// Cycles: 528 after the edge that takes `start`; the last eight of them give the words of the digest, and then `ready` is high.
// After a clear `ready` is low for 16 cycles more.
// Small: the schedule stands in a memory of 16 words that gives one a cycle, and its sum and that of a round are made by one
// adder in the same register. Nothing is copied: the words of block and chaining value are read where they lie, and who wants the
// digest keeps what it needs.
// Security: constant time; `clear` zeroises everything, the memory within 16 cycles.
module sha512_compress_s (
    input  logic         clk,
    input  logic         clear,       // zeroise, drop the call in flight
    input  logic         start,       // pulse; only while ready
    input  logic [511:0] msg,         // second half of the block; it stands from start until ready, as do the words
    output logic [  2:0] key_at,      // which word of the key, the first half of the block, is read
    input  logic [ 63:0] key_word,    // that word, in the same cycle
    output logic [  2:0] chain_at,    // which word of the chaining value is read
    input  logic [ 63:0] chain_word,  // that word, in the same cycle
    output logic         ready,       // idle: start may come
    output logic         word_valid,  // `word` is a word of the digest
    output logic [  2:0] word_at,     // which one
    output logic [ 63:0] word
);

  typedef logic [63:0] word_t;

  typedef enum logic [3:0] {
    S_WIPE,
    S_IDLE,
    S_LOAD,   // a word of the chaining value a cycle, h first
    S_WORD,   // W: of the block, or the first of its four terms
    S_TERM0,  // + sigma0(W 15 before)
    S_TERM7,  // + W 7 before
    S_TERM1,  // + sigma1(W 2 before)
    S_KEY,    // + h + K
    S_HALF,   // + Ch + Sigma1: T1
    S_ROUND,  // a = T1 + Maj + Sigma0, e = d + T1
    S_FOLD    // a word of the digest a cycle, h first
  } state_e;

  localparam logic [6:0] LAST_ROUND = 7'd79;

  function automatic word_t rotr(input word_t x, input int unsigned n);
    return (x >> n) | (x << (64 - n));
  endfunction

  function automatic word_t ch(input word_t x, input word_t y, input word_t z);
    return (x & y) ^ (~x & z);
  endfunction

  function automatic word_t maj(input word_t x, input word_t y, input word_t z);
    return (x & y) ^ (x & z) ^ (y & z);
  endfunction

  function automatic word_t big_sigma0(input word_t x);
    return rotr(x, 28) ^ rotr(x, 34) ^ rotr(x, 39);
  endfunction

  function automatic word_t big_sigma1(input word_t x);
    return rotr(x, 14) ^ rotr(x, 18) ^ rotr(x, 41);
  endfunction

  function automatic word_t small_sigma0(input word_t x);
    return rotr(x, 1) ^ rotr(x, 8) ^ (x >> 7);
  endfunction

  function automatic word_t small_sigma1(input word_t x);
    return rotr(x, 19) ^ rotr(x, 61) ^ (x >> 6);
  endfunction

  // x + y + z with one carry chain
  function automatic word_t sum3(input word_t x, input word_t y, input word_t z);
    return (x ^ y ^ z) + (maj(x, y, z) << 1);
  endfunction

  // Bytes in string order <-> one big-endian word (its own inverse).
  function automatic word_t swap_bytes(input word_t x);
    for (int unsigned i = 0; i < 8; i++) swap_bytes[8*i+:8] = x[8*(7-i)+:8];
  endfunction

  state_e state_q;
  logic [6:0] round_q;  // also counts the words of S_WIPE, S_LOAD and S_FOLD
  word_t a_q, b_q, c_q, d_q, e_q, f_q, g_q, h_q;
  word_t sum_q, k_q;
  (* ram_style = "distributed" *) word_t w[16];

  // The words that a step reads: of the schedule, of the block, of the chaining value
  logic [3:0] at;
  word_t w_read, outer;
  assign key_at   = round_q[2:0];
  assign chain_at = ~round_q[2:0];
  always_comb begin
    unique case (state_q)
      S_TERM0: at = round_q[3:0] + 4'd1;
      S_TERM7: at = round_q[3:0] + 4'd9;
      S_TERM1: at = round_q[3:0] + 4'd14;
      default: at = round_q[3:0];
    endcase
  end
  assign w_read = w[at];
  assign outer  = swap_bytes(state_q != S_WORD ? chain_word : round_q[3] ? msg[64*round_q[2:0]+:64] : key_word);

  word_t old, first, second, sum;
  logic in_block;
  assign in_block = round_q < 7'd16;
  always_comb begin
    old = sum_q;
    first = '0;
    second = '0;
    unique case (state_q)
      S_LOAD, S_WORD, S_FOLD: begin
        old   = '0;
        first = (state_q == S_WORD && !in_block) ? w_read : outer;
        if (state_q == S_FOLD) second = h_q;
      end
      S_TERM0: first = small_sigma0(w_read);
      S_TERM7: first = w_read;
      S_TERM1: first = small_sigma1(w_read);
      S_KEY: begin
        first  = k_q;
        second = h_q;
      end
      S_HALF: begin
        first  = big_sigma1(e_q);
        second = ch(e_q, f_q, g_q);
      end
      S_ROUND: begin
        first  = big_sigma0(a_q);
        second = maj(a_q, b_q, c_q);
      end
      default: old = '0;
    endcase
  end
  assign sum = sum3(old, first, second);

  always_ff @(posedge clk) begin
    if (state_q == S_WIPE || (state_q == S_WORD && in_block)) w[round_q[3:0]] <= sum;
    else if (state_q == S_KEY) w[round_q[3:0]] <= sum_q;
  end

  always_ff @(posedge clk) begin
    k_q   <= sha2_pkg::K[round_q];
    sum_q <= (state_q inside {S_LOAD, S_ROUND, S_FOLD}) ? '0 : sum;
    if (state_q inside {S_LOAD, S_ROUND, S_FOLD}) begin
      {a_q, b_q, c_q, d_q} <= {sum, a_q, b_q, c_q};
      {e_q, f_q, g_q, h_q} <= {d_q + sum_q, e_q, f_q, g_q};
    end
    unique case (state_q)
      S_IDLE: begin
        round_q <= '0;
        if (start) state_q <= S_LOAD;
      end
      S_LOAD: begin
        round_q <= round_q + 7'd1;
        if (round_q == 7'd7) begin
          round_q <= '0;
          state_q <= S_WORD;
        end
      end
      S_WORD:  state_q <= in_block ? S_KEY : S_TERM0;
      S_TERM0: state_q <= S_TERM7;
      S_TERM7: state_q <= S_TERM1;
      S_TERM1: state_q <= S_KEY;
      S_KEY:   state_q <= S_HALF;
      S_HALF:  state_q <= S_ROUND;
      S_ROUND: begin
        round_q <= round_q == LAST_ROUND ? '0 : round_q + 7'd1;
        state_q <= round_q == LAST_ROUND ? S_FOLD : S_WORD;
      end
      S_FOLD: begin
        round_q <= round_q + 7'd1;
        if (round_q == 7'd7) state_q <= S_IDLE;
      end
      default: begin
        round_q <= round_q + 7'd1;
        if (round_q == 7'd15) state_q <= S_IDLE;
      end
    endcase
    if (clear) begin
      state_q <= S_WIPE;
      round_q <= '0;
      sum_q <= '0;
      {a_q, b_q, c_q, d_q, e_q, f_q, g_q, h_q} <= '0;
    end
  end

  assign ready = state_q == S_IDLE;
  assign word_valid = state_q == S_FOLD;
  assign word_at = chain_at;
  assign word = swap_bytes(sum);

endmodule
