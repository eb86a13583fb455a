// SPDX-License-Identifier: Apache-2.0
// COLM data path: all registers that hold secrets, but those of AES (docs/cores/colm.md, "Structure").
// Blocks of output wait in PLACES places; each place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge; a first call's result stands in the chain one edge after it came.
// Security: no data-dependent control; all bytes of tag and padding are compared; `clear` zeroises everything.
module colm_datapath
  import colm_pkg::*, gf128_pkg::*;
#(
    parameter int unsigned NONCE_BITS = 64,  // 64
    parameter int unsigned PLACES = 3  // of output
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,
    input logic      opening,

    input logic nonce_take,  // nonce register <= nonce
    input logic [NONCE_BITS-1:0] nonce,

    input logic [127:0] in_block,  // that of the collector
    input logic [ 15:0] in_mask,   // its bytes that are of the string

    output logic   [127:0] block,      // to AES
    output logic           inverse,
    output token_t         token,
    input  logic           aes_done,
    input  token_t         aes_token,
    input  logic   [127:0] aes_result,

    input  logic              total_made,  // sum <= sum + place 0
    input  logic              text_made,   // place 0 is the message's last block
    input  logic              tag_made,    // place 0 is the block behind it
    input  logic [PLACES-1:1] move,        // place <= the one before it
    output logic [     127:0] out_block,   // last place

    input  logic         tag_take,  // tag register <= expected tag
    input  logic [127:0] tag_in,
    output logic [127:0] tag,
    output logic         authentic  // opening, after tag_made: padding and tag are right
);

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  logic [NONCE_BITS-1:0] nonce_q;
  logic [15:0] text_q;  // bytes of the message's last block that are message
  logic [127:0] input_q, l_q, mask_q, w_q, cache_q, total_q, chained_q, chained_beside_q, tag_q;
  logic [PLACES-1:0][127:0] place_q;
  logic [15:0] right_q;  // bytes of tag and padding that are as they ought to be
  logic inverse_q;
  token_t token_q;

  logic [15:0] padding_start;  // the byte 80
  logic [127:0] source, twice, fourfold, fivefold, made, result, w_twice, awaited;
  logic unused;
  assign unused = &{1'b0, aes_token};

  assign result = aes_result;
  assign twice = gf128_double(mask_q);
  assign fourfold = gf128_double(twice);
  assign fivefold = mask_q ^ fourfold;
  assign w_twice = gf128_double(w_q);
  // The last block of a message that is opened comes as the sum of all.
  assign made = result ^ aes_token.beside ^
      (total_q & {128{opening && aes_token.out.last && aes_token.call == CALL_SECOND}});

  always_comb begin
    unique case (ctl.source)
      X_NONCE:   source = 128'(nonce_q);
      X_BLOCK:   source = in_block;
      X_TOTAL:   source = total_q;
      X_BOTH:    source = in_block ^ total_q;
      X_JOINED:  source = (in_block & spread(in_mask)) | (tag_q & ~spread(in_mask));
      X_CHAINED: source = chained_q;
      default:   source = '0;
    endcase
  end

  assign padding_start = ~text_q & {text_q[14:0], 1'b1};

  // What place 0 is compared with: the padding behind the message, and the tag's bytes of the block behind the last
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      awaited[8*i+:8] = text_q[i] ? tag_q[8*i+:8] : {padding_start[i], 7'd0};
    end
  end

  assign block = input_q;
  assign inverse = inverse_q;
  assign token = token_q;
  assign out_block = place_q[PLACES-1];
  assign tag = tag_q;
  assign authentic = &right_q;

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;

    if (ctl.text_keep) text_q <= in_mask;

    if (ctl.load) begin
      if (ctl.source == X_CHAINED) input_q <= source;
      else input_q <= source ^ (ctl.inverse ? fivefold : mask_q);
      inverse_q      <= ctl.inverse;
      token_q.call   <= ctl.call;
      token_q.out    <= ctl.out;
      token_q.empty  <= ctl.empty;
      token_q.beside <= ctl.source == X_CHAINED ? chained_beside_q : ctl.inverse ? mask_q : fivefold;
    end
    unique case (ctl.mask)
      M_ZERO:      mask_q <= '0;
      M_ONE:       mask_q <= l_q;
      M_THREE:     mask_q <= l_q ^ gf128_double(l_q);
      M_TWICE:     mask_q <= twice;
      M_SEVENFOLD: mask_q <= mask_q ^ twice ^ fourfold;
      default:     ;
    endcase

    if (aes_done && aes_token.call == CALL_KEY) l_q <= result;

    if (aes_done && (aes_token.call == CALL_FIRST || aes_token.call == CALL_TAG_FIRST)) begin
      chained_q        <= result ^ w_q ^ w_twice;
      chained_beside_q <= aes_token.beside;
    end
    if (ctl.w_clear) w_q <= '0;
    else if (ctl.w_restore) w_q <= cache_q;
    else if (aes_done && aes_token.call == CALL_FIRST) w_q <= result ^ (opening ? w_q : w_twice);
    else if (aes_done && aes_token.call == CALL_START) w_q <= result ^ w_q;
    if (ctl.cache_load) cache_q <= w_q;

    total_q <= total_q ^ (in_block & {128{ctl.total_block}}) ^ (place_q[0] & {128{total_made}});
    if (ctl.total_clear) total_q <= '0;

    for (int i = int'(PLACES) - 1; i > 0; i--) if (move[i]) place_q[i] <= place_q[i-1];
    if (aes_done && (aes_token.call == CALL_SECOND || aes_token.call == CALL_TAG_SECOND)) place_q[0] <= made;
    else if (ctl.tag_clear) place_q[0] <= '0;

    if (tag_take) tag_q <= tag_in;
    else if (ctl.turn) tag_q <= {tag_q[7:0], tag_q[127:8]};
    for (int unsigned i = 0; i < 16; i++) begin
      if (!opening && (text_q[i] ? tag_made : text_made)) tag_q[8*i+:8] <= place_q[0][8*i+:8];
      if (text_q[i] ? tag_made : text_made) right_q[i] <= place_q[0][8*i+:8] == awaited[8*i+:8];
    end
    if (ctl.tag_clear) begin
      tag_q   <= '0;
      right_q <= '0;
    end

    if (clear) begin
      nonce_q          <= '0;
      text_q           <= '0;
      input_q          <= '0;
      inverse_q        <= 1'b0;
      token_q          <= token_t'(0);
      l_q              <= '0;
      mask_q           <= '0;
      w_q              <= '0;
      cache_q          <= '0;
      total_q          <= '0;
      chained_q        <= '0;
      chained_beside_q <= '0;
      place_q          <= '0;
      tag_q            <= '0;
      right_q          <= '0;
    end
  end

endmodule
