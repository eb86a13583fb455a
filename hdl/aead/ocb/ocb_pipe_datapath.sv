// SPDX-License-Identifier: Apache-2.0
// OCB, a block a cycle: the pipeline around the unrolled AES. A call's source and offset enter in front, the block that is to be
// added to its result travels beside it. No call needs the result of another, but for the tag and for what a key or a nonce begins
// with, so nothing comes back to the entrance, and nothing here ever waits.
// Byte order: byte i of every block in bits [8i+7:8i].
// Cycles: `made` shows a block AHEAD + LATENCY + 2 = 26 edges after its order.
// Security: no data-dependent control. `clear` zeroises multiples, offsets, sums, tags; what is under way is pushed out by zeros:
// hold it while `table_wiping`.
module ocb_pipe_datapath
  import aead_pipe_pkg::*, ocb_pipe_pkg::*;
#(
    parameter int unsigned NONCE_BITS = 96,  // 96
    parameter int unsigned TAG_BITS   = 128  // 64, 96 or 128
) (
    input logic clk,
    input logic clear,
    input logic table_clear, // pulse, with which `clear` begins

    input  logic         key_new,
    input  logic [127:0] key,
    output logic         key_ready,

    input logic                   nonce_take,    // nonce register <= nonce
    input logic  [NONCE_BITS-1:0] nonce,
    input logic                   rests,         // no command is at work: offset <= 0
    input logic                   begins,        // one begins: sum <= 0, sum over the associated data <= 0 or cache
    input logic                   begin_cached,
    input logic                   ends,          // it has been carried out: computed tag <= 0
    input logic                   load_ad,       // and was there for the cache <= sum over the associated data
    input logic                   prime,         // a string begins
    input logic  [         127:0] block,         // of which `call` speaks
    input logic  [          15:0] last_text,     // bytes of the string in the message's last block
    input call_t                  call,

    output logic  table_wiping,
    output kind_e at_end,        // the result of this call is there; the next cycle it is in its register
    output logic  sum_complete,  // the sum is, two cycles on
    output logic  idle,          // nothing is under way

    output made_t made,  // a block of output

    output logic [127:0] computed_tag
);

  localparam int unsigned AHEAD = 3;  // edges from a call's order to its block at AES
  localparam int unsigned LATENCY = 21;
  localparam int unsigned RESULT = AHEAD + LATENCY - 1;  // a call's place when its result is there

  // The formatted nonce: tag length in the first seven bits, a one just before the nonce at the end
  localparam logic [127:0] NONCE_FRAME = (128'(TAG_BITS % 128) << 1) | (128'd1 << (8 * (15 - NONCE_BITS / 8)));
  localparam logic [127:0] BOTTOM_BITS = 128'h3F << 120;

  logic [NONCE_BITS-1:0] nonce_q;
  logic [127:0] nonce_block, source_q, sourced_q, input_q, offset, result, made_q;
  logic [LATENCY:0][127:0] beside_q;  // goes with a call, to be added to its result
  logic from_sum_q, sum_block_q;
  token_t [RESULT:0] token_q;
  token_t near, made_token_q;
  logic [127:0] sum_q, ad_sum_q, cache_q;
  logic [15:0] pass_q;
  logic unused;
  assign unused = &{1'b0, call, near, made_token_q, token_q};

  // ---- putting calls together ----

  assign nonce_block = NONCE_FRAME | (128'(nonce_q) << (128 - NONCE_BITS));

  ocb_pipe_offsets u_offsets (
      .clk,
      .clear,
      .table_clear,
      .table_wiping,
      .star_load(made_token_q.kind == K_STAR),
      .top_load(made_token_q.kind == K_TOP),
      .made(made_q),
      .bottom(nonce_block[125:120]),
      .rests,
      .prime,
      .call,
      .offset
  );

  always_ff @(posedge clk) begin
    token_q <= {token_q[RESULT-1:0], call.token};
    source_q <= (block & {128{call.from_block}}) | (nonce_block & ~BOTTOM_BITS & {128{call.from_nonce}});
    from_sum_q <= call.from_sum;
    sum_block_q <= call.sum_block;
    sourced_q <= source_q | (sum_q & {128{from_sum_q}});
    input_q <= (sourced_q & {128{!token_q[1].cut}}) ^ offset;
    beside_q <= {beside_q[LATENCY-1:0], (sourced_q & {128{token_q[1].cut}}) | (offset & {128{token_q[1].whole}})};
    if (clear) begin
      token_q     <= '0;
      source_q    <= '0;
      from_sum_q  <= 1'b0;
      sum_block_q <= 1'b0;
      sourced_q   <= '0;
      input_q     <= '0;
      beside_q[0] <= '0;
    end
  end

  aes_crypt_pipe u_aes (
      .clk,
      .clear,
      .key_new,
      .key,
      .key_ready,
      .inverse(token_q[AHEAD-1].inverse),
      .block  (input_q),
      .result
  );

  // ---- results ----

  assign {made.late, made.single, made.spent} = 3'b110;  // a block is a chunk

  assign near = token_q[RESULT-1];
  assign at_end = token_q[RESULT].kind;
  assign sum_complete = near.sum_end;

  always_ff @(posedge clk) begin
    pass_q       <= near.cut ? last_text : '1;
    made_q       <= (result & spread(pass_q)) ^ beside_q[LATENCY];
    made_token_q <= token_q[RESULT];

    sum_q        <= sum_q ^ (source_q & {128{sum_block_q}}) ^ (made_q & {128{made_token_q.sum}});
    if (made_token_q.kind == K_AD) ad_sum_q <= ad_sum_q ^ made_q;
    if (made_token_q.kind == K_TAG) computed_tag <= made_q ^ ad_sum_q;
    if (begins) begin
      sum_q    <= '0;
      ad_sum_q <= begin_cached ? cache_q : '0;
    end
    if (ends) computed_tag <= '0;
    if (ends && load_ad) cache_q <= ad_sum_q;
    if (nonce_take) nonce_q <= nonce;

    made.valid <= made_token_q.kind == K_TEXT;
    made.last  <= made_token_q.last;
    made.block <= made_q & spread(made_token_q.cut ? last_text : '1);

    if (clear) begin
      pass_q       <= '0;
      made_q       <= '0;
      made_token_q <= '0;
      sum_q        <= '0;
      ad_sum_q     <= '0;
      computed_tag <= '0;
      cache_q      <= '0;
      nonce_q      <= '0;
      made.valid   <= 1'b0;
      made.last    <= 1'b0;
      made.block   <= '0;
    end
  end

  always_comb begin
    idle = call.token.kind == K_NONE && made_token_q.kind == K_NONE && !made.valid;
    for (int unsigned i = 0; i <= RESULT; i++) idle &= token_q[i].kind == K_NONE;
  end

endmodule
