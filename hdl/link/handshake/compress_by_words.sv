// SPDX-License-Identifier: Apache-2.0
//
// F' a round a cycle behind the ports of the small ones (sha512_compress_s, blake2b_compress_s): the words of key and chaining
// value are gathered, and those of the digest handed out one by one.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: 17 more than a call of the function with a new key.
// Security: `clear` zeroises everything.

module compress_by_words #(
    parameter bit SHA512 = 1'b0  // else BLAKE2b
) (
    input  logic         clk,
    input  logic         clear,       // zeroise, drop the call in flight
    input  logic         start,       // pulse; only while ready
    input  logic [511:0] msg,         // second half of the block; it stands from start until ready, as do the words
    output logic [  2:0] key_at,      // which word of the key, the first half of the block, is read
    input  logic [ 63:0] key_word,    // that word, in the same cycle
    output logic [  2:0] chain_at,    // which word of the chaining value is read
    input  logic [ 63:0] chain_word,  // that word, in the same cycle
    output logic         ready,       // idle: start may come
    output logic         word_valid,  // `word` is a word of the digest
    output logic [  2:0] word_at,     // which one
    output logic [ 63:0] word
);
  typedef enum logic [2:0] {
    S_IDLE,
    S_GATHER,
    S_START,
    S_CALL,
    S_GIVE
  } state_e;

  state_e state_q;
  logic [2:0] at_q;
  logic [7:0][63:0] chain_q, key;
  logic [511:0] digest;
  logic f_ready, key_new, call;
  assign ready = state_q == S_IDLE && f_ready;
  assign key_new = state_q == S_GATHER && at_q == '1;
  assign call = state_q == S_START && f_ready;
  assign key_at = at_q;
  assign chain_at = at_q;
  assign word_valid = state_q == S_GIVE;
  assign word_at = at_q;
  assign word = digest[64*at_q+:64];

  if (SHA512) begin : g_sha512
    sha2_compress #(
        .WORD_BITS(64),
        .ROUNDS_PER_CYCLE(1)
    ) u_compress (
        .*,
        .start(call),
        .chain(chain_q),
        .ready(f_ready)
    );
  end else begin : g_blake2b
    blake2b_compress_f u_compress (
        .*,
        .start(call),
        .chain(chain_q),
        .ready(f_ready)
    );
  end

  always_ff @(posedge clk) begin
    if (state_q == S_GATHER) begin
      chain_q[at_q] <= chain_word;
      key[at_q]     <= key_word;
    end
    if (state_q inside {S_GATHER, S_GIVE}) at_q <= at_q + 3'd1;
    unique case (state_q)
      S_IDLE:   if (ready && start) state_q <= S_GATHER;
      S_GATHER: if (at_q == '1) state_q <= S_START;
      S_START:  if (f_ready) state_q <= S_CALL;
      S_CALL:   if (f_ready) state_q <= S_GIVE;
      default:  if (at_q == '1) state_q <= S_IDLE;
    endcase
    if (clear) begin
      state_q <= S_IDLE;
      at_q    <= '0;
      chain_q <= '0;
      key     <= '0;
    end
  end

  wire unused = &{1'b0, key_new};
endmodule
