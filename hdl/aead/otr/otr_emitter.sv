// SPDX-License-Identifier: Apache-2.0
// AES-OTR: sends the two output blocks of a chunk as beats, in either order. docs/cores/otr.md, "Output".
// The last beat of a chunk waits until it is known whether more follows (`more`), or the string is cut off
// (`cut`): so a refused command still ends with a legal last beat, and no data follows the refusal.
// The blocks are held by the data path; what lies beyond the string in them does not go out.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: the first beat shows after the edge that takes `load`; one a beat.
// Security: bytes beyond the string are zero, and all of them while nothing is valid. What it sends in opening is not yet
// verified.
module otr_emitter #(
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64 or 128
    localparam int unsigned BEAT_BYTES = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1),
    localparam int unsigned BEATS = 256 / DATA_BITS,
    localparam int unsigned SLOT_BITS = $clog2(BEATS)
) (
    input logic clk,
    input logic clear,

    input logic                  load,        // begin with a chunk; only while idle
    input logic                  load_swap,   // the late block goes first
    input logic [ SLOT_BITS-1:0] load_beats,  // beats to send, less one
    input logic [BYTES_BITS-1:0] load_bytes,  // bytes in the last of them
    input logic                  load_final,  // last chunk of the string
    input logic                  load_empty,  // send the empty string; only while idle
    input logic                  more,        // level: more chunks follow, the held beat may go
    input logic                  cut,         // level: no more chunks follow, the held beat is the last
    input logic [         127:0] early,       // held while not idle
    input logic [         127:0] late,

    output logic                  idle,
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [ DATA_BITS-1:0] out_data,
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last
);

  logic busy_q, final_q, swap_q;
  logic [SLOT_BITS-1:0] slot_q, left_q;  // beat to send, and how many after it
  logic [BYTES_BITS-1:0] bytes_q;

  logic at_end;
  logic [BEATS-1:0][DATA_BITS-1:0] both;
  logic [DATA_BITS-1:0] beat;
  assign at_end = left_q == '0;
  assign both = {late, early};
  assign beat = both[slot_q^SLOT_BITS'({swap_q, {(SLOT_BITS-1) {1'b0}}})];

  assign idle = !busy_q;
  assign out_valid = busy_q && (!at_end || final_q || more || cut);
  assign out_last = at_end && (final_q || cut);
  assign out_bytes = at_end ? bytes_q : BYTES_BITS'(BEAT_BYTES);
  always_comb begin
    for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
      out_data[8*i+:8] = beat[8*i+:8] & {8{out_valid && BYTES_BITS'(i) < out_bytes}};
    end
  end

  always_ff @(posedge clk) begin
    if (load || load_empty) begin
      busy_q  <= 1'b1;
      slot_q  <= '0;
      left_q  <= load_empty ? '0 : load_beats;
      bytes_q <= load_empty ? '0 : load_bytes;
      final_q <= load_final || load_empty;
      swap_q  <= load_swap;
    end else if (out_valid && out_ready) begin
      slot_q <= slot_q + SLOT_BITS'(1'b1);
      left_q <= left_q - SLOT_BITS'(1'b1);
      if (at_end) busy_q <= 1'b0;
    end
    if (clear) begin
      busy_q  <= 1'b0;
      slot_q  <= '0;
      left_q  <= '0;
      bytes_q <= '0;
      final_q <= 1'b0;
      swap_q  <= 1'b0;
    end
  end

endmodule
