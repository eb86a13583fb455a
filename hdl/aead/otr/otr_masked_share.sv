// SPDX-License-Identifier: Apache-2.0
// AES-OTR, masked: one domain, that is one share of every secret of the mode (docs/cores/otr-masked.md): Q, the masks, the
// sum, TA and its cache, the computed tag, and of the block that goes to AES. The sum of both domains' shares is the value.
// Public blocks belong to domain 0; the other one is given zeros. Nothing here sees the other domain. Whatever goes to AES
// or comes from it takes up random bits, those of both domains being equal, so that no two values share a mask.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge; a mask stands one edge after its order.
// Security: no data-dependent control. `clear` zeroises everything.
module otr_masked_share
  import otr_pkg::*;
(
    input logic clk,
    input logic clear,

    input logic begins,      // a command begins: A <= Q, sum <= 0, TA <= 0 or cache
    input logic with_cache,
    input logic ends,        // it has been carried out: computed tag <= 0
    input logic cache_load,  // and cache <= TA

    input logic [127:0] random,  // that of the other domain; new in each cycle

    input call_t call,     // what the mask of the next input is
    input logic  second,   // or that of a chunk's second call
    input logic  second_b, // which is 3 A, else A

    input  logic         input_load,  // input of AES <= public block + mask
    input  logic         input_sum,   // or sum + mask; the sum is zero then
    input  logic [127:0] block,
    output logic [127:0] aes_block,

    input  logic  [127:0] result,     // of AES
    input  logic  [ 15:0] open_pass,  // bytes of it that the mode makes public
    input  logic  [ 15:0] term_pass,  // bytes of it that stay in shares, with
    input  logic  [127:0] beside,     // this public block
    input  kind_e         kind,       // one edge later: what that is for
    input  logic          sum,        // the sum takes it up
    output logic  [127:0] opened,
    output logic  [127:0] computed
);

  logic [127:0] mask, term_q, sum_q, q_q, ta_q, cache_q;

  otr_pipe_masks u_masks (
      .clk,
      .clear,
      .start(begins || kind == K_NONCE),
      .start_with(begins ? q_q : term_q),
      .call,
      .second,
      .second_b,
      .mask
  );

  always_ff @(posedge clk) begin
    // Byte i takes up random bits that other S-boxes than the one of byte i take, and a block others than a result.
    if (input_load) aes_block <= (input_sum ? sum_q : block) ^ mask ^ {random[63:0], random[127:64]};

    opened <= result & spread(open_pass);
    term_q <= (result & spread(term_pass)) ^ beside ^ {random[31:0], random[127:32]};
    if (sum) sum_q <= sum_q ^ term_q;
    if (input_load && input_sum) sum_q <= '0;
    if (kind == K_Q) q_q <= term_q;
    if (kind == K_TA) ta_q <= term_q;
    if (kind == K_TAG) computed <= term_q ^ ta_q;
    if (begins) begin
      sum_q <= '0;
      ta_q  <= with_cache ? cache_q : '0;
    end
    if (ends) computed <= '0;
    if (cache_load) cache_q <= ta_q;

    if (clear) begin
      aes_block <= '0;
      opened    <= '0;
      term_q    <= '0;
      sum_q     <= '0;
      q_q       <= '0;
      ta_q      <= '0;
      cache_q   <= '0;
      computed  <= '0;
    end
  end

endmodule
