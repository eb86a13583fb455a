// SPDX-License-Identifier: Apache-2.0
//
// Repetition-count test of NIST SP 800-90B, 4.4.1: one value CUTOFF times in a row is a failure.
// The cutoff is 1 + ceil(-log2(alpha) / H) for a min-entropy of H bits a sample and a chance alpha that a source which has it fails.
// Cycles: `failed` is a pulse in the cycle behind the sample that completes the run, and behind every further one of it.

module noise_rct #(
    parameter int unsigned SAMPLE_BITS = 1,
    parameter int unsigned CUTOFF = 61  // 2 or more
) (
    input  logic                   clk,
    input  logic                   rst,     // forgets all samples
    input  logic                   valid,
    input  logic [SAMPLE_BITS-1:0] sample,
    output logic                   failed
);
  if (CUTOFF < 2) begin : g_bad_cutoff
    $fatal(1, "noise_rct: CUTOFF = %0d, must be at least 2", CUTOFF);
  end

  localparam int unsigned COUNT_BITS = $clog2(CUTOFF + 1);
  localparam logic [COUNT_BITS-1:0] LIMIT = COUNT_BITS'(CUTOFF);

  logic [SAMPLE_BITS-1:0] value_q;
  logic [COUNT_BITS-1:0] run_q, run;

  always_comb begin
    run = COUNT_BITS'(1);
    if (run_q != '0 && sample == value_q) run = run_q == LIMIT ? LIMIT : run_q + 1'b1;
  end

  always_ff @(posedge clk) begin
    failed <= valid && run == LIMIT;
    if (valid) begin
      value_q <= sample;
      run_q   <= run;
    end
    if (rst) begin
      run_q  <= '0;
      failed <= 1'b0;
    end
  end
endmodule
