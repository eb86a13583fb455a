// SPDX-License-Identifier: Apache-2.0
// AES-OTR, masked: calls on their way to the masked AES and back (docs/cores/otr-masked.md). What is public stands here:
// blocks, what a call is for, the sum of the shares of a result whose block goes out. What is secret stands in two domains.
// Calls wait for a free place of AES in front of it, one at a time; what they are for waits in a queue, in their order. A
// chunk's second call goes before any new one.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: the mask of a call takes two cycles, that of a tag and of TA four; then a call goes as soon as AES takes one. A result
// comes in two halves, and `made` shows a block four edges after AES shows the lower one.
// Security: no data-dependent control. Shares of a result meet in one place, behind registers that hold zeros unless
// the result makes a public block. `clear` zeroises domain 0 and what is public, domain 1 one cycle later, and the queues in
// 18 cycles, in which no call may come.
module otr_masked_datapath
  import aead_pipe_pkg::made_t, otr_pkg::*;
#(
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS   = 128  // 32 to 128, whole bytes
) (
    input logic clk,
    input logic clear,

    input logic [63:0] random,  // new in each cycle

    input  logic                   nonce_take,    // nonce register <= nonce
    input  logic  [NONCE_BITS-1:0] nonce,
    input  logic                   begins,        // a command begins: A <= Q, sum <= 0, TA <= 0 or cache
    input  logic                   begin_cached,
    input  logic                   ends,          // it has been carried out: computed tag <= 0
    input  logic                   load_ad,       // and was there for the cache <= TA
    input  logic                   opening,       // the message in work is opened
    input  logic  [         127:0] first,         // blocks of the chunk, of which `call` speaks
    input  logic  [         127:0] second,
    input  logic  [          15:0] last_text,     // bytes of the string in the message's last block
    input  call_t                  call,
    output logic                   call_ready,    // the next cycle's `call` may be one

    output logic             aes_start,
    input  logic             aes_ready,
    output logic [1:0][63:0] aes_block,       // halves, in the two cycles after the start
    input  logic             aes_ends,        // a half of a result shows a cycle later
    input  logic             aes_ends_upper,  // and it is the upper one
    input  logic             aes_done,        // a half of a result shows
    input  logic             aes_upper,       // which
    input  logic [1:0][63:0] aes_result,

    output kind_e at_end,        // the result of this call is there; two edges on its upper half is in its register
    output logic  sum_complete,  // likewise the sum
    output logic  idle,          // nothing is under way

    output made_t made,  // a block of output

    output logic [1:0][127:0] computed
);

  localparam logic [127:0] NONCE_FRAME = nonce_frame(NONCE_BITS, TAG_BITS);

  logic [NONCE_BITS-1:0] nonce_q;
  item_t next_q;  // the call that goes to AES
  logic next_full_q, next_sum_q, next_mask_q, sent_q, go_second, clear_late_q, copy_q;
  walk_t walk_q, walk_d;
  logic [3:0] multiples_q;
  logic step;
  again_t again;  // heads of the queues: a second call,
  item_t awaited;  // and the call whose result comes next
  logic again_full, awaited_full;
  token_t token_q, near_q, made_token_q, again_token;
  logic near_upper_q, ready, result_ends;
  logic [1:0] of_nonce_q, of_key_q, of_tag_q, here;  // upper and lower half of such a result
  logic [127:0] source_q, near_source_q, made_q;
  logic [63:0] beside_q, near_beside_q;
  logic [15:0] near_cut, near_term;
  logic [7:0] open_pass_q, term_pass_q;
  logic public_result;
  logic [1:0][63:0] opened;
  logic [3:0] flying_q;  // calls in the queue of those whose result comes

  logic unused;
  assign unused = &{1'b0, near_q, made_token_q, awaited_full, call.with_ta};

  // ---- calls ----

  assign step = walk_q.left[0];
  assign aes_start = next_full_q && !step && aes_ready;
  assign ready = call.token.kind == K_NONE && !next_full_q;
  assign call_ready = ready && !again_full;
  assign go_second = ready && again_full;

  always_comb begin
    walk_d = walk_q;
    walk_d.left = walk_q.left >> 1;
    walk_d.bits = {walk_q.bits[2:0], 1'b0};
    walk_d.begun = 1'b1;
    if (!step) begin
      walk_d = '0;
      if (go_second) begin
        walk_d.second = 1'b1;
        walk_d.next   = 1'b1;
        walk_d.left   = 4'b0011;
        walk_d.bits   = {!opening, 3'b100};
      end else if (call.mask_a) begin
        walk_d.first = 1'b1;
        walk_d.next  = call.next_a;
        walk_d.left  = 4'b0011;
        walk_d.bits  = {call.mask_2a, 3'b100};
      end else if (call.finish || call.token.kind == K_TAG) begin
        // The mask of TA is made when the last associated data go, and stands until its call.
        walk_d.first = 1'b1;
        walk_d.left  = 4'b1111;
        walk_d.bits  = call.finish ? call.multiples : multiples_q;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;
    walk_q <= walk_d;
    if (call.finish) multiples_q <= call.multiples;
    if (call.token.kind != K_NONE || go_second) begin
      next_full_q <= 1'b1;
      next_sum_q <= call.from_sum;
      next_mask_q <= call.mask_a || call.mask_f || go_second;
      next_q.token <= go_second ? again_token : call.token;
      next_q.source <= go_second ? again.source : (first & {128{call.from_first}}) |
          (second & {128{call.from_second}}) |
          ((NONCE_FRAME | (128'(nonce_q) << (128 - NONCE_BITS))) & {128{call.from_nonce}});
      next_q.beside <= go_second ? again.beside : (first & {128{call.with_first}}) | (second & {128{call.with_second}});
    end
    // The half that goes comes straight from a register, so that its changes hide behind those of the random bits.
    if (aes_start) next_q.source[63:0] <= next_q.source[127:64];
    if (aes_start) next_full_q <= 1'b0;
    sent_q <= aes_start;
    copy_q <= begins || of_nonce_q[1];
    if (clear) begin
      nonce_q     <= '0;
      walk_q      <= '0;
      multiples_q <= '0;
      next_full_q <= 1'b0;
      next_sum_q  <= 1'b0;
      next_mask_q <= 1'b0;
      next_q      <= item_t'(0);
      sent_q      <= 1'b0;
      copy_q      <= 1'b0;
    end
  end

  otr_masked_queue #(
      .WIDTH($bits(item_t))
  ) u_awaited (
      .clk,
      .clear,
      .push(aes_start),
      .item(next_q),
      .pop (aes_ends_upper),
      .full(awaited_full),
      .head(awaited)
  );

  // ---- results ----

  assign near_cut = awaited.token.cut ? last_text : '1;
  assign public_result = (awaited.token.kind == K_FIRST || awaited.token.kind == K_LATE) && !awaited.token.spent;
  assign near_term = public_result || awaited.token.kind == K_SUM ? passed(awaited.token.sum_pass, last_text) : '1;
  assign result_ends = aes_upper;
  assign here = {aes_upper, aes_done && !aes_upper};
  assign at_end = result_ends ? token_q.kind : K_NONE;
  assign sum_complete = result_ends && token_q.sum_end;

  // What goes with a half of a result stands in registers beside it: a public block that came later than the random bits
  // would show.
  always_ff @(posedge clk) begin
    token_q     <= aes_ends ? awaited.token : token_t'(0);
    beside_q    <= (aes_ends_upper ? awaited.beside[127:64] : awaited.beside[63:0]) & {64{aes_ends}};
    open_pass_q <= (aes_ends_upper ? near_cut[15:8] : near_cut[7:0]) & {8{aes_ends && public_result}};
    term_pass_q <= (aes_ends_upper ? near_term[15:8] : near_term[7:0]) & {8{aes_ends}};
    if (aes_ends_upper) source_q <= awaited.source;
    if (clear) begin
      token_q     <= '0;
      beside_q    <= '0;
      open_pass_q <= '0;
      term_pass_q <= '0;
      source_q    <= '0;
    end
  end

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    otr_masked_share u_share (
        .clk,
        .clear(d == 0 ? clear : clear_late_q),
        .begins,
        .with_cache(begin_cached),
        .ends,
        .cache_load(ends && load_ad),
        .copy(copy_q),
        .random,
        .mask_step(step),
        .mask_with_mask(walk_q.begun),
        .mask_with_first(walk_q.first && walk_q.bits[3]),
        .mask_with_second(walk_q.second && walk_q.bits[3]),
        .mask_next_first(walk_q.first && walk_q.next && walk_q.left[1:0] == 2'b01),
        .mask_next_second(walk_q.second && walk_q.left[1:0] == 2'b01),
        .input_lower(aes_start),
        .input_upper(sent_q),
        .input_mask(next_mask_q),
        .input_sum(next_sum_q),
        .block(d == 0 ? next_q.source[63:0] : '0),
        .aes_block(aes_block[d]),
        .result(aes_result[d]),
        .open_pass(open_pass_q),
        .term_pass(term_pass_q),
        .beside(d == 0 ? beside_q : '0),
        .is_nonce(of_nonce_q),
        .is_q(of_key_q),
        .is_tag(of_tag_q),
        .sum(near_q.sum),
        .opened(opened[d]),
        .computed(computed[d])
    );
  end

  // The call that goes with a chunk's first result; a single block keeps its place behind the chunks before it.
  always_comb begin
    again_token          = '0;
    again_token.kind     = K_LATE;
    again_token.sum      = opening && !again.single;
    again_token.sum_pass = PASS_ALL;
    again_token.sum_end  = opening && again.last;
    again_token.cut      = opening && again.last;
    again_token.last     = again.last;
    again_token.single   = again.single;
    again_token.spent    = again.single;
  end

  otr_masked_queue #(
      .WIDTH($bits(again_t))
  ) u_again (
      .clk,
      .clear,
      .push(made_token_q.kind == K_FIRST),
      .item({made_token_q.last, made_token_q.single, made_q, near_source_q}),
      .pop (go_second),
      .full(again_full),
      .head(again)
  );

  always_ff @(posedge clk) begin
    clear_late_q  <= clear;
    near_q        <= token_q;
    near_upper_q  <= aes_upper;
    of_nonce_q    <= here & {2{token_q.kind == K_NONCE}};
    of_key_q      <= here & {2{token_q.kind == K_Q}};
    of_tag_q      <= here & {2{token_q.kind == K_TA || token_q.kind == K_TAG}};
    near_beside_q <= beside_q;
    if (result_ends) near_source_q <= source_q;
    made_token_q <= near_upper_q ? near_q : token_t'(0);
    if (near_upper_q) made_q[127:64] <= opened[0] ^ opened[1] ^ near_beside_q;
    else made_q[63:0] <= opened[0] ^ opened[1] ^ near_beside_q;

    made.valid <= made_token_q.kind == K_FIRST || made_token_q.kind == K_LATE;
    made.late   <= made_token_q.kind == K_LATE;
    made.last   <= made_token_q.last;
    made.single <= made_token_q.single;
    made.spent  <= made_token_q.spent;
    made.block  <= made_q & spread(made_token_q.cut ? last_text : '1);
    flying_q    <= flying_q + 4'(aes_start) - 4'(result_ends);
    if (clear) begin
      near_q        <= '0;
      near_upper_q  <= 1'b0;
      of_nonce_q    <= '0;
      of_key_q      <= '0;
      of_tag_q      <= '0;
      near_source_q <= '0;
      near_beside_q <= '0;
      made_token_q  <= '0;
      made_q        <= '0;
      made.valid    <= 1'b0;
      made.late     <= 1'b0;
      made.last     <= 1'b0;
      made.single   <= 1'b0;
      made.spent    <= 1'b0;
      made.block    <= '0;
      flying_q      <= '0;
    end
  end

  assign idle = call.token.kind == K_NONE && !next_full_q && flying_q == '0 && near_q.kind == K_NONE &&
      made_token_q.kind == K_NONE && !made.valid && !again_full;

endmodule
