// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: what must always hold, as assertions for simulation and proof. Holds no logic.
// Ports contract: docs/core-ports.md, rules 2, 3, 4, 6 and 8; inside: docs/cores/omd-x8.md, "Contexts".
module omd_x_checks #(
    parameter  int unsigned CONTEXTS = 8,
    parameter  int unsigned LOOPS    = 1,
    parameter  int unsigned TAG_BITS = 256,
    localparam int unsigned CTX_BITS = $clog2(CONTEXTS)
) (
    input logic clk,
    input logic clear,
    input logic [CONTEXTS-1:0] cmd_taken,
    input logic [1:0] cmd_op,
    input logic out_valid,
    input logic out_ready,
    input logic [CTX_BITS-1:0] out_ctx,
    input logic [63:0] out_data,
    input logic [3:0] out_bytes,
    input logic out_last,
    input logic result_valid,
    input logic result_ready,
    input logic [CTX_BITS-1:0] result_ctx,
    input logic result_ok,
    input logic [TAG_BITS-1:0] result_tag,
    input logic [LOOPS-1:0] ends_soon,
    input logic [LOOPS-1:0][CTX_BITS-1:0] ends_soon_ctx,
    input logic [CONTEXTS-1:0] pass_waits,  // the call of a context began before its pass, which is still to come
    input logic start,  // of a pass
    input logic engine_on,
    input logic engine_end,
    input logic [8:0] queue_used,
    input logic queue_write
);

  logic known_q, out_held_q, result_held_q;
  logic [79:0] out_q;
  logic [TAG_BITS+CTX_BITS:0] result_q;
  logic [CONTEXTS-1:0] out_open_q, out_begun_q, seal_q;  // by context

  logic [79:0] out_now;
  logic [TAG_BITS+CTX_BITS:0] result_now;
  assign out_now    = {8'd0, 3'(out_ctx), out_last, out_bytes, out_data};
  assign result_now = {result_ctx, result_ok, result_tag};

  always_ff @(posedge clk) begin
    known_q       <= !clear;
    out_held_q    <= out_valid && !out_ready;
    result_held_q <= result_valid && !result_ready;
    out_q         <= out_now;
    result_q      <= result_now;
    if (out_valid && out_ready) begin
      out_begun_q[out_ctx] <= 1'b1;
      if (out_last) out_open_q[out_ctx] <= 1'b0;
    end
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      if (cmd_taken[c]) begin
        out_open_q[c]  <= cmd_op <= 2'd1;
        out_begun_q[c] <= 1'b0;
        seal_q[c]      <= cmd_op == 2'd0;
      end
    end
    if (clear) {out_open_q, out_begun_q, seal_q} <= '0;
  end

  always_ff @(posedge clk) begin
    if (known_q && !clear) begin
      if (out_held_q) begin
        a_out_stable : assert (out_valid && out_now == out_q);
      end
      if (result_held_q) begin
        a_result_stable : assert (result_valid && result_now == result_q);
      end
      if (out_valid) begin
        a_out_belongs_to_a_command : assert (out_open_q[out_ctx]);
        a_out_bytes_legal : assert (out_last ? out_bytes <= 4'd8 : out_bytes == 4'd8);
        a_out_empty_only_alone : assert (out_bytes != '0 || (out_last && !out_begun_q[out_ctx]));
        for (int unsigned i = 0; i < 8; i++) begin
          a_out_zero_beyond : assert (4'(i) < out_bytes || out_data[8*i+:8] == '0);
        end
      end
      if (result_valid && !result_held_q) begin
        a_result_after_out_last : assert (!out_open_q[result_ctx]);
        a_tag_only_from_a_good_seal : assert (result_tag == '0 || (result_ok && seal_q[result_ctx]));
      end
      a_tag_hidden_without_result : assert (result_valid || result_tag == '0);
      a_command_only_when_free : assert ((cmd_taken & out_open_q) == '0);
      // The mask is there before the call ends, so no digest is lost.
      for (int unsigned l = 0; l < LOOPS; l++) begin
        a_pass_before_the_end : assert (!ends_soon[l] || !pass_waits[ends_soon_ctx[l]]);
      end
      a_passes_do_not_overlap : assert (!start || !engine_on || engine_end);
      a_queue_has_room : assert (!queue_write || queue_used < 9'd500);
    end
  end

endmodule
