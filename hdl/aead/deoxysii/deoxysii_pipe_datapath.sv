// SPDX-License-Identifier: Apache-2.0
// Deoxys-II, a call a cycle: the ring around the unrolled cipher. A call's block and tweak enter in front, the block that is to be
// added to its result travels beside it. Opening, what is made of a block's key stream enters again, for the sum, RING cycles after
// the first call, which is an odd number: first calls every other cycle leave the cycles between to the second ones.
// Nothing here ever waits. Byte order: byte i of every block in bits [8i+7:8i].
// Cycles: `made` shows a block 32 edges after its order, RING = 31; `tag_equal` speaks of the registers a cycle ago.
// Security: no data-dependent control; compares all of a tag; `clear` zeroises sums, tags, nonce; what is under way is pushed out by
// zeros: hold it for 33 cycles.
module deoxysii_pipe_datapath
  import aead_pipe_pkg::*, deoxysii_pipe_pkg::*;
#(
    parameter int unsigned VERSION = 143  // 141 or 143
) (
    input logic clk,
    input logic clear,

    input logic         key_new,
    input logic [127:0] key,

    input logic          nonce_take,    // nonce register <= nonce
    input logic  [119:0] nonce,
    input logic          tag_take,      // tag <= tag_in
    input logic  [127:0] tag_in,
    input logic          rests,         // no command is at work: at first sum and tag <= 0
    input logic          begins,        // one begins: sum <= 0 or cache
    input logic          begin_cached,
    input logic          ends,          // it has been carried out,
    input logic          load_ad,       // and was there for the cache <= sum
    input logic          opening,
    input logic  [127:0] block,         // of which `call` speaks
    input logic  [ 15:0] last_text,     // bytes of the string in the message's last block
    input call_t         call,

    output kind_e at_end,  // the result of this call is there; the next cycle it is in its register
    output logic  idle,    // nothing is under way

    output made_t made,  // a block of output

    output logic [127:0] tag,       // made in sealing, given in opening
    output logic         tag_equal  // the tag that was made in opening is the one that came
);

  localparam int unsigned LATENCY = 29;

  logic [119:0] nonce_q;
  // Of the first pass; in opening then the tag that the strings make
  logic [127:0] sum_q, cache_q, block_q, tweak_q, tweak, source, result, made_q;
  logic [127:0] iv_q;  // the tag as it begins the encryption: made in sealing, given in opening
  logic [LATENCY:0][127:0] beside_q;  // goes with a call, to be added to its result
  token_t [LATENCY:0] token_q;
  token_t near, made_token_q, entering;
  logic [NUMBER_BITS-1:0] again_q;  // opening: number of the next block that joins the sum
  logic [15:0] pass_q, equal_q;  // equal_q: bytes
  logic rested_q;
  logic unused;
  assign unused = &{1'b0, near, made_token_q};

  // ---- putting calls together: in a cycle in which a block enters again, `call` is none ----

  always_comb begin
    entering = call.token;
    unique case (call.token.kind)
      K_SUM: begin
        source = block;
        tweak  = stage(call.ad, call.partial, call.number);
      end
      K_TAG: begin
        source = sum_q;
        tweak  = {nonce_q, 8'h10};
      end
      K_STREAM: begin
        source = {nonce_q, 8'h00};
        tweak  = (iv_q | 128'h80) ^ numbered(call.number);
      end
      default: begin
        source = '0;
        tweak  = '0;
      end
    endcase
    if (made_token_q.again) begin
      entering      = '0;
      entering.kind = K_SUM;
      source        = made_q;
      tweak         = stage(1'b0, made_token_q.cut, again_q);
    end
  end

  always_ff @(posedge clk) begin
    token_q  <= {token_q[LATENCY-1:0], entering};
    block_q  <= source;
    tweak_q  <= tweak;
    beside_q <= {beside_q[LATENCY-1:0], block & {128{call.token.kind == K_STREAM}}};
    if (made_token_q.again) again_q <= again_q + NUMBER_BITS'(1);
    if (rests) again_q <= '0;
    if (clear) begin
      token_q     <= '0;
      block_q     <= '0;
      tweak_q     <= '0;
      beside_q[0] <= '0;
      again_q     <= '0;
    end
  end

  deoxys_bc_pipe #(
      .VERSION(VERSION)
  ) u_bc (
      .clk,
      .clear,
      .key_new,
      .key,
      .tweak(tweak_q),
      .block(block_q),
      .result
  );

  // ---- results ----

  assign {made.late, made.single, made.spent} = 3'b110;  // a block is a chunk

  assign near = token_q[LATENCY-1];
  assign at_end = token_q[LATENCY].kind;
  assign tag = iv_q;
  assign tag_equal = &equal_q;

  always_ff @(posedge clk) begin
    pass_q       <= near.cut ? last_text : '1;
    made_q       <= (result & spread(pass_q)) ^ beside_q[LATENCY];
    made_token_q <= token_q[LATENCY];

    if (made_token_q.kind == K_SUM) sum_q <= sum_q ^ made_q;
    if (made_token_q.kind == K_TAG && opening) sum_q <= made_q;
    if (begins) sum_q <= begin_cached ? cache_q : '0;
    if (ends && load_ad) cache_q <= sum_q;

    if (tag_take) iv_q <= tag_in;
    if (made_token_q.kind == K_TAG && !opening) iv_q <= made_q;
    for (int unsigned i = 0; i < 16; i++) equal_q[i] <= sum_q[8*i+:8] == iv_q[8*i+:8];
    rested_q <= rests;
    if (rests && !rested_q) begin
      sum_q <= '0;
      iv_q  <= '0;
    end
    if (nonce_take) nonce_q <= nonce;

    made.valid <= made_token_q.kind == K_STREAM;
    made.last  <= made_token_q.last;
    made.block <= made_q & spread(made_token_q.cut ? last_text : '1);

    if (clear) begin
      pass_q       <= '0;
      made_q       <= '0;
      made_token_q <= '0;
      sum_q        <= '0;
      cache_q      <= '0;
      iv_q         <= '0;
      rested_q     <= 1'b0;
      equal_q      <= '0;
      nonce_q      <= '0;
      made.valid   <= 1'b0;
      made.last    <= 1'b0;
      made.block   <= '0;
    end
  end

  always_comb begin
    idle = call.token.kind == K_NONE && made_token_q.kind == K_NONE && !made.valid;
    for (int unsigned i = 0; i <= LATENCY; i++) idle &= token_q[i].kind == K_NONE;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_one_call_a_cycle : assert (!made_token_q.again || call.token.kind == K_NONE);
    end
  end
`endif

endmodule
