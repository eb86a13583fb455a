// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: the ring around the unrolled AES. A call's source and mask enter in front, the block that is to be
// added to its result travels beside it, and so does the source itself: it goes with the second call. LATENCY cycles after
// the first call the second one enters, the first one's result being added on the way.
// Nothing here ever waits. Byte order: byte i of every block in bits [8i+7:8i].
// Cycles: LATENCY = 10 STAGES + 1 from a chunk's first call to its second; `made` shows a block LATENCY + 3 edges after
// its order.
// Security: no data-dependent control. `clear` zeroises masks, sums, tags; what is under way is pushed out by zeros: hold it
// for LATENCY + 4 cycles.
module otr_pipe_datapath
  import aead_pipe_pkg::made_t, otr_pkg::*;
#(
    parameter int unsigned STAGES = 2,  // of a round: 1, 2
    parameter int unsigned SBOX_FORM = 0,  // 0: table, 1: composite field, 2: block RAM (STAGES 2)
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128  // 32 to 128, whole bytes
) (
    input logic clk,
    input logic clear,

    input  logic         key_new,
    input  logic [127:0] key,
    output logic         key_ready,

    input logic                   nonce_take,    // nonce register <= nonce
    input logic  [NONCE_BITS-1:0] nonce,
    input logic                   begins,        // a command begins: A <= Q, sum <= 0, TA <= 0 or cache
    input logic                   begin_cached,
    input logic                   ends,          // it has been carried out: computed tag <= 0
    input logic                   load_ad,       // and was there for the cache <= TA
    input logic                   opening,       // the message in the pipeline is opened
    input logic  [         127:0] first,         // blocks of the chunk, of which `call` speaks
    input logic  [         127:0] second,
    input logic  [          15:0] last_text,     // bytes of the string in the message's last block
    input call_t                  call,

    output logic second_next,  // the next cycle's `call` must be none: a second call takes its place
    output kind_e at_end,  // the result of this call is there; the next cycle it is in its register
    output logic sum_complete,  // likewise the sum, two cycles on
    output logic idle,  // nothing is under way

    output made_t made,  // a block of output

    output logic [127:0] computed_tag
);

  localparam int unsigned LATENCY = 10 * STAGES + 1;
  localparam int unsigned BACK = LATENCY - 1;  // a call's place when its chunk's second call is put together
  localparam int unsigned RESULT = LATENCY + 1;  // and when its result is there

  localparam logic [127:0] NONCE_FRAME = nonce_frame(NONCE_BITS, TAG_BITS);

  logic [NONCE_BITS-1:0] nonce_q;
  logic [RESULT:0][127:0] beside_q;  // goes with a call, to be added to its result
  logic [BACK:0][127:0] source_q;  // what the call was made of
  token_t [RESULT:0] token_q;
  token_t near;  // its result comes next
  logic [127:0] mask, input_q, result, made_q, term_q, sum_q, q_q, ta_q, cache_q;
  logic [15:0] in_pass_q, made_pass_q, sum_pass_q;
  token_t made_token_q;
  logic   second_q;  // a second call is put together

  logic   unused;
  assign unused = &{1'b0, near, made_token_q};

  // ---- putting calls together ----

  token_t second_token;
  assign second_next = token_q[BACK-1].kind == K_FIRST;
  always_comb begin
    second_token          = '0;
    second_token.kind     = K_LATE;
    second_token.sum      = opening && !token_q[BACK].single;
    second_token.sum_pass = PASS_ALL;
    second_token.sum_end  = opening && token_q[BACK].last;
    second_token.cut      = opening && token_q[BACK].last;
    second_token.last     = token_q[BACK].last;
    second_token.single   = token_q[BACK].single;
    second_token.spent    = token_q[BACK].single;
  end

  otr_pipe_masks u_masks (
      .clk,
      .clear,
      .start     (begins || made_token_q.kind == K_NONCE),
      .start_with(begins ? q_q : made_q),
      .call,
      .second    (second_q),
      .second_b  (!opening),
      .mask
  );

  always_ff @(posedge clk) begin
    second_q <= second_next;
    token_q <= {token_q[RESULT-1:0], second_q ? second_token : call.token};
    source_q <= {
      source_q[BACK-1:0],
      (first & {128{call.from_first}}) | (second & {128{call.from_second}}) | (sum_q & {128{call.from_sum}}) |
          ((NONCE_FRAME | (128'(nonce_q) << (128 - NONCE_BITS))) & {128{call.from_nonce}}) |
          (beside_q[BACK] & {128{second_q}})
    };
    beside_q <= {
      beside_q[RESULT-1:0],
      (first & {128{call.with_first}}) | (second & {128{call.with_second}}) | (ta_q & {128{call.with_ta}}) |
          (source_q[BACK] & {128{second_q}})
    };
    input_q <= source_q[0] ^ mask;
    if (clear) begin
      second_q    <= 1'b0;
      token_q     <= '0;
      source_q[0] <= '0;
      beside_q[0] <= '0;
      input_q     <= '0;
    end
  end

  aes_encrypt_pipe #(
      .STAGES   (STAGES),
      .SBOX_FORM(SBOX_FORM)
  ) u_aes (
      .clk,
      .clear,
      .key_new,
      .key,
      .key_ready,
      .block(input_q ^ (result & spread(in_pass_q))),
      .result
  );

  // ---- results ----

  logic [15:0] near_cut, near_sum;
  assign near = token_q[RESULT-1];
  assign near_cut = near.cut ? last_text : '1;
  assign near_sum = passed(near.sum_pass, last_text);

  assign at_end = token_q[RESULT].kind;
  assign sum_complete = token_q[RESULT].sum_end;

  always_ff @(posedge clk) begin
    in_pass_q    <= near.kind == K_FIRST ? near_cut : '0;
    made_pass_q  <= near_cut;
    sum_pass_q   <= near_sum;
    made_q       <= (result & spread(made_pass_q)) ^ beside_q[RESULT];
    term_q       <= (result & spread(sum_pass_q)) ^ beside_q[RESULT];
    made_token_q <= token_q[RESULT];

    if (made_token_q.sum) sum_q <= sum_q ^ term_q;
    if (call.from_sum) sum_q <= '0;
    if (made_token_q.kind == K_Q) q_q <= made_q;
    if (made_token_q.kind == K_TA) ta_q <= made_q;
    if (made_token_q.kind == K_TAG) computed_tag <= made_q;
    if (begins) begin
      sum_q <= '0;
      ta_q  <= begin_cached ? cache_q : '0;
    end
    if (ends) computed_tag <= '0;
    if (ends && load_ad) cache_q <= ta_q;
    if (nonce_take) nonce_q <= nonce;

    made.valid  <= made_token_q.kind == K_FIRST || made_token_q.kind == K_LATE;
    made.late   <= made_token_q.kind == K_LATE;
    made.last   <= made_token_q.last;
    made.single <= made_token_q.single;
    made.spent  <= made_token_q.spent;
    made.block  <= made_q & spread(made_token_q.cut ? last_text : '1);

    if (clear) begin
      in_pass_q    <= '0;
      made_pass_q  <= '0;
      sum_pass_q   <= '0;
      made_q       <= '0;
      term_q       <= '0;
      made_token_q <= '0;
      sum_q        <= '0;
      q_q          <= '0;
      ta_q         <= '0;
      computed_tag <= '0;
      cache_q      <= '0;
      nonce_q      <= '0;
      made.valid   <= 1'b0;
      made.late    <= 1'b0;
      made.last    <= 1'b0;
      made.single  <= 1'b0;
      made.spent   <= 1'b0;
      made.block   <= '0;
    end
  end

  always_comb begin
    idle = call.token.kind == K_NONE && made_token_q.kind == K_NONE && !made.valid;
    for (int unsigned i = 0; i <= RESULT; i++) idle &= token_q[i].kind == K_NONE;
  end

endmodule
