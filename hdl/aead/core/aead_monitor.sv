// SPDX-License-Identifier: Apache-2.0
// Monitor of the port contract (docs/core-ports.md): what a core must do at its ports, as assertions for simulation and proof.
// Rules 5, 9, 10 and 13, and that no ready depends combinationally on a valid, cannot be told from the ports of one run.
// Holds no logic of a core; it needs nothing but the ports.
module aead_monitor
  import aead_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned CONTEXTS  = 1
) (
    input logic clk,
    input logic clear,
    aead_if.monitor port
);

  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1);

  // Where the command of each context is: strings that are still to be taken to their last beat, output that is still to come
  logic [CONTEXTS-1:0] ad_open_q, msg_open_q, tag_open_q, out_open_q, out_begun_q, seal_q, in_flight_q;
  logic [CONTEXTS-1:0] cmd_taken, ad_taken, msg_taken, tag_taken, result_new;
  logic [CONTEXTS-1:0] load_q, unfit_q;  // it loads the AD cache; it is refused for itself
  logic seen_q;  // a clear has come: before it nothing is known
  initial seen_q = 1'b0;
  always @(posedge clk) if (clear) seen_q <= 1'b1;
  logic known_q;  // the cycle before was not one of a clear
  logic wiping_q;  // from a clear until busy falls
  logic [10:0] wipe_cycles_q;
  logic
      key_taken,
      key_taken_q,
      key_owed_q,
      cmd_taken_q,
      key_ok_q,
      cache_ok,
      cache_ok_q,
      out_held_q,
      result_held_q,
      at_rest;
  logic [$bits(port.out)-1:0] out_q;
  logic [$bits(port.result)-1:0] result_q;
  logic [CONTEXTS-1:0] cmd_owed_q, ad_owed_q, msg_owed_q, tag_owed_q;  // ready was high and no beat was taken

  assign key_taken = port.key.valid && port.key_ready;
  assign at_rest   = in_flight_q == '0 && !port.result.valid;
  assign cache_ok  = cache_ok_q || ((result_new & load_q) != '0 && port.result.ok);
  always_comb begin
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      cmd_taken[c]  = port.cmd.valid && port.cmd_ready[c] && (CONTEXTS == 1 || 32'(port.cmd.ctx) == c);
      ad_taken[c]   = port.ad.valid && port.ad_ready[c] && (CONTEXTS == 1 || 32'(port.ad.ctx) == c);
      msg_taken[c]  = port.msg.valid && port.msg_ready[c] && (CONTEXTS == 1 || 32'(port.msg.ctx) == c);
      tag_taken[c]  = port.tag_in.valid && port.tag_in_ready[c] && (CONTEXTS == 1 || 32'(port.tag_in.ctx) == c);
      result_new[c] = port.result.valid && !result_held_q && (CONTEXTS == 1 || 32'(port.result.ctx) == c);
    end
  end

  always_ff @(posedge clk) begin
    known_q       <= !clear;
    key_taken_q   <= key_taken;
    key_owed_q    <= port.key_ready && !port.key.valid;
    cmd_taken_q   <= cmd_taken != '0;
    key_ok_q      <= key_ok_q || key_taken;
    cache_ok_q    <= cache_ok && !key_taken;
    wiping_q      <= wiping_q && port.busy;
    wipe_cycles_q <= wiping_q ? wipe_cycles_q + 11'd1 : '0;
    out_held_q    <= port.out.valid && !port.out_ready;
    out_q         <= port.out;
    result_held_q <= port.result.valid && !port.result_ready;
    result_q      <= port.result;
    cmd_owed_q    <= port.cmd_ready & ~cmd_taken;
    ad_owed_q     <= port.ad_ready & ~ad_taken;
    msg_owed_q    <= port.msg_ready & ~msg_taken;
    tag_owed_q    <= port.tag_in_ready & ~tag_taken;

    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      if (known_q && result_new[c]) in_flight_q[c] <= 1'b0;
      if (ad_taken[c] && port.ad.last) ad_open_q[c] <= 1'b0;
      if (msg_taken[c] && port.msg.last) msg_open_q[c] <= 1'b0;
      if (tag_taken[c]) tag_open_q[c] <= 1'b0;
      if (port.out.valid && port.out_ready && (CONTEXTS == 1 || 32'(port.out.ctx) == c)) begin
        out_begun_q[c] <= 1'b1;
        if (port.out.last) out_open_q[c] <= 1'b0;
      end
      if (cmd_taken[c]) begin
        in_flight_q[c] <= 1'b1;
        seal_q[c] <= port.cmd.op == OP_SEAL;
        load_q[c] <= port.cmd.op == OP_LOAD_AD;
        unfit_q[c] <= unfit(port.cmd.op, port.cmd.cached_ad && port.cmd.op != OP_LOAD_AD, cache_ok && !key_taken, 1'b1);
        ad_open_q[c] <= takes_ad(port.cmd.op, port.cmd.cached_ad);
        msg_open_q[c] <= port.cmd.op <= OP_OPEN;
        tag_open_q[c] <= port.cmd.op == OP_OPEN;
        out_open_q[c] <= port.cmd.op <= OP_OPEN;
        out_begun_q[c] <= 1'b0;
      end
    end
    if (clear) begin
      {in_flight_q, seal_q, ad_open_q, msg_open_q, tag_open_q, out_open_q, out_begun_q} <= '0;
      {out_q, result_q, load_q, unfit_q, key_ok_q, cache_ok_q}                          <= '0;
      wiping_q                                                                          <= 1'b1;
      wipe_cycles_q                                                                     <= '0;
    end
  end

  logic any_ready;
  assign any_ready = port.key_ready || {port.cmd_ready, port.ad_ready, port.msg_ready, port.tag_in_ready} != '0;

  always_ff @(posedge clk) begin
    // Rule 12
    a_nothing_is_taken_in_a_clear : assert (!(clear || (seen_q && wiping_q && port.busy)) || !any_ready);
    a_a_wipe_ends : assert (!seen_q || wipe_cycles_q <= 11'd1024);
    if (seen_q && !known_q && !clear) begin
      a_nothing_stands_after_a_clear : assert (!port.out.valid && !port.result.valid);
    end
    if (seen_q && known_q && !clear) begin
      // Rules 1 and 2
      if (port.out.valid) begin
        a_out_bytes_legal :
        assert (port.out.last ? port.out.bytes <= BYTES_BITS'(BEAT_BYTES) : port.out.bytes == BYTES_BITS'(BEAT_BYTES));
        for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
          a_out_zero_beyond : assert (BYTES_BITS'(i) < port.out.bytes || port.out.data[8*i+:8] == '0);
        end
      end
      // Rule 3
      if (out_held_q) begin
        a_out_stable : assert (port.out == out_q);
      end
      if (result_held_q) begin
        a_result_stable : assert (port.result == result_q);
      end
      a_ad_ready_holds : assert ((ad_owed_q & ~port.ad_ready) == '0);
      a_msg_ready_holds : assert ((msg_owed_q & ~port.msg_ready) == '0);
      a_tag_ready_holds : assert ((tag_owed_q & ~port.tag_in_ready) == '0);
      a_cmd_ready_holds_but_for_a_key : assert (key_taken_q || (cmd_owed_q & ~port.cmd_ready) == '0);
      a_key_ready_holds_but_for_a_command : assert (cmd_taken_q || !key_owed_q || port.key_ready);
      // Rule 4
      a_ad_only_for_a_command : assert ((ad_taken & ~ad_open_q) == '0);
      a_msg_only_for_a_command : assert ((msg_taken & ~msg_open_q) == '0);
      a_tag_only_for_an_opening : assert ((tag_taken & ~tag_open_q) == '0);
      a_command_after_the_strings : assert ((cmd_taken & (ad_open_q | msg_open_q | tag_open_q | out_open_q)) == '0);
      for (int unsigned c = 0; c < CONTEXTS; c++) begin
        if (port.out.valid && (CONTEXTS == 1 || 32'(port.out.ctx) == c)) begin
          a_out_belongs_to_a_command : assert (out_open_q[c]);
          a_out_empty_only_alone : assert (port.out.bytes != '0 || (port.out.last && !out_begun_q[c]));
          a_no_output_of_what_is_refused : assert (port.out.bytes == '0 || !unfit_q[c]);
        end
        if (result_new[c]) begin
          a_result_after_all_strings :
          assert (in_flight_q[c] && !ad_open_q[c] && !msg_open_q[c] && !tag_open_q[c] && !out_open_q[c]);
          // Rules 6, 7 and 8
          a_tag_only_from_a_good_seal : assert (port.result.tag == '0 || (seal_q[c] && port.result.ok));
          a_what_is_unfit_is_refused : assert (!unfit_q[c] || !port.result.ok);
        end
      end
      a_tag_hidden_without_result : assert (port.result.valid || port.result.tag == '0);
      // Rule 11, and when a core is busy
      a_key_only_at_rest : assert (!key_taken || at_rest);
      a_a_command_needs_a_key : assert (cmd_taken == '0 || key_ok_q || key_taken);
      a_busy_with_key_or_command : assert (port.busy || (at_rest && !key_taken_q));
    end
  end

endmodule
