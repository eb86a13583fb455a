// SPDX-License-Identifier: Apache-2.0
//
// Where handshake messages wait for judgement: four places for those from the peer's address, which are judged first, and four
// for all others. So strangers, however many, take no place from the peer. A message has eight words and goes whole or not at all.

module message_queue
  import link_types_pkg::*;
#(
    parameter bit LATE = 1'b0,  // of its FIFOs
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic          untrusted_clk,
    input  logic          rst_untrusted,
    input  logic          core_clk,
    input  logic          rst_core,
    input  beat_t         message,          // untrusted_clk: written on trial until `commit`
    input  logic          known,            // level, through a message: it comes from the peer's address
    output logic          message_ready,
    input  logic          commit,           // with a message's last beat or later
    input  logic          discard,          // what was written since the last commit vanishes; wins
    output message_beat_t message_in,       // core_clk
    input  logic          message_in_ready
);
  localparam int unsigned PLACES = 4;  // of either kind
  localparam int unsigned BITS = $bits(message.data);
  localparam int unsigned PEER = 0;
  localparam int unsigned OTHERS = 1;

  beat_t [1:0] waiting;
  beat_t offered;
  logic [1:0] ready;
  logic others_q, offered_q, others, taken;
  assign message_ready = ready[known?PEER : OTHERS];

  for (genvar i = 0; i < 2; i++) begin : g_queue
    packet_fifo_async #(
        .DATA_BITS(BITS),
        .DEPTH(8 * 64 / BITS * PLACES),
        .LATE(LATE)
    ) u_fifo (
        .s_clk(untrusted_clk),
        .s_rst(rst_untrusted),
        .s_valid(message.valid && known == (i == PEER)),
        .s_ready(ready[i]),
        .s_data(message.data),
        .s_bytes(message.bytes),
        .s_last(message.last),
        .s_commit(commit),
        .s_discard(discard),
        .m_clk(core_clk),
        .m_rst(rst_core),
        .m_valid(waiting[i].valid),
        .m_ready(taken && others == (i == OTHERS)),
        .m_data(waiting[i].data),
        .m_bytes(waiting[i].bytes),
        .m_last(waiting[i].last)
    );
  end

  // What is offered stays on offer, to its end.
  assign others  = offered_q ? others_q : !waiting[PEER].valid;
  assign offered = waiting[others?OTHERS : PEER];
  always_ff @(posedge core_clk) begin
    others_q <= others;
    if (offered.valid) offered_q <= !(taken && offered.last);
    if (rst_core) offered_q <= 1'b0;
  end

  if (BITS == 64) begin : g_same
    assign message_in = offered;
    assign taken = message_in_ready;
  end else begin : g_split
    beat_split u_split (
        .clk    (core_clk),
        .clear  (rst_core),
        .s_valid(offered.valid),
        .s_ready(taken),
        .s_data (offered.data),
        .s_bytes(offered.bytes),
        .s_last (offered.last),
        .m_valid(message_in.valid),
        .m_ready(message_in_ready),
        .m_data (message_in.data),
        .m_bytes(message_in.bytes),
        .m_last (message_in.last)
    );
  end
endmodule
