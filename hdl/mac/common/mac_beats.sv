// SPDX-License-Identifier: Apache-2.0
// Watches the beats of a message: which one is full, and whether all of them are legal (docs/core-ports.md, rule 2).
// A beat before the last is full; the last holds a byte or more, unless it is the only one. A message that breaks this is
// taken to its end and refused.
module mac_beats #(
    parameter  int unsigned DATA_BITS  = 320,
    localparam int unsigned BYTES      = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BYTES + 1)
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  start,   // a message begins
    input  logic                  taken,   // a beat moves with this edge
    input  logic [BYTES_BITS-1:0] bytes,
    input  logic                  last,
    output logic                  full,    // this beat, now
    output logic                  refused  // this message so far, registered
);

  logic first;
  assign full = bytes == BYTES_BITS'(BYTES);

  always_ff @(posedge clk) begin
    if (taken) begin
      first <= 1'b0;
      if (bytes > BYTES_BITS'(BYTES) || (!last && !full) || (bytes == '0 && !first)) refused <= 1'b1;
    end
    if (start || clear) begin
      first   <= start && !clear;
      refused <= 1'b0;
    end
  end

endmodule
