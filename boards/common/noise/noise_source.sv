// SPDX-License-Identifier: Apache-2.0
//
// Noise for the board's random values: ring oscillators (noise_rings), one raw bit every SAMPLE_CYCLES, tested as it comes
// (noise_health), and handed out raw, 32 bits a word, the oldest bit in bit 31. No bit is left out or mixed with others but by `lost`:
// a word that nobody took in time.
// Security: this is a source of raw bits, not of random values. No figure of entropy is claimed. The firmware hashes the bits with
// a secret seed and counters, so a dead source costs unpredictability and no value ever repeats.

module noise_source #(
    parameter int unsigned SAMPLE_CYCLES = 4096  // cycles of clk a raw bit, 2 or more
) (
    input  logic        clk,
    input  logic        rst,
    output logic        word_valid,
    input  logic        word_ready,
    output logic [31:0] word,
    output logic        lost,        // pulse: an untaken word was overwritten
    input  logic [ 2:0] clear,       // pulse, an alarm each
    output logic [ 2:0] alarm        // noise_health
);
  if (SAMPLE_CYCLES < 2) begin : g_bad_sample_cycles
    $fatal(1, "noise_source: SAMPLE_CYCLES = %0d, must be at least 2", SAMPLE_CYCLES);
  end

  localparam int unsigned COUNT_BITS = $clog2(SAMPLE_CYCLES);

  logic raw, sample;
  logic [COUNT_BITS-1:0] cycle_q;
  logic [4:0] bits_q;
  logic [30:0] shift_q;

  assign sample = cycle_q == COUNT_BITS'(SAMPLE_CYCLES - 1);

  noise_rings u_rings (
      .clk(clk),
      .sample(sample),
      .raw(raw)
  );

  noise_health u_health (
      .valid(sample),
      .*
  );

  always_ff @(posedge clk) begin
    cycle_q <= sample ? '0 : cycle_q + 1'b1;
    lost <= 1'b0;
    if (word_ready) word_valid <= 1'b0;
    if (sample) begin
      shift_q <= {shift_q[29:0], raw};
      bits_q  <= bits_q + 1'b1;
      if (&bits_q) begin
        word <= {shift_q, raw};
        word_valid <= 1'b1;
        lost <= word_valid && !word_ready;
      end
    end
    if (rst) begin
      cycle_q <= '0;
      bits_q <= '0;
      word_valid <= 1'b0;
      lost <= 1'b0;
    end
  end
endmodule
