// SPDX-License-Identifier: Apache-2.0
//
// Puts the outer Ethernet header (dst 6, src 6, EtherType 88 B5) before link packets and re-aligns them behind it.
// One beat a cycle; a packet of p bytes (at least 3) takes ceil((p + 14) / 8) cycles. The shortest link packet makes 63 bytes, so
// the header leaves nothing for the MAC to pad.

module outer_add
  import link_types_pkg::*;
(
    input  logic      untrusted_clk,
    input  logic      rst_untrusted,
    input  settings_t settings,
    input  beat_t     leaving,
    output logic      leaving_ready,
    output beat_t     framed,
    input  logic      framed_ready
);
  typedef enum logic [1:0] {
    S_FIRST,   // dst and half of src
    S_SECOND,  // rest of src, EtherType, two bytes of the packet
    S_BODY,
    S_TAIL     // the packet's last bytes
  } state_e;

  state_e state_q;
  logic [47:0] rest_q;  // six bytes of the last beat taken
  logic [3:0] rest_bytes_q;
  logic fits;

  assign fits = leaving.bytes <= 4'd2;  // the last beat ends in the beat that its first two bytes complete

  always_comb begin
    framed.valid  = leaving.valid;
    leaving_ready = framed_ready;
    framed.data   = {leaving.data[15:0], rest_q};
    framed.bytes  = 4'd8;
    framed.last   = 1'b0;
    unique case (state_q)
      S_FIRST: begin
        framed.data   = {settings.local_mac[15:0], settings.peer_mac};
        leaving_ready = 1'b0;
      end
      S_SECOND: framed.data = {leaving.data[15:0], link_pkg::swap16(link_pkg::ETHERTYPE), settings.local_mac[47:16]};
      S_BODY: begin
        framed.last  = leaving.last && fits;
        framed.bytes = framed.last ? leaving.bytes + 4'd6 : 4'd8;
      end
      S_TAIL: begin
        framed.valid  = 1'b1;
        leaving_ready = 1'b0;
        framed.data   = {16'd0, rest_q};
        framed.bytes  = rest_bytes_q;
        framed.last   = 1'b1;
      end
      default:  framed.valid = 1'b0;
    endcase
    if (rst_untrusted) begin
      framed.valid  = 1'b0;
      leaving_ready = 1'b0;
    end
  end

  always_ff @(posedge untrusted_clk) begin
    if (framed.valid && framed_ready) begin
      rest_q       <= leaving.data[63:16];
      rest_bytes_q <= leaving.bytes - 4'd2;
      unique case (state_q)
        S_FIRST:  state_q <= S_SECOND;
        S_SECOND: state_q <= leaving.last ? S_TAIL : S_BODY;
        S_BODY:   if (leaving.last) state_q <= fits ? S_FIRST : S_TAIL;
        S_TAIL:   state_q <= S_FIRST;
        default:  state_q <= S_FIRST;
      endcase
    end
    if (rst_untrusted) state_q <= S_FIRST;
  end

  wire unused = &{1'b0, settings};
endmodule
