// SPDX-License-Identifier: Apache-2.0
//
// Writes a handshake message as a link packet of nine beats. Specification: docs/wire-format.md, table of messages.
// Byte order: byte i of every string is bits [8i+7:8i].

module hs_send
  import link_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         wipe,        // level: give up what is in work
    input  logic         send,        // level: the message stands until `sent`
    input  logic [  3:0] kind,
    input  logic [ 31:0] sid,
    input  logic [ 63:0] id,
    input  logic [255:0] r,
    input  logic [127:0] mac,
    output logic         sent,        // pulse, with the last beat
    output logic         fifo_valid,
    input  logic         fifo_ready,
    output logic [ 63:0] fifo_data,
    output logic         fifo_last
);
  localparam logic [3:0] LAST = 4'd8;
  logic [3:0] beat_q;

  header_t header;
  assign header = '{version: WIRE_VERSION, kind: kind, suite: SUITE, length: 16'(HANDSHAKE_LENGTH), sid: sid};

  logic [8:0][63:0] beats;
  assign beats = {mac, r, id, 64'd0, beat_of(header)};
  assign fifo_valid = send && !wipe;
  assign fifo_data = beats[beat_q];
  assign fifo_last = beat_q == LAST;
  assign sent = fifo_valid && fifo_ready && fifo_last;

  always_ff @(posedge clk) begin
    if (fifo_valid && fifo_ready) beat_q <= fifo_last ? '0 : beat_q + 4'd1;
    if (rst || wipe) beat_q <= '0;
  end
endmodule
