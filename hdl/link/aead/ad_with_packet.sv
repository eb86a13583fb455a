// SPDX-License-Identifier: Apache-2.0
//
// Associated data for a core that keeps none (p-OMD): the same 32 bytes with every packet, offered from its command on.
// Byte order: byte i of the associated data is bits [8i+7:8i].

module ad_with_packet
  import link_types_pkg::*;
(
    input  logic          clk,
    input  logic          rst,        // or a clear
    input  logic  [255:0] ad,         // holds while a packet is in the core
    input  logic          begins,     // pulse: the core takes a command
    output beat_t         beat,
    input  logic          beat_ready
);
  logic [2:0] left_q;  // beats of the packet in work
  assign beat = '{valid: left_q != '0, data: ad[64*(2'(3'd4-left_q))+:64], bytes: 4'd8, last: left_q == 3'd1};

  always_ff @(posedge clk) begin
    if (beat.valid && beat_ready) left_q <= left_q - 3'd1;
    if (begins) left_q <= 3'd4;
    if (rst) left_q <= '0;
  end
endmodule
