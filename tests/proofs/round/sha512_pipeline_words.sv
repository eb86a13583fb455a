// SPDX-License-Identifier: Apache-2.0
// The sum that sha2_pipeline_x2 adds in round t of either context is that of K and W with number t: K is that of FIPS 180-4,
// 4.2.3, made of cube roots; the first sixteen W come from the places of this context's block, all others are what the
// schedule makes, which is the solver's. Clears, loads and answers are free; `hold` comes only where nothing runs or starts,
// as the port asks. sha512_pipeline_round.sv has what a round does with the sum.
module sha512_pipeline_words (
    input logic clk,
    input logic clear,
    input logic [3:0] clear_walk,
    input logic hold_wanted,
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
  typedef logic [127:0][63:0] table_t;

  // The first 64 bits behind the point of the cube roots of the first eighty primes; none beyond
  function automatic table_t constants();
    logic [66:0] root, longer;
    int   found;
    logic prime;
    constants = '0;
    found = 0;
    for (int n = 2; found < 80; n++) begin
      prime = 1'b1;
      for (int d = 2; d * d <= n; d++) if (n % d == 0) prime = 1'b0;
      if (prime) begin
        root = '0;
        for (int j = 66; j >= 0; j--) begin
          longer = root | 67'(67'd1 << j);
          if (201'(longer) * 201'(longer) * 201'(longer) <= (201'(n) << 192)) root = longer;
        end
        constants[found] = root[63:0];
        found++;
      end
    end
  endfunction
  localparam table_t K = constants();

  // The round that is some rounds later; 80 has the feed-forward.
  function automatic logic [6:0] later(input logic [6:0] t, input int by);
    return 32'(t) + by > 80 ? 7'(32'(t) + by - 81) : 7'(32'(t) + by);
  endfunction

  // A place of the message memory holds its own address. Where message word t is: the key, the context's own bank or a block that both share
  function automatic logic [7:0] place(input logic [6:0] t, input logic [1:0] block, input logic ctx);
    place = {5'b10000, t[2:0]};
    if (t[3]) begin
      unique case (block)
        2'd0: place = {4'b0000, ctx, t[2:0]};
        2'd1: place = {4'b0100, ctx, t[2:0]};
        2'd2: place = {5'b10001, t[2:0]};
        default: place = {5'b10010, t[2:0]};
      endcase
    end
  endfunction

  logic hold, ends_soon, ends_soon_ctx, dec_ctx, dec_ask;
  word_t [1:0] sum_data;
  assign hold = hold_wanted && !dut.u_q.run && !dut.v_q.run && !dec_load;
  sha2_pipeline_x2 dut (.*);

  // What is added, W and what the schedule makes, by the cycles since they were new
  word_t kw6_q, made_q;
  word_t [2:0] w;
  word_t [2:1] w_q;
  assign w = {w_q, dut.w4};
  always_ff @(posedge clk) begin
    kw6_q  <= dut.kw5;
    made_q <= dut.made;
    w_q    <= w[1:0];
  end

  // Cycles behind a clear
  logic [7:0] age_q;
  always_ff @(posedge clk) age_q <= dut.clear_q ? '0 : age_q == '1 ? '1 : age_q + 8'd1;

  // The rounds that the two contexts are in; a start value comes the way of the last rounds. Behind a clear W grows old again.
  logic calls_held, u_held, v_held;
  always_comb begin
    u_held = !dut.u_q.run || (dut.u_q.round <= 7'd80 &&
        (dut.u_q.value ? dut.u_q.round >= 7'd76 && age_q >= 8'(dut.u_q.round) - 8'd76 :
            age_q >= 2 * 8'(dut.u_q.round) + 8'd2));
    v_held = !dut.v_q.run || (dut.v_q.round <= 7'd80 &&
        (dut.v_q.value ? dut.v_q.round >= 7'd76 && age_q >= 8'(dut.v_q.round) - 8'd76 :
            age_q >= 2 * 8'(dut.v_q.round) + 8'd3));
    if (dut.load_v_q && dut.v_q.run) v_held &= dut.v_q.value && dut.v_q.round == 7'd76;
    calls_held = u_held && v_held;
  end

  // The round that each register of the way to the sum is for, and whether its context will have it
  logic [6:0] t1, t2, t3, t4, t5, t6;
  logic on1, on2, on3, on4, on5, on6;
  assign t1  = later(dut.v_q.round, 3);
  assign t2  = later(dut.u_q.round, 2);
  assign t3  = later(dut.v_q.round, 2);
  assign t4  = later(dut.u_q.round, 1);
  assign t5  = later(dut.v_q.round, 1);
  assign t6  = dut.u_q.round;
  assign on1 = dut.v_q.run && (!dut.v_q.value || t1 < 7'd76) && t1 < 7'd80;
  assign on2 = dut.u_q.run && (!dut.u_q.value || t2 < 7'd76) && t2 < 7'd80;
  assign on3 = dut.v_q.run && (!dut.v_q.value || t3 < 7'd76) && t3 < 7'd80;
  assign on4 = dut.u_q.run && (!dut.u_q.value || t4 < 7'd76) && t4 < 7'd80;
  assign on5 = dut.v_q.run && (!dut.v_q.value || t5 < 7'd76) && t5 < 7'd80;
  assign on6 = dut.u_q.run && !dut.u_q.value && t6 < 7'd80;

  logic [6:1] way_held;
  always_comb begin
    way_held[1] = !on1 || (dut.k_addr1 == t1 && dut.early1 == (t1 < 7'd16) &&
                           (t1 >= 7'd16 || dut.m_addr1 == place(t1, dut.v_q.block, !dut.slot_q)));
    way_held[2] = !on2 || (dut.k_addr2 == t2 && dut.early2 == (t2 < 7'd16) &&
                           (t2 >= 7'd16 || dut.m_addr2 == place(t2, dut.u_q.block, dut.slot_q)));
    way_held[3] = !on3 || (dut.k_raw == K[t3] && dut.early3 == (t3 < 7'd16) &&
                           (t3 >= 7'd16 || dut.m_raw == 64'(place(t3, dut.v_q.block, !dut.slot_q))));
    way_held[4] = !on4 ||
        (dut.k4 == K[t4] && (t4 >= 7'd16 ? dut.w4 == made_q : dut.w4 == 64'(place(t4, dut.u_q.block, dut.slot_q))));
    way_held[5] = !on5 || dut.kw5 == K[t5] + w[1];
    way_held[6] = !on6 || kw6_q == K[t6] + w[2];
  end

  logic calls_q;
  logic [6:1] way_q;
  initial {calls_q, way_q} = '0;
  always_ff @(posedge clk) begin
    calls_q <= calls_held || dut.clear_q;
    way_q   <= way_held;
  end

  always_comb begin
    a_calls : assert (!calls_q || calls_held);
    a_way1 : assert (!calls_q || way_held[1]);
    a_way2 : assert (!calls_q || !way_q[1] || way_held[2]);
    a_way3 : assert (!calls_q || !way_q[2] || way_held[3]);
    a_way4 : assert (!calls_q || !way_q[3] || way_held[4]);
    a_way5 : assert (!calls_q || !way_q[4] || way_held[5]);
    a_way6 : assert (!calls_q || !way_q[5] || way_held[6]);
  end

endmodule
