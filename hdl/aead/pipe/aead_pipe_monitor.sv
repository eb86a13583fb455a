// SPDX-License-Identifier: Apache-2.0
// Monitor of the port contract (docs/core-ports.md) for a core of one context that takes several commands ahead: what aead_monitor
// demands of a command, of each of them; output and results in the order of the commands, a command's output after the result
// before it has gone. Assertions for simulation.
// Holds no logic of a core; it needs nothing but the ports.
module aead_pipe_monitor
  import aead_pkg::*;
#(
    parameter int unsigned DATA_BITS = 128,
    parameter int unsigned COMMANDS  = 16    // most in flight
) (
    input logic clk,
    input logic clear,
    aead_if.monitor port
);

  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1);

  logic unused;
  assign unused = &{1'b0, port.cmd.ctx, port.ad.ctx, port.msg.ctx, port.tag_in.ctx};

  // Commands in flight, the oldest first: what of each is still to come
  typedef struct packed {
    logic ad;
    logic msg;
    logic tag;
    logic out;
    logic begun;   // output has
    logic seal;
    logic load;
    logic unsure;  // it takes the AD cache
    logic unfit;   // refused for itself, whatever the cache holds
  } flying_t;

  flying_t flying_q[COMMANDS];
  int unsigned count_q;
  flying_t flying[COMMANDS];  // in the next cycle
  int unsigned count;

  logic seen_q;  // a clear has come: before it nothing is known
  initial seen_q = 1'b0;
  always @(posedge clk) if (clear) seen_q <= 1'b1;
  logic known_q, wiping_q, key_taken_q, key_ok_q, cache_ok_q, key_owed_q, cmd_taken_q;
  logic [10:0] wipe_cycles_q;
  logic out_held_q, result_held_q, cmd_owed_q, ad_owed_q, msg_owed_q, tag_owed_q;
  logic [$bits(port.out)-1:0] out_q;
  logic [$bits(port.result)-1:0] result_q;
  logic key_taken, cmd_taken, ad_taken, msg_taken, tag_taken, out_taken, result_taken;
  assign key_taken = port.key.valid && port.key_ready;
  assign cmd_taken = port.cmd.valid && port.cmd_ready[0];
  assign ad_taken = port.ad.valid && port.ad_ready[0];
  assign msg_taken = port.msg.valid && port.msg_ready[0];
  assign tag_taken = port.tag_in.valid && port.tag_in_ready[0];
  assign out_taken = port.out.valid && port.out_ready;
  assign result_taken = port.result.valid && port.result_ready;

  // Whose the next beats are: the oldest command that still waits for one; COMMANDS: nobody's.
  int unsigned ad_of, msg_of, tag_of;
  always_comb begin
    ad_of  = COMMANDS;
    msg_of = COMMANDS;
    tag_of = COMMANDS;
    for (int unsigned i = COMMANDS; i > 0; i--) begin
      if (i <= count_q && flying_q[i-1].ad) ad_of = i - 1;
      if (i <= count_q && flying_q[i-1].msg) msg_of = i - 1;
      if (i <= count_q && flying_q[i-1].tag) tag_of = i - 1;
    end
  end

  always_comb begin
    flying = flying_q;
    count  = count_q;
    if (ad_taken && port.ad.last && ad_of < COMMANDS) flying[ad_of].ad = 1'b0;
    if (msg_taken && port.msg.last && msg_of < COMMANDS) flying[msg_of].msg = 1'b0;
    if (tag_taken && tag_of < COMMANDS) flying[tag_of].tag = 1'b0;
    if (out_taken) begin
      flying[0].begun = 1'b1;
      if (port.out.last) flying[0].out = 1'b0;
    end
    if (result_taken && count != 0) begin
      for (int unsigned i = 1; i < COMMANDS; i++) flying[i-1] = flying[i];
      count -= 1;
    end
    if (cmd_taken && count < COMMANDS) begin
      flying[count] = '{
          ad: takes_ad(port.cmd.op, port.cmd.cached_ad),
          msg: port.cmd.op <= OP_OPEN,
          tag: port.cmd.op == OP_OPEN,
          out: port.cmd.op <= OP_OPEN,
          begun: 1'b0,
          seal: port.cmd.op == OP_SEAL,
          load: port.cmd.op == OP_LOAD_AD,
          unsure: port.cmd.cached_ad && port.cmd.op != OP_LOAD_AD,
          unfit: unfit(port.cmd.op, 1'b0, 1'b1, 1'b1)
      };
      count += 1;
    end
  end

  always_ff @(posedge clk) begin
    flying_q      <= flying;
    count_q       <= clear ? 0 : count;
    known_q       <= !clear;
    key_taken_q   <= key_taken;
    cmd_taken_q   <= cmd_taken;
    key_owed_q    <= port.key_ready && !port.key.valid;
    key_ok_q      <= !clear && (key_ok_q || key_taken);
    cache_ok_q    <= !clear && !key_taken && (cache_ok_q || (result_taken && flying_q[0].load && port.result.ok));
    wiping_q      <= clear || (wiping_q && port.busy);
    wipe_cycles_q <= wiping_q && !clear ? wipe_cycles_q + 11'd1 : '0;
    out_held_q    <= port.out.valid && !port.out_ready;
    out_q         <= port.out;
    result_held_q <= port.result.valid && !port.result_ready;
    result_q      <= port.result;
    cmd_owed_q    <= port.cmd_ready[0] && !cmd_taken;
    ad_owed_q     <= port.ad_ready[0] && !ad_taken;
    msg_owed_q    <= port.msg_ready[0] && !msg_taken;
    tag_owed_q    <= port.tag_in_ready[0] && !tag_taken;
  end

  logic any_ready, unfit_now;
  assign any_ready = port.key_ready || {port.cmd_ready, port.ad_ready, port.msg_ready, port.tag_in_ready} != '0;
  assign unfit_now = flying_q[0].unfit || (flying_q[0].unsure && !cache_ok_q);

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
        a_out_belongs_to_a_command : assert (count_q != 0 && flying_q[0].out);
        a_out_empty_only_alone : assert (port.out.bytes != '0 || (port.out.last && !flying_q[0].begun));
        a_no_output_of_what_is_refused : assert (port.out.bytes == '0 || !unfit_now);
      end
      // Rule 3
      a_out_stable : assert (!out_held_q || port.out == out_q);
      a_result_stable : assert (!result_held_q || port.result == result_q);
      a_ad_ready_holds : assert (!ad_owed_q || port.ad_ready[0]);
      a_msg_ready_holds : assert (!msg_owed_q || port.msg_ready[0]);
      a_tag_ready_holds : assert (!tag_owed_q || port.tag_in_ready[0]);
      a_cmd_ready_holds_but_for_a_key : assert (key_taken_q || !cmd_owed_q || port.cmd_ready[0]);
      a_key_ready_holds_but_for_a_command : assert (cmd_taken_q || !key_owed_q || port.key_ready);
      // Rule 4
      a_ad_only_for_a_command : assert (!ad_taken || ad_of < COMMANDS);
      a_msg_only_for_a_command : assert (!msg_taken || msg_of < COMMANDS);
      a_tag_only_for_an_opening : assert (!tag_taken || tag_of < COMMANDS);
      a_no_more_commands_than_that : assert (!cmd_taken || count_q < COMMANDS);
      if (port.result.valid) begin
        a_result_after_all_strings :
        assert (count_q != 0 && !flying_q[0].ad && !flying_q[0].msg && !flying_q[0].tag && !flying_q[0].out);
        // Rules 6, 7 and 8
        a_tag_only_from_a_good_seal : assert (port.result.tag == '0 || (flying_q[0].seal && port.result.ok));
        a_what_is_unfit_is_refused : assert (!unfit_now || !port.result.ok);
      end
      a_tag_hidden_without_result : assert (port.result.valid || port.result.tag == '0);
      // Rule 11, and when a core is busy
      a_key_only_at_rest : assert (!key_taken || count_q == 0);
      a_a_command_needs_a_key : assert (!cmd_taken || key_ok_q || key_taken);
      a_busy_with_key_or_command : assert (port.busy || (count_q == 0 && !key_taken_q));
    end
  end

endmodule
