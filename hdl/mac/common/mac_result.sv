// SPDX-License-Identifier: Apache-2.0
// The end of a MAC command: holds the tag, or the verdict on an expected tag, until it is taken.
// Ports: docs/core-ports.md, MAC cores. Byte order: byte i of a tag in bits [8i+7:8i].
// Cycles: result_valid rises on the edge of `finish`.
// Security: all bits are compared, in groups whose results are registered, so neither time nor the verdict says where tags
// differ; a verified or refused command shows tag 0; the tag leaves the register when it is taken.
module mac_result #(
    parameter int unsigned TAG_BITS = 128
) (
    input  logic                clk,
    input  logic                clear,
    input  logic                finish,        // result_valid must be low
    input  logic                verify,
    input  logic                refused,
    input  logic [TAG_BITS-1:0] tag,
    input  logic [TAG_BITS-1:0] tag_in,        // expected
    output logic                result_valid,
    input  logic                result_ready,
    output logic                result_ok,
    output logic [TAG_BITS-1:0] result_tag
);

  localparam int unsigned GROUP = 3;  // bits: two tags of three are what a LUT of six inputs can compare
  localparam int unsigned GROUPS = (TAG_BITS + GROUP - 1) / GROUP;

  logic verify_q, refused_q;
  logic [GROUPS-1:0] differ, differ_q;
  logic taken;

  for (genvar i = 0; i < GROUPS; i++) begin : g_group
    localparam int unsigned BITS = TAG_BITS < GROUP * (i + 1) ? TAG_BITS - GROUP * i : GROUP;
    assign differ[i] = tag[GROUP*i+:BITS] != tag_in[GROUP*i+:BITS];
  end

  assign taken = result_valid && result_ready;
  assign result_ok = result_valid && !refused_q && !(verify_q && |differ_q);

  always_ff @(posedge clk) begin
    if (finish) begin
      result_valid <= 1'b1;
      verify_q <= verify;
      refused_q <= refused;
      differ_q <= differ;
    end
    if (finish && !verify && !refused) result_tag <= tag;
    if (taken || clear) begin
      result_valid <= 1'b0;
      verify_q <= 1'b0;
      refused_q <= 1'b0;
      differ_q <= '0;
      result_tag <= '0;
    end
  end

endmodule
