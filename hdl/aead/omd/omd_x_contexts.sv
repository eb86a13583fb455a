// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: where each context is, which one the engine serves next, and key set-up
// (docs/cores/omd-x8.md, "Contexts"). A context goes from pass to call to pass; a pass is asked for only when its input is
// there and its output has room, so that nothing holds up the engine.
// Cycles: a grant every eight cycles, round robin; the pass reads its first word five cycles after the request.
// Security: depends on lengths, operations and refusals only; `clear` drops everything in flight.
module omd_x_contexts
  import aead_pkg::*;
  import omd_pkg::INDEX_BITS, omd_x_pkg::*;
#(
    parameter int unsigned VERSION = 2,
    parameter int unsigned CONTEXTS = 8,  // 2, 4, 8
    parameter int unsigned LOOPS = 1,  // pipelines, each with as many contexts
    parameter bit SHA2 = 1'b0,  // the key words come first: opening, too, starts from the sum at once
    localparam int unsigned CTX_BITS = $clog2(CONTEXTS)
) (
    input logic clk,
    input logic clear,
    input logic [2:0] clear_walk,  // walks through all values while clear is held

    aead_if port,
    omd_x_string_if ad,
    omd_x_string_if msg,
    omd_x_pipeline_if pipe,

    input  logic       key_taken,
    output logic       key_open,   // for a key: no key work, no command in flight, no result waiting
    output logic       idle,       // no key work, no command in flight
    output logic       key_write,  // key words go to the message memories
    output logic [3:0] key_addr,
    input  logic       table_done,

    output logic [CONTEXTS-1:0] cmd_open,  // for a command
    output logic [CONTEXTS-1:0] cmd_taken,
    output logic [CONTEXTS-1:0] tag_open,  // for an expected tag
    input logic [CONTEXTS-1:0] tag_in_taken,

    input logic                out_room,       // for one block of each context
    input logic                out_last_gone,  // the last beat of the output of this context is taken
    input logic [CTX_BITS-1:0] out_last_ctx,

    output logic                 start,
    output pass_t                pass,
    input  logic                 ev_sum,
    input  logic  [CTX_BITS-1:0] ev_sum_ctx,
    input  logic                 ev_value,
    input  logic  [CTX_BITS-1:0] ev_value_ctx,
    input  logic                 result_set,
    input  logic  [CTX_BITS-1:0] result_ctx,
    input  logic                 result_keeps,  // it loaded the AD cache
    input  logic                 result_free
);

  typedef enum logic [2:0] {
    S_FREE,
    S_AD,
    S_NONCE,
    S_TAU,
    S_MSG,
    S_TAG
  } state_e;

  typedef enum logic [1:0] {
    H_NEED,  // a pass, when its input is there
    H_PASS,  // in the engine
    H_GO,    // the call waits for its turn
    H_CALL
  } phase_e;

  typedef enum logic [2:0] {
    K_IDLE,
    K_WRITE,
    K_NEED,   // pass, then call for L*
    K_GO,
    K_CALL,
    K_LSTAR,  // pass for L*, then the table
    K_TABLE
  } key_e;

  localparam int unsigned EACH = CONTEXTS / LOOPS;  // contexts of a pipeline
  localparam logic [1:0] BLOCK_TAU = 2'd2;
  localparam logic [1:0] BLOCK_ZERO = 2'd3;

  state_e [CONTEXTS-1:0] state_q;
  phase_e [CONTEXTS-1:0] phase_q;
  key_e key_q;
  logic [3:0] key_count_q;
  logic key_ok, cache_ok_q, tag_busy_q;

  logic [CONTEXTS-1:0] seal_q, open_q, load_ad_q, cached_q, refused_q;
  logic [CONTEXTS-1:0] digest_q, sum_zero_q, ad_first_q;  // a digest waits to be added; nothing was; no block of AD yet
  logic [CONTEXTS-1:0] fin_q;  // the digest of this call is the tag's
  logic [CONTEXTS-1:0] post_q;  // the call began from the sum of the last one: its pass is still to come
  logic [CONTEXTS-1:0] chain_q;  // it shall
  logic [CONTEXTS-1:0] bank_q;  // bank that is loaded next
  logic [CONTEXTS-1:0] out_done_q, tag_wait_q;

  // ---- requests and grants --------------------------------------------------------------------------------------------

  logic [CONTEXTS-1:0] request, chain_ok, ad_over;
  logic key_request, tag_free;
  assign tag_free = result_free && !tag_busy_q;
  always_comb begin
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      chain_ok[c] = (msg.words[c][6:4] != '0 || msg.done[c]) && out_room;
      ad_over[c]  = state_q[c] == S_AD && phase_q[c] == H_NEED && ad.done[c] && ad.words[c] == '0;
      unique case (state_q[c])
        S_AD: request[c] = ad.words[c][7:4] != '0 || (ad.done[c] && ad.words[c] != '0);
        S_NONCE: request[c] = 1'b1;
        S_TAU: request[c] = (msg.words[c][6:3] != '0 || msg.done[c]) && out_room;
        S_MSG: request[c] = chain_ok[c];
        S_TAG: begin
          request[c] = out_done_q[c] && !ad.waiting[c] && !msg.waiting[c] && !tag_wait_q[c] && tag_free;
        end
        default: request[c] = 1'b0;
      endcase
      if (phase_q[c] != H_NEED) request[c] = phase_q[c] == H_CALL && post_q[c];
      if (!key_ok) request[c] = 1'b0;
    end
  end
  // Registered: the choice among eight takes a cycle of its own.
  logic [CONTEXTS-1:0] request_q;
  always_ff @(posedge clk) begin
    request_q   <= request;
    key_request <= key_q == K_NEED || key_q == K_LSTAR;
    if (clear) begin
      request_q   <= '0;
      key_request <= 1'b0;
    end
  end

  logic grant1, key1, grant2, grant3;
  logic [CTX_BITS-1:0] ctx1, next_ctx;
  logic [2:0] spacing_q;
  logic asked;
  logic [CONTEXTS-1:0] turned;
  logic urgent_q;  // a call has begun from its sum whose pass must bring its message words: it is the next
  logic [CTX_BITS-1:0] urgent_ctx_q;
  logic [LOOPS-1:0] urgent_free, urgent;
  always_comb begin
    turned   = CONTEXTS'({request_q, request_q} >> ((CTX_BITS + 1)'(ctx1) + (CTX_BITS + 1)'(1'b1)));
    next_ctx = ctx1 + CTX_BITS'(1'b1);
    for (int unsigned i = CONTEXTS; i > 0; i--) begin
      if (turned[i-1]) next_ctx = ctx1 + CTX_BITS'(i);
    end
    if (urgent_q && request_q[urgent_ctx_q]) next_ctx = urgent_ctx_q;
    asked = (request_q != '0 || key_request) && spacing_q == '0;
  end

  // ---- the pass -------------------------------------------------------------------------------------------------------

  // First cycle of a grant: what the context has
  state_e state2;
  logic [7:0] ad_words2;
  logic [6:0] msg_words2;
  logic [2:0] ad_block2, msg_block2;
  logic [CTX_BITS-1:0] ctx2;
  logic ad_whole2, msg_whole2, msg_done2, key2, lstar2;
  logic seal2, open2, load_ad2, bad2, cached2, digest2, sum_zero2, ad_first2, bank2;
  // Second: the pass; the context moves on
  logic [CONTEXTS-1:0] granted;
  always_comb begin
    granted = '0;
    granted[ctx2] = grant2 && !key2;
  end

  // One at a time, so that it surely gets the next free pass: within eight cycles.
  always_comb begin
    for (int unsigned l = 0; l < LOOPS; l++) begin
      urgent_free[l] = SHA2 && !urgent_q;
      for (int unsigned i = 0; i < l; i++) if (pipe.ends_soon[i]) urgent_free[l] = 1'b0;
      urgent[l] = pipe.ends_soon[l] && urgent_free[l] && phase_q[pipe.ends_soon_ctx[l]] == H_CALL
          && !fin_q[pipe.ends_soon_ctx[l]] && !seal_q[pipe.ends_soon_ctx[l]] && chain_ok[pipe.ends_soon_ctx[l]]
          && (state_q[pipe.ends_soon_ctx[l]] == S_TAU || state_q[pipe.ends_soon_ctx[l]] == S_MSG);
    end
  end
  always_ff @(posedge clk) begin
    if (granted[urgent_ctx_q]) urgent_q <= 1'b0;
    for (int unsigned l = 0; l < LOOPS; l++) begin
      if (urgent[l]) begin
        urgent_q     <= 1'b1;
        urgent_ctx_q <= pipe.ends_soon_ctx[l];
      end
    end
    if (clear) begin
      urgent_q     <= 1'b0;
      urgent_ctx_q <= '0;
    end
  end

  pass_t pass2;
  pass_t pass3;
  logic [INDEX_BITS-1:0] index_read2, index2, raised2, lowest3;
  (* ram_style = "distributed" *) logic [INDEX_BITS-1:0] index_mem[CONTEXTS];
  logic [INDEX_BITS-1:0] index_data3;
  logic index_write;
  logic [CTX_BITS-1:0] index_addr;

  logic next_full2, next_last2, next_there2;
  always_comb begin
    logic [6:0] ahead;  // words from the block that the next call takes
    pass2            = '0;
    pass2.kind       = P_TAG;
    pass2.ctx        = 3'(ctx2);
    pass2.open       = open2;
    pass2.seal       = seal2;
    pass2.bad        = bad2;
    pass2.load_ad    = load_ad2;
    pass2.bank       = bank2;
    pass2.ad_block   = ad_block2;
    pass2.ad_words   = ad_words2[7:4] != '0 ? 5'd16 : ad_words2[4:0];
    pass2.ad_pad     = ad_words2[7:4] == '0 && ad_whole2;
    pass2.msg_block  = msg_block2;
    pass2.delta_zero = 1'b1;
    pass2.sum_zero   = sum_zero2;

    ahead            = msg_words2;
    if (state2 == S_MSG) ahead = msg_words2[6:3] == '0 ? '0 : msg_words2 - 7'd8;
    next_there2 = ahead != '0;
    next_last2  = msg_done2 && ahead <= 7'd8;
    next_full2  = ahead[6:3] != '0 && (msg_whole2 || ahead != 7'd8);

    unique case (state2)
      S_AD: begin
        pass2.kind        = P_AD;
        pass2.count_first = ad_first2;
        pass2.delta_zero  = ad_first2;
        pass2.l_use       = 1'b1;
        pass2.l_star      = ad_words2[7:4] == '0 || (ad_words2 == 8'd16 && !ad_whole2);
        pass2.l_number    = STAR_1;
        pass2.digest_acc  = digest2;
      end
      S_NONCE: begin
        pass2.kind        = P_NONCE;
        pass2.count_first = 1'b1;
        pass2.l_use       = 1'b1;
        pass2.digest_acc  = digest2;
        pass2.sum_cache   = cached2;
        if (cached2) pass2.sum_zero = 1'b0;
      end
      S_TAU, S_MSG: begin
        pass2.kind       = state2 == S_TAU ? P_TAU : P_MSG;
        pass2.from_sum   = 1'b1;
        pass2.delta_zero = state2 == S_TAU;
        pass2.last       = !next_there2;
        pass2.l_use      = next_there2;
        pass2.l_star     = next_last2;
        pass2.l_number   = next_full2 ? STAR_2 : STAR_3;
        if (state2 == S_MSG) begin
          pass2.out_words = msg_words2[6:3] != '0 ? 4'd8 : msg_words2[3:0];
          pass2.out_last  = !next_there2;
        end else begin
          pass2.out_empty = !next_there2;
        end
        if (state2 == S_MSG && open2) begin
          pass2.load_block = msg_block2;
          pass2.load_words = pass2.out_words;
          pass2.load_pad   = msg_words2[6:3] == '0 && msg_whole2;
        end else if (seal2) begin
          pass2.load_block = state2 == S_MSG ? msg_block2 + 3'd1 : msg_block2;
          pass2.load_words = ahead[6:3] != '0 ? 4'd8 : ahead[3:0];
          pass2.load_pad   = ahead[6:3] == '0 && msg_whole2;
        end
      end
      default: pass2.digest_acc = !load_ad2 || digest2;
    endcase
    if (key2) begin
      pass2            = '0;
      pass2.kind       = lstar2 ? P_LSTAR : P_KEY;
      pass2.last       = 1'b1;
      pass2.delta_zero = 1'b1;
    end

    index2  = pass2.count_first ? '0 : index_read2;
    raised2 = index2 + INDEX_BITS'(1'b1);
  end

  // Third: number of L
  logic [5:0] ntz3;
  always_comb begin
    ntz3 = '0;
    for (int unsigned i = 0; i < INDEX_BITS; i++) ntz3 |= 6'(i) & {6{lowest3[i]}};
    start = grant3;
    pass  = pass3;
    if (pass3.l_use && !pass3.l_star) pass.l_number = ntz3;
  end

  always_ff @(posedge clk) begin
    spacing_q <= asked ? 3'd7 : spacing_q - 3'(spacing_q != '0);
    grant1    <= asked;
    key1      <= key_request;
    if (asked) ctx1 <= next_ctx;
    if (pipe.hold) ctx1 <= '1;  // context 0 is the next

    grant2      <= grant1;
    key2        <= key1;
    lstar2      <= key_q == K_LSTAR;
    ctx2        <= key1 ? '0 : ctx1;
    state2      <= state_q[ctx1];
    ad_words2   <= ad.words[ctx1];
    ad_block2   <= ad.block[ctx1];
    ad_whole2   <= ad.whole[ctx1];
    msg_words2  <= msg.words[ctx1];
    msg_block2  <= msg.block[ctx1];
    msg_whole2  <= msg.whole[ctx1];
    msg_done2   <= msg.done[ctx1];
    seal2       <= seal_q[ctx1];
    open2       <= open_q[ctx1];
    load_ad2    <= load_ad_q[ctx1];
    bad2        <= refused_q[ctx1] || msg.bad[ctx1] || ad.bad[ctx1];
    cached2     <= cached_q[ctx1];
    digest2     <= digest_q[ctx1];
    sum_zero2   <= sum_zero_q[ctx1];
    ad_first2   <= ad_first_q[ctx1];
    bank2       <= bank_q[ctx1];

    grant3      <= grant2;
    pass3       <= pass2;
    lowest3     <= raised2 & ~index2;
    index_read2 <= index_mem[ctx1];
    index_data3 <= raised2;

    if (clear) begin
      spacing_q                            <= '0;
      {grant1, key1, grant2, key2, grant3} <= '0;
      ctx1                                 <= '0;
      index_data3                          <= '0;
      pass3                                <= '0;
    end
  end
  logic unused_walk;
  assign unused_walk = &{1'b0, clear_walk};
  assign index_write = grant3 || clear;
  assign index_addr  = clear ? CTX_BITS'(clear_walk) : CTX_BITS'(pass3.ctx);
  always_ff @(posedge clk) if (index_write) index_mem[index_addr] <= index_data3;

  // ---- contexts -------------------------------------------------------------------------------------------------------

  logic [CONTEXTS-1:0] cmd_refused;
  always_ff @(posedge clk) begin
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      msg.refuse[c] <= (cmd_taken[c] && !port.cmd.op[1] && cmd_refused[c]) ||
          (ad_over[c] && ad.bad[c] && !load_ad_q[c]);
    end
    if (clear) msg.refuse <= '0;
  end
  always_comb begin
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      cmd_open[c] = state_q[c] == S_FREE && key_ok;
      cmd_taken[c] = port.cmd.valid && cmd_open[c] && port.cmd.ctx == CTX_BITS'(c);
      cmd_refused[c] =
          unfit(port.cmd.op, port.cmd.cached_ad && port.cmd.op != OP_LOAD_AD, cache_ok_q && !key_taken, 1'b1);
      ad.starts[c] = cmd_taken[c] && takes_ad(port.cmd.op, port.cmd.cached_ad);
      ad.none[c] = cmd_taken[c] && !ad.starts[c];
      msg.starts[c] = cmd_taken[c] && !port.cmd.op[1];
      msg.none[c] = cmd_taken[c] && port.cmd.op[1];
    end
  end
  // A string's words are consumed a cycle after their context was granted a turn: nothing reads the words of a context sooner, and
  // the orders come from registers.
  always_ff @(posedge clk) begin
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      ad.consume[c]  <= granted[c] && state_q[c] == S_AD;
      msg.consume[c] <= granted[c] && state_q[c] == S_MSG;
    end
  end
  assign tag_open = tag_wait_q;

  for (genvar c = 0; c < CONTEXTS; c++) begin : gen_ctx
    always_ff @(posedge clk) begin
      if (ad_over[c]) state_q[c] <= load_ad_q[c] ? S_TAG : S_NONCE;

      if (granted[c]) begin
        if (phase_q[c] == H_NEED) phase_q[c] <= H_PASS;
        post_q[c] <= 1'b0;
        unique case (state_q[c])
          S_AD: begin
            ad_first_q[c] <= 1'b0;
            digest_q[c]   <= 1'b1;
            bank_q[c]     <= !bank_q[c];
            if (digest_q[c]) sum_zero_q[c] <= 1'b0;
          end
          S_NONCE: begin
            digest_q[c] <= 1'b0;
            if (digest_q[c] || cached_q[c]) sum_zero_q[c] <= 1'b0;
          end
          S_TAU: begin
            fin_q[c]  <= msg_words2 == '0;
            bank_q[c] <= !bank_q[c];
          end
          S_MSG: begin
            fin_q[c]  <= msg_words2 <= 7'd8;
            bank_q[c] <= !bank_q[c];
          end
          default: ;
        endcase
      end

      if (phase_q[c] == H_PASS) begin
        if ((ev_sum && ev_sum_ctx == CTX_BITS'(c)) || (ev_value && ev_value_ctx == CTX_BITS'(c))) phase_q[c] <= H_GO;
      end
      if (pipe.dec_ask[c/EACH] && pipe.dec_ctx[c/EACH] == CTX_BITS'(c)) begin
        chain_q[c] <= 1'b0;
        if (phase_q[c] == H_GO) phase_q[c] <= H_CALL;
      end
      if (pipe.ends_soon[c/EACH] && pipe.ends_soon_ctx[c/EACH] == CTX_BITS'(c) && phase_q[c] == H_CALL) begin
        phase_q[c] <= H_NEED;
        unique case (state_q[c])
          S_AD: ;
          S_NONCE: state_q[c] <= S_TAU;
          S_TAU, S_MSG: begin
            state_q[c] <= fin_q[c] ? S_TAG : S_MSG;
            if (!fin_q[c] && chain_ok[c] && (seal_q[c] || urgent_free[c/EACH])) begin
              phase_q[c] <= H_CALL;
              chain_q[c] <= 1'b1;
              post_q[c]  <= 1'b1;
            end
          end
          default: state_q[c] <= S_FREE;
        endcase
      end

      if (out_last_gone && out_last_ctx == CTX_BITS'(c)) out_done_q[c] <= 1'b1;
      if (tag_in_taken[c]) tag_wait_q[c] <= 1'b0;
      if (result_set && result_ctx == CTX_BITS'(c)) begin
        state_q[c] <= S_FREE;
        phase_q[c] <= H_NEED;
      end

      if (cmd_taken[c]) begin
        phase_q[c]    <= H_NEED;
        seal_q[c]     <= port.cmd.op == OP_SEAL;
        open_q[c]     <= port.cmd.op == OP_OPEN;
        load_ad_q[c]  <= port.cmd.op == OP_LOAD_AD;
        cached_q[c]   <= port.cmd.cached_ad && !port.cmd.op[1] && !cmd_refused[c];
        refused_q[c]  <= cmd_refused[c];
        digest_q[c]   <= 1'b0;
        sum_zero_q[c] <= 1'b1;
        ad_first_q[c] <= 1'b1;
        out_done_q[c] <= port.cmd.op[1];
        tag_wait_q[c] <= port.cmd.op == OP_OPEN;
        if (port.cmd.op == 2'd3) state_q[c] <= S_TAG;
        else state_q[c] <= ad.starts[c] ? S_AD : S_NONCE;
      end
      if (clear) begin
        state_q[c]    <= S_FREE;
        phase_q[c]    <= H_NEED;
        bank_q[c]     <= 1'b0;
        post_q[c]     <= 1'b0;
        chain_q[c]    <= 1'b0;
        fin_q[c]      <= 1'b0;
        tag_wait_q[c] <= 1'b0;
        out_done_q[c] <= 1'b0;
      end
    end
  end

  // ---- key ------------------------------------------------------------------------------------------------------------

  logic all_free;
  always_comb begin
    all_free = 1'b1;
    for (int unsigned c = 0; c < CONTEXTS; c++) if (state_q[c] != S_FREE) all_free = 1'b0;
  end
  assign idle = key_q == K_IDLE && all_free;
  always_ff @(posedge clk) begin
    pipe.hold <= idle;
    key_open  <= idle && !(port.cmd.valid && key_ok) && !key_taken && result_free;
    if (clear) {pipe.hold, key_open} <= '0;
  end
  assign key_write = key_q == K_WRITE;
  assign key_addr  = key_count_q;

  logic key_work;
  assign key_work = key_q != K_IDLE;

  always_ff @(posedge clk) begin
    key_count_q <= key_q == K_WRITE ? key_count_q + 4'd1 : '0;
    unique case (key_q)
      K_IDLE: ;
      K_WRITE: if (key_count_q == 4'd15) key_q <= K_NEED;
      K_NEED: if (ev_value) key_q <= K_GO;
      K_GO: if (pipe.dec_ask[0] && pipe.dec_ctx[0] == '0) key_q <= K_CALL;
      K_CALL: if (pipe.ends_soon[0]) key_q <= K_LSTAR;
      K_LSTAR: if (grant1) key_q <= K_TABLE;
      K_TABLE: begin
        if (table_done) begin
          key_q  <= K_IDLE;
          key_ok <= 1'b1;
        end
      end
      default: key_q <= K_IDLE;
    endcase

    if (grant2 && !key2 && state2 == S_TAG) tag_busy_q <= 1'b1;
    else if (result_set) tag_busy_q <= 1'b0;
    if (result_set && result_keeps) cache_ok_q <= 1'b1;

    if (key_taken) begin
      key_q      <= K_WRITE;
      key_ok     <= 1'b0;
      cache_ok_q <= 1'b0;
    end
    if (clear) begin
      key_q       <= K_IDLE;
      key_ok      <= 1'b0;
      cache_ok_q  <= 1'b0;
      tag_busy_q  <= 1'b0;
      key_count_q <= '0;
    end
  end

  // What the pipelines ask, answered in the next cycle
  always_ff @(posedge clk) begin
    for (int unsigned l = 0; l < LOOPS; l++) begin
      pipe.dec_chain[l] <= chain_q[pipe.dec_ctx[l]];
      pipe.dec_load[l] <= phase_q[pipe.dec_ctx[l]] == H_GO;
      pipe.dec_from_sum[l] <= state_q[pipe.dec_ctx[l]] == S_TAU || state_q[pipe.dec_ctx[l]] == S_MSG;
      unique case (state_q[pipe.dec_ctx[l]])
        S_NONCE: pipe.dec_block[l] <= BLOCK_ZERO;
        S_TAU: pipe.dec_block[l] <= BLOCK_TAU;
        // The block loaded last; the other one if the pass of an opening is to come, or that of a sealing is past
        S_MSG:
        pipe.dec_block[l] <= {1'b0, bank_q[pipe.dec_ctx[l]] ^ (seal_q[pipe.dec_ctx[l]] == chain_q[pipe.dec_ctx[l]])};
        default: pipe.dec_block[l] <= {1'b0, !bank_q[pipe.dec_ctx[l]]};
      endcase
      if (key_work) begin
        pipe.dec_load[l] <= l == 0 && key_q == K_GO && pipe.dec_ctx[l] == '0;
        pipe.dec_from_sum[l] <= 1'b0;
        pipe.dec_block[l] <= VERSION == 1 ? BLOCK_ZERO : BLOCK_TAU;
      end
    end
    if (clear) {pipe.dec_chain, pipe.dec_load} <= '0;
  end

`ifndef SYNTHESIS
  // The mask is there before the call ends, so no digest is lost.
  always_ff @(posedge clk) begin
    for (int unsigned l = 0; l < LOOPS; l++) begin
      if (!clear) begin
        a_pass_before_the_end :
        assert (!pipe.ends_soon[l] || !(post_q[pipe.ends_soon_ctx[l]] || msg.consume[pipe.ends_soon_ctx[l]]));
      end
    end
  end
`endif

endmodule
