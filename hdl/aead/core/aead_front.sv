// SPDX-License-Identifier: Apache-2.0
// Front end of an AEAD core with one context: takes keys and commands, knows whether the AD cache is valid, refuses, swallows
// what a refused command sends, compares tags and delivers the result (docs/core-ports.md, rules 4, 6, 7, 8, 11 and 12).
// Byte order: byte i of a tag in bits [8i+7:8i].
// Cycles: a command begins one edge after it was accepted, once the result before it has gone; a result shows one edge after
// `finish` was seen with all output gone and the tag there, two edges with VERDICT 2 and 3.
// Security: compares all of a tag, whatever differs; the tag port is zero but for a good seal's result; `clear` zeroises.
module aead_front
  import aead_pkg::*;
#(
    parameter int unsigned TAG_BITS = 256,
    parameter bit AD_CACHE = 1'b1,
    // 0: the mode refuses a wrong tag itself; 1, 2: stages of the comparison; 3: as 0, and the mode asks for the tag before it
    // finishes
    parameter int unsigned VERDICT = 1
) (
    input logic clk,
    input logic clear,
    aead_if port,

    input  status_t                status,
    input  event_t                 pulse,
    output front_t                 front,
    input  logic    [TAG_BITS-1:0] tag,      // computed; looked at while `finish`, and held a cycle longer
    input  logic                   take_ad,  // the mode takes a beat
    input  logic                   take_msg
);

  localparam bit LATE = VERDICT >= 2;  // the result

  typedef enum logic [2:0] {
    F_REST,
    F_KEY,      // per-key work
    F_COMMAND,  // accepted: wait until the result before it has gone
    F_RUN,
    F_REFUSE    // swallow the input, end the output
  } state_e;

  (* fsm_encoding = "one-hot" *)
  state_e state_q;
  logic key_ok_q, cache_ok_q, cmd_waits_q;
  logic [1:0] op_q;
  logic cached_q, refused_q;
  logic want_ad_q, want_msg_q, want_tag_q;  // strings of the command still to be taken to the end
  logic out_owed_q;  // no output has been made yet
  logic verdict, good, result_set;
  logic tag_equal;  // computed tag = expected tag; a cycle late if LATE
  logic key_taken, cmd_taken, tag_taken, begins, refuse, swallow_ad, swallow_msg;
  logic result_valid_q, result_ok_q, no_result;
  logic [TAG_BITS-1:0] tag_q;

  assign key_taken = port.key.valid && port.key_ready;
  assign cmd_taken = port.cmd.valid && port.cmd_ready[0];
  assign tag_taken = port.tag_in.valid && port.tag_in_ready[0];
  assign begins = state_q == F_COMMAND && no_result && !unfit(op_q, cached_q, cache_ok_q, AD_CACHE);
  assign refuse = pulse.refuse || (state_q == F_COMMAND && no_result && unfit(op_q, cached_q, cache_ok_q, AD_CACHE));
  assign swallow_ad = state_q == F_REFUSE && want_ad_q;
  assign swallow_msg = state_q == F_REFUSE && want_msg_q;

  assign port.busy = state_q != F_REST || !no_result || status.wiping || clear;
  assign port.key_ready = state_q == F_REST && no_result && status.key_free && !status.wiping && !clear;
  assign port.cmd_ready[0] = state_q == F_REST && key_ok_q && !(LATE && result_set) && !clear;
  assign port.ad_ready[0] = (take_ad || swallow_ad) && !clear;
  assign port.msg_ready[0] = (take_msg || swallow_msg) && !clear;
  assign port.tag_in_ready[0] =
      ((status.finish && status.out_idle) || status.tag_wait || state_q == F_REFUSE) && want_tag_q && !clear;

  assign front.rest = state_q == F_REST;
  assign front.key_new = key_taken;
  assign front.accepts = cmd_taken;
  assign front.pending = state_q == F_COMMAND;
  assign front.begins = begins;
  assign front.with_ad = want_ad_q;
  assign front.cached = cached_q;
  assign front.op = op_q;
  assign front.refused = refused_q;
  assign front.end_empty = (state_q == F_REFUSE || status.finish) && out_owed_q && status.out_idle;
  assign front.tag_taken = tag_taken;
  assign front.done = verdict;

  // `good` is looked at in the cycle of result_set.
  if (VERDICT == 3) begin : gen_tag_before
    assign verdict = status.out_idle && !out_owed_q && !want_tag_q &&
        (state_q == F_REFUSE ? !(want_ad_q || want_msg_q) : status.finish);
  end else begin : gen_tag_with
    assign verdict = status.out_idle && !out_owed_q && (state_q == F_REFUSE ? !(want_ad_q || want_msg_q || want_tag_q) :
        status.finish && (!want_tag_q || tag_taken));
  end
  assign good = !refused_q && (op_q != OP_OPEN || tag_equal);
  if (VERDICT == 2) begin : gen_two_stages
    logic result_set_q;
    logic [TAG_BITS/8-1:0] equal_q;  // bytes
    assign result_set = result_set_q;
    assign tag_equal  = &equal_q;
    always_ff @(posedge clk) begin
      result_set_q <= verdict;
      for (int unsigned i = 0; i < TAG_BITS / 8; i++) equal_q[i] <= tag[8*i+:8] == port.tag_in.data[8*i+:8];
      if (clear) begin
        result_set_q <= 1'b0;
        equal_q      <= '0;
      end
    end
  end else if (VERDICT == 3) begin : gen_late
    logic result_set_q;
    assign result_set = result_set_q;
    assign tag_equal  = 1'b1;
    always_ff @(posedge clk) result_set_q <= verdict && !clear;
  end else begin : gen_one_stage
    assign result_set = verdict;
    assign tag_equal  = VERDICT == 0 || tag == port.tag_in.data;
  end
  assign no_result = !result_valid_q && !(LATE && result_set);
  assign port.result.valid = result_valid_q;
  assign port.result.ctx = '0;
  assign port.result.ok = result_ok_q;
  assign port.result.tag = tag_q;

  always_ff @(posedge clk) begin
    unique case (state_q)
      F_REST: begin
        if (key_taken) state_q <= F_KEY;
        else if (cmd_taken) state_q <= F_COMMAND;
      end
      F_KEY: if (pulse.key_done) state_q <= cmd_waits_q ? F_COMMAND : F_REST;
      F_COMMAND, F_RUN: begin
        if (refuse) state_q <= F_REFUSE;
        else if (begins) state_q <= F_RUN;
        else if (state_q == F_RUN && verdict) state_q <= F_REST;
      end
      F_REFUSE: if (verdict) state_q <= F_REST;
      default: state_q <= F_REST;
    endcase

    if (key_taken) begin
      key_ok_q    <= 1'b0;
      cache_ok_q  <= 1'b0;
      cmd_waits_q <= cmd_taken;
    end
    if (state_q == F_KEY && pulse.key_done) key_ok_q <= 1'b1;
    if (state_q == F_RUN && verdict && op_q == OP_LOAD_AD) cache_ok_q <= 1'b1;

    if (cmd_taken) begin
      op_q       <= port.cmd.op;
      cached_q   <= port.cmd.cached_ad && port.cmd.op != OP_LOAD_AD;
      want_ad_q  <= takes_ad(port.cmd.op, port.cmd.cached_ad);
      want_msg_q <= port.cmd.op <= OP_OPEN;
      want_tag_q <= port.cmd.op == OP_OPEN;
      out_owed_q <= port.cmd.op <= OP_OPEN;
      refused_q  <= 1'b0;
    end
    if (port.ad.valid && port.ad_ready[0] && port.ad.last) want_ad_q <= 1'b0;
    if (port.msg.valid && port.msg_ready[0] && port.msg.last) want_msg_q <= 1'b0;
    if (tag_taken) want_tag_q <= 1'b0;
    if (pulse.out_made || front.end_empty) out_owed_q <= 1'b0;
    if (refuse) refused_q <= 1'b1;

    if (result_set) begin
      result_valid_q <= 1'b1;
      result_ok_q    <= good;
    end else if (port.result_ready) begin
      result_valid_q <= 1'b0;
    end
    if (result_set && op_q == OP_SEAL && !refused_q) tag_q <= tag;
    if (result_valid_q && port.result_ready) tag_q <= '0;

    if (clear) begin
      state_q        <= F_REST;
      key_ok_q       <= 1'b0;
      cache_ok_q     <= 1'b0;
      cmd_waits_q    <= 1'b0;
      op_q           <= '0;
      cached_q       <= 1'b0;
      refused_q      <= 1'b0;
      want_ad_q      <= 1'b0;
      want_msg_q     <= 1'b0;
      want_tag_q     <= 1'b0;
      out_owed_q     <= 1'b0;
      result_valid_q <= 1'b0;
      result_ok_q    <= 1'b0;
      tag_q          <= '0;
    end
  end

endmodule
