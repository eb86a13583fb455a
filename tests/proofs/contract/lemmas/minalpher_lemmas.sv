// SPDX-License-Identifier: Apache-2.0
// What the schedule of Minalpher counts
module minalpher_lemmas
  import minalpher_pkg::*, aead_block_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic opening,
    input datapath_t orders,
    input logic rests,  // the schedule waits for a command, or for the first block of associated data
    input logic of_mask,  // for the first mask
    input logic of_tag,  // for the tag
    input logic ad,  // its string is that of the associated data
    input logic [2:0] valid,  // a call waits, is in the round, is done
    input token_t [2:0] token,
    input logic chained,
    input logic tag_made,
    input logic [2:0] places,  // of output
    input output_t [2:0] about,
    input logic [2:0] calls,
    input logic [2:0] owed,
    input logic [1:0] promised
);
  logic [3:0] at, mask, tag, text, term, output_due;
  always_comb begin
    at = {orders.load, valid};
    for (int unsigned i = 0; i < 3; i++) begin
      mask[i] = valid[i] && token[i].call == CALL_MASK;
      tag[i] = valid[i] && token[i].call == CALL_TAG;
      text[i] = valid[i] && (token[i].call == CALL_TEXT || token[i].call == CALL_LAST);
      term[i] = valid[i] && (token[i].summed || (token[i].call == CALL_TEXT && !opening));
      output_due[i] = text[i] && !token[i].silent;
    end
    mask[3] = orders.load && orders.call == CALL_MASK;
    tag[3] = orders.load && orders.call == CALL_TAG;
    text[3] = orders.load && (orders.call == CALL_TEXT || orders.call == CALL_LAST);
    term[3] = orders.load && (orders.summed || (orders.call == CALL_TEXT && !opening));
    output_due[3] = text[3] && !orders.silent;
  end
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_rest : assert (!rests || (at == '0 && !chained));
      a_mask : assert (4'($countones(mask)) == 4'(of_mask));
      a_tag : assert (4'($countones({tag, tag_made})) == 4'(of_tag));
      a_text_behind_ad : assert (!ad || (text == '0 && !chained));
      a_chain_is_free : assert (!chained || !valid[0] || token[0].call != CALL_TEXT || opening);
    end
  end
  at_work #(
      .COUNTS(3)
  ) u_counts (
      .counted({calls, owed, 3'(promised)}),
      .there  ({8'(at), 8'({term, chained}), 8'({output_due, places})}),
      .*
  );
  blocks #(
      .BLOCKS(7),
      .BEAT_BYTES(BLOCK_BYTES)
  ) u_blocks (
      .valid({places[2], places[1], places[0], output_due[0], output_due[1], output_due[2], output_due[3]}),
      .about({about, token[0].out, token[1].out, token[2].out, orders.out}),
      .*
  );
endmodule

bind minalpher_core minalpher_lemmas u_lemmas (
    .valid({p_waiting, u_p.u_calls.run_q, p_done}),
    .token({u_p.u_calls.g_waiting.wait_token_q, u_p.u_calls.token_q, p_token}),
    .chained(u_schedule.chained_q),
    .rests(u_schedule.state_q == u_schedule.S_IDLE || u_schedule.state_q == u_schedule.S_AD_BEGIN),
    .of_mask(u_schedule.state_q == u_schedule.S_MASK_WAIT),
    .of_tag(u_schedule.state_q == u_schedule.S_TAG_WAIT),
    .ad(u_schedule.ad_q),
    .tag_made(u_schedule.tag_made_q),
    .places(u_schedule.u_outputs.valid_q),
    .about(u_schedule.u_outputs.about_q),
    .calls(u_schedule.calls_q),
    .owed(u_schedule.owed_q),
    .promised(u_schedule.u_outputs.promised_q),
    .*
);
