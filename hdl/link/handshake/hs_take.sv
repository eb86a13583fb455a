// SPDX-License-Identifier: Apache-2.0
//
// Takes handshake messages out of their queue, one at a time, for judgement. A message is eight beats: its number, then what
// receive_ctxt leaves of header and id (session id, type, whether the id is not the peer's), then R and MAC as they came. What
// the header says stands from the second beat on.

module hs_take
  import link_pkg::*;
  import link_types_pkg::*;
(
    input  logic     clk,
    input  logic     rst,
    input  beat_t    message_in,
    output logic     message_in_ready,
    output logic     begun,             // level: of `message`, what the header says stands
    output logic     valid,             // level: `message` stands until `done`
    output message_t message,
    output logic     stranger,          // it is not the peer's
    input  logic     done               // pulse
);
  logic [ 36:0] header_q;
  logic [447:0] beats_q;
  logic [  3:0] count_q;

  assign message_in_ready = !count_q[3] && !rst;
  assign begun = count_q > 4'd1;
  assign valid = count_q[3];
  assign stranger = header_q[36];
  assign message = '{
          mac: beats_q[447:320],
          r: beats_q[319:64],
          number: swap64(beats_q[63:0]),
          kind: header_q[35:32],
          sid: header_q[31:0]
      };

  always_ff @(posedge clk) begin
    if (message_in.valid && message_in_ready) begin
      if (count_q == 4'd1) header_q <= message_in.data[36:0];
      else beats_q <= {message_in.data, beats_q[447:64]};
      count_q <= count_q + 4'd1;
    end
    if (done || rst) count_q <= '0;
  end

  wire unused = &{1'b0, message_in};
endmodule
