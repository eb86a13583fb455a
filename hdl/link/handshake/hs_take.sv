// SPDX-License-Identifier: Apache-2.0
//
// Takes handshake messages out of their queue, one at a time, for judgement. A message is eight beats: its number, then what
// receive_ctxt leaves of the header (session id, type), then R and MAC as they came. What the header says stands from the second
// beat on. R and MAC stand in a memory and are read word by word.

module hs_take
  import link_pkg::*;
  import link_types_pkg::*;
(
    input  logic            clk,
    input  logic            rst,
    input  beat_t           message_in,
    output logic            message_in_ready,
    output logic            begun,             // level: of `message`, what the header says stands
    output logic            valid,             // level: `message` stands until `done`
    output message_t        message,
    input  logic     [ 1:0] r_at,              // which word of R is read
    output logic     [63:0] r_word,            // that word, in the same cycle
    input  logic            mac_at,            // which word of the MAC is read
    output logic     [63:0] mac_word,
    output logic     [31:0] peer_sid,          // the session id in R
    input  logic            done               // pulse
);
  localparam int unsigned R_AT = 2;
  localparam int unsigned MAC_AT = 6;

  (* ram_style = "distributed" *)logic [63:0] beats    [8];
  logic [35:0] header_q;
  logic [63:0] number_q;
  logic [ 3:0] count_q;
  logic        take;

  assign message_in_ready = !count_q[3] && !rst;
  assign take = message_in.valid && message_in_ready;
  assign begun = count_q > 4'd1;
  assign valid = count_q[3];
  assign message = '{number: swap64(number_q), kind: header_q[35:32], sid: header_q[31:0]};
  assign r_word = beats[3'(R_AT)+{1'b0, r_at}];
  assign mac_word = beats[3'(MAC_AT)+{2'd0, mac_at}];

  always_ff @(posedge clk) if (take) beats[count_q[2:0]] <= message_in.data;

  always_ff @(posedge clk) begin
    if (take) begin
      count_q <= count_q + 4'd1;
      if (count_q == 4'd0) number_q <= message_in.data;
      if (count_q == 4'd1) header_q <= message_in.data[35:0];
      if (count_q == 4'(R_AT)) peer_sid <= message_in.data[31:0];
    end
    if (done || rst) count_q <= '0;
  end

  wire unused = &{1'b0, message_in};
endmodule
