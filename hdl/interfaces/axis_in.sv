// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream of any width to legal strings of narrower beats (docs/core-ports.md, rule 2). Byte i of the packet
// in bits [8i+7:8i] of its beat. A packet may be one beat with tkeep 0 (the empty string). Anything else
// that is not full beats and a contiguous last one ends the string there with one byte of zero and m_err = 1;
// the rest of the packet is swallowed. So the receiver always gets a legal string, and knows.
// Cycles: a beat of AXIS_BITS takes AXIS_BITS / DATA_BITS, sustained. clear wipes the beat that is held.
module axis_in #(
    parameter  int unsigned AXIS_BITS  = 64,                        // DATA_BITS times a power of two
    parameter  int unsigned DATA_BITS  = 64,                        // a power of two, 16 or more
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
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
    output logic [  DATA_BITS-1:0] m_data,         // zero beyond the bytes
    output logic [ BYTES_BITS-1:0] m_bytes,
    output logic                   m_last,
    output logic                   m_err           // with m_last: the packet was malformed
);

  localparam int unsigned WIDE_BITS = $clog2(AXIS_BITS / 8 + 1);
  localparam logic [WIDE_BITS-1:0] BEAT_BYTES = WIDE_BITS'(DATA_BITS / 8);

  logic [AXIS_BITS-1:0] data;
  logic [WIDE_BITS-1:0] bytes;
  logic valid, last, take_ready;

  axis_to_stream #(
      .DATA_BITS(AXIS_BITS)
  ) u_bytes (
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .m_valid(valid),
      .m_ready(take_ready),
      .m_data (data),
      .m_bytes(bytes),
      .m_last (last)
  );

  logic [AXIS_BITS-1:0] held_data;
  logic [WIDE_BITS-1:0] held_bytes;
  logic held, held_last, held_err;
  logic first, swallow, contiguous, legal, final_part;

  // tkeep is a run of ones from byte 0: adding one carries out of all of it
  assign contiguous = (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == '0;
  assign legal = contiguous && (bytes == WIDE_BITS'(AXIS_BITS / 8) || (last && (first || bytes != '0)));
  assign final_part = held_bytes <= BEAT_BYTES;
  assign take_ready = !clear && (swallow || !held || (m_ready && final_part));

  assign m_valid = held;
  assign m_data = held_data[DATA_BITS-1:0];
  assign m_bytes = final_part ? BYTES_BITS'(held_bytes) : BYTES_BITS'(BEAT_BYTES);
  assign m_last = held_last && final_part;
  assign m_err = held_err;

  always_ff @(posedge clk) begin
    if (held && m_ready) begin
      held <= !final_part;
      held_data <= AXIS_BITS'({DATA_BITS'(0), held_data} >> DATA_BITS);
      held_bytes <= held_bytes - BEAT_BYTES;
    end
    if (valid && take_ready) begin
      first   <= last;
      swallow <= !last && (swallow || !legal);
      if (!swallow) begin
        held       <= 1'b1;
        held_data  <= legal ? data : '0;
        held_bytes <= legal ? bytes : WIDE_BITS'(1'b1);
        held_last  <= last || !legal;
        held_err   <= !legal;
      end
    end
    if (clear) begin
      held      <= 1'b0;
      held_data <= '0;
      first     <= 1'b1;
      swallow   <= 1'b0;
    end
  end

endmodule
