// SPDX-License-Identifier: Apache-2.0
// What the schedule of COLM and AES-COPA counts
module chained_lemmas
  import chained_pkg::*, aead_block_pkg::*;
(
    input logic clk,
    input logic clear,
    input datapath_t orders,
    input logic rests,  // the schedule waits for a key or a command
    input logic of_key,  // for what becomes of the key
    input logic of_tag,  // for the last block's calls
    input logic ad,  // its string is that of the associated data
    input logic [2:0] valid,  // a call waits at the input of AES, is in it, is done
    input token_t [2:0] token,
    input logic chained,
    input logic chained_tag,
    input logic chained_empty,
    input output_t chained_out,
    input logic text_made,
    input logic tag_made,
    input logic [2:0] places,  // of output
    input output_t [2:0] about,
    input logic [2:0] calls,
    input logic [2:0] starts,
    input logic [2:0] texts,
    input logic [1:0] promised
);
  logic [3:0] at, start, text, output_due, key, tag;
  always_comb begin
    at = {orders.load, valid};
    for (int unsigned i = 0; i < 3; i++) begin
      start[i] = valid[i] && token[i].call == CALL_START;
      key[i] = valid[i] && token[i].call == CALL_KEY;
      tag[i] = valid[i] && (token[i].call == CALL_TAG_FIRST || token[i].call == CALL_TAG_SECOND);
      text[i] = valid[i] && (token[i].call == CALL_FIRST || token[i].call == CALL_SECOND);
      output_due[i] = text[i] && !token[i].empty;
    end
    start[3] = orders.load && orders.call == CALL_START;
    key[3] = orders.load && orders.call == CALL_KEY;
    tag[3] = orders.load && (orders.call == CALL_TAG_FIRST || orders.call == CALL_TAG_SECOND);
    text[3] = orders.load && (orders.call == CALL_FIRST || orders.call == CALL_SECOND);
    output_due[3] = text[3] && !orders.empty;
  end
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_rest : assert (!rests || (at == '0 && !chained && !text_made));
      a_key : assert (4'($countones(key)) == 4'(of_key) && (!of_key || at == key));
      a_tag : assert (4'($countones({tag, chained && chained_tag, tag_made})) == 4'(of_tag));
      a_text_behind_ad : assert (!ad || (text == '0 && !chained && !text_made));
      a_one_input : assert (!orders.load || !valid[2]);
      a_chain_is_free :
      assert (!chained || !valid[0] || (token[0].call != CALL_FIRST && token[0].call != CALL_TAG_FIRST));
    end
  end
  at_work #(
      .COUNTS(4)
  ) u_counts (
      .counted({calls, starts, texts, 3'(promised)}),
      .there({
        8'(at),
        8'(start),
        8'({text, text_made, chained && !chained_tag}),
        8'({output_due, places, chained && !chained_tag && !chained_empty})
      }),
      .*
  );
  logic [3:0] second;
  output_t [3:0] out;
  always_comb begin
    for (int unsigned i = 0; i < 3; i++) begin
      second[i] = token[i].call == CALL_SECOND;
      out[i] = token[i].out;
    end
    second[3] = orders.call == CALL_SECOND;
    out[3] = orders.out;
  end
  blocks #(
      .BLOCKS(12)
  ) u_blocks (
      .valid({
        places[2],
        places[1],
        places[0],
        output_due[0] && second[0],
        output_due[1] && second[1],
        output_due[2] && second[2],
        output_due[3] && second[3],
        chained && !chained_tag && !chained_empty,
        output_due[0] && !second[0],
        output_due[1] && !second[1],
        output_due[2] && !second[2],
        output_due[3] && !second[3]
      }),
      .about({about, out[0], out[1], out[2], out[3], chained_out, out[0], out[1], out[2], out[3]}),
      .*
  );
endmodule

bind chained_core chained_lemmas u_lemmas (
    .valid({u_schedule.input_q, u_aes.u_calls.run_q, aes_done}),
    .token({token, u_aes.u_calls.token_q, aes_token}),
    .chained(u_schedule.chained_q),
    .chained_tag(u_schedule.chained_tag_q),
    .chained_empty(u_schedule.chained_empty_q),
    .chained_out(u_schedule.chained_out_q),
    .rests(u_schedule.state_q == u_schedule.S_IDLE || u_schedule.state_q == u_schedule.S_KEY),
    .of_key(u_schedule.state_q == u_schedule.S_KEY_WAIT),
    .of_tag(u_schedule.state_q == u_schedule.S_TAG_WAIT),
    .ad(u_schedule.ad_q),
    .tag_made(u_schedule.tag_made_q),
    .text_made(u_schedule.text_made_q),
    .places(u_schedule.u_outputs.valid_q),
    .about(u_schedule.u_outputs.about_q),
    .calls(u_schedule.calls_q),
    .starts(u_schedule.start_calls_q),
    .texts(u_schedule.text_calls_q),
    .promised(u_schedule.u_outputs.promised_q),
    .*
);
