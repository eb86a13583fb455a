// SPDX-License-Identifier: Apache-2.0
// OCB data path: all registers that hold secrets, but those of AES (docs/cores/ocb.md, "Structure").
// Blocks of output wait in PLACES places; each place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge; the stretched Ktop is shifted in nine steps, whatever the nonce.
// Security: no data-dependent control but on the nonce, which is public; `clear` zeroises everything.
module ocb_datapath
  import ocb_pkg::*, gf128_pkg::*;
#(
    parameter int unsigned NONCE_BITS = 96,  // 96
    parameter int unsigned TAG_BITS = 128,  // 64, 96 or 128
    parameter int unsigned PLACES = 3  // of output
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,

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

    input  logic                sum_made,   // sum <= sum + place 0
    input  logic                shift,      // a step of the stretched Ktop on its way to its place: three each of
    input  logic [         1:0] unit,       // 0: 16 bits, 1: 4 bits, 2: 1 bit
    input  logic [         1:0] turn,       // 0 to 2
    input  logic [  PLACES-1:1] move,       // place <= the one before it
    output logic [       127:0] out_block,  // last place; padded
    output logic [TAG_BITS-1:0] tag         // place 0
);

  // The formatted nonce: tag length in the first seven bits, a one just before the nonce at the end
  localparam logic [127:0] NONCE_FRAME = (128'(TAG_BITS % 128) << 1) | (128'd1 << (8 * (15 - NONCE_BITS / 8)));

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  logic [NONCE_BITS-1:0] nonce_q;
  logic [127:0] input_q, offset_q, sum_q, star_q, l_q, ad_sum_q, cache_q;
  logic [191:0] stretch_q;
  logic [PLACES-1:0][127:0] place_q;
  logic inverse_q;
  token_t token_q;

  logic [127:0] nonce_block, source, term, beside, l_dollar, l_zero, made, top, result;
  logic [5:0] bottom;
  logic unused;
  assign unused = &{1'b0, stretch_q[63:0], aes_token.out};

  assign nonce_block = NONCE_FRAME | (128'(nonce_q) << (128 - NONCE_BITS));
  assign bottom = nonce_block[125:120];
  assign l_dollar = gf128_double(star_q);
  assign l_zero = gf128_double(l_dollar);
  assign result = aes_result;
  assign top = bytes128_reverse(result);
  assign made = (result & spread(aes_token.text)) ^ aes_token.beside;

  always_comb begin
    unique case (ctl.source)
      X_BLOCK: source = in_block;
      X_SUM:   source = sum_q;
      X_NONCE: source = nonce_block & ~(128'h3F << 120);
      default: source = '0;
    endcase
    unique case (ctl.beside)
      B_OFFSET: beside = offset_q;
      B_BLOCK:  beside = in_block;
      B_AD_SUM: beside = ad_sum_q;
      default:  beside = '0;
    endcase
    unique case (ctl.term)
      T_STAR: term = star_q;
      T_ZERO: term = l_zero;
      T_L: term = l_q;
      default: term = bytes128_reverse(stretch_q[191:64]);
    endcase
  end

  assign block = input_q;
  assign inverse = inverse_q;
  assign token = token_q;
  assign out_block = place_q[PLACES-1];
  assign tag = place_q[0][TAG_BITS-1:0];

  logic shifts;
  always_comb begin
    unique case (unit)
      2'd0: shifts = bottom[5:4] > turn;
      2'd1: shifts = bottom[3:2] > turn;
      default: shifts = bottom[1:0] > turn;
    endcase
  end

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;

    if (ctl.load) begin
      input_q        <= source ^ offset_q;
      inverse_q      <= ctl.inverse;
      token_q.call   <= ctl.call;
      token_q.out    <= ctl.out;
      token_q.text   <= ctl.text_masked ? in_mask : '1;
      token_q.beside <= beside;
    end
    if (ctl.step) offset_q <= offset_q ^ term;
    if (ctl.offset_clear) offset_q <= '0;
    if (ctl.l_load) l_q <= l_dollar;
    else if (ctl.l_double) l_q <= gf128_double(l_q);

    if (aes_done && aes_token.call == CALL_STAR) star_q <= result;
    if (aes_done && aes_token.call == CALL_TOP) begin
      stretch_q <= {top, top[127:64] ^ top[119:56]};
    end else if (shift && shifts) begin
      unique case (unit)
        2'd0: stretch_q <= stretch_q << 16;
        2'd1: stretch_q <= stretch_q << 4;
        default: stretch_q <= stretch_q << 1;
      endcase
    end

    if (ctl.ad_clear) ad_sum_q <= '0;
    else if (ctl.ad_restore) ad_sum_q <= cache_q;
    else if (aes_done && aes_token.call == CALL_AD) ad_sum_q <= ad_sum_q ^ result;
    if (ctl.cache_load) cache_q <= ad_sum_q;

    sum_q <= sum_q ^ (in_block & {128{ctl.sum_block}}) ^ (place_q[0] & {128{sum_made}});
    if (ctl.sum_clear) sum_q <= '0;

    for (int i = int'(PLACES) - 1; i > 0; i--) if (move[i]) place_q[i] <= place_q[i-1];
    if (aes_done && (aes_token.call == CALL_TEXT || aes_token.call == CALL_TAG)) place_q[0] <= made;
    else if (ctl.tag_clear) place_q[0] <= '0;

    if (clear) begin
      nonce_q   <= '0;
      input_q   <= '0;
      inverse_q <= 1'b0;
      token_q   <= token_t'(0);
      offset_q  <= '0;
      l_q       <= '0;
      star_q    <= '0;
      stretch_q <= '0;
      ad_sum_q  <= '0;
      cache_q   <= '0;
      sum_q     <= '0;
      place_q   <= '0;
    end
  end

endmodule
