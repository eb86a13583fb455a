// SPDX-License-Identifier: Apache-2.0
//
// Two-place register queue for what is known about packets in work: a word shows in the cycle after it was put in, and
// `empty` is exact, so that "no packet in work" can be read from it. For long queues use stream_fifo.
// s_ready does not depend on m_ready. The words (lengths, packet numbers) are not secrets: rst empties, nothing is wiped.

module link_queue #(
    parameter int unsigned WIDTH = 8  // bits
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             s_valid,
    output logic             s_ready,
    input  logic [WIDTH-1:0] s_data,
    output logic             m_valid,
    input  logic             m_ready,
    output logic [WIDTH-1:0] m_data,
    output logic             empty
);
  logic [WIDTH-1:0] first_q, second_q;
  logic [1:0] count_q;
  logic put, take;

  assign s_ready = !count_q[1];
  assign m_valid = count_q != 2'd0;
  assign m_data = first_q;
  assign empty = count_q == 2'd0;
  assign put = s_valid && s_ready;
  assign take = m_valid && m_ready;

  always_ff @(posedge clk) begin
    if (take) first_q <= second_q;
    if (put) begin
      if (count_q == 2'd0 || take) first_q <= s_data;
      else second_q <= s_data;
    end
    count_q <= count_q + 2'(put) - 2'(take);
    if (rst) count_q <= 2'd0;
  end
endmodule
