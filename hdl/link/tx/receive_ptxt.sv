// SPDX-License-Identifier: Apache-2.0
//
// Entrance of the trusted side: measures frames and writes those of 14 to 9600 bytes whole into fifo_ptxt, their lengths
// beside them. A frame too long is given up at its 9601st byte, so none can wedge the FIFO.
// Specification: docs/wire-format.md, "Trusted frames". A beat that is partial in mid-frame, or empty, is a wrong size too.
// DROP_WHEN_FULL = 1: never stalls; a frame without room is dropped whole. 0: stalls until there is room.

module receive_ptxt #(
    parameter bit DROP_WHEN_FULL = 1'b1
) (
    input  logic                          clk,
    input  logic                          rst,
    input  logic                          s_valid,
    output logic                          s_ready,
    input  logic [                  63:0] s_data,
    input  logic [                   3:0] s_bytes,
    input  logic                          s_last,
    output logic                          fifo_valid,
    input  logic                          fifo_ready,
    output logic [                  63:0] fifo_data,
    output logic [                   3:0] fifo_bytes,
    output logic                          fifo_last,
    output logic                          fifo_commit,
    output logic                          fifo_discard,
    output logic                          len_valid,     // length of the committed frame
    input  logic                          len_ready,
    output logic [link_pkg::LEN_BITS-1:0] len_data,
    output logic                          ev_in,         // pulse: a frame ended
    output logic [                   3:0] ev_in_bytes,
    output logic                          ev_overload,   // pulse, with ev_in
    output logic                          ev_size        // pulse, with ev_in
);
  localparam logic [link_pkg::LEN_BITS-4:0] MAX_BEATS = (link_pkg::LEN_BITS - 3)'(link_pkg::MAX_FRAME / 8);

  typedef enum logic [1:0] {
    S_WRITE,
    S_SKIP_SIZE,     // the rest of a frame of a wrong size
    S_SKIP_OVERLOAD  // the rest of a frame that found no room
  } state_e;

  state_e state_q;
  logic [link_pkg::LEN_BITS-4:0] beats_q;  // whole beats of this frame so far
  logic [link_pkg::LEN_BITS-1:0] bytes;
  logic misfit, room, take, write;

  assign bytes = {beats_q, 3'd0} + (link_pkg::LEN_BITS)'(s_bytes);
  assign misfit = beats_q == MAX_BEATS || (s_last ? s_bytes == 4'd0 : s_bytes != 4'd8) ||
      (s_last && bytes < (link_pkg::LEN_BITS)'(link_pkg::MIN_FRAME));
  assign room = fifo_ready && (len_ready || !s_last);

  assign s_ready = !rst && (DROP_WHEN_FULL || state_q != S_WRITE || misfit || room);
  assign take = s_valid && s_ready;

  assign fifo_valid = s_valid && !rst && state_q == S_WRITE && !misfit && (len_ready || !s_last);
  assign write = fifo_valid && fifo_ready;
  assign fifo_data = s_data;
  assign fifo_bytes = s_bytes;
  assign fifo_last = s_last;
  assign fifo_commit = write && s_last;
  assign len_valid = write && s_last;
  assign len_data = bytes;

  // What becomes of the frame, known at the latest at its last beat.
  logic size_now, overload_now;
  assign size_now = state_q == S_WRITE && misfit;
  assign overload_now = state_q == S_WRITE && !misfit && !room;
  assign fifo_discard = take && (size_now || overload_now);

  assign ev_in = take && s_last;
  assign ev_in_bytes = take ? s_bytes : 4'd0;
  assign ev_size = ev_in && (size_now || state_q == S_SKIP_SIZE);
  assign ev_overload = ev_in && (overload_now || state_q == S_SKIP_OVERLOAD);

  always_ff @(posedge clk) begin
    if (take) begin
      if (beats_q != MAX_BEATS) beats_q <= beats_q + 1'b1;
      if (size_now) state_q <= S_SKIP_SIZE;
      if (overload_now) state_q <= S_SKIP_OVERLOAD;
      if (s_last) begin
        beats_q <= '0;
        state_q <= S_WRITE;
      end
    end
    if (rst) begin
      beats_q <= '0;
      state_q <= S_WRITE;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst) begin
      a_no_stall :
      assert (!DROP_WHEN_FULL || s_ready)
      else $error("receive_ptxt: stalls the trusted side");
      a_one_fate :
      assert ($onehot0({ev_size, ev_overload, fifo_commit}))
      else $error("receive_ptxt: two fates");
      a_a_fate :
      assert (!ev_in || ev_size || ev_overload || fifo_commit)
      else $error("receive_ptxt: frame uncounted");
    end
`endif
endmodule
