// SPDX-License-Identifier: Apache-2.0
//
// Transmitter of an Ethernet port at 1 Gbit/s: frames without FCS, 8 bytes a beat, become preamble, frame, padding to 60
// bytes and FCS, a byte a cycle of clk, with 12 idle cycles between frames. Byte i of a beat is in bits [8i+7:8i].
// tkeep is contiguous from byte 0 and whole but with tlast. The source gives a beat in every 8 cycles once a frame
// has begun; one that does not has its frame ended with a wrong FCS, so that no receiver takes it, and the rest is drained.
// The first byte of the preamble leaves 3 cycles after a beat is offered to an idle transmitter.

module mac_tx
  import ethernet_pkg::*;
(
    input  logic        clk,       // 125 MHz
    input  logic        rst,       // synchronous, active high; ends a frame in its middle
    input  logic [63:0] s_tdata,
    input  logic [ 7:0] s_tkeep,
    input  logic        s_tvalid,
    output logic        s_tready,
    input  logic        s_tlast,
    output logic        tx_valid,  // a register, as tx_data
    output logic [ 7:0] tx_data,
    output logic        underrun   // pulse: the source was late, a frame was spoilt
);
  typedef enum logic [2:0] {
    S_IDLE,
    S_PREAMBLE,
    S_DATA,
    S_PAD,
    S_FCS,
    S_GAP,
    S_DRAIN
  } state_e;
  // What a byte on its way to the output is.
  typedef enum logic [1:0] {
    B_NONE,
    B_PREAMBLE,
    B_FRAME,
    B_FCS
  } byte_e;

  state_e state;
  logic [3:0] count;  // cycles left in this state, where it has a fixed number of them
  logic [5:0] missing;  // bytes after this one up to the smallest frame
  logic [63:0] data;  // the beat that is being sent, its next byte lowest
  logic [7:0] keep;
  logic last;  // it is the frame's last one
  logic broken;  // the frame's FCS is to be wrong
  byte_e kind, kind_q;
  logic [ 7:0] data_q;
  logic [31:0] crc;

  logic beat_ends, takes;
  assign beat_ends = !keep[1];
  assign s_tready = state == S_IDLE || (state == S_DATA && beat_ends && !last) || state == S_DRAIN;
  assign takes = s_tvalid && s_tready;

  always_comb begin
    unique case (state)
      S_PREAMBLE: kind = B_PREAMBLE;
      S_DATA, S_PAD: kind = B_FRAME;
      S_FCS: kind = B_FCS;
      default: kind = B_NONE;
    endcase
  end

  always_ff @(posedge clk) begin
    underrun <= 1'b0;
    if (takes) {data, keep, last} <= {s_tdata, s_tkeep, s_tlast};
    else if (state == S_DATA) {data, keep} <= {8'd0, data[63:8], 1'b0, keep[7:1]};
    if (count != 0) count <= count - 1'b1;
    if (kind == B_FRAME && missing != 0) missing <= missing - 1'b1;

    unique case (state)
      S_IDLE: begin
        count   <= 4'(PREAMBLE_BYTES);
        missing <= 6'(MIN_BYTES - 1);
        broken  <= 1'b0;
        if (s_tvalid) state <= S_PREAMBLE;
      end
      S_PREAMBLE: if (count == 0) state <= S_DATA;
      S_DATA:
      if (beat_ends) begin
        count <= 4'(FCS_BYTES - 1);
        if (last) state <= missing == 0 ? S_FCS : S_PAD;
        else if (!s_tvalid) begin
          underrun <= 1'b1;
          broken   <= 1'b1;
          state    <= S_FCS;
        end
      end
      S_PAD: begin
        count <= 4'(FCS_BYTES - 1);
        if (missing == 0) state <= S_FCS;
      end
      S_FCS:
      if (count == 0) begin
        count <= 4'(GAP_BYTES - 2);  // the cycle in S_IDLE is the last one of the gap
        state <= broken ? S_DRAIN : S_GAP;
      end
      S_DRAIN: begin
        count <= 4'(GAP_BYTES - 2);
        if (takes && s_tlast) state <= S_GAP;
      end
      S_GAP:   if (count == 0) state <= S_IDLE;
      default: state <= S_IDLE;
    endcase
    if (rst) state <= S_IDLE;
  end

  // The byte is chosen in one cycle and joins the FCS in the next, when it leaves.
  always_ff @(posedge clk) begin
    kind_q <= rst ? B_NONE : kind;
    unique case (state)
      S_PREAMBLE: data_q <= count == 0 ? START : PREAMBLE;
      S_PAD:      data_q <= '0;  // not what the beat has beyond tkeep
      default:    data_q <= data[7:0];
    endcase
    tx_valid <= kind_q != B_NONE;
    tx_data  <= kind_q == B_FCS ? crc[7:0] ^ {8{!broken}} : data_q;
    unique case (kind_q)
      B_FRAME: crc <= crc_next(crc, data_q);
      B_FCS:   crc <= crc >> 8;
      default: crc <= CRC_BEGIN;
    endcase
  end

  wire unused = &{1'b0, keep[0]};
endmodule
