// SPDX-License-Identifier: Apache-2.0
//
// The compression function F' of a suite's key schedule behind one set of ports.
// Suites 01, 03: SHA-512, 81 cycles a call (and 3 for a new key); 02, 04: BLAKE2b, 13 cycles a call.
// Byte order: byte i of every string is bits [8i+7:8i].
// Security: constant time; `clear` zeroises the state.

module schedule_compress #(
    parameter logic [7:0] SUITE = 8'h01
) (
    input  logic         clk,
    input  logic         clear,
    input  logic [511:0] key,      // first half of the block, held by the user
    input  logic         key_new,  // pulse: `key` is new or the state was cleared; only while ready
    input  logic         start,    // pulse: take chain and msg; only while ready
    input  logic [511:0] chain,
    input  logic [511:0] msg,      // second half of the block
    output logic         ready,
    output logic [511:0] digest    // result of the last call, valid while ready
);
  if (link_pkg::suite_info(SUITE).served && link_pkg::suite_info(SUITE).sha512) begin : g_sha512
    sha2_compress #(
        .WORD_BITS(64),
        .ROUNDS_PER_CYCLE(1)
    ) u_compress (
        .*
    );
  end else if (link_pkg::suite_info(SUITE).served) begin : g_blake2b
    logic unused;
    assign unused = key_new;
    blake2b_compress_f u_compress (.*);
  end else begin : g_unknown
    $fatal(1, "schedule_compress: SUITE = %02x is not served: see link_pkg", SUITE);
  end
endmodule
