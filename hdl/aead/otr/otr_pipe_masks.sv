// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: masks of the calls (specification, section 3; docs/cores/otr.md). A first call's A = 2^i L travels with
// the chunk to the second call. B = A + 2 A. F, the mask of a string's last call, is a sum of multiples of A; that of a message is kept
// for its packet.
// Byte order: byte i of a mask in bits [8i+7:8i].
// Cycles: `mask` one edge after the order; F stands two edges after that of the string's last block, that of a message three.
// Security: no data-dependent control; `clear` zeroises everything but what travels: hold it for DISTANCE + 3 and PACKETS cycles.
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
    input packet_t         packet,        // at the strings
    input logic            load_a,        // A of the message <= that of this packet
    input call_t           call,
    input logic            second,        // a second call, in place of `call`
    input logic            second_b,      // its mask is B

    output logic [127:0] mask,    // A or B, zero for a call without
    output logic [127:0] f_text,  // F of the call's packet
    output logic [127:0] f_ad     // of the associated data
);

  logic [127:0] ad_q, text_q, a2, a4, a8, f, f_q, loaded;
  logic [DISTANCE-1:0][127:0] a_q;  // goes with a call
  logic use_a_q, use_2a_q, finish_text_q, finish_ad_q, with_a2_q, with_a4_q, with_a8_q;
  packet_t packet_q, f_packet_q;
  logic f_new_q;
  logic unused;
  assign unused = &{1'b0, call};

  aead_pipe_bank u_a (
      .clk,
      .wipe  (clear),
      .w_en  (nonce_made),
      .w_addr(nonce_packet),
      .w_data(nonce_mask),
      .r_addr(packet),
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

  assign a2   = gf128_double(a_q[0]);
  assign a4   = gf128_double(a2);
  assign a8   = gf128_double(a4);
  assign f    = a_q[0] ^ (a2 & {128{with_a2_q}}) ^ (a4 & {128{with_a4_q}}) ^ (a8 & {128{with_a8_q}});
  assign mask = (a_q[0] & {128{use_a_q}}) ^ (a2 & {128{use_2a_q}});

  always_ff @(posedge clk) begin
    a_q <= {
      a_q[DISTANCE-2:0], (a_q[DISTANCE-1] & {128{second}}) ^ (text_q & {128{call.a_text}}) ^ (ad_q & {128{call.a_ad}})
    };
    use_a_q <= second || call.with_a;
    use_2a_q <= second ? second_b : call.with_2a;

    if (load_a || call.next_text) text_q <= load_a ? loaded : gf128_double(text_q);
    if (call.begins || call.next_ad) ad_q <= call.begins ? ad_mask : gf128_double(ad_q);

    finish_text_q <= call.finish_text;
    finish_ad_q   <= call.finish_ad;
    with_a2_q     <= call.with_a2;
    with_a4_q     <= call.with_a4;
    with_a8_q     <= call.with_a8;
    packet_q      <= call.token.packet;

    f_q           <= f;
    f_new_q       <= finish_text_q;
    f_packet_q    <= packet_q;
    if (finish_ad_q) f_ad <= f;

    if (clear) begin
      ad_q    <= '0;
      text_q  <= '0;
      f_ad    <= '0;
      f_new_q <= 1'b0;
    end
  end

endmodule
