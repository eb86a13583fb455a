// SPDX-License-Identifier: Apache-2.0
// Data path of modes of the form of ThetaCB3 (docs/cores/thetacb.md): all registers that hold secrets, but those of the cipher.
// Blocks of output wait in PLACES places; each place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge.
// Security: no data-dependent control; `clear` zeroises everything.
module thetacb_datapath
  import thetacb_pkg::*;
#(
    parameter int unsigned NONCE_BITS = 64,
    parameter bit AD_CACHE = 1'b1,  // the sum over the associated data can be kept
    parameter bit SUM_PADDED = 1'b1,  // a short block joins the sum with its padding of 10*; 0: with zeros
    parameter int unsigned PLACES = 3  // of output
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,

    input  logic                  nonce_take,   // nonce register <= nonce
    input  logic [NONCE_BITS-1:0] nonce,
    output logic [NONCE_BITS-1:0] nonce_stands, // that of the command

    input logic [127:0] in_block,    // that of the collector
    input logic [ 15:0] in_mask,     // its bytes that are of the string
    input logic [127:0] short_block, // what stands for a short block of the message

    output logic   [127:0] block,         // to the cipher
    output token_t         token,
    input  logic           cipher_done,
    input  token_t         cipher_token,
    input  logic   [127:0] cipher_result,

    input  logic              sum_made,   // sum <= sum + place 0
    input  logic [PLACES-1:1] move,       // place <= the one before it
    output logic [     127:0] out_block,  // last place; bytes beyond the string may be padding
    output logic [     127:0] tag         // place 0
);

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  logic [NONCE_BITS-1:0] nonce_q;
  logic [127:0] sum_q, auth_q, cache;
  logic [PLACES-1:0][127:0] place_q;

  logic [127:0] text_block, made;
  logic unused;
  assign unused = &{1'b0, cipher_token.out, ctl.about};

  assign nonce_stands = nonce_q;
  assign text_block = SUM_PADDED ? in_block : in_block & spread(in_mask);
  assign made = (cipher_result & spread(cipher_token.text)) ^ cipher_token.beside;
  assign out_block = place_q[PLACES-1];
  assign tag = place_q[0];

  always_comb begin
    unique case (ctl.source)
      X_BLOCK: block = in_block;
      X_SUM:   block = sum_q;
      default: block = short_block;
    endcase
    unique case (ctl.beside)
      B_BLOCK: token.beside = text_block;
      B_AUTH:  token.beside = auth_q;
      default: token.beside = '0;
    endcase
    token.call = ctl.about.call;
    token.out  = ctl.out;
    token.text = ctl.text_masked ? in_mask : '1;
  end

  if (AD_CACHE) begin : gen_cache
    logic [127:0] cache_q;
    assign cache = cache_q;
    always_ff @(posedge clk) begin
      if (ctl.cache_load) cache_q <= auth_q;
      if (clear) cache_q <= '0;
    end
  end else begin : gen_no_cache
    logic unused_cache;
    assign unused_cache = ctl.cache_load;
    assign cache = '0;
  end

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;

    if (ctl.auth_clear) auth_q <= '0;
    else if (ctl.auth_restore) auth_q <= cache;
    else if (cipher_done && cipher_token.call == CALL_AD) auth_q <= auth_q ^ cipher_result;

    sum_q <= sum_q ^ (text_block & {128{ctl.sum_block}}) ^ (place_q[0] & {128{sum_made}});
    if (ctl.sum_clear) sum_q <= '0;

    for (int i = int'(PLACES) - 1; i > 0; i--) if (move[i]) place_q[i] <= place_q[i-1];
    if (cipher_done && cipher_token.call != CALL_AD) place_q[0] <= made;
    else if (ctl.tag_clear) place_q[0] <= '0;

    if (clear) begin
      nonce_q <= '0;
      sum_q   <= '0;
      auth_q  <= '0;
      place_q <= '0;
    end
  end

endmodule
