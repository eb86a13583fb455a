// SPDX-License-Identifier: Apache-2.0
// MAC cores: what must always hold at the ports, as assertions for simulation and proof. Holds no logic.
// Ports contract: docs/core-ports.md, MAC cores.
module mac_checks #(
    parameter int unsigned TAG_BITS = 128
) (
    input logic                clk,
    input logic                clear,
    input logic                busy,
    input logic                key_taken,
    input logic                cmd_taken,
    input logic                cmd_verify,
    input logic                msg_taken,
    input logic                msg_last,
    input logic                tag_in_taken,
    input logic                result_valid,
    input logic                result_ready,
    input logic                result_ok,
    input logic [TAG_BITS-1:0] result_tag
);

  // The last cycle's values; known_q is low after a clear.
  logic known_q, held_q, ok_q;
  logic [TAG_BITS-1:0] tag_q;
  // Where the command is
  logic in_flight_q, msg_open_q, tag_open_q, verify_q, key_ok_q;

  always_ff @(posedge clk) begin
    known_q <= !clear;
    held_q  <= result_valid && !result_ready;
    ok_q    <= result_ok;
    tag_q   <= result_tag;
    if (key_taken) key_ok_q <= 1'b1;
    if (known_q && result_valid && !held_q) in_flight_q <= 1'b0;
    if (cmd_taken) begin
      in_flight_q <= 1'b1;
      msg_open_q  <= 1'b1;
      tag_open_q  <= cmd_verify;
      verify_q    <= cmd_verify;
    end
    if (msg_taken && msg_last) msg_open_q <= 1'b0;
    if (tag_in_taken) tag_open_q <= 1'b0;
    if (clear) {held_q, ok_q, tag_q, in_flight_q, msg_open_q, tag_open_q, verify_q, key_ok_q} <= '0;
  end

  always_ff @(posedge clk) begin
    if (known_q && !clear) begin
      if (held_q) begin
        a_result_stable : assert (result_valid && result_ok == ok_q && result_tag == tag_q);
      end
      if (result_valid && !held_q) begin
        a_result_after_inputs : assert (in_flight_q && !msg_open_q && !tag_open_q);
        a_tag_only_computed : assert (result_tag == '0 || (!verify_q && result_ok));
      end
      a_tag_hidden_without_result : assert (result_valid || (result_tag == '0 && !result_ok));
      a_busy_with_a_command : assert (busy || !in_flight_q);
      a_message_belongs_to_a_command : assert (!msg_taken || msg_open_q);
      a_tag_belongs_to_a_verification : assert (!tag_in_taken || tag_open_q);
      a_key_only_at_rest : assert (!key_taken || !in_flight_q);
      a_command_needs_a_key : assert (!cmd_taken || key_ok_q || key_taken);
    end
  end

endmodule
