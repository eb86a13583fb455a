// SPDX-License-Identifier: Apache-2.0
// OMD: sends a block of output as beats. docs/cores/omd.md, "Output".
// The last beat of a block waits until it is known whether more follows (`more`), or the string is cut off
// (`cut`): so a refused command still ends with a legal last beat, and no data follows the refusal.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: the first beat shows after the edge that takes `load`; one a beat.
// Security: bytes beyond the string are zero; `clear` zeroises. What it sends in opening is not yet verified.
module omd_emitter #(
    parameter int unsigned DATA_BITS = 64,  // beat
    parameter int unsigned N_BITS = 512,  // block
    localparam int unsigned BEAT_BYTES = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1),
    localparam int unsigned BEATS = N_BITS / DATA_BITS,
    localparam int unsigned COUNT_BITS = $clog2(BEATS + 1)
) (
    input logic clk,
    input logic clear,

    input logic                  load,        // take a block; only while idle
    input logic [    N_BITS-1:0] load_data,   // zero beyond the string
    input logic [COUNT_BITS-1:0] load_beats,  // beats to send
    input logic [BYTES_BITS-1:0] load_bytes,  // bytes in the last of them
    input logic                  load_final,  // last block of the string
    input logic                  load_empty,  // send the empty string; only while idle
    input logic                  more,        // level: more blocks follow, the held beat may go
    input logic                  cut,         // level: no more blocks follow, the held beat is the last

    output logic                  idle,
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [ DATA_BITS-1:0] out_data,
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last
);

  logic [N_BITS-1:0] data_q;
  logic [COUNT_BITS-1:0] count_q;
  logic [BYTES_BITS-1:0] bytes_q;
  logic final_q;

  logic at_end;
  assign at_end = count_q == COUNT_BITS'(1'b1);

  assign idle = count_q == '0;
  assign out_valid = !idle && (!at_end || final_q || more || cut);
  assign out_last = at_end && (final_q || cut);
  assign out_bytes = at_end ? bytes_q : BYTES_BITS'(BEAT_BYTES);
  assign out_data = data_q[DATA_BITS-1:0];

  always_ff @(posedge clk) begin
    if (load) begin
      data_q  <= load_data;
      count_q <= load_beats;
      bytes_q <= load_bytes;
      final_q <= load_final;
    end else if (load_empty) begin  // data_q is zero: blocks are zero beyond the string, and zeros follow them
      count_q <= COUNT_BITS'(1'b1);
      bytes_q <= '0;
      final_q <= 1'b1;
    end else if (out_valid && out_ready) begin
      data_q  <= data_q >> DATA_BITS;
      count_q <= count_q - COUNT_BITS'(1'b1);
    end
    if (clear) begin
      data_q  <= '0;
      count_q <= '0;
    end
  end

endmodule
