// SPDX-License-Identifier: Apache-2.0
//
// Takes the outer Ethernet header (dst 6, src 6, EtherType 2) off frames and re-aligns what follows to byte 0.
// A frame of another EtherType is swallowed (`foreign`), as is one that ends within 16 bytes (`runt`: no link packet
// fits) and one that is damaged in there (`damaged`). Addresses are not authenticated and filtering by them is the MAC's work, so
// of them only whether the source is the peer's is told. Every source is that of a peer whose address is a group's, as broadcast.
// One beat a cycle, and with arriving_ready constantly 1 framed_ready is constantly 1: the packet's last beat, if it needs one more
// cycle than its frame, goes out while the next frame's header comes in.

module outer_strip
  import link_types_pkg::*;
#(
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic      untrusted_clk,
    input  logic      rst_untrusted,
    input  settings_t settings,
    input  beat_t     framed,
    input  logic      framed_bad,      // at its last beat: the frame is damaged
    output logic      framed_ready,
    output beat_t     arriving,
    output logic      arriving_bad,    // at its last beat
    output logic      arriving_known,  // at its first beat: it comes from the peer's address
    input  logic      arriving_ready,
    output logic      foreign,         // pulse: a frame of another EtherType ended
    output logic      runt,            // pulse: a frame without room for a link packet ended
    output logic      damaged          // pulse: a damaged frame ended of which no packet arrives
);
  localparam int unsigned BITS = $bits(framed.data);
  localparam int unsigned MOVED = 112 % BITS;  // bits by which the packet moves down
  typedef logic [$clog2(BITS/8):0] bytes_t;
  localparam bytes_t FULL = bytes_t'(BITS / 8);
  localparam bytes_t JOINS = bytes_t'(MOVED / 8);  // bytes in a beat with two before them

  typedef enum logic [1:0] {
    S_FIRST,   // with beats of 64 bits: dst and half of src
    S_SECOND,  // rest of the header, two bytes of the packet
    S_BODY,
    S_FOREIGN
  } state_e;

  localparam state_e START = MOVED == 112 ? S_SECOND : S_FIRST;
  state_e state_q;
  logic [15:0] rest_q;  // the two bytes in front of the next beat
  logic tail_valid_q;  // one more beat of the ended packet waits
  logic [15:0] tail_q;
  bytes_t tail_bytes_q;
  logic ours, take, fits, ends, tail_bad_q, same_q;

  assign ours = framed.bytes < JOINS || link_pkg::swap16(framed.data[MOVED-1-:16]) == link_pkg::ETHERTYPE;
  assign fits = framed.bytes <= JOINS;  // the last beat and the two bytes before it make one beat

  assign framed_ready = !rst_untrusted && (arriving_ready || (state_q != S_BODY && !tail_valid_q));
  assign take = framed.valid && framed_ready;
  assign ends = take && framed.last && state_q != S_BODY;  // without a packet
  assign damaged = ends && framed_bad;
  assign foreign = ends && !framed_bad && (state_q == S_FOREIGN || (state_q == S_SECOND && !ours));
  assign runt = ends && !framed_bad && (state_q == S_FIRST || (state_q == S_SECOND && ours));

  // The tail always finds the way free: the next body is a header away, which waits for it.
  always_comb begin
    arriving.valid = framed.valid && !rst_untrusted && state_q == S_BODY;
    arriving.data  = {framed.data[MOVED-1:0], rest_q};
    arriving.last  = framed.last && fits;
    arriving_bad   = framed_bad;
    arriving.bytes = arriving.last ? framed.bytes + (FULL - JOINS) : FULL;
    if (tail_valid_q) begin
      arriving.valid = 1'b1;
      arriving.data  = BITS'(tail_q);
      arriving.last  = 1'b1;
      arriving.bytes = tail_bytes_q;
      arriving_bad   = tail_bad_q;
    end
  end

  // Of beats of 64 bits the first one has two bytes of the source, the second one the rest; what is made of other beats is not
  // looked at.
  localparam int unsigned HERE = START == S_FIRST ? 32 : 48;  // bits of the source in the beat with the EtherType
  always_ff @(posedge untrusted_clk)
    if (take) begin
      same_q <= framed.data[BITS-1-:16] == settings.peer_mac[15:0];
      arriving_known <= ((same_q || HERE == 48) && framed.data[MOVED-17-:HERE] == settings.peer_mac[47-:HERE]) ||
          settings.peer_mac[0];
    end

  always_ff @(posedge untrusted_clk) begin
    if (arriving_ready) tail_valid_q <= 1'b0;
    if (take) begin
      rest_q <= framed.data[BITS-1-:16];
      unique case (state_q)
        S_FIRST:   if (!framed.last) state_q <= S_SECOND;
        S_SECOND: begin
          if (framed.last) state_q <= START;
          else state_q <= ours ? S_BODY : S_FOREIGN;
        end
        S_BODY: begin
          if (framed.last) begin
            state_q      <= START;
            tail_valid_q <= !fits;
            tail_q       <= framed.data[BITS-1-:16];
            tail_bytes_q <= framed.bytes - JOINS;
            tail_bad_q   <= framed_bad;
          end
        end
        S_FOREIGN: if (framed.last) state_q <= START;
        default:   state_q <= START;
      endcase
    end
    if (rst_untrusted) begin
      state_q      <= START;
      tail_valid_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, settings};
endmodule
