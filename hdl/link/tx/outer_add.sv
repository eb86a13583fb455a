// SPDX-License-Identifier: Apache-2.0
//
// Puts the outer Ethernet header (dst 6, src 6, EtherType 88 B5) before link packets and re-aligns them behind it.
// One beat a cycle; a packet of p bytes, more than a beat, takes as many as p + 14 bytes fill. The shortest link packet makes 47 or
// 63 bytes, so the header leaves nothing for the MAC to pad.

module outer_add
  import link_types_pkg::*;
#(
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic      untrusted_clk,
    input  logic      rst_untrusted,
    input  settings_t settings,
    input  beat_t     leaving,
    output logic      leaving_ready,
    output beat_t     framed,
    input  logic      framed_ready
);
  localparam int unsigned BITS = $bits(leaving.data);
  localparam int unsigned MOVED = 112 % BITS;  // bits by which the packet moves up
  typedef logic [$clog2(BITS/8):0] bytes_t;
  localparam bytes_t FULL = bytes_t'(BITS / 8);
  localparam bytes_t JOINS = bytes_t'((BITS - MOVED) / 8);  // bytes in a beat with others before them

  typedef enum logic [1:0] {
    S_FIRST,   // with beats of 64 bits: dst and half of src
    S_SECOND,  // rest of the header, two bytes of the packet
    S_BODY,
    S_TAIL     // the packet's last bytes
  } state_e;

  state_e state_q;
  localparam state_e START = MOVED == 112 ? S_SECOND : S_FIRST;
  logic [111:0] header;
  logic [MOVED-1:0] rest_q;  // all but two bytes of the last beat taken
  bytes_t rest_bytes_q;
  logic fits;

  assign header = {link_pkg::swap16(link_pkg::ETHERTYPE), settings.local_mac, settings.peer_mac};
  assign fits   = leaving.bytes <= JOINS;  // the last beat ends in the beat that its first two bytes complete

  always_comb begin
    framed.valid  = leaving.valid;
    leaving_ready = framed_ready;
    framed.data   = {leaving.data[BITS-MOVED-1:0], rest_q};
    framed.bytes  = FULL;
    framed.last   = 1'b0;
    unique case (state_q)
      S_FIRST: begin
        framed.data   = BITS'(header);
        leaving_ready = 1'b0;
      end
      S_SECOND: framed.data = {leaving.data[BITS-MOVED-1:0], header[111-:MOVED]};
      S_BODY: begin
        framed.last  = leaving.last && fits;
        framed.bytes = framed.last ? leaving.bytes + (FULL - JOINS) : FULL;
      end
      S_TAIL: begin
        framed.valid  = 1'b1;
        leaving_ready = 1'b0;
        framed.data   = BITS'(rest_q);
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
      rest_q       <= leaving.data[BITS-1-:MOVED];
      rest_bytes_q <= leaving.bytes - JOINS;
      unique case (state_q)
        S_FIRST:  state_q <= S_SECOND;
        S_SECOND: state_q <= leaving.last ? S_TAIL : S_BODY;
        S_BODY:   if (leaving.last) state_q <= fits ? START : S_TAIL;
        default:  state_q <= START;
      endcase
    end
    if (rst_untrusted) state_q <= START;
  end

  wire unused = &{1'b0, settings};
endmodule
