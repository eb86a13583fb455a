// SPDX-License-Identifier: Apache-2.0
// Shell of a mode that takes a block a cycle: front end, intake, length of the last block, and outlet, joined
// (docs/cores/front-end.md). The message comes from the port, or from a memory between port and mode.
// Byte order: byte i of every string in bits [8i+7:8i].
// Security: what `out` carries in opening is unverified until `result.ok`. `clear` wipes the outlet's memory: `wiping`.
module aead_pipe_shell
  import aead_pkg::*, aead_pipe_pkg::*;
#(
    parameter int unsigned TAG_BITS = 128,
    parameter int unsigned VERDICT = 2,  // as in aead_front
    parameter bit PAIRS = 1'b0,  // chunks of a message: two blocks, or one
    parameter int unsigned SLOTS = 64  // chunks that the outlet has room for
) (
    input logic clk,
    input logic clear,
    aead_if port,
    output logic wiping,

    input  status_t                status,
    input  event_t                 pulse,
    output front_t                 front,
    input  logic    [TAG_BITS-1:0] tag,

    input  logic             take_msg,   // the port's message is taken,
    input  beat_t            msg,        // which comes, at once or later, as this
    output logic             msg_ready,
    input  collect_t         collect,
    output chunk_t           chunk,
    output logic     [127:0] first,      // as in aead_pipe_intake
    output logic     [127:0] second,
    output logic     [ 15:0] last_text,  // bytes of the string in the message's last block

    input  logic  out_start,   // as in aead_pipe_outlet
    input  logic  out_empty,
    input  logic  out_begins,
    input  logic  out_swap,
    input  logic  out_cut,
    input  made_t made,
    output logic  out_room,
    output logic  out_idle
);

  logic take_ad, is_ad, sent;
  logic [15:0] text;
  logic [4:0] last_bytes;

  logic unused;
  assign unused = &{1'b0, is_ad, sent};

  aead_front #(
      .TAG_BITS(TAG_BITS),
      .VERDICT (VERDICT)
  ) u_front (
      .*
  );

  aead_pipe_intake #(
      .PAIRS(PAIRS)
  ) u_intake (
      .clk,
      .clear,
      .ctl(collect),
      .follows(1'b0),
      .ad('{port.ad.valid, port.ad.data, port.ad.bytes, port.ad.last}),
      .ad_ready(take_ad),
      .*
  );

  always_ff @(posedge clk) begin
    if (out_begins && chunk.last) begin
      last_text  <= text;
      last_bytes <= 5'(chunk.last_bytes);
    end
    if (clear) begin
      last_text  <= '0;
      last_bytes <= '0;
    end
  end

  aead_pipe_outlet #(
      .PAIRS(PAIRS),
      .SLOTS(SLOTS)
  ) u_outlet (
      .clk,
      .clear,
      .wiping,
      .start(out_start),
      .empty(front.end_empty || out_empty),
      .chunk_begins(out_begins),
      .room(out_room),
      .swap(out_swap),
      .last_bytes,
      .cut(out_cut),
      .made,
      .idle(out_idle),
      .sent,
      .out_valid(port.out.valid),
      .out_ready(port.out_ready),
      .out_data(port.out.data),
      .out_bytes(port.out.bytes),
      .out_last(port.out.last)
  );
  assign port.out.ctx = '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_begin_only_when_idle : assert (!(out_start || front.end_empty || out_empty) || out_idle);
    end
  end
`endif

endmodule
