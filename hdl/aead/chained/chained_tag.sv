// SPDX-License-Identifier: Apache-2.0
// Tag of COLM and AES-COPA (docs/cores/colm.md, docs/cores/copa.md): what the designers' ciphertext has beyond the
// message's length. The first 16 bytes stand turned by the length of the last block while it is at work: what fills it
// up stands at its place, and the bytes of the block behind it at theirs. Of COPA's 33 bytes the second 16 stand turned
// alike: the rest of T at its place, then the byte P and zeros; P stands in the last byte if the message is empty.
// Before there is a tag, the first half holds the nonce, which COPA turns by the length of the last block of associated
// data.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge; a turn by one byte.
// Security: constant time; all bytes of tag and padding are compared; `clear` zeroises everything.
module chained_tag #(
    parameter int unsigned NONCE_BITS = 64,  // at most 128
    parameter int unsigned TAG_BITS   = 128  // COLM: 128; COPA: 264
) (
    input logic clk,
    input logic clear,
    input logic opening,

    input logic                  restart,     // no tag, and no short block
    input logic                  nonce_take,  // first half <= nonce
    input logic [NONCE_BITS-1:0] nonce,
    input logic                  tag_take,    // all <= expected tag
    input logic [  TAG_BITS-1:0] tag_in,
    input logic                  turn,        // each half <= itself, a byte further
    input logic                  text_keep,
    input logic [          15:0] text,        // bytes of the last block that are of the string

    input logic         text_made,  // made: the message's last block
    input logic         tag_made,   // made: the block behind it
    input logic [127:0] made,

    output logic [       127:0] first,     // half
    output logic [       127:0] closing,   // bytes of the first half at those of the last block, padded
    output logic [TAG_BITS-1:0] tag,
    output logic                authentic  // opening, after tag_made: padding and tag are right
);

  logic [15:0] text_q;
  logic [127:0] first_q;
  logic [15:0] right_q;  // bytes of padding and first half that are as they ought to be
  logic [15:0] padding_start;  // the byte 80
  logic second_right;

  assign padding_start = ~text_q & {text_q[14:0], 1'b1};
  assign first = first_q;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      closing[8*i+:8] = text_q[i] ? first_q[8*i+:8] : {padding_start[i], 7'd0};
    end
  end

  always_ff @(posedge clk) begin
    if (text_keep) text_q <= text;

    if (nonce_take) first_q <= 128'(nonce);
    else if (tag_take) first_q <= tag_in[127:0];
    else if (turn) first_q <= {first_q[7:0], first_q[127:8]};
    for (int unsigned i = 0; i < 16; i++) begin
      if (text_q[i] ? tag_made : text_made) begin
        right_q[i] <= made[8*i+:8] == closing[8*i+:8];
        if (!opening) first_q[8*i+:8] <= made[8*i+:8];
      end
    end
    if (restart) begin
      text_q  <= '1;
      right_q <= '0;
    end
    if (clear) begin
      text_q  <= '0;
      first_q <= '0;
      right_q <= '0;
    end
  end

  if (TAG_BITS > 128) begin : gen_second
    logic [127:0] second_q, second_due;
    logic [7:0] end_q, end_due;
    logic [16:0] second_right_q;  // bytes

    always_comb begin
      for (int unsigned i = 0; i < 16; i++) begin
        second_due[8*i+:8] = text_q[i] ? {7'd0, i == 0 && !text_q[15]} : made[8*i+:8];
      end
    end
    assign end_due = {7'd0, !text_q[0]};

    always_ff @(posedge clk) begin
      if (tag_take) {end_q, second_q} <= tag_in[TAG_BITS-1:128];
      else if (turn) second_q <= {second_q[7:0], second_q[127:8]};
      if (tag_made) begin
        for (int unsigned i = 0; i < 16; i++) second_right_q[i] <= second_q[8*i+:8] == second_due[8*i+:8];
        second_right_q[16] <= end_q == end_due;
        if (!opening) {end_q, second_q} <= {end_due, second_due};
      end
      if (restart || clear) {end_q, second_q, second_right_q} <= '0;
    end

    assign tag = {end_q, second_q, first_q};
    assign second_right = &second_right_q;
  end else begin : gen_first
    assign tag = first_q;
    assign second_right = 1'b1;
  end

  assign authentic = &right_q && second_right;

endmodule
