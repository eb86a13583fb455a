// SPDX-License-Identifier: Apache-2.0
// Minalpher data path: all registers that hold secrets, but those of the permutation (docs/cores/minalpher.md,
// "Structure"). Blocks of output wait in PLACES places; each place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge.
// Security: no data-dependent control; all bytes of tag, padding and filling are compared; `clear` zeroises everything.
module minalpher_datapath
  import minalpher_pkg::*, minalpher_mask_pkg::*;
#(
    parameter int unsigned PLACES = 3  // of output
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,
    input logic      opening,

    input logic         key_take,    // key register <= key
    input logic [127:0] key,
    input logic         nonce_take,  // nonce register <= nonce
    input logic [103:0] nonce,

    input logic [255:0] in_block,  // that of the collector
    input logic [ 31:0] in_mask,   // its bytes that are of the string

    output logic   [255:0] block,    // to the permutation
    output token_t         token,
    input  logic           p_done,
    input  token_t         p_token,
    input  logic   [255:0] p_result,

    input  logic              text_made,  // place 0 is the message's last block
    input  logic              tag_made,   // place 0 begins with T
    input  logic [PLACES-1:1] move,       // place <= the one before it
    output logic [     255:0] out_block,  // last place; padded

    input  logic         tag_take,  // tag register <= expected tag
    input  logic [383:0] tag_in,
    output logic [383:0] tag,
    output logic         authentic  // opening, after tag_made: padding, filling and tag are right
);

  logic [127:0] key_q;
  logic [103:0] nonce_q;
  logic [255:0] mask_q, sum_q, cache_q, chained_q, chained_beside_q;
  logic [PLACES-1:0][255:0] place_q;
  // The tag as the ports have it; and turned by the bytes of the message in its last block: what the block has of
  // zeros, the rest of the block's ciphertext, T.
  logic [TAG_BYTES-1:0][7:0] tag_q;
  logic [31:0] text_q;  // bytes of the message's last block that are message; of a block that is not it all
  logic [TAG_BYTES-1:0] right_q;  // bytes of filling, padding and T that are as they ought to be

  logic [255:0] masked_y, beside_y, made, joined, source, u;
  logic [31:0][7:0] newest;  // place 0
  logic [31:0] padding_start;  // the byte 80
  logic sum_done;  // a term of the sum has come
  logic unused;
  assign unused = &{1'b0, p_token};

  assign masked_y = times_y(mask_q);
  assign beside_y = times_y(p_token.beside);
  assign made = p_result ^ p_token.beside;
  assign sum_done = p_done && p_token.summed;
  assign newest = place_q[0];
  assign out_block = place_q[PLACES-1];
  assign tag = tag_q;
  assign authentic = &right_q;
  assign padding_start = ~text_q & {text_q[30:0], 1'b1};

  // A last block that is opened comes from two sides.
  always_comb begin
    for (int unsigned i = 0; i < BLOCK_BYTES; i++) begin
      joined[8*i+:8] = text_q[i] ? in_block[8*i+:8] : tag_q[i];
    end
    joined[7] ^= ctl.pad;
  end

  always_comb begin
    unique case (ctl.source)
      X_BLOCK: source = joined;
      X_SUM:   source = sum_q;
      default: source = '0;
    endcase
    block        = ctl.source == X_CHAINED ? chained_q : source ^ mask_q;
    token.call   = ctl.call;
    token.out    = ctl.out;
    token.silent = ctl.silent;
    token.summed = ctl.summed;
    token.beside = ctl.source == X_CHAINED ? chained_beside_q : mask_q;
  end

  // Key, flag and nonce
  always_comb begin
    u = '0;
    u[127:0] = key_q;
    if (ctl.mask == M_TEXT) begin
      u[135:128] = FLAG_TEXT;
      u[255:152] = nonce_q;
    end
  end

  always_ff @(posedge clk) begin
    if (key_take) key_q <= key;
    if (nonce_take) nonce_q <= nonce;

    unique case (ctl.mask)
      M_AD, M_TEXT: mask_q <= u;
      M_Y:          mask_q <= masked_y;
      M_Y_PLUS_1:   mask_q <= masked_y ^ mask_q;
      default:      if (p_done && p_token.call == CALL_MASK) mask_q <= made;
    endcase

    if (p_done && p_token.call == CALL_TEXT) begin
      chained_q        <= made ^ beside_y;
      chained_beside_q <= beside_y;
    end

    sum_q <= (ctl.sum_restore ? cache_q : sum_q) ^ (joined & {256{ctl.sum_block}}) ^ (made & {256{sum_done}});
    if (ctl.sum_clear) sum_q <= '0;
    if (ctl.cache_load) cache_q <= sum_q;

    for (int i = int'(PLACES) - 1; i > 0; i--) if (move[i]) place_q[i] <= place_q[i-1];
    if (p_done && (p_token.call == CALL_TEXT || p_token.call == CALL_LAST || p_token.call == CALL_TAG)) begin
      place_q[0] <= made;
    end

    if (ctl.text_keep) text_q <= in_mask;

    if (tag_take) tag_q <= tag_in;
    else if (ctl.turn) tag_q <= {tag_q[0], tag_q[TAG_BYTES-1:1]};
    for (int unsigned i = 0; i < BLOCK_BYTES; i++) begin
      if (text_made && !opening && !text_q[i]) tag_q[i] <= newest[i];
      if (text_made) right_q[i] <= (text_q[i] ? tag_q[i] : newest[i] ^ {padding_start[i], 7'd0}) == '0;
    end
    for (int unsigned i = 0; i < T_BYTES; i++) begin
      if (tag_made && !opening) tag_q[BLOCK_BYTES+i] <= newest[i];
      if (tag_made) right_q[BLOCK_BYTES+i] <= tag_q[BLOCK_BYTES+i] == newest[i];
    end
    if (ctl.tag_clear) begin  // no call is at work then
      place_q[0] <= '0;
      text_q     <= '1;
      tag_q      <= '0;
      right_q    <= '0;
    end

    if (clear) begin
      key_q            <= '0;
      nonce_q          <= '0;
      mask_q           <= '0;
      sum_q            <= '0;
      cache_q          <= '0;
      chained_q        <= '0;
      chained_beside_q <= '0;
      place_q          <= '0;
      text_q           <= '0;
      tag_q            <= '0;
      right_q          <= '0;
    end
  end

endmodule
