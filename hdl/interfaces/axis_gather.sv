// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream gathered into words of a string (docs/core-ports.md, rule 2). Byte i of the packet in bits [8i+7:8i] of its
// beat, byte i of a word in bits [8i+7:8i] of the word. All words are full but the last; a packet may be one beat with
// tkeep 0 (the empty string). A malformed packet ends with the word at hand, marked by m_err; the rest of it is swallowed.
// Cycles: a beat a cycle, one more a word. clear wipes what is held.
module axis_gather #(
    parameter  int unsigned AXIS_BITS  = 64,                        // whole bytes
    parameter  int unsigned WORD_BITS  = 320,                       // a multiple of AXIS_BITS
    localparam int unsigned BYTES_BITS = $clog2(WORD_BITS / 8 + 1)
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic [  AXIS_BITS-1:0] s_axis_tdata,
    input  logic [AXIS_BITS/8-1:0] s_axis_tkeep,
    input  logic                   s_axis_tvalid,
    output logic                   s_axis_tready,
    input  logic                   s_axis_tlast,
    output logic                   m_valid,
    input  logic                   m_ready,
    output logic [  WORD_BITS-1:0] m_data,         // zero beyond the bytes
    output logic [ BYTES_BITS-1:0] m_bytes,
    output logic                   m_last,
    output logic                   m_err           // with m_last: the packet was malformed
);

  if (WORD_BITS % AXIS_BITS != 0) begin : g_bad_width
    $fatal(1, "axis_gather: WORD_BITS = %0d, allowed: multiples of AXIS_BITS = %0d", WORD_BITS, AXIS_BITS);
  end

  localparam int unsigned PARTS = WORD_BITS / AXIS_BITS;
  localparam int unsigned PART_BITS = $clog2(PARTS + 1);
  localparam int unsigned FEW_BITS = $clog2(AXIS_BITS / 8 + 1);

  logic [AXIS_BITS-1:0] data;
  logic [ FEW_BITS-1:0] bytes;
  logic valid, ready, last, taken, legal, whole;

  axis_to_stream #(
      .DATA_BITS(AXIS_BITS)
  ) u_bytes (
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .m_valid(valid),
      .m_ready(ready),
      .m_data (data),
      .m_bytes(bytes),
      .m_last (last)
  );

  logic first, swallow;
  logic [PART_BITS-1:0] part;

  // tkeep is a run of ones from byte 0: adding one carries out of all of it
  assign whole = bytes == FEW_BITS'(AXIS_BITS / 8);
  assign legal = (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == '0 && (whole || (last && (first || bytes != '0)));
  assign ready = !clear && (swallow || !m_valid);
  assign taken = valid && ready;

  always_ff @(posedge clk) begin
    if (m_valid && m_ready) begin
      m_valid <= 1'b0;
      m_data  <= '0;
      m_bytes <= '0;
      m_last  <= 1'b0;
      m_err   <= 1'b0;
      part    <= '0;
    end
    if (taken) begin
      first   <= last;
      swallow <= !last && (swallow || !legal);
      if (!swallow) begin
        m_valid <= last || !legal || part == PART_BITS'(PARTS - 1);
        m_data  <= m_data | (WORD_BITS'(data) << (AXIS_BITS * 32'(part)));
        m_bytes <= m_bytes + BYTES_BITS'(bytes);
        m_last  <= last || !legal;
        m_err   <= !legal;
        part    <= part + 1'b1;
      end
    end
    if (clear) begin
      m_valid <= 1'b0;
      m_data  <= '0;
      m_bytes <= '0;
      m_last  <= 1'b0;
      m_err   <= 1'b0;
      part    <= '0;
      first   <= 1'b1;
      swallow <= 1'b0;
    end
  end

endmodule
