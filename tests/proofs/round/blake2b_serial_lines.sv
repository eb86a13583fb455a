// SPDX-License-Identifier: Apache-2.0
// From every state blake2b_compress_s does in a cycle what two lines of G of RFC 7693, 3.1, do to v: with the word of the
// block that it holds, on the words of v at which it looks. Where v is made or wiped, one word of it takes what comes from
// outside, one in each row; else v stays. blake2b_serial_order.sv has which words these are.
module blake2b_serial_lines (
    input logic clk,
    input logic clear,
    input logic start,
    input logic [7:0][63:0] msg,
    input logic [63:0] key_word,
    input logic [63:0] chain_word
);

  import rfc7693_pkg::right;

  logic ready, word_valid;
  logic [2:0] key_at, chain_at, word_at;
  logic [63:0] word;
  blake2b_compress_s dut (.*);

  logic [15:0][63:0] v, standard, standard_q;
  logic [3:0] a, b, c, d;
  logic [63:0] part, outer;
  assign a = {2'd0, dut.at_q.a};
  assign b = {2'd1, dut.at_q.b};
  assign c = {2'd2, dut.at_q.c};
  assign d = {2'd3, dut.at_q.d};
  assign part = dut.word_q;
  assign outer = dut.outer_q;
  for (genvar i = 0; i < 4; i++) begin : g_column
    assign v[i] = dut.row_a[i];
    assign v[4+i] = dut.row_b[i];
    assign v[8+i] = dut.row_c[i];
    assign v[12+i] = dut.row_d[i];
  end

  logic mixing, making, wiping, resting;
  assign mixing  = dut.state_q == dut.S_MIX && dut.mixing;
  assign making  = dut.state_q == dut.S_LOAD && !dut.mixing;
  assign wiping  = dut.state_q == dut.S_WIPE && !dut.mixing;
  assign resting = dut.state_q == dut.S_IDLE || dut.state_q == dut.S_FOLD;

  // A line of a and one of d, or one of c and one of b. Where v is made, the word from outside is the sum.
  logic odd;
  logic [63:0] sum, mix;
  assign odd = dut.step_q.quarter[0];
  assign sum = (!dut.mixing ? outer : odd ? v[c] : v[a]) + (!dut.mixing ? '0 : odd ? v[d] : v[b]) +
      (dut.mixing && !odd ? part : '0);
  assign mix = sum ^ (odd ? v[b] : v[d]);
  always_comb begin
    standard = v;
    if (mixing) begin
      standard[odd?c : a] = sum;
      unique case (dut.step_q.quarter)
        2'd0: standard[d] = right(mix, 32);
        2'd1: standard[b] = right(mix, 24);
        2'd2: standard[d] = right(mix, 16);
        default: standard[b] = right(mix, 63);
      endcase
    end
    if (wiping) begin
      standard[a] = outer;
      standard[b] = outer;
      standard[c] = outer;
      standard[d] = outer;
    end
    if (making) begin
      unique case (dut.step_q.g[1:0])
        2'd0: standard[a] = outer;
        2'd1: standard[b] = outer;
        2'd2: standard[c] = outer;
        default: standard[d] = outer;
      endcase
    end
  end

  logic known_q;
  initial known_q = 1'b0;
  always_ff @(posedge clk) begin
    known_q    <= mixing || making || wiping || resting;
    standard_q <= standard;
  end

  always_comb begin
    a_lines : assert (!known_q || v == standard_q);
    a_word : assert (!word_valid || word == (outer ^ (word_at[2] ? v[b] ^ v[d] : v[a] ^ v[c])));
  end

endmodule
