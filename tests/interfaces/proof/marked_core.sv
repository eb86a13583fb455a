// SPDX-License-Identifier: Apache-2.0
//
// For the proofs of the adapters: any core whatever. Its outputs are the solver's in every cycle, but for three rules of the port
// contract: beats of out are full but the last, which alone may be empty; and two for the property. One packet, any, is
// marked: all bytes of its out have the top bit set and its result is "not ok". No other byte that the core gives has it.
module marked_core (
    input logic clk,
    input logic rst,  // or clear
    input logic [1:0] marked,  // which command since the last reset
    aead_if.core core
);

  localparam int unsigned CONTEXTS = core.CONTEXTS;
  localparam int unsigned DATA_BITS = core.DATA_BITS;
  localparam int unsigned TAG_BITS = core.TAG_BITS;
  localparam int unsigned BYTES_BITS = core.BYTES_BITS;

  // Nothing drives these: the solver does.
  logic key_ready, out_valid, out_last, result_valid, result_ok;
  logic [CONTEXTS-1:0] cmd_ready, ad_ready, msg_ready, tag_in_ready;
  logic [core.CTX_BITS-1:0] out_ctx, result_ctx;
  logic [DATA_BITS-1:0] free_data, out_data;
  logic [BYTES_BITS-1:0] out_bytes;
  logic [TAG_BITS-1:0] free_tag, result_tag;
  assign core.busy = 1'b0;
  assign core.key_ready = key_ready;
  assign core.cmd_ready = cmd_ready;
  assign core.ad_ready = ad_ready;
  assign core.msg_ready = msg_ready;
  assign core.tag_in_ready = tag_in_ready;
  assign core.out = '{valid: out_valid, ctx: out_ctx, data: out_data, bytes: out_bytes, last: out_last};
  assign core.result = '{valid: result_valid, ctx: result_ctx, ok: result_ok, tag: result_tag};

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
    if (core.cmd.valid && cmd_ready[core.cmd.ctx]) begin
      if (commands != 3'd7) commands <= commands + 3'd1;
      mark[core.cmd.ctx] <= commands == {1'b0, chosen};
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
