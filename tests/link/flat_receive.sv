// SPDX-License-Identifier: Apache-2.0
//
// receive_ctxt of a link of suite 02 on one clock, with flat ports.
module flat_receive
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter  int unsigned DATA_BITS = 64,
    localparam int unsigned BEAT_BITS = DATA_BITS + $clog2(DATA_BITS / 8) + 3
) (
    input  logic                          clk,
    input  logic                          rst,
    input  logic                          handshake,
    input  logic                          initiator,
    input  logic          [         63:0] peer_id,
    input  awaited_t                      awaited,
    input  logic          [BEAT_BITS-1:0] arriving,
    input  logic                          arriving_bad,
    input  logic                          arriving_known,
    output counted_t                      dropped,
    output logic          [BEAT_BITS-1:0] ctxt,
    output message_beat_t                 message_in,
    input  logic                          message_in_ready
);
  typedef struct packed {
    logic                         valid;
    logic [DATA_BITS-1:0]         data;
    logic [$clog2(DATA_BITS/8):0] bytes;
    logic                         last;
  } beat_t;

  logic arriving_ready;
  settings_t settings;
  identity_t identity;
  assign settings = '{peer_id: peer_id, handshake: handshake, default: '0};
  assign identity = '{initiator: initiator, default: '0};
  receive_ctxt #(
      .BUILD ('{suite: 8'h02, drop_when_full: 1'b1, fifo_bytes: 1024, default: '0}),
      .beat_t(beat_t)
  ) dut (
      .*,
      .untrusted_clk(clk),
      .rst_untrusted(rst),
      .core_clk(clk),
      .rst_core(rst),
      .ctxt_ready(1'b1)
  );

endmodule
