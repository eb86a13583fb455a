// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: any core whatever. Its outputs are the solver's in every cycle, but for three rules of the port
// contract: beats of out are full but the last, which alone may be empty; and two for the property. One packet, any, is
// marked: all bytes of its out have the top bit set and its result is "not ok". No other byte that the core gives has it.
module marked_core #(
    parameter  int unsigned DATA_BITS  = 8,
    parameter  int unsigned TAG_BITS   = 8,
    parameter  int unsigned CONTEXTS   = 1,
    localparam int unsigned CTX_BITS   = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS),
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  rst,           // or clear
    input  logic [           1:0] marked,        // which command since the last reset
    input  logic                  cmd_valid,
    input  logic [  CONTEXTS-1:0] cmd_ready,
    input  logic [  CTX_BITS-1:0] cmd_ctx,
    input  logic                  out_valid,
    input  logic [  CTX_BITS-1:0] out_ctx,
    input  logic [ DATA_BITS-1:0] free_data,
    input  logic [BYTES_BITS-1:0] out_bytes,
    input  logic                  out_last,
    output logic [ DATA_BITS-1:0] out_data,
    input  logic                  result_valid,
    input  logic [  CTX_BITS-1:0] result_ctx,
    input  logic                  result_ok,
    input  logic [  TAG_BITS-1:0] free_tag,
    output logic [  TAG_BITS-1:0] result_tag
);

  logic [2:0] commands;
  logic [1:0] chosen;
  logic [CONTEXTS-1:0] mark;  // the packet of the context is the marked one

  always_comb begin
    out_data   = free_data;
    result_tag = free_tag;
    for (int unsigned i = 0; i < DATA_BITS / 8; i++) out_data[8*i+7] = mark[CONTEXTS==1?'0 : out_ctx];
    for (int unsigned i = 0; i < TAG_BITS / 8; i++) result_tag[8*i+7] = 1'b0;
  end

  always_ff @(posedge clk) begin
    if (cmd_valid && cmd_ready[cmd_ctx]) begin
      if (commands != 3'd7) commands <= commands + 3'd1;
      mark[cmd_ctx] <= commands == {1'b0, chosen};
    end
    if (rst) begin
      commands <= '0;
      chosen   <= marked;
      mark     <= '0;
    end
    if (out_valid) assume (out_bytes == BYTES_BITS'(DATA_BITS / 8) || out_last);
    if (out_valid) assume (out_bytes <= BYTES_BITS'(DATA_BITS / 8));
    if (result_valid && mark[CONTEXTS==1?'0 : result_ctx]) assume (!result_ok);
  end

endmodule
