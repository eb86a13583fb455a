// SPDX-License-Identifier: Apache-2.0
//
// Adaptive-proportion test of NIST SP 800-90B, 4.4.2: if the first sample of a window comes CUTOFF times in the window, itself
// counted, that is a failure. Windows follow one another. The cutoff is 1 + critbinom(WINDOW, 2^-H, 1 - alpha) for a min-entropy
// of H bits a sample and a chance alpha that a window of a source which has it fails.
// Cycles: `failed` is a pulse in the cycle behind the sample that reaches the cutoff; what is left of the window counts no more.

module noise_apt #(
    parameter int unsigned SAMPLE_BITS = 1,
    parameter int unsigned WINDOW = 1024,  // samples: 1024 of one bit, 512 of more
    parameter int unsigned CUTOFF = 810
) (
    input  logic                   clk,
    input  logic                   rst,     // begins a window
    input  logic                   valid,
    input  logic [SAMPLE_BITS-1:0] sample,
    output logic                   failed
);
  if (CUTOFF < 2 || CUTOFF > WINDOW) begin : g_bad_cutoff
    $fatal(1, "noise_apt: CUTOFF = %0d, must be 2 to WINDOW = %0d", CUTOFF, WINDOW);
  end

  localparam int unsigned COUNT_BITS = $clog2(WINDOW + 1);

  logic [SAMPLE_BITS-1:0] first_q;
  logic [COUNT_BITS-1:0] place_q;  // of the next sample in the window
  logic [COUNT_BITS-1:0] hits_q;
  logic hit;
  assign hit = place_q == '0 || sample == first_q;

  always_ff @(posedge clk) begin
    failed <= 1'b0;
    if (valid) begin
      if (place_q == '0) first_q <= sample;
      hits_q  <= (place_q == '0 ? '0 : hits_q) + COUNT_BITS'(hit);
      failed  <= hit && place_q != '0 && hits_q == COUNT_BITS'(CUTOFF - 1);
      place_q <= place_q == COUNT_BITS'(WINDOW - 1) ? '0 : place_q + 1'b1;
    end
    if (rst) begin
      place_q <= '0;
      failed  <= 1'b0;
    end
  end
endmodule
