// SPDX-License-Identifier: Apache-2.0
//
// session_aead of suite 04, whose core takes the associated data with every packet, in the sealing direction.
module flat_session_aead
  import link_pkg::*;
  import link_types_pkg::*;
(
    input  logic           clk,
    input  logic           rst,
    input  order_t         order,
    input  keys_t    [1:0] keys,
    output logic           busy,
    input  command_t       cmd,
    output logic           cmd_ready,
    input  beat_t          msg,
    output logic           msg_ready,
    output beat_t          out,
    output result_t        result
);

  logic working, tag_in_ready, seedless, seed_ready, alarm;
  session_aead #(
      .BUILD('{suite: 8'h04, lanes: 1, default: '0})
  ) dut (
      .*,
      .seed('0),
      .tag_in('0),
      .out_ready(1'b1),
      .result_ready(1'b1)
  );

  // A transfer happens at valid and ready[ctx]: no context but the first has a ready.
  always_ff @(posedge clk)
    if (!rst) begin
      a_context :
      assert (!dut.core.cmd.valid || dut.core.cmd.ctx == '0)
      else $error("session_aead: a command to a context that is not there");
    end

endmodule
