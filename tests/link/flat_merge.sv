// SPDX-License-Identifier: Apache-2.0
//
// packet_merge on one clock, with flat ports.
module flat_merge
  import link_types_pkg::*;
(
    input  logic  clk,
    input  logic  rst,
    input  logic  wipe,
    input  beat_t sealed,
    output logic  sealed_ready,
    input  beat_t message_out,
    output logic  message_out_ready,
    output beat_t ctxt,
    input  logic  ctxt_ready
);

  order_t order;
  assign order = '{wipe: wipe, default: '0};
  packet_merge #(
      .BUILD('{fifo_bytes: 1024, default: '0})
  ) dut (
      .*,
      .core_clk(clk),
      .rst_core(rst),
      .untrusted_clk(clk),
      .rst_untrusted(rst)
  );

endmodule
