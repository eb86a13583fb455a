// SPDX-License-Identifier: Apache-2.0
//
// Writes a handshake message as a link packet of nine beats. Specification: docs/wire-format.md, table of messages.
// Byte order: byte i of every string is bits [8i+7:8i].

module hs_send
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            wipe,              // level: give up what is in work
    input  logic            send,              // level: the message stands until `sent`
    input  message_t        message,
    input  logic     [63:0] id,                // of this end
    output logic     [ 1:0] at,                // which word of R or MAC is read
    input  logic     [63:0] r_word,            // those words, in the same cycle
    input  logic     [63:0] mac_word,
    output logic            sent,              // pulse, with the last beat
    output beat_t           message_out,       // to fifo_enc
    input  logic            message_out_ready
);
  localparam logic [3:0] LAST = 4'd8;
  logic [3:0] beat_q;

  header_t header;
  assign header = '{
          version: WIRE_VERSION,
          kind: message.kind,
          suite: SUITE,
          length: 16'(HANDSHAKE_LENGTH),
          sid: message.sid
      };

  // R is the beats 3 to 6, the MAC the last two.
  logic [63:0] data;
  assign at = beat_q[1:0] + 2'd1;
  always_comb begin
    unique case (beat_q)
      4'd0: data = beat_of(header);
      4'd1: data = swap64(message.number);
      4'd2: data = id;
      4'd3, 4'd4, 4'd5, 4'd6: data = r_word;
      default: data = mac_word;
    endcase
  end
  assign message_out = '{valid: send && !wipe, data: data, bytes: 4'd8, last: beat_q == LAST};
  assign sent = message_out.valid && message_out_ready && message_out.last;

  always_ff @(posedge clk) begin
    if (message_out.valid && message_out_ready) beat_q <= message_out.last ? '0 : beat_q + 4'd1;
    if (rst || wipe) beat_q <= '0;
  end
endmodule
