// SPDX-License-Identifier: Apache-2.0
// AES-OTR, masked: one domain, that is one share of every secret of the mode (docs/cores/otr-masked.md): Q, the masks, the
// sum, TA and its cache, the computed tag, and of the block that goes to AES. The sum of both domains' shares is the value.
// Public blocks belong to domain 0; the other one is given zeros. Nothing here sees the other domain. Whatever goes to AES
// or comes from it takes up random bits, those of both domains being equal, so that no two values share a mask.
// Byte order: byte i of every string in bits [8i+7:8i]; a block goes and comes in halves, the lower one first.
// Cycles: every order acts on the next edge.
// Security: no data-dependent control. `clear` zeroises everything.
module otr_masked_share (
    input logic clk,
    input logic clear,

    input logic begins,      // a command begins: A <= Q, sum <= 0, TA <= 0 or cache
    input logic with_cache,
    input logic ends,        // it has been carried out: computed tag <= 0
    input logic cache_load,  // and cache <= TA
    input logic copy,        // of the masks

    input logic [63:0] random,  // that of the other domain; new in each cycle

    input logic mask_step,         // orders of the masks
    input logic mask_with_mask,
    input logic mask_with_first,
    input logic mask_with_second,
    input logic mask_next_first,
    input logic mask_next_second,

    input  logic        input_lower,  // half of the input of AES <= that of public block + mask + sum
    input  logic        input_upper,
    input  logic        input_mask,   // each if wanted
    input  logic        input_sum,    // the sum is zero then
    input  logic [63:0] block,        // half of it
    output logic [63:0] aes_block,    // zero but after these orders

    input  logic [ 63:0] result,     // of AES, a half
    input  logic [  7:0] open_pass,  // bytes of it that the mode makes public
    input  logic [  7:0] term_pass,  // bytes of it that stay in shares, with
    input  logic [ 63:0] beside,     // this public block
    input  logic [  1:0] is_nonce,   // one edge later: its upper or lower half is the mask of the message,
    input  logic [  1:0] is_q,       // Q,
    input  logic [  1:0] is_tag,     // TA or the tag
    input  logic         sum,        // the sum takes it up
    output logic [ 63:0] opened,
    output logic [127:0] computed    // TA until the last call
);

  logic [127:0] mask, sum_q, q_q, cache_q;
  logic [63:0] term_q, open_bits, term_bits;
  logic sum_moves;

  // The half at work is the lower one: two moves bring every half back to its place.
  assign sum_moves = sum || (input_sum && input_lower);

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      open_bits[8*i+:8] = {8{open_pass[i]}};
      term_bits[8*i+:8] = {8{term_pass[i]}};
    end
  end

  otr_masked_masks u_masks (
      .clk,
      .clear,
      .begins,
      .q(q_q),
      .load_lower(is_nonce[0]),
      .load_upper(is_nonce[1]),
      .half(term_q),
      .copy,
      .step(mask_step),
      .with_mask(mask_with_mask),
      .with_first(mask_with_first),
      .with_second(mask_with_second),
      .next_first(mask_next_first),
      .next_second(mask_next_second),
      .mask
  );

  always_ff @(posedge clk) begin
    // Byte i takes up random bits that other S-boxes than the one of byte i take, and a block others than a result.
    aes_block <= block ^ ((input_upper ? mask[127:64] : mask[63:0]) & {64{input_mask}}) ^
        (sum_q[63:0] & {64{input_sum}}) ^ {random[31:0], random[63:32]};
    if (!input_lower && !input_upper) aes_block <= '0;

    opened <= result & open_bits;
    term_q <= (result & term_bits) ^ beside ^ {random[15:0], random[63:16]};
    if (sum_moves) sum_q <= {sum_q[63:0] ^ term_q, sum_q[127:64]};
    if (is_q[0]) q_q[63:0] <= term_q;
    if (is_q[1]) q_q[127:64] <= term_q;
    if (begins || is_tag[0]) computed[63:0] <= begins ? cache_q[63:0] : computed[63:0] ^ term_q;
    if (begins || is_tag[1]) computed[127:64] <= begins ? cache_q[127:64] : computed[127:64] ^ term_q;
    if (cache_load) cache_q <= computed;
    if (begins || (input_sum && input_upper)) sum_q <= '0;
    if (ends || (begins && !with_cache)) computed <= '0;

    if (clear) begin
      aes_block <= '0;
      opened    <= '0;
      term_q    <= '0;
      sum_q     <= '0;
      q_q       <= '0;
      cache_q   <= '0;
      computed  <= '0;
    end
  end

endmodule
