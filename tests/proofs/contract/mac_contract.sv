// SPDX-License-Identifier: Apache-2.0
// A MAC core with its feeder left free, under the monitor of the port contract. Any beat may come at any pace, and a clear
// whenever the solver likes. Keys, messages and tags are zero, as the control of a core looks at none of them
// (`make structure`). MODE chooses the core.
module mac_contract #(
    parameter int unsigned MODE = 0,
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned ROUNDS_A = 12,
    parameter int unsigned ROUNDS_B = 12,
    parameter int unsigned ROUNDS_PER_CYCLE = 1,
    parameter int unsigned SQUEEZE_BITS = 64
) (
    input logic clk,
    input logic clear_wanted
);
  logic key_valid, cmd_valid, cmd_verify, msg_valid, msg_last, tag_valid, result_ready;  // free
  logic [5:0] msg_bytes;
  logic started_q, clear;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign clear = clear_wanted || !started_q;

  mac_if #(.DATA_BITS(DATA_BITS)) port ();
  assign port.key = '{valid: key_valid, data: '0};
  assign port.cmd = '{valid: cmd_valid, verify: cmd_verify};
  assign port.msg = '{valid: msg_valid, data: '0, bytes: port.BYTES_BITS'(msg_bytes), last: msg_last};
  assign port.tag_in = '{valid: tag_valid, data: '0};
  assign port.result_ready = result_ready;
  mac_monitor u_monitor (.*);

  if (MODE == 0) begin : g_sponge
    sponge_mac #(
        .DATA_BITS       (DATA_BITS),
        .SQUEEZE_BITS    (SQUEEZE_BITS),
        .ROUNDS_A        (ROUNDS_A),
        .ROUNDS_B        (ROUNDS_B),
        .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE)
    ) u_core (
        .*
    );
  end else begin : g_farfalle
    farfalle_mac u_core (.*);
  end
endmodule
