// SPDX-License-Identifier: Apache-2.0
// Bench of aead_monitor, and of aead_pipe_monitor for two commands in flight (monitor_ahead_tb): +case=NAME plays a run that breaks
// the rule of assertion NAME and no other; +case=none a legal run.
module monitor_ahead_tb;
  monitor_tb #(.AHEAD(1'b1)) u_bench ();
endmodule

module monitor_tb #(
    parameter bit AHEAD = 1'b0
);

  logic clk = 1'b0;
  logic clear = 1'b1;
  always #1 clk = !clk;

  aead_if #(
      .DATA_BITS(64),
      .TAG_BITS (128)
  ) port ();
  if (AHEAD) begin : gen_ahead
    aead_pipe_monitor #(
        .DATA_BITS(64),
        .COMMANDS (2)
    ) u_monitor (
        .*
    );
  end else begin : gen_one
    aead_monitor #(.DATA_BITS(64)) u_monitor (.*);
  end

  string name;

  task automatic quiet();
    port.busy = 1'b1;
    {port.key, port.cmd, port.ad, port.msg, port.tag_in, port.out, port.result} = '0;
    {port.key_ready, port.cmd_ready, port.ad_ready, port.msg_ready, port.tag_in_ready} = '0;
    {port.out_ready, port.result_ready} = '0;
  endtask

  task automatic tick();
    @(negedge clk);
  endtask

  task automatic key();
    port.key.valid = 1'b1;
    port.key_ready = 1'b1;
    tick();
    quiet();
  endtask

  // Loads associated data; its result says `ok`.
  task automatic load(input logic ok);
    command(2'd2, 1'b0);
    port.ad.valid = 1'b1;
    port.ad.last  = 1'b1;
    port.ad_ready = 1'b1;
    tick();
    quiet();
    result(ok, '0);
  endtask

  task automatic command(input logic [1:0] op, input logic cached = 1'b1);
    port.cmd.valid = 1'b1;
    port.cmd.op = op;
    port.cmd.cached_ad = cached;
    port.cmd_ready = 1'b1;
    tick();
    quiet();
  endtask

  task automatic message();
    port.msg.valid = 1'b1;
    port.msg.last  = 1'b1;
    port.msg_ready = 1'b1;
    tick();
    quiet();
  endtask

  task automatic tag();
    port.tag_in.valid = 1'b1;
    port.tag_in_ready = 1'b1;
    tick();
    quiet();
  endtask

  task automatic beat(input logic [3:0] bytes, input logic last, input logic [63:0] data = '0);
    port.out.valid = 1'b1;
    port.out.bytes = bytes;
    port.out.last  = last;
    port.out.data  = data;
    port.out_ready = 1'b1;
    tick();
    quiet();
  endtask

  task automatic result(input logic ok, input logic [127:0] value);
    port.result.valid = 1'b1;
    port.result.ok = ok;
    port.result.tag = value;
    port.result_ready = 1'b1;
    tick();
    quiet();
  endtask

  initial begin
    if (!$value$plusargs("case=%s", name)) $fatal(1, "say which case: +case=NAME");
    quiet();
    repeat (3) tick();
    clear = 1'b0;
    tick();
    port.busy = 1'b0;
    tick();
    if (name == "a_a_command_needs_a_key") command(2'd0);
    key();
    // A seal and an opening as they should be, with a held beat and a held result
    command(2'd0, 1'b0);
    port.ad.valid = 1'b1;
    port.ad.last  = 1'b1;
    port.ad_ready = 1'b1;
    tick();
    quiet();
    message();
    port.out.valid = 1'b1;
    port.out.bytes = 4'd8;
    tick();
    beat(4'd8, 1'b0);
    beat(4'd3, 1'b1, 64'h00000000_00ffffff);
    port.result.valid = 1'b1;
    port.result.ok = 1'b1;
    port.result.tag = 128'd7;
    tick();
    result(1'b1, 128'd7);
    load(1'b1);
    command(2'd1);
    message();
    beat(4'd0, 1'b1);
    tag();
    result(1'b0, '0);

    if (AHEAD) begin  // the second one before the first one's strings
      command(2'd0);
      command(2'd1);
      message();
      message();
      tag();
      beat(4'd8, 1'b1);
      result(1'b1, 128'd9);
      command(2'd0);
      beat(4'd8, 1'b1);
      result(1'b1, '0);
      message();
      beat(4'd0, 1'b1);
      result(1'b1, '0);
    end

    case (name)
      "none": ;
      "a_no_more_commands_than_that": repeat (3) command(2'd0);
      "a_out_bytes_legal": begin
        command(2'd0);
        beat(4'd4, 1'b0);
      end
      "a_out_zero_beyond": begin
        command(2'd0);
        beat(4'd3, 1'b1, '1);
      end
      "a_out_stable": begin
        command(2'd0);
        port.out.valid = 1'b1;
        port.out.bytes = 4'd8;
        tick();
        beat(4'd8, 1'b0, 64'd1);
      end
      "a_result_stable": begin
        command(2'd2, 1'b0);
        port.ad.valid = 1'b1;
        port.ad.last  = 1'b1;
        port.ad_ready = 1'b1;
        tick();
        quiet();
        port.result.valid = 1'b1;
        tick();
        result(1'b1, '0);
      end
      "a_ad_ready_holds": begin
        port.ad_ready = 1'b1;
        tick();
        quiet();
      end
      "a_msg_ready_holds": begin
        port.msg_ready = 1'b1;
        tick();
        quiet();
      end
      "a_tag_ready_holds": begin
        port.tag_in_ready = 1'b1;
        tick();
        quiet();
      end
      "a_cmd_ready_holds_but_for_a_key": begin
        port.cmd_ready = 1'b1;
        tick();
        quiet();
      end
      "a_ad_only_for_a_command": begin
        port.ad.valid = 1'b1;
        port.ad_ready = 1'b1;
        tick();
      end
      "a_msg_only_for_a_command": message();
      "a_tag_only_for_an_opening": begin
        command(2'd0);
        tag();
      end
      "a_command_after_the_strings": begin
        command(2'd0);
        command(2'd0);
      end
      "a_out_belongs_to_a_command": beat(4'd8, 1'b0);
      "a_out_empty_only_alone": begin
        command(2'd0);
        beat(4'd8, 1'b0);
        beat(4'd0, 1'b1);
      end
      "a_result_after_all_strings": begin
        command(2'd0);
        message();
        result(1'b1, '0);
      end
      "a_tag_only_from_a_good_seal": begin
        command(2'd1);
        message();
        beat(4'd0, 1'b1);
        tag();
        result(1'b1, 128'd1);
      end
      "a_tag_hidden_without_result": begin
        port.result.tag = 128'd1;
        tick();
        quiet();
      end
      "a_key_only_at_rest": begin
        command(2'd0);
        key();
      end
      "a_a_command_needs_a_key": ;  // before the key, above
      "a_busy_with_key_or_command": begin
        command(2'd0);
        port.busy = 1'b0;
        tick();
      end
      "a_key_ready_holds_but_for_a_command": begin
        port.key_ready = 1'b1;
        tick();
        quiet();
      end
      "a_no_output_of_what_is_refused": begin
        key();
        command(2'd0);
        beat(4'd8, 1'b0);
      end
      "a_what_is_unfit_is_refused": begin
        command(2'd3);
        result(1'b1, '0);
      end
      "a_nothing_is_taken_in_a_clear": begin
        clear = 1'b1;
        port.msg_ready = 1'b1;
        tick();
      end
      "a_nothing_stands_after_a_clear": begin
        clear = 1'b1;
        tick();
        clear = 1'b0;
        port.result.valid = 1'b1;
        tick();
      end
      "a_a_wipe_ends": begin
        clear = 1'b1;
        tick();
        clear = 1'b0;
        repeat (1100) tick();
      end
      default: $fatal(1, "no case is called %s", name);
    endcase
    tick();
    $finish;
  end

endmodule
