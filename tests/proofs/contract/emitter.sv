// SPDX-License-Identifier: Apache-2.0
// The block emitter by itself, with its mode left free but for what the emitter asks of it: a chunk comes while it is idle, is
// full if it is not the last, with KEEP zero beyond its string, and what lets the held beat go stays until it has gone. Bytes are
// of one bit each, as no logic looks at them.
module emitter
  import aead_pkg::*;
#(
    parameter  bit          KEEP       = 1'b1,
    parameter  bit          OVERLAP    = 1'b0,
    localparam int unsigned DATA_BITS  = 32,
    localparam int unsigned CHUNK_BITS = 128,
    localparam int unsigned BEATS      = CHUNK_BITS / DATA_BITS
) (
    input logic clk,
    input logic clear_wanted,
    input logic load_wanted,
    input logic empty_wanted,
    input logic is_last,
    input logic [4:0] length,  // bytes of the chunk
    input logic [CHUNK_BITS/8-1:0] bytes,
    input logic more_wanted,
    input logic cut_wanted,
    input logic out_ready
);
  logic started_q, clear;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign clear = clear_wanted || !started_q;

  emit_t ctl;
  logic idle, out_valid, out_last, more_q, cut_q;
  logic [DATA_BITS-1:0] out_data;
  logic [2:0] out_bytes;
  logic [CHUNK_BITS-1:0] chunk, raw, raw_q, block;
  logic [4:0] size;
  assign size = !is_last || length > 5'd16 ? 5'd16 : length == '0 ? 5'd1 : length;
  always_comb begin
    for (int unsigned i = 0; i < CHUNK_BITS / 8; i++) begin
      raw[8*i+:8]   = {8{bytes[i]}};
      chunk[8*i+:8] = {8{bytes[i] && 5'(i) < size}};
    end
    ctl            = '0;
    ctl.load       = load_wanted && idle && !clear;
    ctl.empty      = empty_wanted && !load_wanted && idle && !clear;
    ctl.beats      = 6'((size - 5'd1) >> 2);
    ctl.last_bytes = 7'(5'((size - 5'd1) & 5'd3) + 5'd1);
    ctl.last       = is_last;
    ctl.more       = more_wanted || more_q;
    ctl.cut        = cut_wanted || cut_q;
    block          = KEEP ? chunk : raw_q;
  end
  always_ff @(posedge clk) begin
    if (ctl.load || ctl.empty) raw_q <= raw;
    more_q <= ctl.more && !(ctl.load || ctl.empty);
    cut_q  <= ctl.cut && !(ctl.load || ctl.empty);
    if (clear) {more_q, cut_q} <= '0;
  end

  aead_emitter #(
      .DATA_BITS (DATA_BITS),
      .CHUNK_BITS(CHUNK_BITS),
      .KEEP      (KEEP),
      .OVERLAP   (OVERLAP)
  ) u_emitter (
      .*
  );

  // Beats as they were offered, and how many of the chunk have gone
  logic held_q, clear_q;
  logic [DATA_BITS+3:0] beat, beat_q;
  logic [2:0] gone_q;
  logic [CHUNK_BITS-1:0] sent_q;
  assign beat = {out_last, out_bytes, out_data};
  always_ff @(posedge clk) begin
    held_q  <= out_valid && !out_ready && !clear;
    beat_q  <= beat;
    clear_q <= clear;
    if (out_valid && out_ready) gone_q <= gone_q + 3'd1;
    if (ctl.load || ctl.empty || clear) gone_q <= '0;
    if (ctl.load || ctl.empty) sent_q <= ctl.load ? chunk : '0;
  end
  logic [CHUNK_BITS-1:0] rest;
  assign rest = sent_q >> (7'd32 * 7'(gone_q));

  always_comb begin
    if (started_q && !clear) begin
      a_nothing_after_a_clear : assert (!clear_q || !out_valid);
      // `last` may still come to a held beat, by a refusal
      a_stable : assert (!held_q || (out_valid && beat[DATA_BITS+2:0] == beat_q[DATA_BITS+2:0]));
      if (out_valid) begin
        a_bytes : assert (out_last ? out_bytes <= 3'd4 : out_bytes == 3'd4);
        a_of_the_chunk : assert (gone_q < 3'(BEATS) && out_data == rest[DATA_BITS-1:0]);
        for (int unsigned i = 0; i < 4; i++) begin
          a_zero_beyond : assert (3'(i) < out_bytes || out_data[8*i+:8] == '0);
        end
      end
    end
  end
endmodule
