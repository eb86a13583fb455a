// SPDX-License-Identifier: Apache-2.0
//
// Exit of one side: hands whole packets from a FIFO to the interface, one beat a cycle, and counts what left.
// `flush` (level) asks to drain the packets that wait instead, between packets only: one whose first beat has been offered
// goes out whole first. `flushing` stays high until flush has fallen and the FIFO has shown nothing for eight cycles.
// Security: what is flushed shows nowhere; m_valid stays low meanwhile.

module link_send (
    input  logic        clk,
    input  logic        rst,
    input  logic        flush,
    output logic        flushing,      // a register
    input  logic        s_valid,
    output logic        s_ready,
    input  logic [63:0] s_data,
    input  logic [ 3:0] s_bytes,
    input  logic        s_last,
    output logic        m_valid,
    input  logic        m_ready,
    output logic [63:0] m_data,
    output logic [ 3:0] m_bytes,
    output logic        m_last,
    output logic        ev_out,        // pulse: a packet left
    output logic [ 3:0] ev_out_bytes,  // bytes of the beat that left
    output logic        ev_flushed     // pulse: a packet was drained
);
  logic sending_q;  // inside a packet that goes out
  logic draining_q;  // inside a packet that does not
  logic [2:0] empty_q;  // cycles without a beat
  logic drain;

  assign drain = draining_q || (flushing && !sending_q);
  assign m_valid = s_valid && !drain && !rst;
  assign s_ready = (drain || m_ready) && !rst;
  assign m_data = drain ? '0 : s_data;
  assign m_bytes = drain ? '0 : s_bytes;
  assign m_last = s_last;
  assign ev_out = m_valid && m_ready && m_last;
  assign ev_out_bytes = (m_valid && m_ready) ? m_bytes : 4'd0;
  assign ev_flushed = s_valid && drain && s_last && !rst;

  always_ff @(posedge clk) begin
    if (m_valid) sending_q <= !(m_ready && m_last);
    if (s_valid && drain) draining_q <= !s_last;
    empty_q <= (flush || s_valid) ? '0 : empty_q + 3'd1;
    if (flush) flushing <= 1'b1;
    else if (empty_q == '1) flushing <= 1'b0;
    if (rst) begin
      flushing   <= 1'b0;
      sending_q  <= 1'b0;
      draining_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  logic waiting_q;
  logic [68:0] beat_q;
  always_ff @(posedge clk) begin
    waiting_q <= m_valid && !m_ready && !rst;
    beat_q    <= {m_last, m_bytes, m_data};
    if (!rst && waiting_q)
      a_stable :
      assert (m_valid && beat_q == {m_last, m_bytes, m_data})
      else $error("link_send: beat changed before it was taken");
  end
`endif
endmodule
