// SPDX-License-Identifier: Apache-2.0
//
// Beats of any number of bytes, also none, to full beats of another width; only the last of a string is short (0 bytes:
// the string is empty). Byte i of a string is in bits [8i+7:8i] of its beat. A full beat waits until it is known whether
// it is the last. m.code is s.code of the beat that came last. The next string is taken when this one has left.
// Cycles: the wider side's beat a cycle of its own, sustained, and two between strings. clear wipes what is held.
module aead_repack (
    input logic clk,
    input logic clear,
    string_if.sink s,  // zero beyond the bytes
    string_if.source m  // zero beyond the bytes
);

  localparam int unsigned S_BYTES = s.DATA_BITS / 8;
  localparam int unsigned M_BYTES = m.DATA_BITS / 8;
  localparam int unsigned SLOTS = M_BYTES + 2 * S_BYTES;  // a beat more than can go, and one to keep pace
  localparam int unsigned COUNT_BITS = $clog2(SLOTS + 1);
  typedef logic [COUNT_BITS-1:0] count_t;

  logic [8*SLOTS-1:0] kept;  // zero beyond count bytes
  count_t count, rest;
  logic ended, more, take, give;

  assign more = count > count_t'(M_BYTES);
  assign s.ready = !clear && !ended && count <= count_t'(M_BYTES + S_BYTES);
  assign take = s.valid && s.ready;
  assign m.valid = more || ended;
  assign m.last = !more;
  assign m.bytes = m.BYTES_BITS'(more ? count_t'(M_BYTES) : count);
  assign m.data = kept[m.DATA_BITS-1:0];
  assign give = m.valid && m.ready;
  assign rest = !give ? count : more ? count - count_t'(M_BYTES) : '0;

  always_ff @(posedge clk) begin
    if (take || give) begin
      kept  <= (give ? kept >> m.DATA_BITS : kept) | (take ? (8 * SLOTS)'(s.data) << {rest, 3'b000} : '0);
      count <= rest + (take ? count_t'(s.bytes) : '0);
    end
    if (take) m.code <= s.code;
    if (give && !more) ended <= 1'b0;
    if (take && s.last) ended <= 1'b1;
    if (clear) begin
      kept  <= '0;
      count <= '0;
      ended <= 1'b0;
    end
  end

endmodule
