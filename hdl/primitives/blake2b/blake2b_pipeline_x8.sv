// SPDX-License-Identifier: Apache-2.0
// BLAKE2b compression function F'(chain, key || msg) (RFC 7693, 3.2; t = 0, f = 0) for eight contexts at once: eight
// stages, one step of G each, so that a turn of eight cycles is a round and twelve turns are a call.
// In every cycle each context is in another stage; context `slot` is at the turn. Byte order: byte i in bits [8i+7:8i].
// Between calls: a call that ends leaves sum = v_low ^ v_high ^ end mask; the next one starts at once from this sum, or later
// from it, once it has been read and kept, or from a start value. Masks and start values (`xy_*`) and message words (`m_*`) are written word by word.
// Cycles: 96 a call; `dec_ctx` asks four cycles before the turn, the answer comes a cycle later; `ends_soon` shows five before.
// Security: constant time; while `clear` is held the memories go to zero by the walking addresses, no call runs, and what is in
// the stages falls out in front of the turn, where nothing but constants enters.
module blake2b_pipeline_x8 (
    input logic       clk,
    input logic       clear,       // for at least 64 cycles
    input logic [2:0] clear_walk,  // walks through all values while clear is held
    input logic       hold,        // nothing runs and nothing is about to: stay at context 0

    output logic       ends_soon,      // the call of context ends_soon_ctx is in its last round
    output logic [2:0] ends_soon_ctx,
    output logic [2:0] dec_ctx,        // this context is asked; the answer, a cycle later:
    input  logic       dec_chain,      //   its call ends: start the next from its sum
    input  logic       dec_load,       //   idle: start a call
    input  logic       dec_from_sum,   //     from the sum that is kept, else from the start value
    input  logic [1:0] dec_block,      //   message of the new call: 0, 1 own bank; 2, 3 first, second shared block

    input logic        m_write,
    input logic [ 7:0] m_addr,   // {0, bank, context, word}, {1, 0, 0, 0: key, 1: first, 2: second shared block, word}
    input logic [63:0] m_data,

    input logic [7:0]       xy_write,  // one bit a word
    input logic [7:0][ 3:0] xy_addr,   // {0: end mask, 1: start value, context}
    input logic [1:0][63:0] xy_data,   // word w takes number w[1]

    input  logic [ 2:0] sum_ctx,   // the sum of this context,
    input  logic [ 2:0] sum_word,  // this word of it,
    output logic [63:0] sum_data,  // two cycles later
    // Keep the sum of this context, which is still read in the next cycle: if it is idle, it starts from it when it is next
    // asked, within eight cycles. There is one of them at a time.
    input  logic        sum_keep
);

  import blake2b_pkg::*;

  localparam logic [3:0] LAST_ROUND = 4'(ROUNDS - 1);

  typedef logic [3:0][63:0] row_t;
  typedef struct packed {
    logic run;
    logic [3:0] round;
    logic [1:0] block;
  } ctl_t;

  // Sigma with the round as its index, for the message word number P of a round
  function automatic logic [3:0] sigma(input logic [3:0] round, input logic [3:0] p);
    sigma = '0;
    for (int unsigned r = 0; r < 16; r++) begin
      if (round == 4'(r)) sigma = 4'(SIGMA[r%PERMUTATIONS][p]);
    end
  endfunction

  function automatic logic [7:0] word_addr(input logic [3:0] word, input logic [1:0] block, input logic [2:0] ctx);
    logic [1:0] shared;
    shared = {block[0], !block[0]};
    if (!word[3]) return {5'b1_0000, word[2:0]};
    if (block[1]) return {3'b100, shared, word[2:0]};
    return {1'b0, block[0], ctx, word[2:0]};
  endfunction

  // Stage s works on registers [s] and writes [s + 1]; 8 is in front of the turn. From 6 on, ctl is that of the next round.
  logic [2:0] slot_q;
  ctl_t ctl[1:8];
  row_t a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3, a4, b4, c4, d4;
  row_t a5, b5, c5, d5, a6, b6, c6, d6, a7, b7, c7, d7, a8, b8, c8, d8;
  row_t e7;  // d7 of a call that ends
  logic end6, idle6, xy6, end7, fresh7, end8;

  // Message words: one memory for each of the sixteen places of a round
  row_t x_col, y_col, x_dia, y_dia;
  for (genvar p = 0; p < 16; p++) begin : gen_words
    (* ram_style = "block", no_rw_check *)logic [63:0] mem  [256];
    logic [ 7:0] addr;
    logic [63:0] raw, word;
    if (p < 8 && p % 2 == 0) begin : gen_x_col
      assign addr = word_addr(sigma(ctl[6].round, 4'(p)), ctl[6].block, slot_q + 3'd2);
      assign x_col[p/2] = word;
    end else if (p < 8) begin : gen_y_col
      assign addr = word_addr(sigma(ctl[7].round, 4'(p)), ctl[7].block, slot_q + 3'd1);
      assign y_col[p/2] = word;
    end else if (p % 2 == 0) begin : gen_x_dia
      assign addr = word_addr(sigma(ctl[1].round, 4'(p)), ctl[1].block, slot_q - 3'd1);
      assign x_dia[p/2-4] = word;
    end else begin : gen_y_dia
      assign addr = word_addr(sigma(ctl[3].round, 4'(p)), ctl[3].block, slot_q - 3'd3);
      assign y_dia[p/2-4] = word;
    end
    always_ff @(posedge clk) begin
      if (m_write) mem[m_addr] <= m_data;
      raw  <= mem[addr];
      word <= raw;
    end
  end

  // Decision, at register 5
  logic ending;
  assign ending = ctl[5].run && ctl[5].round == LAST_ROUND;

  always_ff @(posedge clk) begin
    slot_q <= hold ? '0 : slot_q + 3'd1;
    dec_ctx <= slot_q + 3'd5;
    ends_soon <= ctl[2].run && ctl[2].round == LAST_ROUND;
    ends_soon_ctx <= slot_q - 3'd2;
    ctl[1] <= ctl[8];
    for (int unsigned s = 2; s <= 8; s++) ctl[s] <= ctl[s-1];
    ctl[6].run   <= ending ? dec_chain : (ctl[5].run || dec_load);
    ctl[6].round <= (ctl[5].run && !ending) ? ctl[5].round + 4'd1 : '0;
    if (ending || !ctl[5].run) ctl[6].block <= dec_block;
    end6 <= ending;
    idle6 <= !ctl[5].run;
    xy6 <= ctl[5].run ? ending : !dec_from_sum;
    {end7, fresh7} <= {end6, end6 || idle6};
    end8 <= end7;
    if (clear) begin
      slot_q <= '0;
      ends_soon <= 1'b0;
      for (int unsigned s = 1; s <= 8; s++) ctl[s] <= '0;
    end
  end

  // What enters the turn: end mask or start value
  logic [7:0][63:0] xy_q, sum;
  assign sum = {b8, a8};  // of a call that ends here
  for (genvar w = 0; w < 8; w++) begin : gen_xy
    (* ram_style = "distributed" *) logic [63:0] mem[16];
    always_ff @(posedge clk) begin
      if (xy_write[w]) mem[xy_addr[w]] <= xy_data[(w/2)%2];
      xy_q[w] <= mem[{idle6, slot_q+3'd2}];
      if (!xy6) xy_q[w] <= '0;
    end
  end

  logic sum_write;
  logic [2:0] sum_addr;
  assign sum_write = end8 || clear;
  assign sum_addr  = clear ? clear_walk : slot_q;

  // Sums for whoever asks: of a row the words that are not asked for are reset, so that the word is the OR of all. A block RAM
  // would answer too late for that.
  (* ram_style = "distributed" *) logic [511:0] sums[8];
  logic [7:0][63:0] sums_read, sums_word;
  assign sums_read = sums[sum_ctx];
  always_ff @(posedge clk) begin
    if (sum_write) sums[sum_addr] <= sum;
    for (int unsigned w = 0; w < 8; w++) begin
      sums_word[w] <= sums_read[w];
      if (sum_word != 3'(w)) sums_word[w] <= '0;
    end
    sum_data <= (sums_word[0] | sums_word[1] | sums_word[2] | sums_word[3]) |
        (sums_word[4] | sums_word[5] | sums_word[6] | sums_word[7]);
  end

  // The sum that is kept, until its context is asked. In an idle state nothing but these words goes through the stages 5 and 6:
  // the lower half comes in as b6 and leaves as a8, the upper one comes in as d7 and leaves as b8.
  logic keep_q, kept_q, take4, take5;
  logic [2:0] kept_ctx_q;
  row_t kept_low, kept_high, start5, start6;
  assign take4 = kept_q && kept_ctx_q == dec_ctx && !ctl[4].run;
  always_ff @(posedge clk) begin
    keep_q <= sum_keep;
    take5  <= take4;
    if (kept_ctx_q == dec_ctx) kept_q <= 1'b0;
    if (sum_keep) begin
      kept_q     <= 1'b1;
      kept_ctx_q <= sum_ctx;
    end
    if (sum_keep || clear) kept_low <= sums_read[3:0];
    if (keep_q || clear) kept_high <= sums_read[7:4];
    start5 <= kept_low;
    if (!take4) start5 <= '0;
    for (int unsigned i = 0; i < 4; i++) start6[i] <= rotr(kept_high[(i+1)%4], 1);
    if (!take5) start6 <= '0;
    if (clear) begin
      keep_q <= 1'b0;
      kept_q <= 1'b0;
      take5  <= 1'b0;
    end
  end

  // The steps of G. Where a waits, the next message word is added to it.
  row_t carry, add0, xor1, add1, add2, add3, add4, add5, add6, add7;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      carry[i] = {((a8[i] & b8[i]) | (a8[i] & x_col[i]) | (b8[i] & x_col[i]))} << 1;
      add0[i]  = (a8[i] ^ b8[i] ^ x_col[i]) + carry[i];
      xor1[i]  = rotr(d1[i] ^ a1[i], 32);
      add1[i]  = c1[i] + xor1[i];
      add2[i]  = a2[i] + b2[i];
      add3[i]  = c3[i] + d3[i];
      add4[i]  = a4[i] + b4[i];
      add5[i]  = c5[i] + d5[i];
      add6[i]  = a6[i] + b6[i];
      add7[i]  = c7[i] + d7[i];
    end
  end

  row_t b_back, c_back, d_back, e_back, d7_next;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      b_back[(i+1)%4] = rotr(b7[i] ^ add7[i], 63);
      c_back[(i+2)%4] = add7[i];
      d_back[(i+3)%4] = d7[i];
      e_back[(i+3)%4] = e7[i];
      d7_next[i] = rotr((d6[i] ^ add6[i]) & {64{!idle6}}, 16) ^ start6[i];
    end
  end

  always_ff @(posedge clk) begin
    c8 <= fresh7 ? IV[3:0] : c_back;
    d8 <= fresh7 ? IV[7:4] : d_back;
    for (int unsigned i = 0; i < 4; i++) begin
      a1[i] <= add0[i];
      b1[i] <= b8[i];
      c1[i] <= c8[i];
      d1[i] <= d8[i];

      a2[i] <= a1[i] + y_col[i];
      b2[i] <= rotr(b1[i] ^ add1[i], 24);
      c2[i] <= add1[i];
      d2[i] <= xor1[i];

      a3[i] <= add2[i];
      b3[i] <= b2[i];
      c3[i] <= c2[i];
      d3[i] <= rotr(d2[i] ^ add2[i], 16);

      // Columns to diagonals: lane i takes b, c, d of the next columns.
      a4[i] <= a3[i] + x_dia[i];
      b4[(i+3)%4] <= rotr(b3[i] ^ add3[i], 63);
      c4[(i+2)%4] <= add3[i];
      d4[(i+1)%4] <= d3[i];

      a5[i] <= add4[i];
      b5[i] <= b4[i];
      c5[i] <= c4[i];
      d5[i] <= rotr(d4[i] ^ add4[i], 32);

      a6[i] <= a5[i] + y_dia[i];
      b6[i] <= rotr((b5[i] ^ add5[i]) & {64{ctl[5].run}}, 24) ^ start5[i];
      c6[i] <= add5[i];
      d6[i] <= d5[i];

      a7[i] <= add6[i];
      b7[i] <= b6[i];
      c7[i] <= c6[i];
      d7[i] <= d7_next[i];
      e7[i] <= d7_next[i];

      // The rows are turned back; a state that ends or is idle leaves the turn as the first state of a call does. Signals
      // that come late pass one gate.
      a8[i] <= (c_back[i] & {64{end7}}) ^ a7[i] ^ xy_q[i];
      b8[i] <= e_back[i] ^ b_back[i] ^ xy_q[4+i];
    end
    // Resets in place of gates
    if (!ctl[5].run) a6 <= '0;
    if (idle6) {b7, c7} <= '0;
    if (!end6) e7 <= '0;
  end

endmodule
