// SPDX-License-Identifier: Apache-2.0
// OMD: what must always hold at the ports of a core, as assertions for simulation and proof. Holds no logic.
// Ports contract: docs/core-ports.md, rules 2, 3, 4, 6 and 8.
module omd_checks #(
    parameter  int unsigned DATA_BITS  = 64,
    parameter  int unsigned TAG_BITS   = 256,
    localparam int unsigned BEAT_BYTES = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1)
) (
    input logic                  clk,
    input logic                  clear,
    input logic                  cmd_taken,
    input logic [           1:0] cmd_op,
    input logic                  out_valid,
    input logic                  out_ready,
    input logic [ DATA_BITS-1:0] out_data,
    input logic [BYTES_BITS-1:0] out_bytes,
    input logic                  out_last,
    input logic                  result_valid,
    input logic                  result_ready,
    input logic                  result_ok,
    input logic [  TAG_BITS-1:0] result_tag,
    input logic                  f_start,
    input logic                  f_ready,
    input logic                  emit_load,
    input logic                  emit_empty,
    input logic                  emit_idle
);

  // The last cycle's values; known_q is low after a clear.
  logic known_q, out_held_q, result_held_q;
  logic [ DATA_BITS-1:0] out_data_q;
  logic [BYTES_BITS-1:0] out_bytes_q;
  logic out_last_q, result_ok_q;
  logic [TAG_BITS-1:0] result_tag_q;
  // Where the command is: its output is open from the command to out_last
  logic in_flight_q, out_open_q, out_begun_q, seal_q;

  always_ff @(posedge clk) begin
    known_q       <= !clear;
    out_held_q    <= out_valid && !out_ready;
    out_data_q    <= out_data;
    out_bytes_q   <= out_bytes;
    out_last_q    <= out_last;
    result_held_q <= result_valid && !result_ready;
    result_ok_q   <= result_ok;
    result_tag_q  <= result_tag;

    if (known_q && result_valid && !result_held_q) in_flight_q <= 1'b0;
    if (cmd_taken) begin
      in_flight_q <= 1'b1;
      out_open_q  <= cmd_op <= 2'd1;
      out_begun_q <= 1'b0;
      seal_q      <= cmd_op == 2'd0;
    end
    if (out_valid && out_ready) begin
      out_begun_q <= 1'b1;
      if (out_last) out_open_q <= 1'b0;
    end
    if (clear) {in_flight_q, out_open_q, out_begun_q, seal_q, out_data_q, result_tag_q} <= '0;
  end

  always_ff @(posedge clk) begin
    if (known_q && !clear) begin
      if (out_held_q) begin
        a_out_stable :
        assert (out_valid && out_data == out_data_q && out_bytes == out_bytes_q && out_last == out_last_q);
      end
      if (result_held_q) begin
        a_result_stable : assert (result_valid && result_ok == result_ok_q && result_tag == result_tag_q);
      end
      if (out_valid) begin
        a_out_belongs_to_a_command : assert (out_open_q);
        a_out_bytes_legal :
        assert (out_last ? out_bytes <= BYTES_BITS'(BEAT_BYTES) : out_bytes == BYTES_BITS'(BEAT_BYTES));
        a_out_empty_only_alone : assert (out_bytes != '0 || (out_last && !out_begun_q));
        for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
          a_out_zero_beyond : assert (BYTES_BITS'(i) < out_bytes || out_data[8*i+:8] == '0);
        end
      end
      if (result_valid && !result_held_q) begin
        a_result_after_out_last : assert (in_flight_q && !out_open_q);
        a_tag_only_from_a_good_seal : assert (result_tag == '0 || (seal_q && result_ok));
      end
      a_tag_hidden_without_result : assert (result_valid || result_tag == '0);
      a_start_only_when_ready : assert (!f_start || f_ready);
      a_load_only_when_idle : assert (!(emit_load || emit_empty) || emit_idle);
    end
  end

endmodule
