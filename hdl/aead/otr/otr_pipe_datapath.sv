// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: the ring around the unrolled AES. A call's source and mask enter in front, the block that is to be
// added to its result travels beside it, and so do the source itself and A: they go with the second call. LATENCY cycles after
// the first call the second one enters, the first one's result being added on the way. What a call is for travels with it, its
// packet's number included: sums, masks, TA and tag of a packet have places of their own.
// Nothing here ever waits. Byte order: byte i of every block in bits [8i+7:8i].
// Cycles: LATENCY = 10 STAGES + 1 from a chunk's first call to its second; `made` shows a block LATENCY + 3 edges after
// its order.
// Security: no data-dependent control. `clear` zeroises masks, sums, tags; what is under way is pushed out by zeros: hold it
// for LATENCY + 5 cycles, and no call meanwhile, and PACKETS more for the banks.
module otr_pipe_datapath
  import aead_pipe_pkg::made_t, aead_pipe_pkg::packet_t, aead_pipe_pkg::PACKETS, otr_pkg::kind_e, otr_pkg::K_NONE,
      otr_pkg::K_Q, otr_pkg::K_SUM, otr_pkg::K_TA, otr_pkg::K_NONCE, otr_pkg::K_FIRST, otr_pkg::K_LATE, otr_pkg::K_TAG,
      otr_pkg::PASS_ALL, otr_pkg::nonce_frame, otr_pkg::spread, otr_pkg::passed, otr_pipe_pkg::*;
#(
    parameter int unsigned STAGES = 2,  // of a round: 1, 2
    parameter int unsigned SBOX_FORM = 0,  // 0: table, 1: composite field, 2: block RAM (STAGES 2)
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128  // 32 to 128, whole bytes
) (
    input logic clk,
    input logic clear,
    input logic clear_keys, // likewise; it may come later

    input  logic         key_new,
    input  logic [127:0] key,
    output logic         key_ready,

    input logic                     nonce_take,  // nonce register <= nonce
    input logic    [NONCE_BITS-1:0] nonce,
    input logic    [         127:0] first,       // blocks of the chunk, of which `call` speaks
    input logic    [         127:0] second,
    input call_t                    call,
    input packet_t                  packet,      // at the strings
    input logic                     load_a,      // A of the message <= that of this packet

    output logic   second_next,  // the next cycle's `call` must be none: a second call takes its place
    output token_t near,         // the result of this call comes next
    output token_t at_end,       // the result of this call is there; two cycles on it is in its place

    output made_t       made,       // a block of output
    output logic        made_swap,  // of a last chunk of two blocks the late one goes first
    output logic  [4:0] made_bytes, // of its message's last block

    input  logic                   tag_scrub,   // the tag of `tag_packet` <= 0, unless another one comes
    input  packet_t                tag_packet,
    output logic                   tag_made,    // another one comes,
    output logic    [TAG_BITS-1:0] tag          // of that packet, as computed
);

  localparam int unsigned LATENCY = 10 * STAGES + 1;
  localparam int unsigned BACK = LATENCY - 1;  // a call's place when its chunk's second call is put together
  localparam int unsigned RESULT = LATENCY + 1;  // and when its result is there

  localparam logic [127:0] NONCE_FRAME = nonce_frame(NONCE_BITS, TAG_BITS);

  logic [NONCE_BITS-1:0] nonce_q;
  // What a call is put together from: blocks of a chunk; sums, with F; nonce, or the block that went beside a first call.
  logic [BACK+1:0][127:0] source_q;  // the first of these goes with the call
  logic [127:0] last_q, other_q, input_q;
  logic [127:0] with_block_q, with_ad_q;  // to be added to its result: a block of the chunk, or TA
  logic [RESULT:1][127:0] beside_q;
  token_t [RESULT:0] token_q;
  token_t made_token_q;
  logic [127:0] mask, f_text, f_ad, result, made_q, term_q, sum, sum_before, ad_sum_q, q_q, ta, cache_q;
  logic [PACKETS-1:0] summed_q;  // packets whose sum is not zero
  logic [15:0] near_text_q, end_text_q, in_pass_q, made_pass_q, sum_pass_q, made_text_q;
  logic second_q, second_was_q;  // a second call is put together
  logic more_q;
  // What a made block is for; at a chunk's blocks `made_token_q` is asked.
  logic made_q_q, made_sum_q, made_ta_q, made_cache_q, made_nonce_q;

  logic unused;
  assign unused = &{1'b0, near, made_token_q};

  // ---- putting calls together ----

  token_t second_token;
  always_comb begin
    second_token          = token_q[BACK];
    second_token.kind     = K_LATE;
    second_token.sum      = token_q[BACK].opens && !token_q[BACK].single;
    second_token.sum_pass = PASS_ALL;
    second_token.sum_end  = token_q[BACK].opens && token_q[BACK].last;
    second_token.cut      = token_q[BACK].opens && token_q[BACK].last;
    second_token.spent    = token_q[BACK].single;
  end

  otr_pipe_masks #(
      .DISTANCE(LATENCY)
  ) u_masks (
      .clk,
      .clear,
      .ad_mask     (q_q),
      .nonce_made  (made_nonce_q),
      .nonce_packet(made_token_q.packet),
      .nonce_mask  (made_q),
      .packet,
      .load_a,
      .call,
      .second      (second_q),
      .second_b    (!token_q[BACK].opens),
      .mask,
      .f_text,
      .f_ad
  );

  always_ff @(posedge clk) begin
    second_next <= token_q[BACK-2].kind == K_FIRST;
    second_q <= second_next;
    second_was_q <= second_q;
    token_q <= {token_q[RESULT-1:0], second_q ? second_token : call.token};

    source_q <= {source_q[BACK:0], (first & {128{call.from_first}}) ^ (second & {128{call.from_second}})};
    last_q <= ((sum ^ f_text) & {128{call.from_sum}}) ^ ((ad_sum_q ^ f_ad) & {128{call.from_ad_sum}});
    other_q <= ((NONCE_FRAME | (128'(nonce_q) << (128 - NONCE_BITS))) & {128{call.from_nonce}}) ^
        (beside_q[BACK] & {128{second_q}});
    input_q <= source_q[0] ^ last_q ^ other_q ^ mask;

    with_block_q <= (first & {128{call.with_first}}) ^ (second & {128{call.with_second}});
    with_ad_q <= (ta & {128{call.with_ta}}) ^ (cache_q & {128{call.with_cache}});
    beside_q <= {beside_q[RESULT-1:1], with_block_q ^ with_ad_q ^ (source_q[BACK+1] & {128{second_was_q}})};

    if (clear) begin
      second_next  <= 1'b0;
      second_q     <= 1'b0;
      second_was_q <= 1'b0;
      token_q[0]   <= '0;
    end
  end

  aes_encrypt_pipe #(
      .STAGES   (STAGES),
      .SBOX_FORM(SBOX_FORM)
  ) u_aes (
      .clk,
      .clear(clear_keys),
      .key_new,
      .key,
      .key_ready,
      .block(input_q ^ (result & spread(in_pass_q))),
      .result
  );

  // ---- results ----

  logic [15:0] near_cut;
  assign near = token_q[RESULT-1];
  assign near_cut = near.cut ? near_text_q : '1;
  assign at_end = token_q[RESULT];

  // A packet's sum, which results and the tag's call may ask for at the same time
  aead_pipe_bank #(
      .READS(2)
  ) u_sum (
      .clk,
      .wipe  (clear),
      .w_en  (made_token_q.sum),
      .w_addr(made_token_q.packet),
      .w_data((sum_before & {128{more_q}}) ^ term_q),
      .r_addr({call.token.packet, made_token_q.packet}),
      .r_data({sum, sum_before})
  );

  aead_pipe_bank u_ta (
      .clk,
      .wipe  (clear),
      .w_en  (made_ta_q),
      .w_addr(made_token_q.packet),
      .w_data(made_q),
      .r_addr(call.token.packet),
      .r_data(ta)
  );

  aead_pipe_bank #(
      .WIDTH(TAG_BITS)
  ) u_tag (
      .clk,
      .wipe  (clear),
      .w_en  (tag_made || tag_scrub),
      .w_addr(tag_made ? made_token_q.packet : tag_packet),
      .w_data(tag_made ? made_q[TAG_BITS-1:0] : '0),
      .r_addr(tag_packet),
      .r_data(tag)
  );

  always_ff @(posedge clk) begin
    near_text_q <= text_of(token_q[RESULT-2].bytes);
    end_text_q <= near_cut;
    in_pass_q <= near.kind == K_FIRST ? near_cut : '0;
    made_pass_q <= near.kind == K_NONE ? '0 : near_cut;
    sum_pass_q <= passed(near.sum_pass, near_text_q);
    made_q <= (result & spread(made_pass_q)) ^ beside_q[RESULT];
    term_q <= (result & spread(sum_pass_q)) ^ beside_q[RESULT];
    made_token_q <= token_q[RESULT];
    made_q_q <= token_q[RESULT].kind == K_Q;
    made_sum_q <= token_q[RESULT].kind == K_SUM;
    made_ta_q <= token_q[RESULT].kind == K_TA;
    made_cache_q <= token_q[RESULT].kind == K_TA && token_q[RESULT].last;
    made_nonce_q <= token_q[RESULT].kind == K_NONCE;
    tag_made <= token_q[RESULT].kind == K_TAG;
    made_text_q <= end_text_q;

    // The sum that the next result joins is not zero.
    more_q <= summed_q[token_q[RESULT].packet] || (made_token_q.sum && made_token_q.packet == token_q[RESULT].packet);
    if (made_token_q.sum) summed_q[made_token_q.packet] <= 1'b1;
    if (call.begins) summed_q[call.begins_packet] <= 1'b0;

    ad_sum_q <= ad_sum_q ^ (made_q & {128{made_sum_q}}) ^ (second & {128{call.ad_block}});
    if (call.begins) ad_sum_q <= '0;
    if (made_q_q) q_q <= made_q;
    if (made_cache_q) cache_q <= made_q;
    if (call.cache_clear) cache_q <= '0;
    if (nonce_take) nonce_q <= nonce;

    made.valid  <= made_token_q.kind == K_FIRST || made_token_q.kind == K_LATE;
    made.late   <= made_token_q.kind == K_LATE;
    made.last   <= made_token_q.last;
    made.single <= made_token_q.single;
    made.spent  <= made_token_q.spent;
    made.block  <= made_q & spread(made_text_q);
    made_swap   <= !made_token_q.opens;
    made_bytes  <= made_token_q.bytes;

    // What is not held is zero when nothing comes.
    if (clear) begin
      made_token_q <= '0;
      made_q_q     <= 1'b0;
      made_sum_q   <= 1'b0;
      made_ta_q    <= 1'b0;
      made_cache_q <= 1'b0;
      made_nonce_q <= 1'b0;
      tag_made     <= 1'b0;
      summed_q     <= '0;
      ad_sum_q     <= '0;
      q_q          <= '0;
      cache_q      <= '0;
      nonce_q      <= '0;
      made.valid   <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  logic idle;  // nothing is under way
  always_comb begin
    idle = call.token.kind == K_NONE && made_token_q.kind == K_NONE;
    for (int unsigned i = 0; i <= RESULT; i++) idle &= token_q[i].kind == K_NONE;
  end
  logic known_q;  // a clear has come
  initial known_q = 1'b0;
  always_ff @(posedge clk) begin
    if (clear) known_q <= 1'b1;
    if (known_q && !clear) a_key_with_nothing_under_way : assert (!key_new || idle);
  end
`endif

endmodule
