// SPDX-License-Identifier: Apache-2.0
//
// Which keep-alive is due: the responder's answer to a new session's first packet, the initiator's knock in `alt` (with every
// confirm; in a loaded session now and every 250 ms until it is heard), and one in `cur` after 250 ms without a sealed packet.
// Specification: docs/wire-format.md, "Handshake" and "Sessions".

module keepalives (
    input  logic       clk,
    input  logic       rst,
    input  logic       wipe,
    input  logic       initiator,
    input  logic       loaded,     // sessions are loaded, no handshake
    input  logic       cur,        // place of the current session
    input  logic [1:0] sealable,
    input  logic [1:0] heard,
    input  logic [1:0] quiet,      // nothing sealed for 250 ms
    input  logic [1:0] fresh,      // nothing sealed at all
    input  logic       promoted,   // pulses
    input  logic       knock,
    output logic       valid,      // level: seal one in `place`
    output logic       place,
    input  logic       ready
);
  logic answer_q, knock_q;
  logic answer, knocking, idle;

  assign answer = answer_q && sealable[cur];
  assign knocking = sealable[!cur] && !heard[!cur] &&
      (knock_q || (loaded && initiator && (quiet[!cur] || fresh[!cur])));
  assign idle = quiet[cur] && sealable[cur];

  assign valid = answer || knocking || idle;
  assign place = (!answer && knocking) ? !cur : cur;

  always_ff @(posedge clk) begin
    if (valid && ready) begin
      if (place == cur) answer_q <= 1'b0;
      else knock_q <= 1'b0;
    end
    if (knock) knock_q <= 1'b1;
    if (promoted) begin
      knock_q  <= 1'b0;
      answer_q <= !initiator;
    end
    if (rst || wipe) begin
      answer_q <= 1'b0;
      knock_q  <= 1'b0;
    end
  end
endmodule
