// SPDX-License-Identifier: Apache-2.0
// Deoxys-II data path: all registers that hold secrets, but those of the cipher and the store (docs/cores/deoxys.md).
// Blocks of output wait in PLACES places; each place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge; `tag_equal` speaks of the registers a cycle ago.
// Security: no data-dependent control; compares all of a tag; `clear` zeroises everything.
module deoxysii_datapath
  import deoxysii_pkg::*;
#(
    parameter int unsigned PLACES = 3  // of output
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,

    input logic         nonce_take,  // nonce register <= nonce
    input logic [119:0] nonce,
    input logic         tag_take,    // tag register <= tag_in
    input logic [127:0] tag_in,
    input logic         opening,

    input logic [127:0] in_block,  // that of the collector
    input logic [ 15:0] in_mask,   // its bytes that are of the string

    output logic   [127:0] block,     // to the cipher
    output logic   [127:0] tweak,
    output token_t         token,
    input  logic           bc_done,
    input  token_t         bc_token,
    input  logic   [127:0] bc_result,

    input  logic [PLACES-1:1] move,       // place <= the one before it
    output logic [     127:0] out_block,  // last place; padded
    output logic [     127:0] tag,
    output logic              tag_equal   // the tag that was made is the one that came
);

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  // The last eight bytes of a tweak, which count with the most significant byte first
  function automatic logic [127:0] numbered(input logic [NUMBER_BITS-1:0] number);
    numbered = '0;
    for (int unsigned i = 0; i < NUMBER_BITS / 8; i++) numbered[8*(15-i)+:8] = number[8*i+:8];
  endfunction

  logic [119:0] nonce_q;
  logic [127:0] sum_q, cache_q;  // of the first pass; in opening then the tag that the strings make
  logic [127:0] iv_q;  // the tag as it begins the encryption: made in sealing, given in opening
  logic [PLACES-1:0][127:0] place_q;
  logic [15:0] equal_q;  // bytes

  logic [127:0] made;
  logic unused;
  assign unused = &{1'b0, bc_token.out};

  assign made = (bc_result & spread(bc_token.text)) ^ bc_token.beside;
  assign out_block = place_q[PLACES-1];
  assign tag = iv_q;
  assign tag_equal = &equal_q;

  always_comb begin
    unique case (ctl.call)
      CALL_TAG: begin
        block = sum_q;
        tweak = {nonce_q, 8'h10};
      end
      CALL_STREAM: begin
        block = {nonce_q, 8'h00};
        tweak = (iv_q | 128'h80) ^ numbered(ctl.number);
      end
      default: begin
        block = ctl.from_output ? out_block : in_block;
        tweak = numbered(ctl.number) | 128'({1'b0, ctl.partial, ctl.ad, 1'b0, 4'h0});
      end
    endcase
    token.call   = ctl.call;
    token.out    = ctl.out;
    token.text   = in_mask;
    token.beside = in_block;
  end

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;

    if (ctl.sum_restore) sum_q <= cache_q;
    else if (ctl.sum_clear) sum_q <= '0;
    else if (bc_done && bc_token.call == CALL_SUM) sum_q <= sum_q ^ bc_result;
    else if (bc_done && bc_token.call == CALL_TAG && opening) sum_q <= bc_result;
    if (ctl.cache_load) cache_q <= sum_q;

    if (ctl.iv_clear) iv_q <= '0;
    else if (tag_take) iv_q <= tag_in;
    else if (bc_done && bc_token.call == CALL_TAG && !opening) iv_q <= bc_result;
    for (int unsigned i = 0; i < 16; i++) equal_q[i] <= sum_q[8*i+:8] == iv_q[8*i+:8];

    for (int i = int'(PLACES) - 1; i > 0; i--) if (move[i]) place_q[i] <= place_q[i-1];
    if (bc_done && bc_token.call == CALL_STREAM) place_q[0] <= made;

    if (clear) begin
      nonce_q <= '0;
      sum_q   <= '0;
      cache_q <= '0;
      iv_q    <= '0;
      equal_q <= '0;
      place_q <= '0;
    end
  end

endmodule
