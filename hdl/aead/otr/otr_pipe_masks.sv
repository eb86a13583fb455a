// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: masks of the calls (specification, section 3; docs/cores/otr.md). A first call's A = 2^i L travels with
// the chunk to the second call. B = A + 2 A. F, the mask of a string's last call, is a sum of multiples of A; that of a message is kept
// for its packet.
// Byte order: byte i of a mask in bits [8i+7:8i].
// Cycles: `mask` one edge after the order; F stands for an order two cycles after that of the string's last block.
// Security: no data-dependent control; `clear` zeroises everything but what travels: hold it for DISTANCE + 2 and PACKETS cycles.
module otr_pipe_masks
  import aead_pipe_pkg::*, otr_pipe_pkg::*, gf128_pkg::*;
#(
    parameter int unsigned DISTANCE = 21  // cycles from a chunk's first call to its second
) (
    input logic clk,
    input logic clear,

    input logic    [127:0] ad_mask,       // A of the associated data: Q
    input logic            nonce_made,    // A of a packet's message
    input packet_t         nonce_packet,
    input logic    [127:0] nonce_mask,
    input logic            nonce_direct,  // and it is used next
    input call_t           call,
    input logic            second,        // a second call, in place of `call`
    input logic            second_b,      // its mask is B

    output logic [127:0] mask
);

  logic [127:0] ad_q, text_q, a, late, f, f_q, f_ad_q, f_text, loaded;
  logic [DISTANCE-1:0][127:0] a_q;  // goes with a call
  packet_t f_packet_q;
  logic f_new_q;
  logic unused;
  assign unused = &{1'b0, call};

  aead_pipe_bank u_a (
      .clk,
      .wipe  (clear),
      .w_en  (nonce_made),
      .w_addr(nonce_packet),
      .w_data(nonce_mask),
      .r_addr(call.token.packet),
      .r_data(loaded)
  );

  aead_pipe_bank u_f (
      .clk,
      .wipe  (clear),
      .w_en  (f_new_q),
      .w_addr(f_packet_q),
      .w_data(f_q),
      .r_addr(call.token.packet),
      .r_data(f_text)
  );

  assign a    = call.ad ? ad_q : text_q;
  assign late = a_q[DISTANCE-1];

  logic [127:0] a2, a4, a8;
  assign a2 = gf128_double(a);
  assign a4 = gf128_double(a2);
  assign a8 = gf128_double(a4);
  assign f = (a & {128{call.multiples[0]}}) ^ (a2 & {128{call.multiples[1]}}) ^ (a4 & {128{call.multiples[2]}}) ^
      (a8 & {128{call.multiples[3]}});

  always_ff @(posedge clk) begin
    a_q <= {a_q[DISTANCE-2:0], a};
    if (second) mask <= late ^ (gf128_double(late) & {128{second_b}});
    else begin
      mask <= (a & {128{call.mask_a}}) ^ (a2 & {128{call.mask_2a}}) ^
          ((call.ad ? f_ad_q : f_text) & {128{call.mask_f}});
    end

    if (call.next_a && call.ad) ad_q <= a2;
    if (call.next_a && !call.ad) text_q <= a2;
    if (call.begins) ad_q <= ad_mask;
    if (call.load_a) text_q <= loaded;
    if (nonce_direct) text_q <= nonce_mask;

    f_new_q    <= call.finish && !call.ad;
    f_packet_q <= call.token.packet;
    if (call.finish) f_q <= f;
    if (call.finish && call.ad) f_ad_q <= f;

    if (clear) begin
      a_q[0]     <= '0;
      mask       <= '0;
      ad_q       <= '0;
      text_q     <= '0;
      f_q        <= '0;
      f_ad_q     <= '0;
      f_new_q    <= 1'b0;
      f_packet_q <= '0;
    end
  end

endmodule
