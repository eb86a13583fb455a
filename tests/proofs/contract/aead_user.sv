// SPDX-License-Identifier: Apache-2.0
// A core under the monitor of the port contract. Whoever feeds it is free: any beat, legal or not, at any pace, given up at any
// time, and a clear whenever the solver likes. Keys, nonces and strings are zero, as the control of a core looks at none of them
// (`make structure`). The top of a proof has this module around its core.
module aead_user (
    input logic clk,
    input logic clear_wanted,
    output logic clear,
    aead_if port
);
  logic key_valid, cmd_valid, cmd_cached, ad_valid, ad_last, msg_valid, msg_last, tag_valid;  // free
  logic [1:0] cmd_op;
  logic [7:0] ad_bytes, msg_bytes;
  logic out_ready, result_ready;
  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign clear = clear_wanted || !started_q;

  assign port.key = '{valid: key_valid, data: '0};
  assign port.cmd = '{valid: cmd_valid, ctx: '0, op: cmd_op, cached_ad: cmd_cached, nonce: '0};
  assign port.ad = '{valid: ad_valid, ctx: '0, data: '0, bytes: port.BYTES_BITS'(ad_bytes), last: ad_last};
  assign port.msg = '{valid: msg_valid, ctx: '0, data: '0, bytes: port.BYTES_BITS'(msg_bytes), last: msg_last};
  assign port.tag_in = '{valid: tag_valid, ctx: '0, data: '0};
  assign port.out_ready = out_ready;
  assign port.result_ready = result_ready;
endmodule
