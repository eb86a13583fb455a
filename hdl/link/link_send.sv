// SPDX-License-Identifier: Apache-2.0
//
// Exit of one side: hands whole packets from a FIFO to the interface, one beat a cycle, and counts what left.
// `flush` (level) asks to drain the packets that wait instead, between packets only: one whose first beat has been offered
// goes out whole first. `flushing` stays high until flush has fallen and the FIFO has shown nothing for eight cycles.
// Security: what is flushed shows nowhere; m.valid stays low meanwhile.

module link_send
  import link_types_pkg::*;
#(
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        flush,
    output logic        flushing,    // a register
    input  beat_t       s,
    output logic        s_ready,
    output beat_t       m,
    input  logic        m_ready,
    output logic        left,        // pulse: a packet left
    output logic  [4:0] left_bytes,  // bytes of the beat that left
    output logic        flushed      // pulse: a packet was drained
);
  logic sending_q;  // inside a packet that goes out
  logic draining_q;  // inside a packet that does not
  logic [2:0] empty_q;  // cycles without a beat
  logic drain;

  assign drain = draining_q || (flushing && !sending_q);
  assign s_ready = (drain || m_ready) && !rst;
  assign m = '{
          valid: s.valid && !drain && !rst,
          data: drain ? '0 : s.data,
          bytes: drain ? '0 : s.bytes,
          last: s.last
      };
  assign left = m.valid && m_ready && m.last;
  assign left_bytes = (m.valid && m_ready) ? 5'(m.bytes) : 5'd0;
  assign flushed = s.valid && drain && s.last && !rst;

  always_ff @(posedge clk) begin
    if (m.valid) sending_q <= !(m_ready && m.last);
    if (s.valid && drain) draining_q <= !s.last;
    empty_q <= (flush || s.valid) ? '0 : empty_q + 3'd1;
    if (flush) flushing <= 1'b1;
    else if (empty_q == '1) flushing <= 1'b0;
    if (rst) begin
      flushing   <= 1'b0;
      sending_q  <= 1'b0;
      draining_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  logic  waiting_q;
  beat_t beat_q;
  always_ff @(posedge clk) begin
    waiting_q <= m.valid && !m_ready && !rst;
    beat_q    <= m;
    if (!rst && waiting_q)
      a_stable :
      assert (beat_q == m)
      else $error("link_send: beat changed before it was taken");
  end
`endif
endmodule
