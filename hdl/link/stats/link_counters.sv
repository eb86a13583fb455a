// SPDX-License-Identifier: Apache-2.0
//
// All counters of the link, 64 bits each, in the core's clock. Every packet that does not leave is in exactly one drop counter.
// Specification: docs/wire-format.md, "Every counter is readable and totals balance"; the equations are in README.md.
// Events of the other two domains come as sums over event_cdc; at rest all counts are exact. Cleared by reset only.

module link_counters
  import link_types_pkg::*;
(
    input  logic               trusted_clk,
    input  logic               rst_trusted,
    input  logic               core_clk,
    input  logic               rst_core,
    input  logic               untrusted_clk,
    input  logic               rst_untrusted,
    input  direction_counted_t tx_counted,
    input  direction_counted_t rx_counted,
    input  counted_t           session_counted,    // core_clk, as the next
    input  counted_t           handshake_counted,
    output counts_t            totals,
    output logic               moving              // pulse: something was counted
);
  arrived_t trusted, untrusted;
  event_cdc #(
      .CHANNELS(TRUSTED_CHANNELS),
      .COUNTER (TRUSTED_COUNTERS)
  ) u_trusted (
      .s_clk(trusted_clk),
      .s_rst(rst_trusted),
      .s_counted({rx_counted.trusted, tx_counted.trusted}),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m(trusted)
  );
  event_cdc #(
      .CHANNELS(UNTRUSTED_CHANNELS),
      .COUNTER (UNTRUSTED_COUNTERS)
  ) u_untrusted (
      .s_clk(untrusted_clk),
      .s_rst(rst_untrusted),
      .s_counted({rx_counted.untrusted, tx_counted.untrusted}),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m(untrusted)
  );

  counted_t [5:0] core;
  assign core   = {tx_counted.core, rx_counted.core, session_counted, handshake_counted};
  assign moving = trusted.valid || untrusted.valid || core != '0;

  // What a counter gains in this cycle: here, and from an outer clock that has a channel for it.
  function automatic logic [63:0] gain(input int unsigned counter);
    logic [5:0] here = '0;
    logic [SUM_BITS-1:0] outer = '0;
    for (int unsigned i = 0; i < 6; i++) here += 6'(core[i][counter]);
    for (int unsigned i = 0; i < TRUSTED_CHANNELS; i++)
    if (TRUSTED_COUNTERS[i] == counter_e'(counter) && trusted.valid && trusted.channel == 4'(i)) outer += trusted.sum;
    for (int unsigned i = 0; i < UNTRUSTED_CHANNELS; i++)
    if (UNTRUSTED_COUNTERS[i] == counter_e'(counter) && untrusted.valid && untrusted.channel == 4'(i))
      outer += untrusted.sum;
    return 64'(here) + 64'(outer);
  endfunction

  always_ff @(posedge core_clk) begin
    if (moving) begin
      for (int unsigned i = 0; i < 32'(COUNTERS); i++) totals[i] <= totals[i] + gain(i);
      totals[COUNT_SEALED_BYTES] <= totals[COUNT_SEALED_BYTES] + 64'(tx_counted.sealed_bytes);
    end
    if (rst_core) totals <= '0;
  end

  wire unused = &{1'b0, rx_counted};
endmodule
