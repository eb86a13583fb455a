// SPDX-License-Identifier: Apache-2.0
//
// Beats of any number of bytes, also none, to full beats of another width; only the last of a string is short (0 bytes:
// the string is empty). Byte i of a string is in bits [8i+7:8i] of its beat. A full beat waits until it is known whether
// it is the last. m_user is s_user of the beat that came last. The next string is taken when this one has left.
// Cycles: the wider side's beat a cycle of its own, sustained, and two between strings. clear wipes what is held.
module aead_repack #(
    parameter  int unsigned S_BITS    = 64,                      // whole bytes
    parameter  int unsigned M_BITS    = 64,                      // whole bytes
    parameter  int unsigned USER_BITS = 1,
    localparam int unsigned S_COUNT   = $clog2(S_BITS / 8 + 1),
    localparam int unsigned M_COUNT   = $clog2(M_BITS / 8 + 1)
) (
    input  logic                 clk,
    input  logic                 clear,
    input  logic                 s_valid,
    output logic                 s_ready,
    input  logic [   S_BITS-1:0] s_data,   // zero beyond the bytes
    input  logic [  S_COUNT-1:0] s_bytes,
    input  logic                 s_last,
    input  logic [USER_BITS-1:0] s_user,
    output logic                 m_valid,
    input  logic                 m_ready,
    output logic [   M_BITS-1:0] m_data,   // zero beyond the bytes
    output logic [  M_COUNT-1:0] m_bytes,
    output logic                 m_last,
    output logic [USER_BITS-1:0] m_user
);

  localparam int unsigned S_BYTES = S_BITS / 8;
  localparam int unsigned M_BYTES = M_BITS / 8;
  localparam int unsigned SLOTS = M_BYTES + 2 * S_BYTES;  // a beat more than can go, and one to keep pace
  localparam int unsigned COUNT_BITS = $clog2(SLOTS + 1);
  typedef logic [COUNT_BITS-1:0] count_t;

  logic [8*SLOTS-1:0] kept;  // zero beyond count bytes
  count_t count, rest;
  logic ended, more, take, give;

  assign more = count > count_t'(M_BYTES);
  assign s_ready = !clear && !ended && count <= count_t'(M_BYTES + S_BYTES);
  assign take = s_valid && s_ready;
  assign m_valid = more || ended;
  assign m_last = !more;
  assign m_bytes = more ? M_COUNT'(M_BYTES) : M_COUNT'(count);
  assign m_data = kept[M_BITS-1:0];
  assign give = m_valid && m_ready;
  assign rest = !give ? count : more ? count - count_t'(M_BYTES) : '0;

  always_ff @(posedge clk) begin
    if (take || give) begin
      kept  <= (give ? kept >> M_BITS : kept) | (take ? (8 * SLOTS)'(s_data) << {rest, 3'b000} : '0);
      count <= rest + (take ? count_t'(s_bytes) : '0);
    end
    if (take) m_user <= s_user;
    if (give && !more) ended <= 1'b0;
    if (take && s_last) ended <= 1'b1;
    if (clear) begin
      kept  <= '0;
      count <= '0;
      ended <= 1'b0;
    end
  end

endmodule
