// SPDX-License-Identifier: Apache-2.0
// Two places for output between data path and emitter. A chunk goes from the first one to the emitter, or to the second one
// when the emitter is busy; so whether there is room depends on a register alone, not on whoever takes the output.
// Cycles: a chunk can be taken by the emitter in the cycle after `put`; a chunk a cycle.
// Security: what it holds in opening is not yet verified; `clear` and `wipe` zeroise.
module aegis_places
  import aegis_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic wipe,   // level: no command is in flight

    input  logic            put,    // pulse: a chunk comes; only with room
    input  logic    [255:0] block,
    input  output_t         about,
    output logic            room,
    output logic            empty,  // no chunk waits

    input  logic            take,      // pulse: a chunk goes
    output logic    [255:0] out,
    output output_t         out_about
);

  logic first_valid_q, second_valid_q;
  logic [255:0] first_q, second_q;
  output_t first_about_q, second_about_q;

  assign room = !second_valid_q;
  assign empty = !first_valid_q && !second_valid_q;
  assign out = second_valid_q ? second_q : first_q;
  assign out_about = second_valid_q ? second_about_q : first_about_q;

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

    if (clear || wipe) begin
      first_valid_q  <= 1'b0;
      second_valid_q <= 1'b0;
      first_q        <= '0;
      second_q       <= '0;
      first_about_q  <= '0;
      second_about_q <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_put_only_with_room : assert (!put || room);
      a_take_only_what_is_there : assert (!take || !empty);
    end
  end
`endif

endmodule
