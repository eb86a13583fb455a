// SPDX-License-Identifier: Apache-2.0
//
// receive_ctxt of a link of suite 02 without handshakes, on one clock, with flat ports.
module flat_receive
  import link_pkg::*;
  import link_types_pkg::*;
(
    input  logic     clk,
    input  logic     rst,
    input  beat_t    arriving,
    input  logic     arriving_bad,
    output counted_t dropped,
    output beat_t    ctxt
);

  logic  arriving_ready;
  beat_t message_in;
  receive_ctxt #(
      .BUILD('{suite: 8'h02, drop_when_full: 1'b1, fifo_bytes: 1024, default: '0})
  ) dut (
      .*,
      .untrusted_clk(clk),
      .rst_untrusted(rst),
      .core_clk(clk),
      .rst_core(rst),
      .settings('0),
      .identity('0),
      .ctxt_ready(1'b1),
      .message_in_ready(1'b1)
  );

endmodule
