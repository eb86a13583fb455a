// SPDX-License-Identifier: Apache-2.0
// Output of AEGIS-128L: two places for blocks, and the block that is sent as beats. A block goes from the first place to the
// beats, or to the second place when they are busy; so whether there is room depends on a register alone, not on whoever
// takes the output, and neither does `idle`.
// The last beat of a block waits until it is known whether more follows, or the string is cut off: so a refused command still
// ends with a legal last beat.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: the first beat shows two edges after the one that takes `put`; one a beat, block after block.
// Security: bytes beyond the string are zero. What it holds in opening is not yet verified; `clear` and `wipe` zeroise.
module aegis_outlet
  import aead_block_pkg::*, aegis_pkg::*;
#(
    parameter  int unsigned DATA_BITS  = 256,                           // beat: 32, 64, 128 or 256
    localparam int unsigned BEAT_BYTES = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1),
    localparam int unsigned BEATS      = 256 / DATA_BITS,
    localparam int unsigned LEFT_BITS  = BEATS > 1 ? $clog2(BEATS) : 1
) (
    input logic clk,
    input logic clear,
    input logic wipe,   // level: no command is in flight

    input  logic            put,      // pulse: a block comes; only with room
    input  logic    [255:0] block,    // zero beyond the string
    input  output_t         about,
    input  logic            nothing,  // pulse: the string is empty; only while idle
    input  logic            more,     // level: another block follows
    input  logic            cut,      // level: none follows
    output logic            room,
    output logic            waiting,  // a block is in a place
    output logic            idle,     // all has gone

    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [ DATA_BITS-1:0] out_data,
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last
);

  logic first_valid_q, second_valid_q;
  logic [255:0] first_q, second_q, data_q;
  output_t first_about_q, second_about_q, next_about;
  logic busy_q, final_q;
  logic [ LEFT_BITS-1:0] left_q;  // beats after the one that is sent
  logic [BYTES_BITS-1:0] bytes_q;
  logic at_end, gone, take;

  assign room = !second_valid_q;
  assign waiting = first_valid_q || second_valid_q;
  assign idle = !busy_q && !waiting;
  assign next_about = second_valid_q ? second_about_q : first_about_q;
  assign at_end = left_q == '0;
  assign gone = out_valid && out_ready;
  assign take = waiting && (!busy_q || (gone && at_end));

  assign out_valid = busy_q && (!at_end || final_q || waiting || more || cut);
  assign out_data = data_q[DATA_BITS-1:0];
  assign out_bytes = at_end ? bytes_q : BYTES_BITS'(BEAT_BYTES);
  assign out_last = at_end && (final_q || cut);

  always_ff @(posedge clk) begin
    // With room, what is in the first place goes on in any case.
    if (put) begin
      first_valid_q <= 1'b1;
      first_q       <= block;
      first_about_q <= about;
    end else if (room) begin
      first_valid_q <= 1'b0;
    end
    if (room) begin
      second_valid_q <= first_valid_q && !take;
      second_q       <= first_q;
      second_about_q <= first_about_q;
    end else if (take) begin
      second_valid_q <= 1'b0;
    end

    // Zeros follow a beat, so that the empty string is zero as well.
    if (take) data_q <= second_valid_q ? second_q : first_q;
    else if (gone) data_q <= 256'({{DATA_BITS{1'b0}}, data_q} >> DATA_BITS);
    if (take || nothing) begin
      busy_q  <= 1'b1;
      left_q  <= nothing ? '0 : LEFT_BITS'(next_about.beats);
      bytes_q <= nothing ? '0 : BYTES_BITS'(next_about.bytes);
      final_q <= nothing || next_about.last;
    end else if (gone) begin
      left_q <= left_q - LEFT_BITS'(1'b1);
      if (at_end) busy_q <= 1'b0;
    end

    if (clear || wipe) begin
      first_valid_q  <= 1'b0;
      second_valid_q <= 1'b0;
      first_q        <= '0;
      second_q       <= '0;
      data_q         <= '0;
      first_about_q  <= '0;
      second_about_q <= '0;
      busy_q         <= 1'b0;
      left_q         <= '0;
      bytes_q        <= '0;
      final_q        <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_put_only_with_room : assert (!put || room);
      a_nothing_only_while_idle : assert (!nothing || idle);
    end
  end
`endif

endmodule
