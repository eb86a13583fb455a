// SPDX-License-Identifier: Apache-2.0
// BLAKE2b compression function F'(chain, key || msg), a quarter of a G a cycle (RFC 7693, 3.2).
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: 408 after the edge that takes `start`; the last eight of them give the words of the digest, and then `ready` is high.
// After a clear `ready` is low for 4 cycles more. With HALVES every step takes two cycles and a call 817, in whose last 15 every
// other one gives a word, from a register; `ready` is low for 8 cycles after a clear.
// Small: the working vector stands in four memories, one a row, so that a G finds its four words at once; one adder and one
// rotation serve all steps. Nothing is copied: the words of block and chaining value are read where they lie, and who wants the
// digest keeps what it needs.
// Security: constant time; `clear` zeroises everything, the memories while `ready` is low.
module blake2b_compress_s #(
    parameter logic [127:0] T      = '0,  // offset counter; modes of operation use 0
    parameter bit           F      = 0,   // final block; modes of operation use 0
    parameter bit           HALVES = 0    // every step takes two cycles, its sum a register between them
) (
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

  import blake2b_pkg::*;

  typedef enum logic [2:0] {
    S_WIPE,
    S_IDLE,
    S_LOAD,  // a word of the working vector a cycle
    S_MIX,
    S_FOLD   // a word of the digest a cycle
  } state_e;

  // Rounds, Gs of a round, quarters of a G
  typedef struct packed {
    logic [3:0] round;
    logic [2:0] g;
    logic [1:0] quarter;
  } step_t;

  localparam step_t LAST_LOAD = step_t'(9'd15);
  localparam step_t LAST_MIX = '{round: 4'(ROUNDS - 1), g: '1, quarter: '1};
  localparam step_t LAST_FOLD = step_t'(9'd7);
  localparam step_t LAST_WIPE = step_t'(9'd3);
  localparam logic [7:0][63:0] LOW = IV ^ {64'd0, {64{F}}, T[127:64], T[63:0], 256'd0};  // second half of the vector

  // The word of the block for each half of a G, by round, G and half
  typedef logic [255:0][3:0] choices_t;
  function automatic choices_t choices();
    choices = '0;
    for (int unsigned r = 0; r < ROUNDS; r++) begin
      for (int unsigned i = 0; i < 16; i++) choices[16*r+i] = 4'(SIGMA[r%PERMUTATIONS][i]);
    end
  endfunction
  localparam choices_t CHOICES = choices();

  // Where the words of a step lie in their rows: of a G column i, or the diagonal that begins there
  typedef struct packed {
    logic [1:0] a;
    logic [1:0] b;
    logic [1:0] c;
    logic [1:0] d;
  } places_t;
  function automatic places_t places(input logic mixing, input logic [2:0] which, input logic [1:0] quarter);
    logic diagonal;
    diagonal = mixing && which[2];
    places.a = mixing ? which[1:0] : quarter;
    places.b = places.a + 2'(diagonal);
    places.c = places.a + {diagonal, 1'b0};
    places.d = places.a - 2'(diagonal);
  endfunction

  state_e state_q, state_next;
  step_t step_q, step_next;
  places_t at_q;
  logic mixing;  // a register of its own, as the places are: what they choose has a long way
  logic [3:0] choice_q;  // a word of the block for the next first or third quarter
  logic [63:0] word_q;  // that word, a cycle later
  (* ram_style = "distributed" *) logic [63:0] row_a[4];
  (* ram_style = "distributed" *) logic [63:0] row_b[4];
  (* ram_style = "distributed" *) logic [63:0] row_c[4];
  (* ram_style = "distributed" *) logic [63:0] row_d[4];

  logic odd;
  logic [63:0] a, b, c, d;
  assign odd = step_q.quarter[0];
  assign a   = row_a[at_q.a];
  assign b   = row_b[at_q.b];
  assign c   = row_c[at_q.c];
  assign d   = row_d[at_q.d];

  // Which word of the block comes next, and what a load or fold takes from outside
  logic [ 7:0] half_next;  // of a G
  logic [63:0] outer_q;  // asked for a cycle ahead
  assign key_at = choice_q[2:0];
  assign chain_at = {step_next.g[0], step_next.quarter};
  assign half_next = mixing ? {step_q.round, step_q.g, step_q.quarter[1]} + 8'd1 : '0;
  logic loads_low;  // the second half of the vector is no chaining value
  assign loads_low = state_next == S_LOAD && step_next.g[1];
  always_ff @(posedge clk) begin
    if (g_halves.ends) outer_q <= loads_low ? LOW[chain_at] : chain_word;
    if (clear || state_q == S_WIPE) outer_q <= '0;
  end

  // A quarter of G: the sum goes to row a or c, what it is mixed into goes to row d or b.
  logic [63:0] sum, mix, mixed;
  assign sum = (!mixing ? outer_q : odd ? c : a) + (!mixing ? '0 : odd ? d : b) + (mixing && !odd ? word_q : '0);
  assign mix = (odd ? b : d) ^ (HALVES ? g_halves.sum_q : sum);
  always_comb begin
    unique case (step_q.quarter)
      2'd0: mixed = rotr(mix, 32);
      2'd1: mixed = rotr(mix, 24);
      2'd2: mixed = rotr(mix, 16);
      default: mixed = rotr(mix, 63);
    endcase
    if (!mixing) mixed = HALVES ? g_halves.sum_q : sum;
  end

  // A step ends in its second half; while idle every cycle ends one, so that a start begins one.
  if (HALVES) begin : g_halves
    logic second_q, ends;
    logic [63:0] sum_q;
    logic given_q, idle;
    logic [ 2:0] given_at_q;
    logic [63:0] given_word_q;
    assign ends = second_q || state_q == S_IDLE;
    assign idle = state_q == S_IDLE && !given_q;
    always_ff @(posedge clk) begin
      second_q <= !ends && !clear;
      sum_q    <= clear || state_q == S_WIPE ? '0 : sum;
      given_q  <= state_q == S_FOLD && ends && !clear;
      given_at_q <= {step_q.g[0], step_q.quarter};
      given_word_q <= state_q == S_FOLD && !clear ? outer_q ^ (step_q.g[0] ? b ^ d : a ^ c) : '0;
    end
  end else begin : g_halves
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam logic ends = 1'b1;
    localparam logic [63:0] sum_q = '0;
    localparam logic given_q = 1'b0;
    localparam logic idle = 1'b0;
    localparam logic [2:0] given_at_q = '0;
    localparam logic [63:0] given_word_q = '0;
    // verilog_lint: waive-stop parameter-name-style
  end

  logic [3:0] write;  // rows d to a
  always_comb begin
    unique case (state_q)
      S_WIPE:  write = '1;
      S_LOAD:  write = 4'd1 << step_q.g[1:0];
      S_MIX:   write = odd ? 4'b0110 : 4'b1001;
      default: write = '0;
    endcase
    if (!g_halves.ends) write = '0;
  end
  always_ff @(posedge clk) begin
    if (write[0]) row_a[at_q.a] <= HALVES ? g_halves.sum_q : sum;
    if (write[1]) row_b[at_q.b] <= mixed;
    if (write[2]) row_c[at_q.c] <= HALVES ? g_halves.sum_q : sum;
    if (write[3]) row_d[at_q.d] <= mixed;
  end

  always_comb begin
    state_next = state_q;
    step_next  = step_q + 9'd1;
    unique case (state_q)
      S_IDLE: begin
        step_next = '0;
        if (start) state_next = S_LOAD;
      end
      S_LOAD: begin
        if (step_q == LAST_LOAD) begin
          state_next = S_MIX;
          step_next  = '0;
        end
      end
      S_MIX: begin
        if (step_q == LAST_MIX) begin
          state_next = S_FOLD;
          step_next  = '0;
        end
      end
      S_FOLD:  if (step_q == LAST_FOLD) state_next = S_IDLE;
      default: if (step_q == LAST_WIPE) state_next = S_IDLE;
    endcase
  end

  always_ff @(posedge clk) begin
    if (g_halves.ends) begin
      state_q <= state_next;
      step_q  <= step_next;
      mixing  <= state_next == S_MIX;
      at_q    <= places(state_next == S_MIX, step_next.g, step_next.quarter);
      // An even quarter uses a word, chooses the next one and the odd one after it fetches that.
      if (!odd || !mixing) choice_q <= CHOICES[half_next];
      if (state_q == S_LOAD || (mixing && odd)) word_q <= choice_q[3] ? msg[64*choice_q[2:0]+:64] : key_word;
    end
    if (clear) begin
      state_q <= S_WIPE;
      step_q  <= '0;
      mixing  <= 1'b0;
      at_q    <= '0;
      word_q  <= '0;
    end
  end

  assign ready = HALVES ? g_halves.idle : state_q == S_IDLE;
  assign word_valid = HALVES ? g_halves.given_q : state_q == S_FOLD;
  assign word_at = HALVES ? g_halves.given_at_q : {step_q.g[0], step_q.quarter};
  assign word = HALVES ? g_halves.given_word_q : outer_q ^ (step_q.g[0] ? b ^ d : a ^ c);

endmodule
