// SPDX-License-Identifier: Apache-2.0
// Deoxys-I data path: all registers that hold secrets, but those of the cipher (docs/cores/deoxys.md).
// Blocks of output wait in PLACES places; each place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge.
// Security: no data-dependent control; `clear` zeroises everything.
module deoxysi_datapath
  import deoxysi_pkg::*;
#(
    parameter int unsigned PLACES = 3  // of output
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,

    input logic        nonce_take,  // nonce register <= nonce
    input logic [63:0] nonce,

    input logic [127:0] in_block,  // that of the collector
    input logic [ 15:0] in_mask,   // its bytes that are of the string

    output logic   [127:0] block,     // to the cipher
    output logic   [127:0] tweak,
    output token_t         token,
    input  logic           bc_done,
    input  token_t         bc_token,
    input  logic   [127:0] bc_result,

    input  logic              sum_made,   // sum <= sum + place 0
    input  logic [PLACES-1:1] move,       // place <= the one before it
    output logic [     127:0] out_block,  // last place; padded
    output logic [     127:0] tag         // place 0
);

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  logic [63:0] nonce_q;
  logic [127:0] sum_q, auth_q, cache_q;
  logic [PLACES-1:0][127:0] place_q;

  logic [127:0] made, counted;
  logic [63:0] nonce_number;
  logic [3:0] stage;
  logic unused;
  assign unused = &{1'b0, bc_token.out};

  assign made = (bc_result & spread(bc_token.text)) ^ bc_token.beside;
  assign out_block = place_q[PLACES-1];
  assign tag = place_q[0];

  // The tweak as a number: stage, nonce, number of the block; its most significant byte comes first.
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) nonce_number[8*i+:8] = nonce_q[8*(7-i)+:8] & {8{ctl.call != CALL_AD}};
    stage   = {1'b0, ctl.partial, ctl.call == CALL_AD, ctl.call == CALL_TAG};
    counted = {stage, nonce_number, 60'(ctl.number)};
    for (int unsigned i = 0; i < 16; i++) tweak[8*i+:8] = counted[8*(15-i)+:8];
  end

  always_comb begin
    unique case (ctl.source)
      X_BLOCK: block = in_block;
      X_SUM:   block = sum_q;
      default: block = '0;
    endcase
    unique case (ctl.beside)
      B_BLOCK: token.beside = in_block;
      B_AUTH:  token.beside = auth_q;
      default: token.beside = '0;
    endcase
    token.call = ctl.call;
    token.out  = ctl.out;
    token.text = ctl.text_masked ? in_mask : '1;
  end

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;

    if (ctl.auth_clear) auth_q <= '0;
    else if (ctl.auth_restore) auth_q <= cache_q;
    else if (bc_done && bc_token.call == CALL_AD) auth_q <= auth_q ^ bc_result;
    if (ctl.cache_load) cache_q <= auth_q;

    sum_q <= sum_q ^ (in_block & {128{ctl.sum_block}}) ^ (place_q[0] & {128{sum_made}});
    if (ctl.sum_clear) sum_q <= '0;

    for (int i = int'(PLACES) - 1; i > 0; i--) if (move[i]) place_q[i] <= place_q[i-1];
    if (bc_done && bc_token.call != CALL_AD) place_q[0] <= made;
    else if (ctl.tag_clear) place_q[0] <= '0;

    if (clear) begin
      nonce_q <= '0;
      sum_q   <= '0;
      auth_q  <= '0;
      cache_q <= '0;
      place_q <= '0;
    end
  end

endmodule
