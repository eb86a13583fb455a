// SPDX-License-Identifier: Apache-2.0
//
// One reset for the whole link, asked for by any of its three sides: half a link reset would leave packets in work without
// their other half. Each request is registered in its own domain and reaches each of the others through a reset_sync of its own,
// so that no gate stands before an asynchronous input, and through two registers more, for a reset_sync rises at any time. What a
// domain obeys is a register. The link runs when all three requests have fallen.
// Cycles: a domain obeys its own request with the next edge, the others' two or three of its edges after they are registered.

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
  logic trusted_q, core_q, untrusted_q;
  (* async_reg = "true" *) logic trusted_asked_q, core_asked_q, untrusted_asked_q;
  logic core_in_trusted, untrusted_in_trusted;
  logic trusted_in_core, untrusted_in_core;
  logic trusted_in_untrusted, core_in_untrusted;

  always_ff @(posedge trusted_clk) begin
    trusted_q <= trusted_rst;
    trusted_asked_q <= core_in_trusted || untrusted_in_trusted;
    rst_trusted <= trusted_rst || trusted_asked_q;
  end
  always_ff @(posedge core_clk) begin
    core_q <= core_rst;
    core_asked_q <= trusted_in_core || untrusted_in_core;
    rst_core <= core_rst || core_asked_q;
  end
  always_ff @(posedge untrusted_clk) begin
    untrusted_q <= untrusted_rst;
    untrusted_asked_q <= trusted_in_untrusted || core_in_untrusted;
    rst_untrusted <= untrusted_rst || untrusted_asked_q;
  end

  reset_sync u_core_in_trusted (
      .clk(trusted_clk),
      .rst_async_in(core_q),
      .rst(core_in_trusted)
  );
  reset_sync u_untrusted_in_trusted (
      .clk(trusted_clk),
      .rst_async_in(untrusted_q),
      .rst(untrusted_in_trusted)
  );
  reset_sync u_trusted_in_core (
      .clk(core_clk),
      .rst_async_in(trusted_q),
      .rst(trusted_in_core)
  );
  reset_sync u_untrusted_in_core (
      .clk(core_clk),
      .rst_async_in(untrusted_q),
      .rst(untrusted_in_core)
  );
  reset_sync u_trusted_in_untrusted (
      .clk(untrusted_clk),
      .rst_async_in(trusted_q),
      .rst(trusted_in_untrusted)
  );
  reset_sync u_core_in_untrusted (
      .clk(untrusted_clk),
      .rst_async_in(core_q),
      .rst(core_in_untrusted)
  );
endmodule
