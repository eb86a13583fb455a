// SPDX-License-Identifier: Apache-2.0
//
// packet_merge on one clock, with flat ports.
module flat_merge
  import link_types_pkg::*;
#(
    parameter  int unsigned DATA_BITS = 64,
    localparam int unsigned BEAT_BITS = DATA_BITS + $clog2(DATA_BITS / 8) + 3
) (
    input  logic                          clk,
    input  logic                          rst,
    input  logic                          wipe,
    input  logic          [BEAT_BITS-1:0] sealed,
    output logic                          sealed_ready,
    input  message_beat_t                 message_out,
    output logic                          message_out_ready,
    output logic          [BEAT_BITS-1:0] ctxt,
    input  logic                          ctxt_ready
);
  typedef struct packed {
    logic                         valid;
    logic [DATA_BITS-1:0]         data;
    logic [$clog2(DATA_BITS/8):0] bytes;
    logic                         last;
  } beat_t;

  order_t order;
  assign order = '{wipe: wipe, default: '0};
  packet_merge #(
      .BUILD ('{fifo_bytes: 1024, default: '0}),
      .beat_t(beat_t)
  ) dut (
      .*,
      .core_clk(clk),
      .rst_core(rst),
      .untrusted_clk(clk),
      .rst_untrusted(rst)
  );

endmodule
