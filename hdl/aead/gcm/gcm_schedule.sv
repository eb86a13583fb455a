// SPDX-License-Identifier: Apache-2.0
// AES-GCM schedule: what hash and output take up, for keys, sealing, opening and AD loading (docs/cores/gcm.md).
// The calls of AES run ahead, from the beginning of a command to its last block; the first of them masks the tag.
// Cycles: 10 a block: the hash takes no longer than AES.
// Security: the order depends on lengths and operations only; a message longer than a nonce has counters for is refused; a
// refused command gives no tag; `clear` drops everything in flight.
module gcm_schedule
  import aead_pkg::*, aead_block_pkg::*, gcm_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64  // beat: 32, 64 or 128
) (
    input logic clk,
    input logic clear,

    input  front_t   front,
    output status_t  status,
    output event_t   pulse,
    input  chunk_t   chunk,
    output collect_t collect,
    output emit_t    emit,
    input  logic     emit_idle,

    output logic run,          // calls of AES
    output logic hash_key,
    input  logic calls_idle,
    input  logic stream_valid,

    output datapath_t         orders,
    output logic      [127:0] lengths
);

  typedef enum logic [3:0] {
    S_IDLE,     // nothing to do, or refused
    S_KEY,      // wait for the hash key
    S_AD,
    S_AD_END,   // wait for the hash
    S_TEXT,
    S_LENGTHS,
    S_SUM,      // wait for the hash
    S_SETTLE,   // the order before takes effect
    S_TAG       // the tag stands
  } state_e;

  localparam int unsigned COUNT_BITS = 57;  // a string has fewer than 2^61 bytes
  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam logic [3:0] BLOCK_WAIT = 4'd9;  // from a block to the next
  localparam logic [3:0] HASH_WAIT = 4'd10;  // to the order that uses the hash

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  state_e state_d;
  datapath_t dp;
  logic [3:0] wait_q, wait_d;  // cycles until the hash can take a block
  logic [COUNT_BITS-1:0] blocks_q;  // whole ones of the string
  logic [3:0] tail_q;  // bytes beside them
  logic [60:0] ad_bytes_q, cache_bytes_q;
  logic ad_end_q;  // the last block of the associated data was taken up by the edge before
  logic too_long_q;  // a further block of the message has no counter
  logic run_q, begin_q;  // calls are wanted; they wait for the ones before
  logic mask_owed_q;  // the first block of key stream masks the tag
  logic load_q;  // output is ordered, it stands in the next cycle
  logic load_now_q;  // it stands
  output_t out_q;
  logic next, refuse, emit_empty, hash_free, stream, take, text_state, opening, load_ad;
  logic [4:0] chunk_bytes;

  logic unused;
  assign unused = &{1'b0, front, chunk, out_q.partial};

  function automatic logic [63:0] big_endian(input logic [63:0] x);
    for (int unsigned i = 0; i < 8; i++) big_endian[8*i+:8] = x[8*(7-i)+:8];
  endfunction

  assign opening = front.op == OP_OPEN;
  assign load_ad = front.op == OP_LOAD_AD;
  assign chunk_bytes = 5'(32'(chunk.beats) * BEAT_BYTES + 32'(chunk.last_bytes));
  assign lengths = {big_endian({blocks_q, tail_q, 3'b0}), big_endian({ad_bytes_q, 3'b0})};
  assign hash_free = wait_q == '0;
  assign stream = stream_valid && !orders.pop;
  assign text_state = state_q == S_TEXT;
  assign refuse = (state_q == S_AD && chunk.bad) || (text_state && (chunk.bad || (chunk.full && too_long_q)));
  assign run = run_q;
  assign hash_key = state_q == S_KEY;

  always_comb begin
    status          = '0;
    status.key_free = calls_idle;
    status.finish   = state_q == S_TAG;
    status.out_idle = emit_idle;
  end

  always_comb begin
    state_d    = state_q;
    dp         = '0;
    collect    = '0;
    pulse      = '0;
    next       = 1'b0;
    emit_empty = 1'b0;
    take       = 1'b0;
    wait_d     = hash_free ? '0 : wait_q - 4'd1;

    unique case (state_q)
      S_IDLE: begin
        if (front.key_new) state_d = S_KEY;
        if (front.begins) begin
          dp.restore        = front.cached;
          collect.start_ad  = front.with_ad;
          collect.start_msg = !front.with_ad;
          state_d           = front.with_ad ? S_AD : S_TEXT;
        end
      end

      S_KEY: begin
        dp.hash_key_load = stream;
        pulse.key_done   = stream;
        if (stream) state_d = S_IDLE;
      end

      S_AD: begin
        next              = chunk.full && (hash_free || chunk.empty);
        dp.hash           = next && !chunk.empty;
        collect.start_msg = next && chunk.last && !load_ad;
        if (next && chunk.last) state_d = load_ad ? S_AD_END : S_TEXT;
      end

      S_AD_END: if (hash_free) state_d = S_SETTLE;

      S_TEXT: begin
        take         = chunk.full && !chunk.empty && hash_free && emit_idle && stream && !mask_owed_q && !too_long_q;
        emit_empty   = chunk.full && chunk.empty;
        next         = take || emit_empty;
        dp.text      = take;
        dp.hash      = take;
        dp.hash_text = take && !opening;
        if (next && chunk.last) state_d = S_LENGTHS;
      end

      S_LENGTHS: begin
        dp.hash         = hash_free;
        dp.hash_lengths = hash_free;
        if (hash_free) state_d = S_SUM;
      end

      S_SUM: begin
        dp.tag_sum = hash_free && !mask_owed_q;
        if (hash_free && !mask_owed_q) state_d = S_SETTLE;
      end

      S_SETTLE: begin
        dp.cache_load = load_ad;
        state_d       = S_TAG;
      end

      S_TAG:   if (front.done) state_d = S_IDLE;
      default: state_d = S_IDLE;
    endcase

    dp.mask_load   = mask_owed_q && stream && !hash_key;
    dp.pop         = dp.hash_key_load || dp.mask_load || dp.text;
    dp.block_clear = next || refuse;
    if (dp.hash) wait_d = dp.hash_lengths ? HASH_WAIT : BLOCK_WAIT;
    if (refuse) state_d = S_IDLE;

    collect.next    = next;
    collect.stop    = refuse;
    pulse.refuse    = refuse;
    pulse.out_made  = load_now_q || emit_empty;

    emit            = '0;
    emit.load       = load_now_q;
    emit.empty      = emit_empty || front.end_empty;
    emit.beats      = out_q.beats;
    emit.last_bytes = out_q.bytes;
    emit.last       = out_q.last;
    emit.more       = chunk.full && !too_long_q;
    emit.cut        = front.refused;
  end

  always_ff @(posedge clk) begin
    state_q    <= state_d;
    orders     <= dp;
    wait_q     <= wait_d;
    load_q     <= take;
    load_now_q <= load_q;
    if (take) out_q <= output_of(chunk);

    // Calls
    if (state_q == S_IDLE && front.begins && !load_ad) begin
      begin_q     <= 1'b1;
      mask_owed_q <= 1'b1;
    end
    if (begin_q && calls_idle) begin
      begin_q <= 1'b0;
      run_q   <= 1'b1;
    end
    if (dp.mask_load) mask_owed_q <= 1'b0;
    if (state_q == S_IDLE && front.key_new) run_q <= 1'b1;
    if (dp.hash_key_load || dp.tag_sum || refuse) run_q <= 1'b0;

    // Lengths
    ad_end_q   <= state_q == S_AD && next && chunk.last;
    too_long_q <= text_state && (&blocks_q[31:1]);
    if (next) begin
      blocks_q <= blocks_q + COUNT_BITS'(chunk_bytes[4]);
      tail_q   <= chunk.empty ? '0 : chunk_bytes[3:0];
    end
    if (ad_end_q) ad_bytes_q <= {blocks_q, tail_q};
    if (orders.restore) ad_bytes_q <= cache_bytes_q;
    if (orders.cache_load) cache_bytes_q <= ad_bytes_q;
    if (ad_end_q || state_q == S_IDLE) begin
      blocks_q <= '0;
      tail_q   <= '0;
    end

    if (refuse || front.rest) begin
      begin_q     <= 1'b0;
      mask_owed_q <= 1'b0;
      wait_q      <= '0;
    end
    if (clear) begin
      state_q       <= S_IDLE;
      orders        <= '0;
      load_q        <= 1'b0;
      load_now_q    <= 1'b0;
      out_q         <= '0;
      run_q         <= 1'b0;
      blocks_q      <= '0;
      tail_q        <= '0;
      ad_bytes_q    <= '0;
      cache_bytes_q <= '0;
      ad_end_q      <= 1'b0;
      too_long_q    <= 1'b0;
      begin_q       <= 1'b0;
      mask_owed_q   <= 1'b0;
      wait_q        <= '0;
    end
  end

endmodule
