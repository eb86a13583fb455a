// SPDX-License-Identifier: Apache-2.0
// Block emitter: sends a chunk of output as beats. The last beat of a chunk waits until it is known whether more follows
// (`more`), or the string is cut off (`cut`): so a refused command still ends with a legal last beat, and no data follows the
// refusal.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: the first beat shows after the edge that takes `load`; one a beat.
// Security: bytes beyond the string are zero, and all of them while nothing is valid. What it sends in opening is not yet
// verified. `clear` zeroises.
module aead_emitter
  import aead_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat
    parameter int unsigned CHUNK_BITS = 512,  // a power of two, at most 64 beats
    parameter bit KEEP = 1'b1,  // 1: it keeps the chunk; 0: the mode holds it while it is sent
    parameter bit OVERLAP = 1'b0,  // the next chunk may come while the last beat of this one goes
    localparam int unsigned BEAT_BYTES = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1),
    localparam int unsigned BEATS = CHUNK_BITS / DATA_BITS,
    localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1
) (
    input logic clk,
    input logic clear,

    input  emit_t                  ctl,
    input  logic  [CHUNK_BITS-1:0] block,  // with KEEP zero beyond the string
    output logic                   idle,

    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [ DATA_BITS-1:0] out_data,
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last
);

  logic busy_q, final_q;
  logic [ SLOT_BITS-1:0] left_q;  // beats after the one that is sent
  logic [BYTES_BITS-1:0] bytes_q;
  logic at_end, gone, load;
  logic [DATA_BITS-1:0] beat;

  assign at_end = left_q == '0;
  assign gone = out_valid && out_ready;
  assign load = ctl.load || ctl.empty;
  assign idle = !busy_q || (OVERLAP && gone && at_end);

  assign out_valid = busy_q && (!at_end || final_q || ctl.more || ctl.cut);
  assign out_bytes = at_end ? bytes_q : BYTES_BITS'(BEAT_BYTES);
  assign out_last = at_end && (final_q || ctl.cut);

  if (KEEP) begin : gen_keep
    logic [CHUNK_BITS-1:0] data_q;
    assign beat = data_q[DATA_BITS-1:0];
    assign out_data = beat;
    always_ff @(posedge clk) begin
      // Zeros follow a beat, so that the empty string is zero as well.
      if (ctl.load) data_q <= block;
      else if (gone) data_q <= CHUNK_BITS'({{DATA_BITS{1'b0}}, data_q} >> DATA_BITS);
      if (clear) data_q <= '0;
    end
  end else begin : gen_select
    logic swap_q;
    logic [SLOT_BITS-1:0] slot_q;
    logic [BEATS-1:0][DATA_BITS-1:0] beats;
    assign beats = block;
    assign beat  = beats[slot_q^{swap_q, {(SLOT_BITS-1) {1'b0}}}];
    always_comb begin
      for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
        out_data[8*i+:8] = beat[8*i+:8] & {8{out_valid && BYTES_BITS'(i) < out_bytes}};
      end
    end
    always_ff @(posedge clk) begin
      if (load) begin
        slot_q <= '0;
        swap_q <= ctl.swap;
      end else if (gone) begin
        slot_q <= slot_q + SLOT_BITS'(1'b1);
      end
      if (clear) begin
        slot_q <= '0;
        swap_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (load) begin
      busy_q  <= 1'b1;
      left_q  <= ctl.empty ? '0 : SLOT_BITS'(ctl.beats);
      bytes_q <= ctl.empty ? '0 : BYTES_BITS'(ctl.last_bytes);
      final_q <= ctl.last || ctl.empty;
    end else if (gone) begin
      left_q <= left_q - SLOT_BITS'(1'b1);
      if (at_end) busy_q <= 1'b0;
    end
    if (clear) begin
      busy_q  <= 1'b0;
      left_q  <= '0;
      bytes_q <= '0;
      final_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_load_only_when_idle : assert (!load || idle);
    end
  end
`endif

endmodule
