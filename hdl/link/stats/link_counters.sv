// SPDX-License-Identifier: Apache-2.0
//
// All counters of the link, 64 bits each, in the core's clock. Every packet that does not leave is in exactly one drop counter.
// Specification: docs/wire-format.md, "Every counter is readable and totals balance"; the equations are in README.md.
// Events of the other two domains come as sums over event_cdc; at rest all counts are exact. Cleared by reset only.
// With PORTS the counters stand side by side; else they are in one memory and read one by one, at a tenth of the logic.

module link_counters
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter bit PORTS = 1'b1,
    parameter int unsigned BEAT_BYTES = 8,  // of a beat of packets
    parameter bit SLICES = 1'b0  // see event_cdc
) (
    input  logic                      trusted_clk,
    input  logic                      rst_trusted,
    input  logic                      core_clk,
    input  logic                      rst_core,
    input  logic                      untrusted_clk,
    input  logic                      rst_untrusted,
    input  direction_counted_t        tx_counted,
    input  direction_counted_t        rx_counted,
    input  counted_t                  session_counted,    // core_clk, as the next
    input  counted_t                  handshake_counted,
    input  counter_read_t             count_read,
    output logic                      count_done,         // `count` answers the request
    output logic               [63:0] count,
    output counts_t                   totals,             // with PORTS
    output logic                      moving              // pulse: something was counted
);
  arrived_t trusted, untrusted;
  logic trusted_ready, untrusted_ready;
  event_cdc #(
      .CHANNELS(TRUSTED_CHANNELS),
      .COUNTER(TRUSTED_COUNTERS),
      .BEAT_BYTES(BEAT_BYTES),
      .SLICES(SLICES)
  ) u_trusted (
      .s_clk(trusted_clk),
      .s_rst(rst_trusted),
      .s_counted({rx_counted.trusted, tx_counted.trusted}),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m(trusted),
      .m_ready(trusted_ready)
  );
  event_cdc #(
      .CHANNELS(UNTRUSTED_CHANNELS),
      .COUNTER(UNTRUSTED_COUNTERS),
      .BEAT_BYTES(BEAT_BYTES),
      .SLICES(SLICES)
  ) u_untrusted (
      .s_clk(untrusted_clk),
      .s_rst(rst_untrusted),
      .s_counted({rx_counted.untrusted, tx_counted.untrusted}),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m(untrusted),
      .m_ready(untrusted_ready)
  );

  counted_t [CORE_SOURCES-1:0] core;
  gains_t gained, gains;
  logic [LEN_BITS-1:0] sealed_bytes_q, sealed_bytes;
  assign core   = {tx_counted.core, rx_counted.core, session_counted, handshake_counted};
  assign moving = trusted.valid || untrusted.valid || core != '0;
  always_comb begin
    gained = '0;
    for (int unsigned i = 0; i < 32'(COUNTERS); i++)
    for (int unsigned source = 0; source < CORE_SOURCES; source++) gained[i] += GAIN_BITS'(core[source][i][0]);
  end
  // A register between what happens and its count: causes are judged late in a cycle.
  always_ff @(posedge core_clk) begin
    gains          <= rst_core ? '0 : gained;
    sealed_bytes_q <= tx_counted.sealed_bytes;
  end
  assign sealed_bytes = gains[COUNT_SEALED] == '0 ? '0 : sealed_bytes_q;

  if (PORTS) begin : g_ports
    counter_registers u_registers (
        .*,
        .clk(core_clk),
        .rst(rst_core)
    );
    assign {trusted_ready, untrusted_ready} = '1;
    assign count_done = count_read.valid;
    assign count = totals[count_read.counter[$clog2(COUNTERS)-1:0]];
  end else begin : g_memory
    counter_memory u_memory (
        .*,
        .clk(core_clk),
        .rst(rst_core),
        .read(count_read),
        .read_done(count_done),
        .read_count(count)
    );
  end

  wire unused = &{1'b0, rx_counted, count_read};

`ifndef SYNTHESIS
  logic once;
  always_comb begin
    once = 1'b1;
    for (int unsigned i = 0; i < 32'(COUNTERS); i++)
    for (int unsigned source = 0; source < CORE_SOURCES; source++) if (core[source][i][4:1] != '0) once = 1'b0;
  end
  always_ff @(posedge core_clk)
    if (!rst_core)
      a_once :
      assert (once)
      else $error("link_counters: a block counts one thing twice in a cycle");
`endif
endmodule
