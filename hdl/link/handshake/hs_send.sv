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

  logic [8:0][63:0] beats;
  assign beats = {message.mac, message.r, id, swap64(message.number), beat_of(header)};
  assign message_out = '{valid: send && !wipe, data: beats[beat_q], bytes: 4'd8, last: beat_q == LAST};
  assign sent = message_out.valid && message_out_ready && message_out.last;

  always_ff @(posedge clk) begin
    if (message_out.valid && message_out_ready) beat_q <= message_out.last ? '0 : beat_q + 4'd1;
    if (rst || wipe) beat_q <= '0;
  end
endmodule
