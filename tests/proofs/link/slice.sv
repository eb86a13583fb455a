// SPDX-License-Identifier: Apache-2.0
// A register slice of the link beside a ring of four places. Beats, resets and the reader are free; a beat that is offered stays. No
// logic looks at what a beat says, so that two bits stand for it.
module slice (
    input logic       clk,
    input logic       rst_wanted,
    input logic       offered,
    input logic [1:0] data,
    input logic       m_ready
);
  typedef struct packed {
    logic valid;
    logic [1:0] data;
  } small_t;

  logic started_q, rst;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign rst = rst_wanted || !started_q;

  small_t s, offer_q, m;
  logic s_ready, holds_q;
  assign s = holds_q ? offer_q : '{valid: offered, data: data};
  always_ff @(posedge clk) begin
    offer_q <= s;
    holds_q <= s.valid && !s_ready && !rst;
  end

  link_slice #(
      .beat_t(small_t)
  ) u_slice (
      .clk,
      .rst,
      .s,
      .s_ready,
      .m,
      .m_ready
  );

  logic [3:0][1:0] ring_q;
  logic [1:0] came_q, gone_q, held;
  assign held = came_q - gone_q;
  always_ff @(posedge clk) begin
    if (s.valid && s_ready) begin
      ring_q[came_q] <= s.data;
      came_q         <= came_q + 2'd1;
    end
    if (m.valid && m_ready) gone_q <= gone_q + 2'd1;
    if (rst) {came_q, gone_q} <= '0;
  end

  logic reset_q;
  always_ff @(posedge clk) reset_q <= rst;
  always_comb begin
    if (started_q) begin
      a_none_is_lost : assert (m.valid == (held != 2'd0));
      a_room : assert (s_ready == (held != 2'd2));
      a_places : assert (held != 2'd3);
      a_order : assert (!m.valid || m.data == ring_q[gone_q]);
      a_no_beat_is_zero : assert ((m.valid || m == '0) && (u_slice.behind_q.valid || u_slice.behind_q == '0));
      a_reset : assert (!reset_q || !m.valid);
    end
  end
endmodule
