// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream to beats of a string of the same width (docs/core-ports.md, rule 2). Byte i of the packet in bits [8i+7:8i] of
// its beat. A packet may be one beat with tkeep 0 (the empty string). Anything else that is not full beats and a
// contiguous last one ends the string there with BAD_STREAM; the rest of the packet is swallowed. Bytes beyond a run of
// ones from byte 0 of tkeep are zero. Combinational, but for the memory of where the packet is, which clear resets.
module axis_beats
  import aead_adapter_pkg::*;
(
    input logic clk,
    input logic clear,
    axis_if.sink s_axis,
    string_if.source m
);

  localparam logic [m.BYTES_BITS-1:0] FULL = m.BYTES_BITS'(m.DATA_BITS / 8);

  logic first, swallow, contiguous, legal, valid, last;

  axis_to_stream #(
      .DATA_BITS(m.DATA_BITS)
  ) u_bytes (
      .s_axis_tdata (s_axis.tdata),
      .s_axis_tkeep (s_axis.tkeep),
      .s_axis_tvalid(s_axis.tvalid),
      .s_axis_tready(s_axis.tready),
      .s_axis_tlast (s_axis.tlast),
      .m_valid      (valid),
      .m_ready      (!clear && (swallow || m.ready)),
      .m_data       (m.data),
      .m_bytes      (m.bytes),
      .m_last       (last)
  );

  // tkeep is a run of ones from byte 0: adding one carries out of all of it
  assign contiguous = (s_axis.tkeep & (s_axis.tkeep + 1'b1)) == '0;
  assign legal = contiguous && (m.bytes == FULL || (last && (first || m.bytes != '0)));
  assign m.valid = valid && !swallow && !clear;
  assign m.last = last || !legal;
  assign m.code = legal ? OK : BAD_STREAM;

  always_ff @(posedge clk) begin
    if (valid && s_axis.tready) begin
      first   <= last;
      swallow <= !last && (swallow || !legal);
    end
    if (clear) begin
      first   <= 1'b1;
      swallow <= 1'b0;
    end
  end

endmodule
