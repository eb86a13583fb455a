// SPDX-License-Identifier: Apache-2.0
//
// The opening core of the link under its session: packets come with a nonce, the AD is the session's, and leave in order.
// Byte order: byte i of every string is bits [8i+7:8i].
// Cycles: the core's own (docs/core-ports.md); nothing is added between packets.
// Security: `out` is unverified until the result says ok; it goes to get_from_dec alone. `clear` zeroises the core.

module decrypt
  import link_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [7:0] ARCHITECTURE = ARCH_ITERATIVE,
    parameter int unsigned WORK_BYTES = 131072  // interleaved cores: ring of packets in work
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    output logic                busy,
    input  logic                load,          // level, see session_load
    input  logic [       511:0] load_key,
    input  logic [       255:0] load_ad,
    output logic                loaded,
    input  logic                cmd_valid,
    output logic                cmd_ready,
    input  logic [       255:0] cmd_nonce,
    input  logic [LEN_BITS-1:0] cmd_len,       // bytes of the message
    input  logic                msg_valid,     // ciphertext
    output logic                msg_ready,
    input  logic [        63:0] msg_data,
    input  logic [         3:0] msg_bytes,
    input  logic                msg_last,
    input  logic                tag_in_valid,  // the tag it came with
    output logic                tag_in_ready,
    input  logic [       255:0] tag_in_data,
    output logic                out_valid,     // unverified plaintext
    input  logic                out_ready,
    output logic [        63:0] out_data,
    output logic [         3:0] out_bytes,
    output logic                out_last,
    output logic                result_valid,
    input  logic                result_ready,
    output logic                result_ok      // the tag was right
);
  logic [255:0] result_tag;
  logic unused;
  assign unused = &{1'b0, result_tag};

  session_aead #(
      .SUITE(SUITE),
      .ARCHITECTURE(ARCHITECTURE),
      .OPEN(1'b1),
      .WORK_BYTES(WORK_BYTES)
  ) u_session (
      .*
  );  // the ports above
endmodule
