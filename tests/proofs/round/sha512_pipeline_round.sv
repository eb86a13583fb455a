// SPDX-License-Identifier: Apache-2.0
// From every state the working variables of the two contexts of sha2_pipeline_x2 change places in a cycle, and those that come
// back to the first place have had one round of FIPS 180-4, 6.4.2, or at the turn are the sums of the last four rounds. A
// variable is in another register in each place; a context meets no variable of the other. K + W, the sums of the feed-forward
// and the turn are the solver's.
module sha512_pipeline_round (
    input logic clk,
    input logic clear,
    input logic [3:0] clear_walk,
    input logic hold,
    input logic dec_chain,
    input logic dec_load,
    input logic [1:0] dec_block,
    input logic m_write,
    input logic [7:0] m_addr,
    input logic [63:0] m_data,
    input logic [1:0] xy_write,
    input logic [1:0][3:0] xy_addr,
    input logic [1:0][63:0] xy_data,
    input logic sum_ctx,
    input logic [1:0] sum_word
);

  typedef logic [63:0] word_t;
  typedef struct packed {word_t a, b, c, d, e, f, g, h;} variables_t;

  function automatic word_t right(input word_t value, input int by);
    return 64'({value, value} >> by);
  endfunction
  function automatic word_t upper(input word_t e, input word_t f, input word_t g);
    word_t ch;
    for (int j = 0; j < 64; j++) ch[j] = e[j] ? f[j] : g[j];
    return (right(e, 14) ^ right(e, 18) ^ right(e, 41)) + ch;
  endfunction
  function automatic word_t lower(input word_t a, input word_t b, input word_t c);
    word_t maj;
    for (int j = 0; j < 64; j++) maj[j] = 32'(a[j]) + 32'(b[j]) + 32'(c[j]) >= 2;
    return (right(a, 28) ^ right(a, 34) ^ right(a, 39)) + maj;
  endfunction

  // The terms of T1 + d and T1 + T2 stand in the order in which they meet.
  function automatic variables_t round(input variables_t v, input word_t kw);
    word_t big1_ch, h_kw;
    big1_ch = upper(v.e, v.f, v.g);
    h_kw = v.h + kw;
    round.h = v.g;
    round.g = v.f;
    round.f = v.e;
    round.e = big1_ch + (v.d + h_kw);
    round.d = v.c;
    round.c = v.b;
    round.b = v.a;
    round.a = (big1_ch + h_kw) + lower(v.a, v.b, v.c);
  endfunction

  logic ends_soon, ends_soon_ctx, dec_ctx, dec_ask;
  word_t [1:0] sum_data;
  sha2_pipeline_x2 dut (.*);

  // K + W as they grow old
  word_t kw6_q, kw7_q;
  always_ff @(posedge clk) {kw6_q, kw7_q} <= {dut.kw5, kw6_q};

  // The context in the first place, its a still in two parts, and that in the second
  variables_t first, second, second_is, first_is;
  always_comb begin
    first = {dut.t1 + dut.v, dut.a1, dut.a3, dut.a5, dut.e0, dut.e2, dut.e4, dut.e6};
    if (dut.turn_w_q) {first.a, first.b, first.c} = {dut.a_out, dut.a_new2, dut.a_new4};
    second = {dut.a0, dut.a2, dut.a4, dut.a6, dut.e1, dut.e3, dut.e5, dut.e7};
  end

  // Sums by the cycles since they were made
  word_t a_sums[8], e_sums[8];
  assign a_sums[0] = dut.a_out;
  assign e_sums[0] = dut.e_out;
  for (genvar i = 1; i < 8; i++) begin : g_sum
    always_ff @(posedge clk) {a_sums[i], e_sums[i]} <= {a_sums[i-1], e_sums[i-1]};
  end

  variables_t sums;
  assign sums = {a_sums[0], a_sums[2], a_sums[4], a_sums[6], e_sums[1], e_sums[3], e_sums[5], e_sums[7]};

  // What a context in the second place has beside its variables: it has g, or at the turn h of the next call in its place.
  logic functions_held, hkw0_held, hkw1_held, dhkw_held, sums_held, h_held;
  always_comb begin
    functions_held = dut.turn_v_q || dut.u == upper(second.e, second.f, second.g);
    hkw0_held = dut.hkw0 == first.h + kw6_q;
    hkw1_held = dut.hkw1 == second.h + kw7_q;
    dhkw_held = dut.dhkw == second.d + (second.h + kw7_q);
    sums_held = 1'b1;
    sums_held &= dut.a_new1 == a_sums[1] && dut.e_new1 == e_sums[1];
    sums_held &= dut.a_new2 == a_sums[2] && dut.e_new2 == e_sums[2];
    sums_held &= dut.a_new3 == a_sums[3] && dut.e_new3 == e_sums[3];
    sums_held &= dut.a_new4 == a_sums[4] && dut.e_new4 == e_sums[4];
    sums_held &= dut.a_new5 == a_sums[5] && dut.e_new5 == e_sums[5];
    h_held = !dut.turn_v_q || dut.e5 == e_sums[6];
  end

  logic known_q, turn_w_q, turn_v_q, functions_q, hkw0_q, hkw1_q, dhkw_q, sums_q, h_q;
  initial {known_q, functions_q, hkw0_q, hkw1_q, dhkw_q, sums_q, h_q} = '0;
  always_ff @(posedge clk) begin
    known_q     <= !dut.clear_q;
    turn_v_q    <= dut.turn_u;
    turn_w_q    <= dut.turn_v_q;
    functions_q <= functions_held;
    hkw0_q      <= hkw0_held;
    hkw1_q      <= hkw1_held;
    dhkw_q      <= dhkw_held;
    sums_q      <= sums_held;
    h_q         <= h_held;
    second_is   <= first;
    first_is    <= round(second, kw7_q);
  end

  always_comb begin
    a_functions : assert (!known_q || functions_held);
    a_hkw0 : assert (!known_q || hkw0_held);
    a_hkw1 : assert (!hkw0_q || hkw1_held);
    a_dhkw : assert (!hkw0_q || dhkw_held);
    a_sums : assert (!sums_q || sums_held);
    a_h : assert (!known_q || !sums_q || h_held);
    a_second_a : assert (!known_q || {second.a, second.b} == {second_is.a, second_is.b});
    a_second_c : assert (!known_q || {second.c, second.d} == {second_is.c, second_is.d});
    a_second_e : assert (!known_q || {second.e, second.f, second.h} == {second_is.e, second_is.f, second_is.h});
    a_second_g : assert (!known_q || turn_v_q || second.g == second_is.g);
    a_moved_a : assert (!known_q || turn_w_q || {first.b, first.c, first.d} == {first_is.b, first_is.c, first_is.d});
    a_moved_e : assert (!known_q || turn_w_q || {first.f, first.g, first.h} == {first_is.f, first_is.g, first_is.h});
    a_new_a : assert (!known_q || turn_w_q || !functions_q || !hkw1_q || first.a == first_is.a);
    a_new_e : assert (!known_q || turn_w_q || !functions_q || !dhkw_q || first.e == first_is.e);
    a_turn : assert (!known_q || !turn_w_q || !sums_q || !h_q || first == sums);
  end

endmodule
