// SPDX-License-Identifier: Apache-2.0
//
// Takes handshake messages out of their queue, one at a time, for judgement. A message is eight beats: what receive_ctxt leaves
// of the header (session id, type, whether the number is 0), then id, R and MAC as they came.

module hs_take
  import link_pkg::*;
(
    input  logic            clk,
    input  logic            rst,
    input  logic            s_valid,
    output logic            s_ready,
    input  logic     [63:0] s_data,
    output logic            valid,    // level: `message` stands until `done`
    output message_t        message,
    input  logic            done      // pulse
);
  logic [511:0] beats_q;
  logic [  3:0] count_q;

  assign s_ready = !count_q[3] && !rst;
  assign valid   = count_q[3];
  assign message = '{
          mac: beats_q[511:384],
          r: beats_q[383:128],
          id: beats_q[127:64],
          numbered: beats_q[36],
          kind: beats_q[35:32],
          sid: beats_q[31:0]
      };

  logic unused;
  assign unused = &{1'b0, beats_q[63:37]};

  always_ff @(posedge clk) begin
    if (s_valid && s_ready) begin
      beats_q <= {s_data, beats_q[511:64]};
      count_q <= count_q + 4'd1;
    end
    if (done || rst) count_q <= '0;
  end
endmodule
