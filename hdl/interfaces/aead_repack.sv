// SPDX-License-Identifier: Apache-2.0
//
// Beats of any number of bytes, also none, to full beats of another width; only the last of a string is short (0 bytes:
// the string is empty). Byte i of a string is in bits [8i+7:8i] of its beat. A full beat waits until it is known whether
// it is the last. m.code is s.code of the beat that came last. The next string is taken when this one has left.
// Cycles: the wider side's beat a cycle of its own, sustained, and two between strings. clear wipes what is held.
module aead_repack (
    input logic clk,
    input logic clear,
    string_if.sink s,
    string_if.source m  // zero beyond the bytes
);

  // A ring of bytes, whole beats of either side: a beat more than can go, and one to keep pace
  localparam int unsigned S_BYTES = s.DATA_BITS / 8;
  localparam int unsigned M_BYTES = m.DATA_BITS / 8;
  localparam int unsigned WORD = S_BYTES > M_BYTES ? S_BYTES : M_BYTES;
  localparam int unsigned RING = M_BYTES > S_BYTES ? 2 * WORD : 3 * WORD;
  localparam int unsigned S_WORDS = RING / S_BYTES;
  localparam int unsigned M_WORDS = RING / M_BYTES;
  localparam int unsigned BYTE_BITS = $clog2(S_BYTES) == 0 ? 1 : $clog2(S_BYTES);
  typedef logic [$clog2(RING+1)-1:0] count_t;
  typedef logic [$clog2(S_WORDS)-1:0] s_word_t;
  typedef logic [$clog2(M_WORDS)-1:0] m_word_t;

  logic [M_WORDS-1:0][M_BYTES-1:0][7:0] kept;
  logic [S_BYTES-1:0][7:0] turned;  // s.data with its first byte at the place where the ring goes on
  s_word_t word, word_behind;  // where it goes on
  logic [BYTE_BITS-1:0] place;
  logic [BYTE_BITS:0] next_place;
  m_word_t from;
  count_t count;
  logic ended, more, take, give;

  if (S_BYTES % M_BYTES != 0 && M_BYTES % S_BYTES != 0) begin : g_bad_widths
    $fatal(1, "aead_repack: %0d bytes to %0d, allowed: one a multiple of the other", S_BYTES, M_BYTES);
  end

  assign more = count > count_t'(M_BYTES);
  assign s.ready = !clear && !ended && count <= count_t'(RING - S_BYTES);
  assign take = s.valid && s.ready;
  assign m.valid = more || ended;
  assign m.last = !more;
  assign m.bytes = m.BYTES_BITS'(more ? count_t'(M_BYTES) : count);
  assign give = m.valid && m.ready;
  assign word_behind = word == s_word_t'(S_WORDS - 1) ? '0 : word + 1'b1;
  assign next_place = (BYTE_BITS + 1)'(place) + (BYTE_BITS + 1)'(s.bytes);

  always_comb begin
    for (int unsigned i = 0; i < M_BYTES; i++) m.data[8*i+:8] = more || count > count_t'(i) ? kept[from][i] : '0;
    for (int unsigned i = 0; i < S_BYTES; i++) turned[i] = s.data[8*((i+S_BYTES-32'(place))%S_BYTES)+:8];
  end

  for (genvar i = 0; i < int'(RING); i++) begin : g_byte
    localparam int unsigned LANE = i % S_BYTES;
    logic here;
    assign here = LANE >= 32'(place) ? word == s_word_t'(i / S_BYTES) : word_behind == s_word_t'(i / S_BYTES);
    always_ff @(posedge clk) begin
      if (clear) kept[i/M_BYTES][i%M_BYTES] <= '0;
      else if (take && here) kept[i/M_BYTES][i%M_BYTES] <= turned[LANE];
    end
  end

  always_ff @(posedge clk) begin
    if (take) begin
      m.code <= s.code;
      ended  <= s.last;
      place  <= BYTE_BITS'(32'(next_place) % S_BYTES);
      if (32'(next_place) >= S_BYTES) word <= word_behind;
    end
    if (give && more) from <= from == m_word_t'(M_WORDS - 1) ? '0 : from + 1'b1;
    count <= count + (take ? count_t'(s.bytes) : '0) - (give && more ? count_t'(M_BYTES) : '0);
    if (clear || (give && !more)) begin
      word  <= '0;
      place <= '0;
      from  <= '0;
      count <= '0;
      ended <= 1'b0;
    end
  end

endmodule
