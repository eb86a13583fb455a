// SPDX-License-Identifier: Apache-2.0
//
// Puts the packets of two sources into fifo_enc, whole and in turn: sealed packets and handshake messages.
// Neither can starve the other. Sealed packets wait no cycle while there is no message; whose turn it is comes from a register, so
// that a source sees room without a look at the other one.

module packet_merge
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0,
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic          core_clk,
    input  logic          rst_core,
    input  logic          untrusted_clk,
    input  logic          rst_untrusted,
    input  order_t        order,              // core_clk: a wipe makes vanish what is unfinished, at both sources too
    input  beat_t         sealed,             // core_clk: sealed packets
    output logic          sealed_ready,
    input  message_beat_t message_out,        // core_clk: handshake messages
    output logic          message_out_ready,
    output beat_t         ctxt,               // untrusted_clk
    input  logic          ctxt_ready
);
  localparam int unsigned BYTES = $bits(sealed.data) / 8;
  logic inside_q;  // of a packet
  logic message_turn_q;
  logic wrote;
  beat_t beat, message;
  logic fifo_ready, half;

  // Two beats of a message are one of packets with 128 bits. The first one waits here; the last one waits nowhere, so that a message
  // that was given away leaves.
  if (BYTES == 8) begin : g_same
    assign half = 1'b0;
    assign message = message_out;
  end else begin : g_wide
    logic half_q;
    logic [63:0] lower_q;
    assign half = !half_q && !message_out.last;
    assign message = '{
            valid: message_out.valid && !half,
            data: half_q ? {message_out.data, lower_q} : 128'(message_out.data),
            bytes: 5'(message_out.bytes) + (half_q ? 5'd8 : 5'd0),
            last: message_out.last
        };
    always_ff @(posedge core_clk) begin
      if (message_out.valid && message_out_ready) begin
        half_q  <= half;
        lower_q <= message_out.data;
      end
      if (rst_core || order.wipe) half_q <= 1'b0;
    end
  end

  assign sealed_ready = !message_turn_q && fifo_ready;
  assign message_out_ready = message_turn_q && (fifo_ready || half);
  assign beat = message_turn_q ? message : sealed;
  assign wrote = beat.valid && fifo_ready;

  always_ff @(posedge core_clk) begin
    if (wrote) inside_q <= !beat.last;
    // Behind a message it is the turn of a sealed packet, which may be there.
    if (wrote ? beat.last : !inside_q && !beat.valid) message_turn_q <= message_out.valid && !(wrote && message_turn_q);
    if (rst_core || order.wipe) begin
      inside_q       <= 1'b0;
      message_turn_q <= 1'b0;
    end
  end

  packet_fifo_async #(
      .DATA_BITS(8 * BYTES),
      .DEPTH(BUILD.fifo_bytes / BYTES),
      .LATE(BUILD.slices)
  ) u_fifo_enc (
      .s_clk(core_clk),
      .s_rst(rst_core),
      .s_valid(beat.valid),
      .s_ready(fifo_ready),
      .s_data(beat.data),
      .s_bytes(beat.bytes),
      .s_last(beat.last),
      .s_commit(wrote && beat.last),
      .s_discard(order.wipe),
      .m_clk(untrusted_clk),
      .m_rst(rst_untrusted),
      .m_valid(ctxt.valid),
      .m_ready(ctxt_ready),
      .m_data(ctxt.data),
      .m_bytes(ctxt.bytes),
      .m_last(ctxt.last)
  );

  wire unused = &{1'b0, order};
endmodule
