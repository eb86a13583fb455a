// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: takes the beats of one string (associated data or message), a beat is a block, and pads the last
// one with 10*, the empty string too. Keeps a chunk's first block until the second one stands.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: a block shows two edges after its beat was taken; one a cycle. The chunk's blocks follow one edge later.
// Security: lengths are public; says what is not a legal beat (`bad`).
module otr_pipe_intake (
    input logic clk,
    input logic clear,

    input logic start_ad,   // pulse: begin the associated data
    input logic start_msg,  // pulse: begin the message
    input logic stop,       // pulse: give up, forget what was taken

    input  logic         ad_valid,
    output logic         ad_ready,
    input  logic [127:0] ad_data,
    input  logic [  4:0] ad_bytes,
    input  logic         ad_last,
    input  logic         msg_valid,
    output logic         msg_ready,
    input  logic [127:0] msg_data,
    input  logic [  4:0] msg_bytes,
    input  logic         msg_last,

    output logic         valid,  // a block stands below
    input  logic         take,   // and goes with this edge
    output logic [127:0] block,  // padded
    output logic [ 15:0] text,   // its bytes that are not padding
    output logic [  4:0] bytes,
    output logic         last,
    output logic         empty,  // the string is empty
    output logic         bad,    // an illegal beat

    input  logic         hold,         // with `take`: it is the first block of a chunk of two
    output logic [127:0] chunk_first,  // the one held, in the cycle before
    output logic [127:0] chunk_second  // `block`, in the cycle before
);

  // What was taken, as it came
  logic open_ad_q, open_msg_q, is_ad_q, first_q;
  logic raw_valid_q, raw_last_q, raw_first_q;
  logic [127:0] raw_q;
  logic [  4:0] raw_bytes_q;
  logic [127:0] held_q;

  logic raw_free, block_free, ad_taken, msg_taken;
  assign block_free = !valid || take;
  assign raw_free   = !raw_valid_q || block_free;
  assign ad_ready   = open_ad_q && raw_free;
  assign msg_ready  = open_msg_q && raw_free;
  assign ad_taken   = ad_valid && ad_ready;
  assign msg_taken  = msg_valid && msg_ready;

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
      raw_q       <= is_ad_q ? ad_data : msg_data;
      raw_bytes_q <= is_ad_q ? ad_bytes : msg_bytes;
      raw_last_q  <= is_ad_q ? ad_last : msg_last;
      raw_first_q <= first_q;
    end
    if (ad_taken || msg_taken) first_q <= 1'b0;
    if (ad_taken && ad_last) open_ad_q <= 1'b0;
    if (msg_taken && msg_last) open_msg_q <= 1'b0;

    if (block_free) begin
      valid <= raw_valid_q;
      block <= padded;
      text  <= is_text;
      bytes <= raw_bytes_q;
      last  <= raw_last_q;
      empty <= empty_string;
      bad   <= !full_beat && !empty_string && !(raw_last_q && raw_bytes_q != '0 && raw_bytes_q < 5'd16);
    end

    if (hold) held_q <= block;
    chunk_first  <= held_q;
    chunk_second <= block;

    if (start_ad || start_msg) begin
      open_ad_q  <= start_ad;
      open_msg_q <= start_msg;
      is_ad_q    <= start_ad;
      first_q    <= 1'b1;
    end
    if (clear || stop) begin
      open_ad_q   <= 1'b0;
      open_msg_q  <= 1'b0;
      raw_valid_q <= 1'b0;
      valid       <= 1'b0;
    end
    if (clear) begin
      chunk_first  <= '0;
      chunk_second <= '0;
      is_ad_q      <= 1'b0;
      first_q      <= 1'b0;
      raw_q        <= '0;
      raw_bytes_q  <= '0;
      raw_last_q   <= 1'b0;
      raw_first_q  <= 1'b0;
      block        <= '0;
      text         <= '0;
      bytes        <= '0;
      last         <= 1'b0;
      empty        <= 1'b0;
      bad          <= 1'b0;
      held_q       <= '0;
    end
  end

endmodule
