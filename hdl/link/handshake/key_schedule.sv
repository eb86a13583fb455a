// SPDX-License-Identifier: Apache-2.0
//
// The pre-shared key and D(c, H) = F'(H, PSK || ctx(c, 0) || zeros), one call of F' an output.
// Specification: docs/wire-format.md, "Key schedule". Byte order: byte i of every string is bits [8i+7:8i].
// Cycles from start to done: 530 over SHA-512, 410 over BLAKE2b, 819 with SLICES; with FAST 114 and 32.
// Security: constant time. The key serves nothing but D; nothing of a call stays behind it.

module key_schedule
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE  = 8'h01,
    parameter logic [7:0] KIND   = 8'h00,
    parameter bit         FAST   = 1'b0,   // F' a round a cycle, in place of the small one
    parameter bit         SLICES = 1'b0    // registers on the longest paths of the small BLAKE2b
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              wipe,        // level, 9 cycles at least: forget the key, give up the call
    input  identity_t         identity,
    input  logic              psk_valid,   // level, only while ready: take the key, which stands until then
    output logic              psk_taken,   // pulse: it is held
    input  logic      [511:0] psk_data,
    output logic              psk_known,
    output logic              psk_same,    // with psk_taken: it was held before
    output logic              ready,       // no call in work
    input  logic              start,       // pulse, only while ready; `c` stands until done, and the words of `chain`
    input  logic      [  7:0] c,
    output logic      [  2:0] chain_at,    // which word of `chain` is read
    input  logic      [ 63:0] chain_word,  // that word, in the same cycle
    output logic              word_valid,  // `word` is a word of the output
    output logic      [  2:0] word_at,     // which one
    output logic      [ 63:0] word,
    output logic              done         // pulse, behind the last word
);
  typedef enum logic [1:0] {
    S_IDLE,
    S_START,
    S_CALL,
    S_CLEAR
  } state_e;

  state_e state_q;
  logic f_ready, clear, call;
  assign clear = rst || wipe || state_q == S_CLEAR;
  assign call  = state_q == S_START && f_ready;

  // ------------------------------------------------------------------------------------------------ the pre-shared key
  // It stands in a memory, word by word, and is compared with the one before as it goes in, a cycle behind the choice of a word.
  // A wipe or reset writes zeros.
  (* ram_style = "distributed" *) logic [63:0] psk[8];
  logic [7:0][63:0] psk_given;
  logic [63:0] psk_next_q, key_word;
  logic [2:0] psk_at_q, key_at;
  logic psk_known_q, psk_same_q, psk_come_q, psk_wipe_q, psk_put;
  assign psk_given = psk_data;
  assign key_word  = psk[psk_put?psk_at_q : key_at];
  assign psk_put   = psk_come_q || psk_wipe_q;
  assign psk_known = psk_known_q;
  assign psk_same  = psk_same_q;

  always_ff @(posedge clk) if (psk_put) psk[psk_at_q] <= psk_wipe_q ? '0 : psk_next_q;

  always_ff @(posedge clk) begin
    psk_taken <= psk_come_q && psk_at_q == '1;
    if (!psk_put) psk_come_q <= psk_valid && !psk_taken;
    else if (psk_at_q == '1) {psk_come_q, psk_wipe_q} <= '0;
    psk_next_q <= psk_given[psk_put?psk_at_q+3'd1 : '0];
    if (psk_put) psk_at_q <= psk_at_q + 3'd1;
    if (psk_come_q) psk_same_q <= (psk_at_q == '0 ? psk_known_q : psk_same_q) && key_word == psk_next_q;
    if (psk_taken) psk_known_q <= 1'b1;
    if (rst || wipe) begin
      if (rst || !psk_wipe_q) psk_at_q <= '0;
      psk_known_q <= 1'b0;
      psk_same_q  <= 1'b0;
      psk_taken   <= 1'b0;
      psk_come_q  <= 1'b0;
      psk_next_q  <= '0;
      psk_wipe_q  <= 1'b1;
    end
  end

  // ------------------------------------------------------------------------------------------------ calls
  logic [511:0] msg;
  assign msg = {256'd0, ctx(SUITE, c, KIND, 32'd0, identity.id_i, identity.id_r)};
  if (FAST) begin : g_fast
    compress_by_words #(
        .SHA512(suite_info(SUITE).sha512)
    ) u_compress (
        .*,
        .start(call),
        .ready(f_ready)
    );
  end else if (suite_info(SUITE).sha512) begin : g_sha512
    sha512_compress_s u_compress (
        .*,
        .start(call),
        .ready(f_ready)
    );
  end else begin : g_blake2b
    blake2b_compress_s #(
        .HALVES(SLICES)
    ) u_compress (
        .*,
        .start(call),
        .ready(f_ready)
    );
  end

  assign ready = state_q == S_IDLE;
  assign done  = state_q == S_CALL && f_ready;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_IDLE:  if (start) state_q <= S_START;
      S_START: if (f_ready) state_q <= S_CALL;
      S_CALL:  if (f_ready) state_q <= S_CLEAR;
      default: state_q <= S_IDLE;
    endcase
    if (rst || wipe) state_q <= S_IDLE;
  end

  wire unused = &{1'b0, identity};
endmodule
