// SPDX-License-Identifier: Apache-2.0
//
// Which keep-alive is due: the responder's answer to a new session's first packet, the initiator's probe of `alt` (with every
// confirm; in a loaded session now and every 250 ms until it is heard), and one in `cur` after 250 ms without a sealed packet.
// Specification: docs/wire-format.md, "Handshake" and "Sessions".

module keepalives
  import link_types_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        wipe,
    input  logic        initiator,
    input  logic        loaded,     // sessions are loaded, no handshake
    input  logic        cur,        // slot of the current session
    input  slot_t [1:0] slots,
    input  logic        promoted,   // pulses
    input  logic        probe,
    output logic        valid,      // level: seal one in `slot`
    output logic        slot,
    input  logic        ready
);
  logic answer_q, probe_q;
  logic answer, probing, idle;

  assign answer = answer_q && slots[cur].sealable;
  assign probing = slots[!cur].sealable && !slots[!cur].heard &&
      (probe_q || (loaded && initiator && (slots[!cur].quiet || slots[!cur].sent == '0)));
  assign idle = slots[cur].quiet && slots[cur].sealable;

  assign valid = answer || probing || idle;
  assign slot = (!answer && probing) ? !cur : cur;

  always_ff @(posedge clk) begin
    if (valid && ready) begin
      if (slot == cur) answer_q <= 1'b0;
      else probe_q <= 1'b0;
    end
    if (probe) probe_q <= 1'b1;
    if (promoted) begin
      probe_q  <= 1'b0;
      answer_q <= !initiator;
    end
    if (rst || wipe) begin
      answer_q <= 1'b0;
      probe_q  <= 1'b0;
    end
  end

  wire unused = &{1'b0, slots};
endmodule
