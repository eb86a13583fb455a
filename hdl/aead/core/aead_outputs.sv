// SPDX-License-Identifier: Apache-2.0
// Blocks of output of one AEAD core on their way to the emitter: they wait in PLACES places, of which the mode's data path
// holds the data; each place has one source, so moving costs no logic. A place is promised when a call is loaded that gives
// a block, so that every result finds place 0 free; a block stands in the last place until all of it has gone.
// Cycles: a block moves by a place in each, and is with the emitter after PLACES.
// Security: lengths and times only; `clear` drops all that waits.
module aead_outputs
  import aead_pkg::*, aead_block_pkg::*;
#(
    parameter int unsigned PLACES = 3  // for blocks in the primitive, the one in front of it, the one that goes out
) (
    input logic clk,
    input logic clear,

    input logic    promise,    // a call is loaded that gives a block
    input logic    put,        // place 0 takes a block
    input output_t put_about,
    input logic    hold,       // the block in the last place stays when it has gone
    input logic    empty,      // the string is empty: send that; only while the emitter is idle
    input logic    end_empty,  // the front end sends it
    input logic    more,       // it is known that more follows what was promised
    input logic    refused,    // level: no more follows

    output logic    [PLACES-1:1] move,             // place <= the one before it
    output logic                 place_left,       // one more may be promised
    output logic                 first_free,       // place 0 may take a block
    output logic                 outputs_drained,  // no output waits but what the emitter has
    output logic                 outputs_idle,     // no output waits
    output logic                 out_made,         // the emitter is given a block, or the mode's empty string
    output logic                 stands,           // a block is in the last place
    output output_t              last_about,
    output logic                 sent,             // it leaves
    output emit_t                emit,
    input  logic                 emit_idle
);

  localparam int unsigned COUNT_BITS = $clog2(PLACES + 1);
  localparam int unsigned LAST = PLACES - 1;

  logic [COUNT_BITS-1:0] promised_q;  // and not yet gone
  logic [PLACES-1:0] valid_q;
  logic [PLACES-1:0] leaves;
  output_t [PLACES-1:0] about_q;
  logic sending_q, load;

  assign place_left = promised_q != COUNT_BITS'(PLACES);
  assign outputs_idle = promised_q == '0;
  assign outputs_drained = outputs_idle || (promised_q == COUNT_BITS'(1) && sending_q);
  assign first_free = !valid_q[0] || leaves[0];
  assign stands = valid_q[LAST];
  assign last_about = about_q[LAST];
  assign sent = sending_q && emit_idle && !hold;
  assign load = stands && !sending_q && emit_idle;
  assign out_made = load || empty;

  always_comb begin
    leaves = '0;
    leaves[LAST] = sent;
    for (int i = int'(LAST) - 1; i >= 0; i--) leaves[i] = valid_q[i] && (!valid_q[i+1] || leaves[i+1]);
    for (int unsigned i = 1; i < PLACES; i++) move[i] = leaves[i-1];
  end

  always_comb begin
    emit            = '0;
    emit.load       = load;
    emit.beats      = last_about.beats;
    emit.last_bytes = last_about.bytes;
    emit.last       = last_about.last;
    emit.empty      = empty || end_empty;
    emit.more       = promised_q > COUNT_BITS'(1) || more;
    emit.cut        = refused;
  end

  always_ff @(posedge clk) begin
    promised_q <= promised_q + COUNT_BITS'(promise) - COUNT_BITS'(sent);
    for (int i = int'(LAST); i >= 0; i--) begin
      if (leaves[i]) valid_q[i] <= 1'b0;
      if (i != 0 && move[i]) begin
        valid_q[i] <= 1'b1;
        about_q[i] <= about_q[i-1];
      end
    end
    if (put) begin
      valid_q[0] <= 1'b1;
      about_q[0] <= put_about;
    end
    if (load) sending_q <= 1'b1;
    else if (sent) sending_q <= 1'b0;

    if (clear) begin
      promised_q <= '0;
      valid_q    <= '0;
      about_q    <= '0;
      sending_q  <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_place_is_free : assert (!put || first_free);
      a_promised : assert (!promise || place_left || sent);
    end
  end
`endif

endmodule
