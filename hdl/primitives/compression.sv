// SPDX-License-Identifier: Apache-2.0
// A compression function with n-byte blocks, chosen by parameter: digest = F'(chain, key || msg), as the OMD modes call it.
// Specification: FIPS 180-4 (SHA-2), RFC 7693 with t = 0 and f = 0 (BLAKE2b).
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: rounds, or twice as many with half a round a cycle, and one more.
// Security: constant time; `clear` zeroises the state.
module compression #(
    parameter bit BLAKE2B = 1'b0,  // 0: SHA-2, 1: BLAKE2b
    parameter int unsigned N_BITS = 512,  // block and chaining value: 256 (SHA-256), 512
    parameter int unsigned HALF_ROUNDS = 2  // half rounds a cycle: 1, 2 (BLAKE2b); 2, 4 (SHA-2)
) (
    input  logic              clk,
    input  logic              clear,    // zeroise, drop the call in flight
    input  logic [N_BITS-1:0] key,      // first half of the block, held by the user
    input  logic              key_new,  // pulse: `key` changes with this edge; only while ready
    input  logic              start,    // pulse: take chain and msg; only while ready
    input  logic [N_BITS-1:0] chain,    // chaining value
    input  logic [N_BITS-1:0] msg,      // second half of the block
    output logic              ready,    // idle: start may come, digest is valid
    output logic [N_BITS-1:0] digest    // result of the last call
);

  if (N_BITS != 512 && (BLAKE2B || N_BITS != 256)) begin : gen_bad_n
    $fatal(1, "compression: N_BITS = %0d, allowed: 512, and 256 for SHA-2", N_BITS);
  end
  if (HALF_ROUNDS != 2 && HALF_ROUNDS != (BLAKE2B ? 1 : 4)) begin : gen_bad_rounds
    $fatal(1, "compression: HALF_ROUNDS = %0d, allowed: 2 and %0d", HALF_ROUNDS, BLAKE2B ? 1 : 4);
  end

  if (!BLAKE2B) begin : gen_sha2
    sha2_compress #(
        .WORD_BITS       (N_BITS / 8),
        .ROUNDS_PER_CYCLE(HALF_ROUNDS / 2)
    ) u_compress (
        .*
    );
  end else begin : gen_blake2b
    logic unused_key_new;  // nothing is kept that depends on the key alone
    assign unused_key_new = &{1'b0, key_new};
    if (HALF_ROUNDS == 1) begin : gen_half
      blake2b_compress_h u_compress (.*);
    end else begin : gen_full
      blake2b_compress_f u_compress (.*);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_start_only_when_ready : assert (!start || ready);
    end
  end
`endif

endmodule
