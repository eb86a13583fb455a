// SPDX-License-Identifier: Apache-2.0
//
// Who the two ends are: ids compare as big-endian numbers, the smaller one is the initiator, for good.
// Specification: docs/wire-format.md, "Ids". Ids are quasi-static: outputs follow a cycle later.

module link_identity (
    input  logic        clk,
    input  logic [63:0] cfg_local_id,  // byte 0 in bits 7:0
    input  logic [63:0] cfg_peer_id,
    output logic        initiator,     // this end is
    output logic        bad,           // an id is zero, or both are the same
    output logic [63:0] id_i,
    output logic [63:0] id_r
);
  logic smaller;
  assign smaller = link_pkg::swap64(cfg_local_id) < link_pkg::swap64(cfg_peer_id);

  always_ff @(posedge clk) begin
    initiator <= smaller;
    bad       <= cfg_local_id == cfg_peer_id || cfg_local_id == '0 || cfg_peer_id == '0;
    id_i      <= smaller ? cfg_local_id : cfg_peer_id;
    id_r      <= smaller ? cfg_peer_id : cfg_local_id;
  end
endmodule
