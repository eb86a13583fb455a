// SPDX-License-Identifier: Apache-2.0
//
// Tells the trusted exit to drain fifo_dec after a wipe, however long that side stalls and whatever the two clocks are:
// request and answer in four phases. Nothing enters fifo_dec before the answer has fallen, so only what waited there at the
// wipe is drained, and nothing of a later session. A wipe that begins while the answer to the one before falls asks for nothing
// until it has fallen: nothing has entered since.

module link_flush (
    input  logic core_clk,
    input  logic core_rst,
    input  logic wipe,         // level; a request as long as it lasts and until it was seen
    output logic closed,       // core: hand nothing to fifo_dec
    input  logic trusted_clk,
    output logic flush,        // trusted: drain
    input  logic flushing      // trusted: still draining
);
  logic request_q, answer;

  assign closed = wipe || request_q || answer;

  always_ff @(posedge core_clk) begin
    if (wipe && (request_q || !answer)) request_q <= 1'b1;
    else if (answer) request_q <= 1'b0;
    if (core_rst) request_q <= 1'b0;
  end

  sync_bits u_request (
      .clk(trusted_clk),
      .d  (request_q),
      .q  (flush)
  );
  sync_bits u_answer (
      .clk(core_clk),
      .d  (flushing),
      .q  (answer)
  );
endmodule
