// SPDX-License-Identifier: Apache-2.0
//
// Continuous health tests of the raw bits of the noise source (NIST SP 800-90B, 4.4), each with an alarm that stays until it is
// cleared. The tests take a source to have H = 0.5 bits of min-entropy a raw bit, far less than a sound one should, so that only a
// broken one fails; a test fails a source that has it once in 2^30 samples or windows (alpha = 2^-30). So the cutoffs are
//   repetition count, bits           1 + ceil(30 / 0.5)                    =  61
//   adaptive proportion, bits        1 + critbinom(1024, 2^-0.5, 1 - 2^-30) = 810
//   adaptive proportion, bytes       1 + critbinom(512, 2^-4, 1 - 2^-30)    =  71
// Neither test of bits sees a source that repeats 01; of bytes, eight raw bits each, adaptive proportion sees every period up to 8 bits.
// Cycles: a source that is stuck fails behind 61 bits, one that repeats behind 8,192 (a window that it finds begun, and its own).

module noise_health (
    input  logic       clk,
    input  logic       rst,
    input  logic       valid,
    input  logic       raw,
    input  logic [2:0] clear,  // pulse
    output logic [2:0] alarm   // repetition of bits, proportion of bits, proportion of bytes
);
  logic [2:0] failed, count_q;
  logic [7:0] byte_q;
  logic byte_valid_q;

  noise_rct #(
      .SAMPLE_BITS(1),
      .CUTOFF(61)
  ) u_repetition (
      .sample(raw),
      .failed(failed[0]),
      .*
  );

  noise_apt #(
      .SAMPLE_BITS(1),
      .WINDOW(1024),
      .CUTOFF(810)
  ) u_bits (
      .sample(raw),
      .failed(failed[1]),
      .*
  );

  noise_apt #(
      .SAMPLE_BITS(8),
      .WINDOW(512),
      .CUTOFF(71)
  ) u_bytes (
      .valid (byte_valid_q),
      .sample(byte_q),
      .failed(failed[2]),
      .*
  );

  always_ff @(posedge clk) begin
    byte_valid_q <= valid && (&count_q);
    if (valid) begin
      byte_q  <= {byte_q[6:0], raw};
      count_q <= count_q + 1'b1;
    end
    alarm <= alarm & ~clear | failed;
    if (rst) begin
      byte_valid_q <= 1'b0;
      count_q <= '0;
      alarm <= '0;
    end
  end
endmodule
