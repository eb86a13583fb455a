// SPDX-License-Identifier: Apache-2.0
// SHA-512 compression function F'(chain, key || msg) (FIPS 180-4, 6.4.2) for two contexts at once: a round takes two cycles,
// with no more than one 64-bit addition and one LUT between registers, and the contexts take turns.
// Between calls: the feed-forward and the exclusive-or with a mask of 512 bits make the sum, from which the next call may
// start at once; or a call starts from a value. Masks, start values (`xy_*`) and message words (`m_*`) come word by word.
// Byte order: byte i of every word in bits [8i+7:8i].
// Cycles: 81 rounds of two cycles a call, the last one for the feed-forward. With the call of a context beginning in
// cycle T: `ends_soon` of the last one in T - 5, `dec_ask` in T - 3, its answer in T - 2, sum readable from T + 1 on,
// message word i read in T + 12 + 2 i. From a start value: `dec_ask` in T - 13.
// Security: constant time; while `clear` is held no call runs, the memories go to zero by the walking addresses, and what is
// in the registers falls out, since only zeros and constants enter.
module sha2_pipeline_x2 (
    input logic       clk,
    input logic       clear,       // for at least 128 cycles
    input logic [3:0] clear_walk,  // walks through all values while clear is held
    input logic       hold,        // nothing runs and nothing is about to: stay at context 0

    output logic       ends_soon,      // the call of context ends_soon_ctx is in its last rounds
    output logic       ends_soon_ctx,
    output logic       dec_ctx,        // this context is asked,
    output logic       dec_ask,        //   if this is set, to say in the next cycle:
    input  logic       dec_chain,      //   its call ends: start the next from its sum
    input  logic       dec_load,       //   idle: start a call from the start value
    input  logic [1:0] dec_block,      //   message of the new call: 0, 1 own bank; 2, 3 first, second shared block

    input logic m_write,
    input logic [7:0] m_addr,  // {0, bank, 2 bits, context, word}; {1, 0, 0: key, 1: first, 2: second shared, word}
    input logic [63:0] m_data,

    input logic [1:0]       xy_write,  // [0]: words 0 to 3, [1]: words 4 to 7
    input logic [1:0][ 3:0] xy_addr,   // {0: end mask, 1: start value, context, word}
    input logic [1:0][63:0] xy_data,

    input  logic             sum_ctx,   // the sum of this context,
    input  logic [1:0]       sum_word,  // this word of its first and second half,
    output logic [1:0][63:0] sum_data   // with the next edge
);

  localparam logic [6:0] TURN = 7'd80;  // the round of the feed-forward
  localparam logic [6:0] LOAD = 7'd76;  // a start value goes the way of a sum from here on

  typedef logic [63:0] word_t;

  typedef struct packed {
    logic       run;
    logic       value;  // not a call: a start value on its way
    logic [6:0] round;
    logic [1:0] block;
  } ctl_t;

  function automatic word_t rotr(input word_t x, input int unsigned n);
    return (x >> n) | (x << (64 - n));
  endfunction
  function automatic word_t swap_bytes(input word_t x);
    for (int unsigned i = 0; i < 8; i++) swap_bytes[8*i+:8] = x[8*(7-i)+:8];
  endfunction
  function automatic logic [7:0] word_addr(input logic [3:0] word, input logic [1:0] block, input logic ctx);
    if (!word[3]) return {5'b1_0000, word[2:0]};
    if (block[1]) return {3'b100, block[0], !block[0], word[2:0]};
    return {1'b0, block[0], 2'b00, ctx, word[2:0]};
  endfunction

  // A round t of a context: in its first cycle (u) it makes Sigma1 + Ch, in its second (v) e of round t + 1, in the next the
  // new a, in the one after that Sigma0 + Maj of it. Names end in the cycles since a value was new.

  // ---- control --------------------------------------------------------------------------------------------------------

  logic clear_q;  // a register of its own, so that no net reaches everywhere
  logic [3:0] walk_q;
  logic slot_q;  // the context in u
  ctl_t u_q, v_q, v_next;
  logic turn_u, turn_v_q, turn_w_q;
  assign turn_u        = u_q.run && u_q.round == TURN;
  assign ends_soon_ctx = !slot_q;
  assign dec_ctx       = !slot_q;
  assign dec_ask       = !v_q.run || (v_q.round == TURN - 7'd1 && !v_q.value);

  always_comb begin
    v_next = u_q;
    if (!u_q.run) begin
      v_next.run   = dec_load;
      v_next.value = 1'b1;
      v_next.round = LOAD;
      v_next.block = dec_block;
    end else if (turn_u && !u_q.value) begin
      v_next.run   = dec_chain;
      v_next.block = dec_block;
    end
  end

  logic load_v_q;  // v_q has just been loaded: its round has not begun
  always_ff @(posedge clk) begin
    clear_q  <= clear;
    walk_q   <= clear_walk;
    slot_q   <= !slot_q && !hold;
    v_q      <= v_next;
    load_v_q <= !u_q.run;
    u_q      <= v_q;
    if (!load_v_q) u_q.round <= v_q.round == TURN ? '0 : v_q.round + 7'd1;
    if (v_q.round == TURN) u_q.value <= 1'b0;
    turn_v_q  <= turn_u;
    turn_w_q  <= turn_v_q;
    ends_soon <= u_q.run && !u_q.value && u_q.round == TURN - 7'd2;
    if (clear_q) begin
      slot_q <= walk_q[2];  // for the memories of sums
      {u_q, v_q, load_v_q, turn_v_q, turn_w_q, ends_soon} <= '0;
    end
  end

  // ---- message schedule -----------------------------------------------------------------------------------------------

  (* ram_style = "block", no_rw_check *)word_t m_mem[256];
  (* rom_style = "block" *)word_t k_mem[128];
  initial for (int unsigned i = 0; i < 128; i++) k_mem[i] = i < 80 ? sha2_pkg::K[i] : '0;

  logic [6:0] ahead, k_addr1, k_addr2;  // three rounds ahead
  logic [7:0] m_addr1, m_addr2;
  logic early1, early2, early3;
  word_t m_raw, k_raw, k4, w4, kw5;
  assign ahead = u_q.round >= TURN - 7'd2 ? u_q.round - (TURN - 7'd2) : u_q.round + 7'd3;
  always_ff @(posedge clk) begin
    if (m_write) m_mem[m_addr] <= swap_bytes(m_data);
    m_raw <= m_mem[m_addr2];
  end
  always_ff @(posedge clk) k_raw <= k_mem[k_addr2];

  // W as it becomes old: after 1, 2, .. cycles
  word_t w_1, w_11, w_25, w_26, w_27, w_28;
  sha2_delay #(
      .CYCLES(10)
  ) u_w_11 (
      .clk,
      .clear(clear_q),
      .clear_walk(walk_q),
      .in(w_1),
      .out(w_11)
  );
  sha2_delay #(
      .CYCLES(14)
  ) u_w_25 (
      .clk,
      .clear(clear_q),
      .clear_walk(walk_q),
      .in(w_11),
      .out(w_25)
  );

  word_t
      small0_26, pair_27, triple_28, small1_2, made;  // cycles since W of fifteen rounds ago, and of two ago, was new
  always_ff @(posedge clk) begin
    k_addr1            <= ahead;
    k_addr2            <= k_addr1;
    k4                 <= k_raw;
    m_addr1            <= word_addr(ahead[3:0], u_q.block, slot_q);
    early1             <= ahead[6:4] == '0;
    early2             <= early1;
    early3             <= early2;
    m_addr2            <= m_addr1;
    w4                 <= early3 ? m_raw : made;
    kw5                <= k4 + w4;

    w_1                <= w4;
    {w_26, w_27, w_28} <= {w_25, w_26, w_27};
    small0_26          <= rotr(w_25, 1) ^ rotr(w_25, 8) ^ (w_25 >> 7);
    pair_27            <= small0_26 + w_28;
    triple_28          <= pair_27 + w_11;
    small1_2           <= rotr(w_1, 19) ^ rotr(w_1, 61) ^ (w_1 >> 6);
    made               <= triple_28 + small1_2;
    if (clear_q) w4 <= '0;
  end

  // ---- round ----------------------------------------------------------------------------------------------------------

  word_t a0, a1, a2, a3, a4, a5, a6, e0, e1, e2, e3, e4, e5, e6, e7;
  word_t u, v, hkw0, hkw1, dhkw, t1;
  word_t a_sum0, a_new1, a_new2, a_new3, a_new4, a_new5, e_sum0, e_new1, e_new2, e_new3, e_new4, e_new5;
  word_t a_mask, e_mask, a_out, e_out;
  assign a_out = a_sum0 ^ a_mask;
  assign e_out = e_sum0 ^ e_mask;
  always_ff @(posedge clk) begin
    hkw0 <= e5 + kw5;
    hkw1 <= hkw0;
    dhkw <= a5 + hkw0;
    u    <= (rotr(e0, 14) ^ rotr(e0, 18) ^ rotr(e0, 41)) + ((e0 & e2) ^ (~e0 & e4));
    t1   <= u + hkw1;
    v    <= (rotr(a0, 28) ^ rotr(a0, 34) ^ rotr(a0, 39)) + ((a0 & a2) ^ (a0 & a4) ^ (a2 & a4));

    e0 <= turn_v_q ? e_out : u + dhkw;
    e1 <= e0;
    e2 <= turn_v_q ? e_new2 : e1;
    e3 <= e2;
    e4 <= turn_v_q ? e_new4 : e3;
    e5 <= turn_u ? e_new5 : e4;
    e6 <= e5;
    e7 <= e6;
    a0 <= turn_w_q ? a_out : t1 + v;
    a1 <= a0;
    a2 <= turn_w_q ? a_new2 : a1;
    a3 <= a2;
    a4 <= turn_w_q ? a_new4 : a3;
    a5 <= turn_v_q ? a_new5 : a4;
    a6 <= a5;
    if (clear_q) {a0, e0} <= '0;
  end

  // ---- feed-forward ---------------------------------------------------------------------------------------------------

  // Chain of the call, as it passes d and h in the first four rounds; the sums come in the same order in the last ones
  (* ram_style = "block", no_rw_check *) word_t a_chains[8], e_chains[8];
  (* ram_style = "block", no_rw_check *) word_t a_masks[16], e_masks[16];
  (* ram_style = "distributed" *) word_t a_sums[8], e_sums[8];
  word_t a_chain_raw, a_chain, e_chain_raw, e_chain, a_mask_raw, e_mask_raw;
  logic keep_q;
  logic [2:0] keep_addr_q;

  always_ff @(posedge clk) begin
    keep_q      <= clear_q || (u_q.run && u_q.round[6:2] == '0);
    keep_addr_q <= clear_q ? walk_q[2:0] : {slot_q, u_q.round[1:0]};
  end
  always_ff @(posedge clk) begin
    if (keep_q) a_chains[keep_addr_q] <= a6;
    a_chain_raw <= a_chains[{!slot_q, v_q.round[1:0]}];
    a_chain     <= a_chain_raw;
  end
  always_ff @(posedge clk) begin
    if (keep_q) e_chains[keep_addr_q] <= e7;
    e_chain_raw <= e_chains[{slot_q, u_q.round[1:0]}];
    e_chain     <= e_chain_raw;
  end

  always_ff @(posedge clk) begin
    if (xy_write[0]) a_masks[xy_addr[0]] <= swap_bytes(xy_data[0]);
    a_mask_raw <= a_masks[{u_q.value, slot_q, 2'd0-u_q.round[1:0]}];
    a_mask     <= a_mask_raw;
  end
  always_ff @(posedge clk) begin
    if (xy_write[1]) e_masks[xy_addr[1]] <= swap_bytes(xy_data[1]);
    e_mask_raw <= e_masks[{v_q.value, !slot_q, ~v_q.round[1:0]}];
    e_mask     <= e_mask_raw;
  end

  always_ff @(posedge clk) begin
    e_sum0 <= u_q.value ? '0 : e0 + e_chain;
    a_sum0 <= v_q.value ? '0 : a0 + a_chain;
    e_new1 <= e_out;
    e_new2 <= e_new1;
    e_new3 <= e_new2;
    e_new4 <= e_new3;
    e_new5 <= e_new4;
    a_new1 <= a_out;
    a_new2 <= a_new1;
    a_new3 <= a_new2;
    a_new4 <= a_new3;
    a_new5 <= a_new4;
    if (clear_q) {e_sum0, a_sum0} <= '0;
  end

  // Sums for whoever asks: e in v, a in the cycle after it
  logic v_sum_q, w_sum_q;
  logic [1:0] v_index_q, w_index_q;
  always_ff @(posedge clk) begin
    v_sum_q   <= u_q.run && !u_q.value && u_q.round > LOAD;
    v_index_q <= 2'd0 - u_q.round[1:0];
    w_sum_q   <= v_sum_q;
    w_index_q <= v_index_q;
    if (clear_q) {v_sum_q, v_index_q, w_sum_q, w_index_q} <= {1'b1, walk_q[1:0], 1'b1, walk_q[1:0]};
  end
  always_ff @(posedge clk) begin
    if (w_sum_q) a_sums[{slot_q, w_index_q}] <= swap_bytes(a_out);
    sum_data[0] <= a_sums[{sum_ctx, sum_word}];
  end
  always_ff @(posedge clk) begin
    if (v_sum_q) e_sums[{!slot_q, v_index_q}] <= swap_bytes(e_out);
    sum_data[1] <= e_sums[{sum_ctx, sum_word}];
  end

endmodule
