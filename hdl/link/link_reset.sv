// SPDX-License-Identifier: Apache-2.0
//
// One reset for the whole link, asked for by any of its three sides: half a link reset would leave packets in work without
// their other half. Each request is registered in its own domain (no glitches), or-ed, and released in each domain by
// reset_sync. A domain also obeys its own request at once. The link runs when all three requests have fallen.

module link_reset (
    input  logic trusted_clk,
    input  logic trusted_rst,    // synchronous to its clock, active high, as the next two
    input  logic core_clk,
    input  logic core_rst,
    input  logic untrusted_clk,
    input  logic untrusted_rst,
    output logic rst_trusted,
    output logic rst_core,
    output logic rst_untrusted
);
  logic trusted_q, core_q, untrusted_q, any;
  logic trusted_synced, core_synced, untrusted_synced;
  always_ff @(posedge trusted_clk) trusted_q <= trusted_rst;
  always_ff @(posedge core_clk) core_q <= core_rst;
  always_ff @(posedge untrusted_clk) untrusted_q <= untrusted_rst;
  assign any = trusted_q || core_q || untrusted_q;

  reset_sync u_trusted (
      .clk(trusted_clk),
      .rst_async_in(any),
      .rst(trusted_synced)
  );
  reset_sync u_core (
      .clk(core_clk),
      .rst_async_in(any),
      .rst(core_synced)
  );
  reset_sync u_untrusted (
      .clk(untrusted_clk),
      .rst_async_in(any),
      .rst(untrusted_synced)
  );

  assign rst_trusted = trusted_synced || trusted_rst;
  assign rst_core = core_synced || core_rst;
  assign rst_untrusted = untrusted_synced || untrusted_rst;
endmodule
