// SPDX-License-Identifier: Apache-2.0
//
// Associated data for a core that keeps none (p-OMD): the same 32 bytes with every packet, offered from its command on.
// Byte order: byte i of the associated data is bits [8i+7:8i].

module ad_with_packet
  import link_types_pkg::*;
#(
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic          clk,
    input  logic          rst,        // or a clear
    input  logic  [255:0] ad,         // holds while a packet is in the core
    input  logic          begins,     // pulse: the core takes a command
    output beat_t         beat,
    input  logic          beat_ready
);
  localparam int unsigned BITS = $bits(beat.data);
  localparam int unsigned BEATS = 256 / BITS;  // 2 or more
  localparam int unsigned COUNT_BITS = $clog2(BEATS + 1);
  localparam int unsigned INDEX_BITS = $clog2(BEATS);
  logic [COUNT_BITS-1:0] left_q;  // beats of the packet in work
  assign beat = '{
          valid: left_q != '0,
          data: ad[BITS*(INDEX_BITS'(COUNT_BITS'(BEATS)-left_q))+:BITS],
          bytes: ($bits(beat.bytes))'(BITS / 8),
          last: left_q == COUNT_BITS'(1)
      };

  always_ff @(posedge clk) begin
    if (beat.valid && beat_ready) left_q <= left_q - COUNT_BITS'(1);
    if (begins) left_q <= COUNT_BITS'(BEATS);
    if (rst) left_q <= '0;
  end
endmodule
