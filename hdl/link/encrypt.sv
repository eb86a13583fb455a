// SPDX-License-Identifier: Apache-2.0
//
// The sealing core of the link under its session: packets come with a nonce, the AD is the session's, and leave in order.
// Byte order: byte i of every string is bits [8i+7:8i].
// Cycles: the core's own (docs/core-ports.md); nothing is added between packets.
// Security: `clear` zeroises the core, its key and its cache.

module encrypt
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
    input  logic                msg_valid,     // plaintext
    output logic                msg_ready,
    input  logic [        63:0] msg_data,
    input  logic [         3:0] msg_bytes,
    input  logic                msg_last,
    output logic                out_valid,     // ciphertext
    input  logic                out_ready,
    output logic [        63:0] out_data,
    output logic [         3:0] out_bytes,
    output logic                out_last,
    output logic                result_valid,
    input  logic                result_ready,
    output logic [       255:0] result_tag
);
  logic tag_in_ready, result_ok, unused;
  assign unused = &{1'b0, tag_in_ready, result_ok};

  session_aead #(
      .SUITE(SUITE),
      .ARCHITECTURE(ARCHITECTURE),
      .OPEN(1'b0),
      .WORK_BYTES(WORK_BYTES)
  ) u_session (
      .*,
      .tag_in_valid(1'b0),
      .tag_in_data ('0)
  );  // the ports above
endmodule
