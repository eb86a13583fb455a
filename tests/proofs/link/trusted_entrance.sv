// SPDX-License-Identifier: Apache-2.0
// The entrance of the trusted side. Frames may break every rule of their beats and stop or be withdrawn at any time, the room of
// both FIFOs and resets are free. A frame that ends has one fate: it is counted under one cause, and nothing of it stays in the
// FIFO, or it goes there whole with its length beside it. In either mode of a full FIFO.
module trusted_entrance
  import link_pkg::*, link_types_pkg::*;
#(
    parameter bit DROP = 1'b1  // drop_when_full
) (
    input logic  clk,
    input logic  rst_wanted,
    input beat_t frame_wanted,
    input logic  frame_bad
);
  localparam build_t BUILD = '{drop_when_full: DROP, kind: KIND_ETHERNET, fifo_bytes: 1024, default: '0};

  logic started_q, rst;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign rst = rst_wanted || !started_q;

  // A beat has eight bytes at most.
  beat_t frame;
  always_comb begin
    frame = frame_wanted;
    if (frame.bytes > 4'd8) frame.bytes = 4'd8;
  end

  logic frame_ready, len_valid;
  logic [LEN_BITS-1:0] len_data;
  counted_t counted;
  beat_t ptxt;
  receive_ptxt #(
      .BUILD(BUILD)
  ) dut (
      .*,
      .trusted_clk(clk),
      .rst_trusted(rst),
      .core_clk(clk),
      .rst_core(rst),
      .ptxt_ready(1'b1),
      .len_ready(1'b1)
  );

  // What the FIFOs take
  logic ends, written, committed, told;
  assign ends = frame.valid && frame_ready && frame.last;
  assign written = dut.u_fifo_ptxt.s_valid && dut.u_fifo_ptxt.s_ready;
  assign committed = dut.u_fifo_ptxt.s_commit && !dut.u_fifo_ptxt.s_discard;
  assign told = dut.u_fifo_lengths.s_valid && dut.u_fifo_lengths.s_ready;

  // Bytes of this frame, up to one more than a frame may have; whether all of it so far was written, whether any of
  // it stays uncommitted in the FIFO, and whether a beat of it was partial before its time or empty
  logic [LEN_BITS-1:0] came_q, came;
  logic whole_q, whole, open_q, open, odd_q, odd;
  always_comb begin
    came  = came_q;
    whole = whole_q;
    open  = open_q;
    odd   = odd_q;
    if (frame.valid && frame_ready) begin
      if (came_q <= LEN_BITS'(MAX_FRAME)) came = came_q + LEN_BITS'(frame.bytes);
      whole = whole_q && written;
      if (frame.last ? frame.bytes == '0 : frame.bytes != 4'd8) odd = 1'b1;
    end
    if (written) open = 1'b1;
    if (committed || dut.u_fifo_ptxt.s_discard) open = 1'b0;
  end
  always_ff @(posedge clk) begin
    came_q  <= ends ? '0 : came;
    whole_q <= ends || whole;
    odd_q   <= !ends && odd;
    open_q  <= open;
    if (rst) begin
      came_q  <= '0;
      whole_q <= 1'b1;
      odd_q   <= 1'b0;
      open_q  <= 1'b0;
    end
  end

  logic fits;
  assign fits = !odd && came >= LEN_BITS'(MIN_FRAME) && came <= LEN_BITS'(MAX_FRAME);
  // All that is counted here beside frames and their bytes is a cause.
  logic [7:0] causes;
  always_comb begin
    causes = '0;
    for (int unsigned i = 0; i < 32'(COUNTERS); i++)
    if (i != 32'(COUNT_TRUSTED_IN) && i != 32'(COUNT_TRUSTED_IN_BYTES)) causes += 8'(counted[i]);
  end
  always_comb begin
    if (!rst) begin
      a_one_fate : assert (causes + 8'(committed) == 8'(ends));
      a_counted : assert (counted[COUNT_TRUSTED_IN] == 4'(ends));
      a_length : assert (told == committed && (!told || dut.u_fifo_lengths.s_data == came));
      a_fits : assert (!committed || fits);
      a_size : assert (counted[COUNT_DROP_TRUSTED_SIZE] == '0 || !fits);
      a_bad : assert ((counted[COUNT_DROP_TRUSTED_BAD] != '0) == (ends && frame_bad));
      a_overload : assert (DROP || counted[COUNT_DROP_TRUSTED_OVERLOAD] == '0);
      a_whole : assert (!committed || (ends && whole && !frame_bad));
      a_nothing_stays : assert (!ends || !open);
      a_taken : assert (!written || (frame.valid && frame_ready));
      a_no_stall : assert (!DROP || frame_ready);
    end
  end
endmodule
