// SPDX-License-Identifier: Apache-2.0
// Any core at all in the place of the link's: its outputs are the solver's. It keeps its key as long as nobody sends another one
// or clears it. The key whose lowest bit is set stands for any one key: no logic outside a core looks at keys.
module link_aead #(
    parameter logic [7:0] SUITE = 8'h11,
    parameter logic [7:0] ARCHITECTURE = 8'd0,
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned NUMBERS = 4  // packet numbers
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  forget,
    input  link_types_pkg::seed_t seed,
    output logic                  seedless,
    output logic                  alarm,
           aead_if                io
);
  assign seedless = 1'b0;  // a core that takes none
  assign alarm = 1'b0;

  logic busy, key_ready, cmd_ready, ad_ready, msg_ready, tag_in_ready;  // free
  logic out_valid, out_last, result_valid, result_ok;
  logic [3:0] out_bytes;
  assign io.busy = busy;
  assign io.key_ready = key_ready;
  assign io.cmd_ready = cmd_ready;
  assign io.ad_ready = ad_ready;
  assign io.msg_ready = msg_ready;
  assign io.tag_in_ready = tag_in_ready;
  assign io.out = '{valid: out_valid, ctx: '0, data: '0, bytes: out_bytes, last: out_last};
  assign io.result = '{valid: result_valid, ctx: '0, ok: result_ok, tag: '0};

  // Which numbers were sealed under that key, ever
  logic held_q, seals;
  logic [63:0] number;
  logic [NUMBERS-1:0] sealed_q;
  initial sealed_q = '0;
  logic running_q;  // not the first cycle, whose state is any
  initial running_q = 1'b0;
  always_ff @(posedge clk) running_q <= 1'b1;
  assign seals  = io.cmd.valid && cmd_ready && io.cmd.op == 2'd0 && running_q && !clear;
  assign number = link_pkg::swap64(io.cmd.nonce[95:32]);
  always_ff @(posedge clk) begin
    if (io.key.valid && key_ready) held_q <= io.key.data[0];
    if (seals && held_q) sealed_q <= sealed_q | NUMBERS'(64'd1 << number);
  end

  always_comb begin
    a_number_once : assert (!(seals && held_q && sealed_q[number[$clog2(NUMBERS)-1:0]]));
    a_number_small : assert (!seals || number < 64'(NUMBERS));
  end
endmodule
