// SPDX-License-Identifier: Apache-2.0
// Serial sponge MAC, datapath: the state, ROUNDS_PER_CYCLE rounds behind it, and what is absorbed after them.
// Specification: docs/cores/ascon-mac.md. Byte order: byte i of key, block and tag in bits [8i+7:8i] of its port; words
// are loaded in the order of the convention.
// A call whose rounds are no multiple of ROUNDS_PER_CYCLE does the odd ones in its first cycle.
// Security: the state is zero between commands; key and state are zeroised by clear.
module sponge_datapath
  import ascon_pkg::*;
#(
    parameter  int unsigned        ROUNDS_A         = 12,
    parameter  int unsigned        ROUNDS_PER_CYCLE = 1,
    parameter  int unsigned        SQUEEZE_BITS     = 128,                                    // 64 or 128
    parameter  int unsigned        BYTES_LE         = 1,
    parameter  logic        [63:0] IV               = '0,
    localparam int unsigned        CYCLES_A         = (ROUNDS_A - 1) / ROUNDS_PER_CYCLE + 1,
    localparam int unsigned        LEFT_BITS        = CYCLES_A > 1 ? $clog2(CYCLES_A) : 1
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic                   key_taken,
    input  logic   [        127:0] key,
    input  logic                   load,
    input  logic                   run,
    input  logic   [LEFT_BITS-1:0] left,
    input  state_t                 block,      // padded; zero when nothing is absorbed
    input  logic                   domain,
    input  logic                   squeeze,
    input  logic                   finish,
    output logic   [        127:0] tag         // of the cycle with `finish`
);

  localparam int unsigned ODD = ROUNDS_A % ROUNDS_PER_CYCLE;  // rounds of the first cycle of a call, if not all
  localparam int unsigned FIRST = ROUNDS - ROUNDS_A;  // number of the first round
  localparam logic LE = BYTES_LE != 0;

  logic [127:0] key_q;
  state_t state_q, after, next, start;
  state_t x[ROUNDS_PER_CYCLE+1];

  // Counted from the end of the call: its last rounds are the permutation's last.
  assign x[0] = state_q;
  for (genvar j = 0; j < ROUNDS_PER_CYCLE; j++) begin : g_round
    logic [7:0] constant;
    always_comb begin
      constant = '0;
      for (int unsigned i = 0; i < CYCLES_A; i++) begin
        // A cycle of odd rounds begins with the call's first.
        if (left == LEFT_BITS'(i)) begin
          constant = round_constant(
              4'(ROUNDS < ROUNDS_PER_CYCLE * (i + 1) + FIRST ? FIRST + j : ROUNDS - ROUNDS_PER_CYCLE * (i + 1) + j));
        end
      end
    end
    ascon_round u_round (
        .x(x[j]),
        .constant,
        .y(x[j+1])
    );
  end

  if (ODD == 0) begin : g_whole
    assign after = x[ROUNDS_PER_CYCLE];
  end else begin : g_odd
    assign after = left == LEFT_BITS'(CYCLES_A - 1) ? x[ODD] : x[ROUNDS_PER_CYCLE];
  end

  always_comb begin
    next = after ^ block;
    next[4][LE?63 : 0] ^= domain;
    start = {64'h0, 64'h0, word_of(key_q[127:64], LE), word_of(key_q[63:0], LE), IV};
  end

  always_ff @(posedge clk) begin
    if (key_taken) key_q <= key;
    if (run) state_q <= next;
    if (load) state_q <= start;
    if (finish || clear) state_q <= '0;
    if (clear) key_q <= '0;
  end

  if (SQUEEZE_BITS == 128) begin : g_one
    assign tag = {bytes_of(next[1], LE), bytes_of(next[0], LE)};
    logic unused;
    assign unused = squeeze;
  end else begin : g_two
    logic [63:0] left_half_q;
    always_ff @(posedge clk) begin
      if (squeeze) left_half_q <= bytes_of(next[0], LE);
      if (finish || clear) left_half_q <= '0;
    end
    assign tag = {bytes_of(next[0], LE), left_half_q};
  end

endmodule
