// SPDX-License-Identifier: Apache-2.0
// Front end of a mode that has several packets in flight: takes keys and commands, up to PACKETS of these ahead, knows whether the
// AD cache is valid, compares tags and delivers the results, in the order of the commands (docs/core-ports.md, rules 4, 6 to 8, 11
// and 12). The mode says when a packet's tag has come, or that the packet ends without one (`alone`).
// Byte order: byte i of a tag in bits [8i+7:8i].
// Cycles: a result shows three edges after its tag has come, four in opening, with all its output gone.
// Security: compares all of a tag, whatever differs; the tag port is zero but for a good seal's result. A tag is overwritten before
// its result goes. `clear` zeroises.
module aead_pipe_commands
  import aead_pkg::*, aead_pipe_pkg::*;
#(
    parameter int unsigned TAG_BITS = 128
) (
    input logic clk,
    input logic clear,
    input logic wiping,
    aead_if port,

    output logic key_new,  // pulse: a key moves with this edge
    input  logic key_done, // pulse: it is in use

    output number_t                accepted,      // commands that have come
    output number_t                given,         // and of these the ones whose result has gone
    output logic                   nonce_take,    // pulse: a nonce moves with this edge
    output logic                   nonce_waits,   // for its call
    output packet_t                nonce_packet,
    input  logic                   nonce_goes,
    output command_t [PACKETS-1:0] commands,
    output logic                   cache_ok,

    input  logic    [ PACKETS-1:0] tag_there,
    output logic                   tag_scrub,   // the tag of `tag_packet` <= 0, if no other one comes
    output packet_t                tag_packet,
    input  logic                   tag_made,    // another one comes
    input  logic    [TAG_BITS-1:0] tag,

    input  logic alone,       // level: packet `given` has ended, without a tag
    input  logic refused,     // because it was refused
    input  logic out_sent,    // the output of packet `given` has gone
    output logic result_gone  // pulse
);

  typedef enum logic [2:0] {
    R_LOOK,    // at the next command
    R_WAIT,    // for the tag, or the packet's end without one
    R_TAG_IN,  // open: for the expected tag
    R_OUT,     // for the output's end
    R_RESULT
  } result_e;

  result_e result_q;
  logic rest_q, free_q;  // no command is in flight; one may come
  logic keyed_q, key_ok_q, cmd_taken, key_taken, tag_taken, full, result_goes, scrubbed_q, refused_q;
  logic result_valid_q, result_ok_q;
  logic [TAG_BITS-1:0] tag_q, made_tag_q;
  logic [TAG_BITS/8-1:0] equal_q;  // bytes
  command_t command_q;  // `given`, and whether its tag has come, or its end: they follow one cycle later
  logic there_q, alone_q;

  logic unused;
  assign unused = &{1'b0, command_q.cached};

  assign cmd_taken = port.cmd.valid && port.cmd_ready[0];
  assign key_taken = port.key.valid && port.key_ready;
  assign tag_taken = port.tag_in.valid && port.tag_in_ready[0];
  assign full = number_t'(accepted - given) == number_t'(PACKETS);
  assign key_new = key_taken;
  assign nonce_take = cmd_taken && !port.cmd.op[1];

  assign port.busy = !keyed_q || !rest_q || clear;
  assign port.key_ready = keyed_q && rest_q && !clear;
  assign port.cmd_ready[0] = free_q && !clear;
  assign port.tag_in_ready[0] = result_q == R_TAG_IN && !clear;

  assign tag_packet = packet_t'(given);
  assign tag_scrub = (result_q == R_OUT || result_q == R_RESULT) && !scrubbed_q;
  assign result_gone = result_q == R_RESULT && (!result_valid_q || port.result_ready) && scrubbed_q;

  assign result_goes = result_q == R_OUT && (out_sent || command_q.op[1]);

  assign port.result.valid = result_valid_q;
  assign port.result.ctx = '0;
  assign port.result.ok = result_ok_q;
  assign port.result.tag = tag_q;

  always_ff @(posedge clk) begin
    if (key_done) begin
      keyed_q  <= 1'b1;
      key_ok_q <= 1'b1;
    end
    if (key_taken) begin
      keyed_q  <= 1'b0;
      key_ok_q <= 1'b0;
      cache_ok <= 1'b0;
    end

    rest_q <= accepted == given && !cmd_taken && !wiping;
    free_q <= keyed_q && key_ok_q && !full && !nonce_waits && !cmd_taken && !key_taken && !wiping;
    if (nonce_goes) nonce_waits <= 1'b0;
    if (cmd_taken) begin
      accepted                      <= accepted + number_t'(1);
      commands[packet_t'(accepted)] <= '{port.cmd.op, port.cmd.cached_ad && port.cmd.op != OP_LOAD_AD};
      nonce_waits                   <= !port.cmd.op[1];
      nonce_packet                  <= packet_t'(accepted);
    end

    // ---- results ----

    command_q <= commands[tag_packet];
    there_q   <= tag_there[tag_packet];
    alone_q   <= alone;
    if (result_q == R_WAIT) made_tag_q <= tag;
    if (result_goes) made_tag_q <= '0;
    if (result_q == R_TAG_IN) begin
      for (int unsigned i = 0; i < TAG_BITS / 8; i++) equal_q[i] <= made_tag_q[8*i+:8] == port.tag_in.data[8*i+:8];
    end
    if (tag_scrub && !tag_made) scrubbed_q <= 1'b1;

    unique case (result_q)
      R_LOOK: result_q <= R_WAIT;

      R_WAIT: begin
        refused_q  <= alone_q && refused;
        scrubbed_q <= alone_q;
        if (alone_q || there_q) result_q <= command_q.op == OP_OPEN ? R_TAG_IN : R_OUT;
      end

      R_TAG_IN: if (tag_taken) result_q <= R_OUT;

      R_OUT: begin
        if (result_goes) begin
          result_q       <= R_RESULT;
          result_valid_q <= 1'b1;
          result_ok_q    <= !refused_q && (command_q.op != OP_OPEN || &equal_q);
          tag_q          <= command_q.op == OP_SEAL && !refused_q ? made_tag_q : '0;
          if (command_q.op == OP_LOAD_AD && !refused_q) cache_ok <= 1'b1;
        end
      end

      default: begin
        if (port.result_ready) begin
          result_valid_q <= 1'b0;
          tag_q          <= '0;
        end
        if (result_gone) begin
          result_q <= R_LOOK;
          given    <= given + number_t'(1);
        end
      end
    endcase

    if (clear || wiping) begin
      result_q       <= R_LOOK;
      keyed_q        <= 1'b1;
      key_ok_q       <= 1'b0;
      cache_ok       <= 1'b0;
      rest_q         <= 1'b0;
      free_q         <= 1'b0;
      accepted       <= '0;
      given          <= '0;
      commands       <= '0;
      nonce_waits    <= 1'b0;
      nonce_packet   <= '0;
      refused_q      <= 1'b0;
      scrubbed_q     <= 1'b0;
      command_q      <= '0;
      there_q        <= 1'b0;
      alone_q        <= 1'b0;
      result_valid_q <= 1'b0;
      result_ok_q    <= 1'b0;
    end
    if (clear) begin
      equal_q    <= '0;
      made_tag_q <= '0;
      tag_q      <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear && !wiping) a_tag_is_overwritten : assert (!result_gone || (tag == '0 && made_tag_q == '0));
  end
`endif

endmodule
