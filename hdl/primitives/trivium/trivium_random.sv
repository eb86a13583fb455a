// SPDX-License-Identifier: Apache-2.0
// Random bits for masks: Trivium (C. De Canniere, B. Preneel; ISO/IEC 29192-3), 64 steps a cycle, from a seed of key and
// IV; 18 cycles after the seed, `random` has 64 new bits in every cycle, as long as `valid` is high.
// Byte order: byte i of key, IV and key stream in bits [8i+7:8i] (eSTREAM's order of bits; the first bit of the stream in
// bit 0). Seeds come over valid/ready and may come again at any time; those whose key's bits are all equal are refused.
// Health: a bit of `random` that stays the same for a window of 64 cycles stops the generator, four cycles after its
// last word, as a refused seed does: `alarm` is high and `valid` low until a seed is taken. A healthy generator does so once
// in 2^58 windows.
// Security: rst, clear and an alarm overwrite the state. `random` is registers, so that a glitch in what uses it shows it
// alone.
module trivium_random (
    input  logic        clk,
    input  logic        rst,
    input  logic        clear,
    input  logic        seed_valid,
    output logic        seed_ready,
    input  logic [79:0] seed_key,
    input  logic [79:0] seed_iv,
    output logic        valid,
    output logic [63:0] random,
    output logic        alarm
);

  // Cycles without output: 1152 steps
  localparam logic [4:0] WARM_CYCLES = 5'd18;

  typedef enum logic [1:0] {
    S_EMPTY,
    S_WARM,
    S_RUN
  } state_t;

  state_t state;
  logic [4:0] warm;
  // Bit i of a, b and c is s_(i+1), s_(i+94) and s_(i+178) of the specification.
  logic [92:0] a;
  logic [83:0] b;
  logic [110:0] c;
  logic [63:0] to_a, to_b, to_c, stream;
  logic [63:0] word, previous, changes, changed;
  logic [7:0] still;  // a bit in these eight has not changed
  logic [5:0] place;
  logic first, compared, window_ends, seed_good, stuck;

  assign random = word;

  // Step j reads what j steps have moved; no step reads what one of the same cycle wrote.
  for (genvar j = 0; j < 64; j++) begin : gen_step
    logic ta, tb, tc;
    assign ta = a[65-j] ^ a[92-j];
    assign tb = b[68-j] ^ b[83-j];
    assign tc = c[65-j] ^ c[110-j];
    assign stream[j] = ta ^ tb ^ tc;
    assign to_b[63-j] = ta ^ (a[90-j] & a[91-j]) ^ b[77-j];
    assign to_c[63-j] = tb ^ (b[81-j] & b[82-j]) ^ c[86-j];
    assign to_a[63-j] = tc ^ (c[108-j] & c[109-j]) ^ a[68-j];
  end

  assign seed_ready = state != S_WARM;
  assign seed_good  = |seed_key && !(&seed_key);

  always_ff @(posedge clk) begin
    {a, b, c} <= {a[28:0], to_a, b[19:0], to_b, c[46:0], to_c};
    word <= state == S_RUN ? stream : '0;
    valid <= state == S_RUN;

    // The window begins with the first word: nothing is before it. The check follows the words in steps, each a register
    // from the last, since the words are spread over all that uses them.
    previous <= word;
    first <= !valid;
    changes <= previous ^ word;
    compared <= valid && !first;
    place <= compared ? place + 6'd1 : '0;
    changed <= !compared || place == 6'd63 ? '0 : changed | changes;
    window_ends <= compared && place == 6'd63;
    for (int unsigned i = 0; i < 8; i++) still[i] <= (changed[8*i+:8] | changes[8*i+:8]) != '1;
    stuck <= window_ends && still != '0;

    if (state == S_WARM) begin
      warm <= warm - 5'd1;
      if (warm == 5'd1) state <= S_RUN;
    end
    if (seed_valid && seed_ready) begin
      for (int unsigned i = 0; i < 80; i++) begin
        a[i] <= seed_key[79-i];
        b[i] <= seed_iv[79-i];
      end
      a[92:80] <= '0;
      b[83:80] <= '0;
      c <= {3'b111, 108'b0};
      state <= S_WARM;
      warm <= WARM_CYCLES;
      alarm <= 1'b0;
    end
    if (rst || clear || stuck || (seed_valid && seed_ready && (!seed_good || clear))) begin
      {a, b, c} <= '0;
      state <= S_EMPTY;
      alarm <= !rst && !clear;
    end
    if (rst || clear || stuck || (seed_valid && seed_ready)) begin
      word <= '0;
      valid <= 1'b0;
      previous <= '0;
      changes <= '0;
      changed <= '0;
      compared <= 1'b0;
      window_ends <= 1'b0;
      stuck <= 1'b0;
    end
  end

endmodule
