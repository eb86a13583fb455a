// SPDX-License-Identifier: Apache-2.0
// Data path of COLM and AES-COPA: all registers that hold secrets, but those of AES (docs/cores/colm.md, "Structure").
// The chain: a first call's result r goes on as r + a + b; the next chain is r + b in sealing and r + a in opening.
// With the chain w, a and b are w and 2 w in COLM, 0 and w in COPA.
// Blocks of output wait in PLACES places; each place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge; a first call's result stands in the chain one edge after it came.
// Security: no data-dependent control; `clear` zeroises everything.
module chained_datapath
  import chained_pkg::*, gf128_pkg::*;
#(
    parameter mode_e MODE = COLM,
    parameter int unsigned NONCE_BITS = 64,
    parameter int unsigned TAG_BITS = 128,
    parameter int unsigned PLACES = 3  // of output
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,
    input logic      opening,

    input logic                  nonce_take,  // nonce register <= nonce
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

    input  logic                tag_take,  // tag register <= expected tag
    input  logic [TAG_BITS-1:0] tag_in,
    output logic [TAG_BITS-1:0] tag,
    output logic                authentic  // opening, after tag_made: padding and tag are right
);

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  function automatic logic [127:0] masked(input mask_e factor, input logic [127:0] mask, input logic [127:0] l);
    logic [127:0] twice;
    twice = gf128_double(mask);
    unique case (factor)
      M_ONE:       return l;
      M_TWICE:     return twice;
      M_THRICE:    return mask ^ twice;
      M_SEVENFOLD: return mask ^ twice ^ gf128_double(twice);
      default:     return mask;
    endcase
  endfunction

  logic [127:0] input_q, l_q, mask_first_q, mask_second, chain_q, total_q, chained_q, chained_beside_q;
  logic [PLACES-1:0][127:0] place_q;
  logic inverse_q;
  token_t token_q;

  logic [127:0] source, made, result, term_opening, term_sealing, cached, started, first, closing, last_total;
  logic unused;
  assign unused = &{1'b0, aes_token};

  assign result = aes_result;
  assign term_opening = MODE == COLM ? chain_q : '0;
  assign term_sealing = MODE == COLM ? gf128_double(chain_q) : chain_q;
  // COLM's last block of a message that is opened comes as the sum of all.
  assign last_total = MODE == COLM && opening && aes_token.out.last && aes_token.call == CALL_SECOND ? total_q : '0;
  assign made = result ^ aes_token.beside ^ last_total;

  always_comb begin
    unique case (ctl.source)
      X_NONCE:   source = closing ^ started;
      X_BLOCK:   source = in_block;
      X_TOTAL:   source = total_q;
      X_BOTH:    source = in_block ^ total_q;
      X_JOINED:  source = (in_block & spread(in_mask)) | (first & ~spread(in_mask));
      X_CHAINED: source = chained_q;
      default:   source = '0;
    endcase
  end

  assign block = input_q;
  assign inverse = inverse_q;
  assign token = token_q;
  assign out_block = place_q[PLACES-1];

  always_ff @(posedge clk) begin
    if (ctl.load) begin
      if (ctl.source == X_CHAINED || ctl.source == X_ZERO) input_q <= source;
      else input_q <= source ^ (ctl.inverse ? mask_second : mask_first_q);
      inverse_q      <= ctl.inverse;
      token_q.call   <= ctl.call;
      token_q.out    <= ctl.out;
      token_q.empty  <= ctl.empty;
      token_q.beside <= ctl.source == X_CHAINED ? chained_beside_q : ctl.inverse ? mask_first_q : mask_second;
    end
    mask_first_q <= masked(ctl.mask_first, mask_first_q, l_q);

    if (aes_done && aes_token.call == CALL_KEY) l_q <= result;

    if (aes_done && (aes_token.call == CALL_FIRST || aes_token.call == CALL_TAG_FIRST)) begin
      chained_q        <= result ^ term_opening ^ term_sealing;
      chained_beside_q <= aes_token.beside;
    end
    if (aes_done && aes_token.call == CALL_FIRST) chain_q <= result ^ (opening ? term_opening : term_sealing);
    else if (aes_done && aes_token.call == CALL_START) chain_q <= result ^ chain_q;
    else if (MODE == COPA && aes_done && aes_token.call == CALL_NONCE) chain_q <= result ^ l_q;
    else if (MODE == COLM && ctl.chain_restore) chain_q <= cached;
    else if (ctl.chain_clear) chain_q <= '0;

    total_q <= total_q ^ (in_block & {128{ctl.total_block}}) ^ (place_q[0] & {128{total_made}});
    if (ctl.total_clear) total_q <= '0;

    for (int i = int'(PLACES) - 1; i > 0; i--) if (move[i]) place_q[i] <= place_q[i-1];
    if (aes_done && (aes_token.call == CALL_SECOND || aes_token.call == CALL_TAG_SECOND)) place_q[0] <= made;
    else if (ctl.tag_clear) place_q[0] <= '0;

    if (clear) begin
      input_q          <= '0;
      inverse_q        <= 1'b0;
      token_q          <= token_t'(0);
      l_q              <= '0;
      mask_first_q     <= '0;
      chain_q          <= '0;
      total_q          <= '0;
      chained_q        <= '0;
      chained_beside_q <= '0;
      place_q          <= '0;
    end
  end

  // COLM's second mask is 5 = 3 * 3 times L where the first is L, and both are multiplied alike.
  if (MODE == COLM) begin : gen_second_mask_wired
    assign mask_second = mask_first_q ^ gf128_double(gf128_double(mask_first_q));
  end else begin : gen_second_mask
    logic [127:0] mask_second_q;
    assign mask_second = mask_second_q;
    always_ff @(posedge clk) begin
      mask_second_q <= masked(ctl.mask_second, mask_second_q, l_q);
      if (clear) mask_second_q <= '0;
    end
  end

  // COLM's chain before the message is a sum, of which the part of the associated data may be cached; COPA's last call
  // before the message takes the sum.
  if (MODE == COLM) begin : gen_cache
    logic [127:0] cache_q;
    always_ff @(posedge clk) begin
      if (ctl.cache_load) cache_q <= chain_q;
      if (clear) cache_q <= '0;
    end
    assign cached  = cache_q;
    assign started = '0;
  end else begin : gen_no_cache
    assign cached  = '0;
    assign started = chain_q;
  end

  chained_tag #(
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS)
  ) u_tag (
      .restart(ctl.tag_clear),
      .turn(ctl.turn),
      .text_keep(ctl.text_keep),
      .text(in_mask),
      .made(place_q[0]),
      .*
  );

endmodule
