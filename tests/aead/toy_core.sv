// SPDX-License-Identifier: Apache-2.0
// A toy with the ports of an AEAD core, to test the harness that tests the cores. It protects nothing.
// +defect=0 obeys the port contract; every other value breaks one rule of it (the list is in test_harness.py).
// The "cipher": out = data ^ (key + nonce + beat number), tag = multiply-and-add over AD and plaintext.
module toy_core #(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned KEY_BITS = 128,
    parameter int unsigned NONCE_BITS = 128,
    parameter int unsigned TAG_BITS = 128,
    parameter int unsigned VERSION = 1,
    parameter int unsigned CONTEXTS = 1
) (
    input logic clk,
    input logic rst,
    input logic clear,
    output logic busy,
    input logic key_valid,
    output logic key_ready,
    input logic [KEY_BITS-1:0] key_data,
    input logic cmd_valid,
    output logic cmd_ready,
    input logic cmd_ctx,
    input logic [1:0] cmd_op,
    input logic cmd_cached_ad,
    input logic [NONCE_BITS-1:0] cmd_nonce,
    input logic ad_valid,
    output logic ad_ready,
    input logic ad_ctx,
    input logic [DATA_BITS-1:0] ad_data,
    input logic [$clog2(DATA_BITS/8+1)-1:0] ad_bytes,
    input logic ad_last,
    input logic msg_valid,
    output logic msg_ready,
    input logic msg_ctx,
    input logic [DATA_BITS-1:0] msg_data,
    input logic [$clog2(DATA_BITS/8+1)-1:0] msg_bytes,
    input logic msg_last,
    input logic tag_in_valid,
    output logic tag_in_ready,
    input logic tag_in_ctx,
    input logic [TAG_BITS-1:0] tag_in_data,
    output logic out_valid,
    input logic out_ready,
    output logic out_ctx,
    output logic [DATA_BITS-1:0] out_data,
    output logic [$clog2(DATA_BITS/8+1)-1:0] out_bytes,
    output logic out_last,
    output logic result_valid,
    input logic result_ready,
    output logic result_ctx,
    output logic result_ok,
    output logic [TAG_BITS-1:0] result_tag
);
  typedef logic [DATA_BITS-1:0] word_t;
  typedef enum logic [2:0] {
    S_NO_KEY,
    S_IDLE,
    S_AD,
    S_MSG,
    S_TAG,
    S_RESULT
  } state_e;

  int unsigned defect;
  initial if ($value$plusargs("defect=%d", defect) == 0) defect = 0;

  state_e state;
  word_t key_q, nonce_q, ad_hash, cache, acc;
  logic [TAG_BITS-1:0] tag;
  logic [1:0] op;
  logic [15:0] waited;
  logic odd, started;

  function automatic word_t fold(input word_t h, input word_t data, input int unsigned bytes);
    return (h ^ word_t'(bytes)) * word_t'(64'h9e3779b97f4a7c15) + data + word_t'(1);
  endfunction
  function automatic word_t masked(input word_t data, input int unsigned bytes);
    return data & ~(~word_t'(0) << 8 * bytes);
  endfunction

  word_t msg_in, plain;
  assign msg_in = masked(msg_data ^ (key_q + nonce_q), int'(msg_bytes));
  assign plain = op == 2'd0 ? masked(msg_data, int'(msg_bytes)) : msg_in;
  assign tag = {(TAG_BITS / DATA_BITS) {acc ^ ad_hash}};

  logic closed;
  assign closed = (rst || clear) && defect != 17;

  assign busy = (state != S_NO_KEY && state != S_IDLE) || waited != 0 || ((rst || clear) && defect != 18);
  assign key_ready = (state == S_NO_KEY || state == S_IDLE || (defect == 12 && state == S_MSG))
      && (waited == 0 || (defect == 19 && state == S_NO_KEY)) && !closed;
  assign cmd_ready = ((state == S_IDLE && waited == 0) || (defect == 13 && state == S_NO_KEY)) && !closed;
  assign ad_ready = (state == S_AD || (defect == 6 && state == S_IDLE && waited == 0)) && !closed;
  assign msg_ready = state == S_MSG && (!out_valid || out_ready) && !(defect == 7 && !tag_in_valid && op == 2'd1)
      && !(defect == 14 && odd) && !closed;
  assign tag_in_ready = state == S_TAG && defect != 8 && !out_valid && !closed;
  assign out_ctx = 1'b0;
  assign result_ctx = 1'b0;

  always_ff @(posedge clk) begin
    odd <= !odd;
    if (waited != 0) waited <= waited - 16'd1;
    if (out_valid && out_ready) out_valid <= 1'b0;
    if (defect == 1 && out_valid && odd) out_valid <= 1'b0;
    if (defect == 4 && out_valid) out_data[0] <= !out_data[0];
    if (defect == 15 && state == S_MSG && !out_valid && odd) begin
      out_valid <= 1'b1;
      out_bytes <= 3;
      out_data  <= '0;
      out_last  <= 1'b0;
    end
    if (key_valid && key_ready) begin
      key_q  <= word_t'(key_data ^ (key_data >> DATA_BITS));
      cache  <= '0;
      waited <= 16'd5;
      if (state == S_NO_KEY) state <= S_IDLE;
    end
    unique case (state)
      S_IDLE:
      if (cmd_valid && cmd_ready) begin
        op <= cmd_op;
        nonce_q <= word_t'(cmd_nonce ^ (cmd_nonce >> DATA_BITS));
        acc <= key_q ^ word_t'(cmd_nonce ^ (cmd_nonce >> DATA_BITS));
        ad_hash <= cmd_cached_ad ? cache : key_q;
        state <= cmd_cached_ad ? S_MSG : S_AD;
        started <= 1'b0;
      end
      S_AD:
      if (ad_valid) begin
        ad_hash <= fold(ad_hash, masked(ad_data, int'(ad_bytes)), int'(ad_bytes));
        if (ad_last) begin
          if (op == 2'd2) cache <= fold(ad_hash, masked(ad_data, int'(ad_bytes)), int'(ad_bytes));
          state <= op == 2'd2 ? S_RESULT : S_MSG;
          if (defect == 5 && op == 2'd2) begin
            out_valid <= 1'b1;
            out_data  <= '0;
            out_bytes <= '0;
            out_last  <= 1'b1;
          end
        end
      end
      S_MSG:
      if (msg_valid && msg_ready) begin
        acc <= fold(acc, plain, int'(msg_bytes));
        nonce_q <= nonce_q + word_t'(1);
        out_valid <= 1'b1;
        out_data <= defect == 2 ? msg_data ^ (key_q + nonce_q) : msg_in;
        out_bytes <= msg_bytes;
        out_last <= msg_last;
        if (msg_last) state <= op == 2'd1 ? S_TAG : S_RESULT;
      end
      S_TAG:
      if (tag_in_valid && tag_in_ready) begin
        result_ok <= tag_in_data == tag || defect == 9;
        result_tag <= defect == 10 ? tag : '0;
        result_valid <= 1'b1;
        state <= S_RESULT;
      end
      S_RESULT: begin
        if (!result_valid && (!out_valid || out_ready || defect == 3) && !started && op != 2'd1) begin
          result_ok <= 1'b1;
          result_tag <= op == 2'd0 ? tag : '0;
          result_valid <= 1'b1;
          started <= 1'b1;
        end
        if (result_valid && result_ready) begin
          result_valid <= 1'b0;
          state <= S_IDLE;
        end
      end
      default: ;
    endcase
    if (rst || clear) begin
      state <= S_NO_KEY;
      waited <= defect == 16 ? 16'd3000 : 16'd4;
      odd <= 1'b0;
      out_valid <= 1'b0;
      result_valid <= 1'b0;
      if (defect != 11 || rst) key_q <= '0;
      {nonce_q, ad_hash, cache, acc, out_data, out_bytes, out_last, op, started} <= '0;
      {result_ok, result_tag} <= '0;
    end
  end
endmodule
