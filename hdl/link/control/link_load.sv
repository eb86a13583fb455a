// SPDX-License-Identifier: Apache-2.0
//
// Words of a loaded session from a register bus to the link, which keeps them and judges the commit. A write of less than four
// bytes, or while the link takes none, is ignored; the commit then fails for the missing word. Nothing reads back but 0.
// Bus: a request is one cycle (peakrdl-regblock's external ports), acknowledged in the next.
// Security: a word stays here for one cycle.

module link_load (
    input  logic        clk,
    input  logic        rst,
    input  logic        req,
    input  logic        req_is_wr,
    input  logic [ 5:0] index,       // of the word
    input  logic [31:0] wr_data,
    input  logic [31:0] wr_biten,
    output logic        wr_ack,
    output logic        rd_ack,
    output logic        load_write,  // pulse
    output logic [ 5:0] load_index,
    output logic [31:0] load_data
);
  logic put;
  assign put = req && req_is_wr && &wr_biten && !rst;

  always_ff @(posedge clk) begin
    wr_ack     <= req && req_is_wr && !rst;
    rd_ack     <= req && !req_is_wr && !rst;
    load_write <= put;
    load_index <= put ? index : '0;
    load_data  <= put ? wr_data : '0;
  end
endmodule
