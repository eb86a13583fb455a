// SPDX-License-Identifier: Apache-2.0
//
// Counters side by side, 64 bits each, all of them readable in every cycle. Cleared by reset only.

module counter_registers
  import link_pkg::*;
  import link_types_pkg::*;
(
    input  logic                    clk,
    input  logic                    rst,
    input  gains_t                  gains,         // of this cycle
    input  logic     [LEN_BITS-1:0] sealed_bytes,  // for COUNT_SEALED_BYTES
    input  arrived_t                trusted,       // sums of the outer clocks
    input  arrived_t                untrusted,
    output counts_t                 totals
);
  // What a counter gains in this cycle from an outer clock that has a channel for it.
  function automatic logic [63:0] outer(input counter_e counter);
    outer = '0;
    if (trusted.valid && trusted_counter(trusted.channel) == counter) outer += 64'(trusted.sum);
    if (untrusted.valid && untrusted_counter(untrusted.channel) == counter) outer += 64'(untrusted.sum);
  endfunction

  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < 32'(COUNTERS); i++) totals[i] <= totals[i] + 64'(gains[i]) + outer(counter_e'(i));
    totals[COUNT_SEALED_BYTES] <= totals[COUNT_SEALED_BYTES] + 64'(sealed_bytes);
    if (rst) totals <= '0;
  end

  wire unused = &{1'b0, gains};
endmodule
