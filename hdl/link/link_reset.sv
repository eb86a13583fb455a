// SPDX-License-Identifier: Apache-2.0
//
// One reset for the whole link, asked for by any of its three sides: half a link reset would leave packets in work without
// their other half. Each request is registered in its own domain (no glitches), or-ed, and brought into each domain. The
// link runs when all three requests have fallen.

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
  logic [2:0] asked;
  logic any;
  assign any = |asked;

  link_reset_domain u_trusted (
      .clk(trusted_clk),
      .request(trusted_rst),
      .asked(asked[0]),
      .rst(rst_trusted),
      .*
  );
  link_reset_domain u_core (
      .clk(core_clk),
      .request(core_rst),
      .asked(asked[1]),
      .rst(rst_core),
      .*
  );
  link_reset_domain u_untrusted (
      .clk(untrusted_clk),
      .request(untrusted_rst),
      .asked(asked[2]),
      .rst(rst_untrusted),
      .*
  );
endmodule
