// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128, masked: one domain, that is one share of every secret that the key's secrecy hangs on
// (docs/cores/ascon-masked.md): the key, the state in the first and the last call, what both domains add up to the bare
// state, the computed tag. The bare state, IV and nonce come in domain 0; the other one is given zeros. Nothing here sees the
// other domain. `mask` and `random` are those of the other domain, too.
// Byte order: byte i of every string in bits [8i+7:8i], which is the little-endian order of the standard's words.
// Cycles: `x` is logic of the cycle; every register takes its order with the next edge.
// Security: no data-dependent control. `clear` zeroises every register.
module ascon_aead_masked_share
  import ascon_pkg::*, ascon_aead_masked_pkg::*;
(
    input logic clk,
    input logic clear,

    input logic         key_load,
    input logic [127:0] key,
    input logic         key_renew,  // the key takes up random bits
    input logic [127:0] random,

    input  state_t mask,   // not of random bits that the round takes for a state in work
    input  logic   last,   // of the last call, else of the first
    input  state_t plain,
    input  state_t y,      // behind the rounds
    output state_t x,      // in front of a call: plain state, key and mask

    input  logic           open,      // y is behind the first call
    input  logic           tag_load,  // or behind the last one
    input  logic           tag_drop,
    output state_t         opened,    // share of the bare state, for one cycle, else zero
    output logic   [127:0] computed   // share of the tag
);

  logic [127:0] key_q, end_words;

  assign end_words = sealed(y[4:3], key_q, mask[1:0]);

  assign x = entry(plain, key_q, last, mask);

  always_ff @(posedge clk) begin
    if (key_load || key_renew) key_q <= (key_load ? key : key_q) ^ random;
    opened <= {end_words, y[2:0]} & {320{open}};
    if (tag_load) computed <= end_words;
    if (tag_drop) computed <= '0;
    if (clear) begin
      key_q    <= '0;
      opened   <= '0;
      computed <= '0;
    end
  end

endmodule
