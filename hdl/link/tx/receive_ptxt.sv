// SPDX-License-Identifier: Apache-2.0
//
// Entrance of the trusted side: measures frames and writes those of 14 to 9600 bytes whole into fifo_ptxt, their lengths
// beside them. A frame too long is given up at its 9601st byte, so none can wedge the FIFO. Frames of MAC control, which concern
// one cable only, and frames that arrived damaged do not enter.
// Specification: docs/wire-format.md, "Trusted frames". A beat that is partial in mid-frame, or empty, is a wrong size too.
// BUILD.drop_when_full = 1: never stalls; a frame without room is dropped whole. 0: stalls until there is room.

module receive_ptxt
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0,
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic                    trusted_clk,
    input  logic                    rst_trusted,
    input  logic                    core_clk,
    input  logic                    rst_core,
    input  beat_t                   frame,        // trusted_clk
    input  logic                    frame_bad,    // at its last beat: the frame is damaged
    output logic                    frame_ready,
    output counted_t                counted,
    output beat_t                   ptxt,         // core_clk
    input  logic                    ptxt_ready,
    output logic                    len_valid,    // length of the frame that comes
    input  logic                    len_ready,
    output logic     [LEN_BITS-1:0] len_data
);
  localparam int unsigned BYTES = $bits(frame.data) / 8;
  localparam logic [$clog2(BYTES):0] FULL = ($clog2(BYTES) + 1)'(BYTES);
  localparam logic [LEN_BITS-4:0] MAX_BEATS = (LEN_BITS - 3)'(MAX_FRAME / BYTES);
  localparam int unsigned TYPE_AT = 12 % BYTES;  // where the EtherType stands in its beat
  localparam int unsigned SHORT_BEATS = (MIN_FRAME + BYTES - 1) / BYTES;  // of the shortest frame

  typedef enum logic [1:0] {
    S_WRITE,
    S_SKIP_CONTROL,  // the rest of a frame of MAC control
    S_SKIP_SIZE,     // the rest of a frame of a wrong size
    S_SKIP_OVERLOAD  // the rest of a frame that found no room
  } state_e;

  state_e state_q;
  logic [LEN_BITS-4:0] beats_q;  // whole beats of this frame so far
  logic [LEN_BITS-1:0] bytes;
  logic misfit, control, damaged, room, take, write, offer, fifo_ready, place_ready;

  assign bytes = LEN_BITS'(beats_q) * LEN_BITS'(BYTES) + (LEN_BITS)'(frame.bytes);
  assign misfit = (BUILD.slices ? g_place.full_q : beats_q == MAX_BEATS) ||
      (frame.last ? frame.bytes == '0 : frame.bytes != FULL) ||
      (frame.last && (BUILD.slices ? g_place.short : bytes < (LEN_BITS)'(MIN_FRAME)));
  assign control = BUILD.kind == KIND_ETHERNET &&
      (BUILD.slices ? g_place.at_q[12/BYTES] : 32'(beats_q) == 12 / BYTES) &&
      32'(frame.bytes) >= TYPE_AT + 2 && swap16(
      frame.data[8*TYPE_AT+:16]
  ) == MAC_CONTROL;
  assign damaged = frame.last && frame_bad;
  assign room = fifo_ready && (place_ready || !frame.last);

  assign frame_ready = !rst_trusted &&
      (BUILD.drop_when_full || state_q != S_WRITE || misfit || control || damaged || room);
  assign take = frame.valid && frame_ready;

  assign offer = frame.valid && !rst_trusted && state_q == S_WRITE && !misfit && !control && !damaged &&
      (place_ready || !frame.last);
  assign write = offer && fifo_ready;

  // What becomes of the frame, known at the latest at its last beat.
  logic control_now, size_now, overload_now, damaged_now, ended, whole, wrong_kind, wrong_size, overload;
  assign damaged_now = state_q == S_WRITE && damaged;
  assign control_now = state_q == S_WRITE && !damaged && control;
  assign size_now = state_q == S_WRITE && !damaged && !control && misfit;
  assign overload_now = state_q == S_WRITE && !damaged && !control && !misfit && !room;

  assign ended = take && frame.last;
  assign whole = ended && !damaged;
  assign wrong_kind = whole && (control_now || state_q == S_SKIP_CONTROL);
  assign wrong_size = whole && (size_now || state_q == S_SKIP_SIZE);
  assign overload = whole && (overload_now || state_q == S_SKIP_OVERLOAD);
  always_comb begin
    counted = '0;
    counted[COUNT_TRUSTED_IN] = 5'(ended);
    counted[COUNT_TRUSTED_IN_BYTES] = take ? 5'(frame.bytes) : 5'd0;
    counted[COUNT_DROP_TRUSTED_BAD] = 5'(ended && damaged);
    counted[COUNT_DROP_TRUSTED_CONTROL] = 5'(wrong_kind);
    counted[COUNT_DROP_TRUSTED_SIZE] = 5'(wrong_size);
    counted[COUNT_DROP_TRUSTED_OVERLOAD] = 5'(overload);
  end

  packet_fifo_async #(
      .DATA_BITS(8 * BYTES),
      .DEPTH(BUILD.fifo_bytes / BYTES),
      .LATE(BUILD.slices)
  ) u_fifo_ptxt (
      .s_clk(trusted_clk),
      .s_rst(rst_trusted),
      .s_valid(offer),
      .s_ready(fifo_ready),
      .s_data(frame.data),
      .s_bytes(frame.bytes),
      .s_last(frame.last),
      .s_commit(write && frame.last),
      .s_discard(take && (damaged_now || control_now || size_now || overload_now)),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m_valid(ptxt.valid),
      .m_ready(ptxt_ready),
      .m_data(ptxt.data),
      .m_bytes(ptxt.bytes),
      .m_last(ptxt.last)
  );
  stream_fifo_async #(
      .WIDTH(LEN_BITS),
      .DEPTH(BUILD.fifo_bytes / 64),  // frames in fifo_ptxt
      .LATE (BUILD.slices)
  ) u_fifo_lengths (
      .s_clk  (trusted_clk),
      .s_rst  (rst_trusted),
      .s_valid(write && frame.last),
      .s_ready(place_ready),
      .s_data (bytes),
      .m_clk  (core_clk),
      .m_rst  (rst_core),
      .m_valid(len_valid),
      .m_ready(len_ready),
      .m_data (len_data)
  );

  // What beat of the frame this is, from registers: one that is too many, or one of the first, which hold the EtherType and may leave
  // a frame short
  if (BUILD.slices) begin : g_place
    logic full_q, short;
    logic [SHORT_BEATS-1:0] at_q;  // it is beat i
    always_comb begin
      short = 1'b0;
      for (int unsigned i = 0; i < SHORT_BEATS; i++)
      if (at_q[i] && 32'(frame.bytes) + i * BYTES < 32'(MIN_FRAME)) short = 1'b1;
    end
    always_ff @(posedge trusted_clk) begin
      if (take) begin
        full_q <= !frame.last && beats_q >= MAX_BEATS - 1'b1;
        at_q   <= frame.last ? SHORT_BEATS'(1) : at_q << 1;
      end
      if (rst_trusted) begin
        full_q <= 1'b0;
        at_q   <= SHORT_BEATS'(1);
      end
    end
  end else begin : g_place
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam bit full_q = 1'b0;
    localparam bit short = 1'b0;
    localparam logic [SHORT_BEATS-1:0] at_q = '0;
    // verilog_lint: waive-stop parameter-name-style
  end

  always_ff @(posedge trusted_clk) begin
    if (take) begin
      if (beats_q != MAX_BEATS) beats_q <= beats_q + 1'b1;
      if (control_now) state_q <= S_SKIP_CONTROL;
      if (size_now) state_q <= S_SKIP_SIZE;
      if (overload_now) state_q <= S_SKIP_OVERLOAD;
      if (frame.last) begin
        beats_q <= '0;
        state_q <= S_WRITE;
      end
    end
    if (rst_trusted) begin
      beats_q <= '0;
      state_q <= S_WRITE;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge trusted_clk)
    if (!rst_trusted) begin
      a_no_stall :
      assert (!BUILD.drop_when_full || frame_ready)
      else $error("receive_ptxt: stalls the trusted side");
      a_one_fate :
      assert ($onehot0({ended && damaged, wrong_kind, wrong_size, overload, write && frame.last}))
      else $error("receive_ptxt: two fates");
      a_a_fate :
      assert (!ended || damaged || wrong_kind || wrong_size || overload || write && frame.last)
      else $error("receive_ptxt: frame uncounted");
    end
`endif
endmodule
