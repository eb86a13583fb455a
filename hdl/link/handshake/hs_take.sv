// SPDX-License-Identifier: Apache-2.0
//
// Takes handshake messages out of their queue, one at a time, for judgement. A message is eight beats: what receive_ctxt leaves
// of the header (session id, type, whether the number is 0), then id, R and MAC as they came. The first beat stands at once.

module hs_take
  import link_types_pkg::*;
(
    input  logic     clk,
    input  logic     rst,
    input  beat_t    message_in,
    output logic     message_in_ready,
    output logic     begun,             // level: of `message`, what the header says stands
    output logic     valid,             // level: `message` stands until `done`
    output message_t message,
    input  logic     done               // pulse
);
  logic [ 36:0] first_q;
  logic [447:0] beats_q;
  logic [  3:0] count_q;

  assign message_in_ready = !count_q[3] && !rst;
  assign begun = count_q != '0;
  assign valid = count_q[3];
  assign message = '{
          mac: beats_q[447:320],
          r: beats_q[319:64],
          id: beats_q[63:0],
          numbered: first_q[36],
          kind: first_q[35:32],
          sid: first_q[31:0]
      };

  always_ff @(posedge clk) begin
    if (message_in.valid && message_in_ready) begin
      if (!begun) first_q <= message_in.data[36:0];
      beats_q <= {message_in.data, beats_q[447:64]};
      count_q <= count_q + 4'd1;
    end
    if (done || rst) count_q <= '0;
  end

  wire unused = &{1'b0, message_in};
endmodule
