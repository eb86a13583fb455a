// SPDX-License-Identifier: Apache-2.0
// AES-OTR over a ring of AES: calls on their way to it and back, and all registers that hold secrets, but those of AES
// (docs/cores/otr.md, "More stages"). What a call is for travels with it. One call waits for its mask, one in front of AES. A
// chunk's second call, made of the result of its first, goes before any new call.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: the mask of a call takes two cycles, that of a tag and of TA four. Calls start five cycles apart at least, without
// masks three. `made` shows a block three edges after AES shows it.
// Security: no data-dependent control. `clear` zeroises the registers at once and the queue in 10 cycles, in which no call
// may come.
module otr_ring_datapath
  import aead_pipe_pkg::made_t, otr_pkg::*;
#(
    parameter int unsigned NONCE_BITS = 96,   // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS   = 128,  // 32 to 128, whole bytes
    parameter int unsigned STAGES     = 3     // of a round, and calls in the ring: 3, 4
) (
    input logic clk,
    input logic clear,

    input logic key_new,
    input logic [127:0] key,
    output logic key_ready,

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

    output kind_e at_end,        // the result of this call is in its register two edges on at most
    output logic  sum_complete,  // likewise the sum
    output logic  idle,          // nothing is under way

    output made_t made,  // a block of output

    output logic [TAG_BITS-1:0] tag
);

  localparam logic [127:0] NONCE_FRAME = nonce_frame(NONCE_BITS, TAG_BITS);

  logic [NONCE_BITS-1:0] nonce_q;
  item_t next_q, input_q, result_item;  // the call that waits for its mask, the one in front of AES, the one that ended
  logic next_full_q, next_sum_q, next_mask_q, input_full_q, started_q, copy_q, go_second, ready, step, moves, start;
  walk_t walk_q, walk_d;
  logic [3:0] multiples_q;
  logic [127:0] mask, block_q;
  again_t again;
  token_t again_token;
  logic   again_full;
  logic aes_free, aes_flying, aes_done;
  logic [127:0] result;
  logic ended_q, ended_late_q, nonce_upper_q, public_result;
  kind_e kind_late;  // of the result in `term_q`
  logic [15:0] open_pass_q, term_pass_q;
  logic [127:0] made_q, term_q, sum_q, q_q, cache_q, computed_q;

  logic unused;
  assign unused = &{1'b0, call.with_ta};

  // ---- calls ----

  assign step = walk_q.left[0];
  assign moves = next_full_q && !step && !input_full_q && !started_q;
  assign start = input_full_q && aes_free;
  assign ready = call.token.kind == K_NONE && !next_full_q;
  assign call_ready = ready && !again_full;

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
    if (moves) begin
      next_full_q  <= 1'b0;
      input_full_q <= 1'b1;
      input_q      <= next_q;
      block_q      <= next_q.source ^ (mask & {128{next_mask_q}}) ^ (sum_q & {128{next_sum_q}});
    end
    // Results then come three cycles apart at least, so that one stands while it is taken up.
    started_q <= start;
    go_second <= ready && again_full && !go_second;
    if (start) input_full_q <= 1'b0;
    if (clear) begin
      nonce_q      <= '0;
      walk_q       <= '0;
      multiples_q  <= '0;
      next_full_q  <= 1'b0;
      next_sum_q   <= 1'b0;
      next_mask_q  <= 1'b0;
      next_q       <= item_t'(0);
      input_full_q <= 1'b0;
      input_q      <= item_t'(0);
      block_q      <= '0;
      started_q    <= 1'b0;
      go_second    <= 1'b0;
    end
  end

  // The mask of the message comes in halves, as the masked core has it.
  otr_masked_masks u_masks (
      .clk,
      .clear,
      .begins,
      .q(q_q),
      .load_lower(kind_late == K_NONCE),
      .load_upper(nonce_upper_q),
      .half(nonce_upper_q ? term_q[127:64] : term_q[63:0]),
      .copy(copy_q),
      .step,
      .with_mask(walk_q.begun),
      .with_first(walk_q.first && walk_q.bits[3]),
      .with_second(walk_q.second && walk_q.bits[3]),
      .next_first(walk_q.first && walk_q.next && walk_q.left[1:0] == 2'b01),
      .next_second(walk_q.second && walk_q.left[1:0] == 2'b01),
      .mask
  );

  aes_crypt #(
      .STAGES    (STAGES),
      .TOKEN_BITS($bits(item_t)),
      .BOTH      (1'b0)
  ) u_aes (
      .clk,
      .clear,
      .key_new,
      .key,
      .key_ready,
      .free(aes_free),
      .start,
      .inverse(1'b0),
      .token(input_q),
      .block(block_q),
      .flying(aes_flying),
      .done(aes_done),
      .done_token(result_item),
      .result
  );

  // ---- results ----

  assign public_result =
      (result_item.token.kind == K_FIRST || result_item.token.kind == K_LATE) && !result_item.token.spent;
  assign kind_late = ended_late_q ? result_item.token.kind : K_NONE;
  assign at_end = kind_late;
  assign sum_complete = ended_late_q && result_item.token.sum_end;
  assign tag = computed_q[TAG_BITS-1:0];

  otr_masked_queue #(
      .WIDTH($bits(again_t)),
      .DEPTH(8)                // as many chunks as the outlet has room for
  ) u_again (
      .clk,
      .clear,
      .push(kind_late == K_FIRST),
      .item({result_item.token.last, result_item.token.single, made_q, result_item.source}),
      .pop (go_second),
      .full(again_full),
      .head(again)
  );

  always_ff @(posedge clk) begin
    ended_q <= aes_done;
    ended_late_q <= ended_q;
    nonce_upper_q <= kind_late == K_NONCE;
    copy_q <= begins || nonce_upper_q;
    open_pass_q <= (result_item.token.cut ? last_text : '1) & {16{public_result}};
    term_pass_q <= public_result || result_item.token.kind == K_SUM ? passed(
        result_item.token.sum_pass, last_text
    ) : '1;
    if (ended_q) begin
      made_q <= (result & spread(open_pass_q)) ^ result_item.beside;
      term_q <= (result & spread(term_pass_q)) ^ result_item.beside;
    end

    made.valid  <= kind_late == K_FIRST || kind_late == K_LATE;
    made.late   <= kind_late == K_LATE;
    made.last   <= result_item.token.last;
    made.single <= result_item.token.single;
    made.spent  <= result_item.token.spent;
    made.block  <= made_q & spread(result_item.token.cut ? last_text : '1);

    if (ended_late_q && result_item.token.sum) sum_q <= sum_q ^ term_q;
    if (begins || (moves && next_sum_q)) sum_q <= '0;
    if (kind_late == K_Q) q_q <= term_q;
    if (kind_late == K_TA || kind_late == K_TAG) computed_q <= computed_q ^ term_q;
    if (ends && load_ad) cache_q <= computed_q;
    if (begins) computed_q <= begin_cached ? cache_q : '0;
    if (ends) computed_q <= '0;

    if (clear) begin
      ended_q       <= 1'b0;
      ended_late_q  <= 1'b0;
      nonce_upper_q <= 1'b0;
      copy_q        <= 1'b0;
      open_pass_q   <= '0;
      term_pass_q   <= '0;
      made_q        <= '0;
      term_q        <= '0;
      made          <= made_t'(0);
      sum_q         <= '0;
      q_q           <= '0;
      cache_q       <= '0;
      computed_q    <= '0;
    end
  end

  assign idle = call.token.kind == K_NONE && !next_full_q && !input_full_q && !aes_flying && !aes_done && !ended_q &&
      !ended_late_q && !made.valid && !again_full;

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_result_stands : assert (!(aes_done && (ended_q || ended_late_q)));
      a_one_call_at_a_time : assert (call.token.kind == K_NONE || !(go_second || next_full_q || step));
      a_second_call_has_room : assert (!go_second || !(next_full_q || step));
    end
  end
`endif

endmodule
