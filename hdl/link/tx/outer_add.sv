// SPDX-License-Identifier: Apache-2.0
//
// Puts the outer Ethernet header (dst 6, src 6, EtherType 88 B5) before link packets and re-aligns them behind it.
// One beat a cycle; a packet of p bytes (at least 3) takes ceil((p + 14) / 8) cycles. The shortest link packet makes 63 bytes, so
// the header leaves nothing for the MAC to pad.

module outer_add (
    input  logic        clk,
    input  logic        rst,
    input  logic [47:0] dst,      // byte 0 of an address in bits 7:0; quasi-static
    input  logic [47:0] src,
    input  logic        s_valid,
    output logic        s_ready,
    input  logic [63:0] s_data,
    input  logic [ 3:0] s_bytes,
    input  logic        s_last,
    output logic        m_valid,
    input  logic        m_ready,
    output logic [63:0] m_data,
    output logic [ 3:0] m_bytes,
    output logic        m_last
);
  typedef enum logic [1:0] {
    S_FIRST,   // dst and half of src
    S_SECOND,  // rest of src, EtherType, two bytes of the packet
    S_BODY,
    S_TAIL     // the packet's last bytes
  } state_e;

  state_e state_q;
  logic [47:0] rest_q;  // six bytes of the last beat taken
  logic [3:0] rest_bytes_q;
  logic fits;

  assign fits = s_bytes <= 4'd2;  // the last beat ends in the beat that its first two bytes complete

  always_comb begin
    m_valid = s_valid;
    s_ready = m_ready;
    m_data  = {s_data[15:0], rest_q};
    m_bytes = 4'd8;
    m_last  = 1'b0;
    unique case (state_q)
      S_FIRST: begin
        m_data  = {src[15:0], dst};
        s_ready = 1'b0;
      end
      S_SECOND: m_data = {s_data[15:0], link_pkg::swap16(link_pkg::ETHERTYPE), src[47:16]};
      S_BODY: begin
        m_last  = s_last && fits;
        m_bytes = m_last ? s_bytes + 4'd6 : 4'd8;
      end
      S_TAIL: begin
        m_valid = 1'b1;
        s_ready = 1'b0;
        m_data  = {16'd0, rest_q};
        m_bytes = rest_bytes_q;
        m_last  = 1'b1;
      end
      default:  m_valid = 1'b0;
    endcase
    if (rst) begin
      m_valid = 1'b0;
      s_ready = 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (m_valid && m_ready) begin
      rest_q       <= s_data[63:16];
      rest_bytes_q <= s_bytes - 4'd2;
      unique case (state_q)
        S_FIRST:  state_q <= S_SECOND;
        S_SECOND: state_q <= s_last ? S_TAIL : S_BODY;
        S_BODY:   if (s_last) state_q <= fits ? S_FIRST : S_TAIL;
        S_TAIL:   state_q <= S_FIRST;
        default:  state_q <= S_FIRST;
      endcase
    end
    if (rst) state_q <= S_FIRST;
  end
endmodule
