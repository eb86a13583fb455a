// SPDX-License-Identifier: Apache-2.0
//
// Where handshake messages wait for judgement: four places for those from the peer's address, which are judged first, and four
// for all others. So strangers, however many, take no place from the peer. A message has eight beats and goes whole or not at all.

module message_queue
  import link_types_pkg::*;
(
    input  logic  untrusted_clk,
    input  logic  rst_untrusted,
    input  logic  core_clk,
    input  logic  rst_core,
    input  beat_t message,          // untrusted_clk: written on trial until `commit`
    input  logic  known,            // level, through a message: it comes from the peer's address
    output logic  message_ready,
    input  logic  commit,           // with a message's last beat or later
    input  logic  discard,          // what was written since the last commit vanishes; wins
    output beat_t message_in,       // core_clk
    input  logic  message_in_ready
);
  localparam int unsigned PLACES = 4;  // of either kind
  localparam int unsigned PEER = 0;
  localparam int unsigned OTHERS = 1;

  beat_t [1:0] waiting;
  logic  [1:0] ready;
  logic others_q, offered_q, others;
  assign message_ready = ready[known?PEER : OTHERS];

  for (genvar i = 0; i < 2; i++) begin : g_queue
    packet_fifo_async #(
        .DEPTH(8 * PLACES)
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
        .m_ready(message_in_ready && others == (i == OTHERS)),
        .m_data(waiting[i].data),
        .m_bytes(waiting[i].bytes),
        .m_last(waiting[i].last)
    );
  end

  // What is offered stays on offer, to its end.
  assign others = offered_q ? others_q : !waiting[PEER].valid;
  assign message_in = waiting[others?OTHERS : PEER];
  always_ff @(posedge core_clk) begin
    others_q <= others;
    if (message_in.valid) offered_q <= !(message_in_ready && message_in.last);
    if (rst_core) offered_q <= 1'b0;
  end
endmodule
