// SPDX-License-Identifier: Apache-2.0
// The order of a call of blake2b_compress_s is that of F in RFC 7693, 3.2: which words of v and which word of the block each
// quarter of a G takes, with the order of words and the IV written anew, what v is made of, which words make the digest, and
// when. Starts, clears and all words are free, the offset counter and the mark of a last block 0, as in all modes; block and
// chaining value stand during a call. blake2b_serial_lines.sv has what is done with these words.
module blake2b_serial_order (
    input logic clk,
    input logic clear,
    input logic start_wanted,
    input logic [7:0][63:0] chain_wanted,
    input logic [15:0][63:0] block_wanted
);

  import rfc7693_pkg::*;

  logic start, ready, word_valid;
  logic [2:0] key_at, chain_at, word_at;
  logic [63:0] word;
  assign start = start_wanted && ready;

  logic [ 7:0][63:0] chain_q;
  logic [15:0][63:0] block_q;
  always_ff @(posedge clk) begin
    if (ready && !start) begin
      chain_q <= chain_wanted;
      block_q <= block_wanted;
    end
  end

  blake2b_compress_s dut (
      .clk,
      .clear,
      .start,
      .msg(block_q[15:8]),
      .key_at,
      .key_word(block_q[{1'b0, key_at}]),
      .chain_at,
      .chain_word(chain_q[chain_at]),
      .ready,
      .word_valid,
      .word_at,
      .word
  );

  // Of a call v is made, mixed and read; a wipe and a call count cycles of each.
  typedef enum logic [2:0] {
    WIPING,
    RESTING,
    MAKING,
    MIXING,
    READING
  } phase_e;
  phase_e phase_q;
  logic [8:0] cycle_q;
  always_ff @(posedge clk) begin
    cycle_q <= phase_q == RESTING ? '0 : cycle_q + 9'd1;
    if (phase_q == RESTING && start) phase_q <= MAKING;
    if (phase_q == MAKING && cycle_q == 9'd15) {phase_q, cycle_q} <= {MIXING, 9'd0};
    if (phase_q == MIXING && cycle_q == 9'd383) {phase_q, cycle_q} <= {READING, 9'd0};
    if (phase_q == READING && cycle_q == 9'd7) phase_q <= RESTING;
    if (phase_q == WIPING && cycle_q == 9'd3) phase_q <= RESTING;
    if (clear) {phase_q, cycle_q} <= {WIPING, 9'd0};
  end

  // What v is made of
  logic [15:0][63:0] fresh;
  assign fresh = {START, chain_q};

  // Which words a G takes, and which word of the block comes with each half of it
  function automatic logic [3:0] choice(input logic [7:0] half);
    choice = '0;
    for (int r = 0; r < 12; r++) if (half[7:4] == 4'(r)) choice = 4'(ORDER[r%10] >> (60 - 4 * 32'(half[3:0])));
  endfunction
  logic [1:0] i, a, b, c, d;
  logic odd;
  assign odd = cycle_q[0];
  assign i   = cycle_q[3:2];
  always_comb begin
    a = i;
    b = i + 2'(cycle_q[4]);
    c = i + {cycle_q[4], 1'b0};
    d = i - 2'(cycle_q[4]);
  end

  // All that holds in a cycle of a call holds in the next one, and behind a clear.
  logic phase_held, parts_held, outer_held, holds, held_q;
  initial held_q = 1'b0;
  always_comb begin
    unique case (phase_q)
      WIPING:  phase_held = cycle_q < 9'd4;
      RESTING: phase_held = 1'b1;
      MAKING:  phase_held = cycle_q < 9'd16;
      MIXING:  phase_held = cycle_q < 9'd384;
      READING: phase_held = cycle_q < 9'd8;
      default: phase_held = 1'b0;
    endcase
    phase_held &= 3'(dut.state_q) == 3'(phase_q) && dut.step_q == cycle_q && dut.mixing == (phase_q == MIXING) &&
        dut.at_q == (phase_q == MIXING ? {a, b, c, d} : {4{cycle_q[1:0]}});
    parts_held = 1'b1;
    if (phase_q == MAKING) parts_held = dut.choice_q == choice('0);
    if (phase_q == MIXING && odd) parts_held = dut.choice_q == choice(cycle_q[8:1] + 8'd1);
    if (phase_q == MIXING && !odd) parts_held = dut.word_q == block_q[choice(cycle_q[8:1])];
    outer_held = 1'b1;
    if (phase_q == WIPING) outer_held = dut.outer_q == '0;
    if (phase_q == MAKING) outer_held = dut.outer_q == fresh[cycle_q[3:0]];
    if (phase_q == READING) outer_held = dut.outer_q == chain_q[cycle_q[2:0]];
    holds = phase_held && parts_held && outer_held;
  end
  always_ff @(posedge clk) held_q <= holds || clear;

  always_comb begin
    a_phase : assert (!held_q || phase_held);
    a_parts : assert (!held_q || parts_held);
    a_outer : assert (!held_q || outer_held);
    a_ready : assert (!held_q || ready == (phase_q == RESTING));
    a_told : assert (!held_q || word_valid == (phase_q == READING));
    a_which : assert (!held_q || !word_valid || word_at == cycle_q[2:0]);
  end

endmodule
