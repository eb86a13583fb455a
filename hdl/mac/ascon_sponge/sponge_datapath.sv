// SPDX-License-Identifier: Apache-2.0
// Serial sponge MAC, datapath: the state, ROUNDS_PER_CYCLE rounds behind it, and what is absorbed after them.
// Specification: docs/cores/ascon-mac.md. Byte order: byte i of key, block and tag in bits [8i+7:8i] of its port; words
// are loaded in the order of the convention.
// A call whose rounds are no multiple of ROUNDS_PER_CYCLE does the odd ones in its first cycle, which enters at their place,
// behind a linear layer: its LUTs have inputs to spare, those of the last one have the block.
// Security: the state is zero between commands; key and state are zeroised by clear.
module sponge_datapath
  import ascon_pkg::*;
  import sponge_pkg::*;
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
    input  step_t                  step,
    input  logic   [LEFT_BITS-1:0] left,
    input  state_t                 block,      // padded; zero when nothing is absorbed
    output logic   [        127:0] tag         // of the cycle with `finish`
);

  localparam int unsigned ODD = ROUNDS_A % ROUNDS_PER_CYCLE;  // rounds of the first cycle of a call, if not all
  localparam int unsigned ENTRY = ODD == 0 ? 0 : ROUNDS_PER_CYCLE - ODD;  // where they begin
  localparam logic LE = BYTES_LE != 0;

  // Number of round j of the cycle with `left` = i, counted from the end of the call: its last rounds are the permutation's
  // last. Those that are skipped keep the number of the cycle after, which costs nothing.
  function automatic logic [3:0] number(input int unsigned i, input int unsigned j);
    int unsigned behind;
    behind = ROUNDS_PER_CYCLE * (i + 1);
    if (behind > ROUNDS + j) behind -= ROUNDS_PER_CYCLE;
    return 4'(ROUNDS + j - behind);
  endfunction

  logic [127:0] key_q;
  state_t state_q, after, next;
  logic [1:0][63:0] key_words;
  state_t x[ROUNDS_PER_CYCLE+1];

  assign x[0] = state_q;
  for (genvar j = 0; j < ROUNDS_PER_CYCLE; j++) begin : g_round
    logic [7:0] constant;
    state_t from;
    if (ODD != 0 && j == ENTRY) begin : g_entry
      assign from = left == LEFT_BITS'(CYCLES_A - 1) ? state_q : x[j];
    end else begin : g_inner
      assign from = x[j];
    end
    always_comb begin
      constant = '0;
      for (int unsigned i = 0; i < CYCLES_A; i++) begin
        if (CYCLES_A == 1 || left == LEFT_BITS'(i)) constant = round_constant(number(i, j));
      end
    end
    ascon_round u_round (
        .x(from),
        .constant,
        .y(x[j+1])
    );
  end
  assign after = x[ROUNDS_PER_CYCLE];

  always_comb begin
    next = after ^ block;
    next[4][LE?63 : 0] ^= step.domain;
    key_words = {word_of(key_q[127:64], LE), word_of(key_q[63:0], LE)};
  end

  // Zero before a command: what is always zero in IV || K || 0 is there already.
  always_ff @(posedge clk) begin
    if (key_taken) key_q <= key;
    if (step.run) {state_q[4:3], state_q[0]} <= {next[4:3], next[0]};
    if (step.load) state_q[0] <= state_q[0] | IV;
    if (step.run || step.load) state_q[2:1] <= step.fresh ? key_words : next[2:1];
    if (step.finish || clear) state_q <= '0;
    if (clear) key_q <= '0;
  end

  if (SQUEEZE_BITS == 128) begin : g_one
    // Nothing is absorbed with the tag, so the block may be in it or not. In word 1 the multiplexer for the key has a LUT of
    // its own, behind one that gives `after`; in word 0 there is one LUT, which gives `next`.
    assign tag = {bytes_of(after[1], LE), bytes_of(next[0], LE)};
    logic unused;
    assign unused = step.squeeze;
  end else begin : g_two
    logic [63:0] left_half_q;
    always_ff @(posedge clk) begin
      if (step.squeeze) left_half_q <= bytes_of(next[0], LE);
      if (step.finish || clear) left_half_q <= '0;
    end
    assign tag = {bytes_of(next[0], LE), left_half_q};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (step.load && !clear) begin
      a_zero_before_a_command : assert (state_q == '0);
    end
  end
`endif

endmodule
