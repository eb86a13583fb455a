// SPDX-License-Identifier: Apache-2.0
// Monitor of the port contract of MAC cores (docs/core-ports.md): what a core must do at its ports, as assertions for
// simulation and proof. Holds no logic of a core; it needs nothing but the ports.
module mac_monitor (
    input logic clk,
    input logic clear,
    mac_if.monitor port
);

  logic key_taken, cmd_taken, msg_taken, tag_in_taken;
  assign key_taken = port.key.valid && port.key_ready;
  assign cmd_taken = port.cmd.valid && port.cmd_ready;
  assign msg_taken = port.msg.valid && port.msg_ready;
  assign tag_in_taken = port.tag_in.valid && port.tag_in_ready;

  // The last cycle's values; known_q is low after a clear.
  logic known_q, held_q, ok_q;
  logic [$bits(port.result.tag)-1:0] tag_q;
  // Where the command is
  logic in_flight_q, msg_open_q, tag_open_q, verify_q, key_ok_q;

  always_ff @(posedge clk) begin
    known_q <= !clear;
    held_q  <= port.result.valid && !port.result_ready;
    ok_q    <= port.result.ok;
    tag_q   <= port.result.tag;
    if (key_taken) key_ok_q <= 1'b1;
    if (known_q && port.result.valid && !held_q) in_flight_q <= 1'b0;
    if (cmd_taken) begin
      in_flight_q <= 1'b1;
      msg_open_q  <= 1'b1;
      tag_open_q  <= port.cmd.verify;
      verify_q    <= port.cmd.verify;
    end
    if (msg_taken && port.msg.last) msg_open_q <= 1'b0;
    if (tag_in_taken) tag_open_q <= 1'b0;
    if (clear) {held_q, ok_q, tag_q, in_flight_q, msg_open_q, tag_open_q, verify_q, key_ok_q} <= '0;
  end

  always_ff @(posedge clk) begin
    if (known_q && !clear) begin
      if (held_q) begin
        a_result_stable : assert (port.result.valid && port.result.ok == ok_q && port.result.tag == tag_q);
      end
      if (port.result.valid && !held_q) begin
        a_result_after_inputs : assert (in_flight_q && !msg_open_q && !tag_open_q);
        a_tag_only_computed : assert (port.result.tag == '0 || (!verify_q && port.result.ok));
      end
      a_tag_hidden_without_result : assert (port.result.valid || (port.result.tag == '0 && !port.result.ok));
      a_busy_with_a_command : assert (port.busy || !in_flight_q);
      a_message_belongs_to_a_command : assert (!msg_taken || msg_open_q);
      a_tag_belongs_to_a_verification : assert (!tag_in_taken || tag_open_q);
      a_key_only_at_rest : assert (!key_taken || !in_flight_q);
      a_command_needs_a_key : assert (!cmd_taken || key_ok_q || key_taken);
    end
  end

endmodule
