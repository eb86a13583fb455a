// SPDX-License-Identifier: Apache-2.0
// Modes that take a block a cycle: takes the beats of one string (associated data or message), a beat is a block, and pads the
// last one with 10*, the empty string too. With PAIRS a message comes in chunks of two blocks: keeps the first one until the
// second one stands.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: a block shows two edges after its beat was taken; one a cycle. The chunk's blocks follow one edge later.
// Security: lengths are public; says what is not a legal beat (`bad`).
module aead_pipe_intake
  import aead_pkg::*, aead_pipe_pkg::*;
#(
    parameter bit PAIRS = 1'b1  // chunks of a message: two blocks, or one
) (
    input logic clk,
    input logic clear,

    input collect_t ctl,
    input logic     follows, // level: a message follows the associated data

    input  beat_t ad,
    output logic  ad_ready,
    input  beat_t msg,
    output logic  msg_ready,

    output chunk_t         chunk,  // a block of associated data, a chunk of the message
    output logic           is_ad,  // the former
    output logic   [ 15:0] text,   // bytes of the last block that are not padding
    output logic   [127:0] first,  // blocks of the chunk, in the cycle before: a message's first of two
    output logic   [127:0] second  // the last one
);

  // What was taken, as it came
  logic open_ad_q, open_msg_q, is_ad_q, first_q;
  logic raw_valid_q, raw_ad_q, raw_last_q, raw_first_q;
  logic [127:0] raw_q;
  logic [  4:0] raw_bytes_q;
  logic valid_q, last_q, empty_q, bad_q, held_valid_q;
  logic [4:0] bytes_q;
  logic [127:0] block_q, held_q;

  // The first block of a chunk of two waits for the second one.
  logic hold, take;
  assign hold = PAIRS && valid_q && !bad_q && !is_ad && !held_valid_q && !last_q;
  always_comb begin
    chunk            = '0;
    chunk.full       = valid_q && !hold;
    chunk.last       = last_q;
    chunk.two        = held_valid_q;
    chunk.partial    = !text[15];
    chunk.empty      = empty_q;
    chunk.bad        = valid_q && bad_q;
    chunk.last_bytes = 7'(bytes_q);
  end

  logic raw_free, block_free, ad_taken, msg_taken;
  assign take       = ctl.next || hold;
  assign block_free = !valid_q || take;
  assign raw_free   = !raw_valid_q || block_free;
  assign ad_ready   = open_ad_q && raw_free;
  assign msg_ready  = open_msg_q && raw_free;
  assign ad_taken   = ad.valid && ad_ready;
  assign msg_taken  = msg.valid && msg_ready;

  logic [127:0] padded;
  logic [ 15:0] is_text;
  logic full_beat, empty_string;
  assign full_beat = raw_bytes_q == 5'd16;
  assign empty_string = raw_bytes_q == '0 && raw_last_q && raw_first_q;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      is_text[i] = 5'(i) < raw_bytes_q;
      padded[8*i+:8] = is_text[i] ? raw_q[8*i+:8] : {5'(i) == raw_bytes_q, 7'b0};
    end
  end

  always_ff @(posedge clk) begin
    if (raw_free) begin
      raw_valid_q <= ad_taken || msg_taken;
      raw_q       <= is_ad_q ? ad.data : msg.data;
      raw_bytes_q <= is_ad_q ? ad.bytes : msg.bytes;
      raw_last_q  <= is_ad_q ? ad.last : msg.last;
      raw_ad_q    <= is_ad_q;
      raw_first_q <= first_q;
    end
    if (ad_taken || msg_taken) first_q <= 1'b0;
    if (ad_taken && ad.last) begin
      open_ad_q  <= 1'b0;
      open_msg_q <= follows;
      is_ad_q    <= !follows;
      first_q    <= follows;
    end
    if (msg_taken && msg.last) open_msg_q <= 1'b0;

    if (block_free) begin
      valid_q <= raw_valid_q;
      is_ad   <= raw_ad_q;
      block_q <= padded;
      text    <= is_text;
      bytes_q <= raw_bytes_q;
      last_q  <= raw_last_q;
      empty_q <= empty_string;
      bad_q   <= !full_beat && !empty_string && !(raw_last_q && raw_bytes_q != '0 && raw_bytes_q < 5'd16);
    end

    if (hold) held_q <= block_q;
    if (hold) held_valid_q <= 1'b1;
    else if (ctl.next) held_valid_q <= 1'b0;
    first  <= held_q;
    second <= block_q;

    if (ctl.start_ad || ctl.start_msg) begin
      open_ad_q  <= ctl.start_ad;
      open_msg_q <= ctl.start_msg;
      is_ad_q    <= ctl.start_ad;
      first_q    <= 1'b1;
    end
    if (clear || ctl.stop) begin
      open_ad_q    <= 1'b0;
      open_msg_q   <= 1'b0;
      raw_valid_q  <= 1'b0;
      valid_q      <= 1'b0;
      held_valid_q <= 1'b0;
    end
    if (clear) begin
      first       <= '0;
      second      <= '0;
      is_ad_q     <= 1'b0;
      first_q     <= 1'b0;
      raw_q       <= '0;
      raw_bytes_q <= '0;
      raw_last_q  <= 1'b0;
      raw_first_q <= 1'b0;
      block_q     <= '0;
      text        <= '0;
      bytes_q     <= '0;
      last_q      <= 1'b0;
      empty_q     <= 1'b0;
      bad_q       <= 1'b0;
      held_q      <= '0;
    end
  end

endmodule
