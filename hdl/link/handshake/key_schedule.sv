// SPDX-License-Identifier: Apache-2.0
//
// The pre-shared key and D(c, H) = F'(H, PSK || ctx(c, 0) || zeros), one call of F' an output.
// Specification: docs/wire-format.md, "Key schedule". Byte order: byte i of every string is bits [8i+7:8i].
// Cycles from start to done: 530 over SHA-512, 410 over BLAKE2b; with FAST 98 and 27 (a new key and a call of F' each).
// Security: constant time. The key serves nothing but D; nothing of a call stays behind it.

module key_schedule
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [7:0] KIND  = 8'h00,
    parameter bit         FAST  = 1'b0    // F' a round a cycle, in place of the small one
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              wipe,       // forget the key, give up the call
    input  identity_t         identity,
    input  logic              psk_take,   // pulse, only while ready
    input  logic      [511:0] psk_data,
    output logic              psk_known,
    output logic              psk_same,   // `psk_data` is the key that is held
    output logic              ready,      // no call in work
    input  logic              start,      // pulse, only while ready; `c` and `chain` stand until done
    input  logic      [  7:0] c,
    input  logic      [511:0] chain,
    output logic              done,       // pulse: `digest` is valid
    output logic      [511:0] digest
);
  typedef enum logic [2:0] {
    S_IDLE,
    S_PREPARE,  // tell the compression function its key
    S_START,
    S_CALL,
    S_CLEAR
  } state_e;

  state_e state_q;
  logic [511:0] psk_q;
  logic psk_known_q, f_ready;

  // F' of the suite. Small: 528 and 408 cycles a call. FAST: SHA-512 81 cycles a call and 3 for a new key, BLAKE2b 13.
  logic clear, key_new, call;
  logic [511:0] msg;
  assign clear = rst || wipe || state_q == S_CLEAR;
  assign key_new = state_q == S_PREPARE;
  assign call = state_q == S_START && f_ready;
  assign msg = {256'd0, ctx(SUITE, c, KIND, 32'd0, identity.id_i, identity.id_r)};
  if (!FAST && suite_info(SUITE).sha512) begin : g_sha512
    sha512_compress_s u_compress (
        .*,
        .key  (psk_q),
        .start(call),
        .ready(f_ready)
    );
  end else if (!FAST) begin : g_blake2b
    blake2b_compress_s u_compress (
        .*,
        .key  (psk_q),
        .start(call),
        .ready(f_ready)
    );
  end else if (suite_info(SUITE).sha512) begin : g_sha512_fast
    sha2_compress #(
        .WORD_BITS(64),
        .ROUNDS_PER_CYCLE(1)
    ) u_compress (
        .*,
        .key  (psk_q),
        .start(call),
        .ready(f_ready)
    );
  end else begin : g_blake2b_fast
    blake2b_compress_f u_compress (
        .*,
        .key  (psk_q),
        .start(call),
        .ready(f_ready)
    );
  end

  assign psk_known = psk_known_q;
  assign psk_same = psk_known_q && psk_data == psk_q;
  assign ready = state_q == S_IDLE;
  assign done = state_q == S_CALL && f_ready;

  always_ff @(posedge clk) begin
    if (psk_take) begin
      psk_q       <= psk_data;
      psk_known_q <= 1'b1;
    end
    unique case (state_q)
      S_IDLE:    if (start) state_q <= S_PREPARE;
      S_PREPARE: state_q <= S_START;
      S_START:   if (f_ready) state_q <= S_CALL;
      S_CALL:    if (f_ready) state_q <= S_CLEAR;
      default:   state_q <= S_IDLE;
    endcase
    if (rst || wipe) begin
      state_q     <= S_IDLE;
      psk_q       <= '0;
      psk_known_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, identity, key_new};
endmodule
