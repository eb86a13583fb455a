// SPDX-License-Identifier: Apache-2.0
//
// Puts the packets of two sources into one FIFO, whole and in turn: sealed packets and handshake messages into fifo_enc.
// Neither can starve the other. No cycles are added.

module packet_merge (
    input  logic        clk,
    input  logic        rst,
    input  logic        wipe,         // level: what is unfinished vanishes, at both sources too
    input  logic        a_valid,      // sealed packets
    output logic        a_ready,
    input  logic [63:0] a_data,
    input  logic [ 3:0] a_bytes,
    input  logic        a_last,
    input  logic        b_valid,      // handshake messages, full beats
    output logic        b_ready,
    input  logic [63:0] b_data,
    input  logic        b_last,
    output logic        fifo_valid,
    input  logic        fifo_ready,
    output logic [63:0] fifo_data,
    output logic [ 3:0] fifo_bytes,
    output logic        fifo_last,
    output logic        fifo_commit,
    output logic        fifo_discard
);
  logic inside_q;  // of a packet
  logic last_b_q;  // of b, or, between packets, the one before was
  logic take_b, wrote;

  assign take_b = inside_q ? last_b_q : b_valid && !(a_valid && last_b_q);
  assign a_ready = !take_b && fifo_ready;
  assign b_ready = take_b && fifo_ready;
  assign fifo_valid = take_b ? b_valid : a_valid;
  assign fifo_data = take_b ? b_data : a_data;
  assign fifo_bytes = take_b ? 4'd8 : a_bytes;
  assign fifo_last = take_b ? b_last : a_last;
  assign wrote = fifo_valid && fifo_ready;
  assign fifo_commit = wrote && fifo_last;
  assign fifo_discard = wipe;

  always_ff @(posedge clk) begin
    if (wrote) begin
      inside_q <= !fifo_last;
      last_b_q <= take_b;
    end
    if (rst || wipe) begin
      inside_q <= 1'b0;
      last_b_q <= 1'b0;
    end
  end
endmodule
