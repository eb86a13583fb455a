// SPDX-License-Identifier: Apache-2.0
// The verdicts of the opening direction, from the core's output to the FIFO of frames. The core, the queue of work, replay windows,
// wipes and the pace of everything are free, but: work is there as long as its verdict is not, and a wipe lasts until nothing is
// left to count.
module opening_verdict
  import link_pkg::*, link_types_pkg::*;
(
    input logic clk,
    input logic rst_wanted,
    input logic wipe_wanted,
    input logic works,
    input logic is_frame_length,
    input logic exit_closed,
    input beat_t out,
    input result_t result,
    input logic marks,
    input logic mark_fresh
);
  logic started_q, rst;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign rst = rst_wanted || !started_q;

  // A wipe begins with a pulse of clear, and lasts while something is left to count.
  order_t order;
  logic wipe_q, wiping;
  always_comb begin
    order = '0;
    order.wipe = wipe_wanted || wipe_q;
    order.clear = wipe_wanted && !wipe_q;
  end
  always_ff @(posedge clk) wipe_q <= !rst && (order.clear || (wipe_q && wiping));

  // The oldest packet in work
  command_t work, cmd;
  logic work_q, frame_q, asked_q, mark_valid, mark_done, work_done;
  always_comb begin
    work = '0;
    work.valid = work_q;
    work.packet.length = frame_q ? LEN_BITS'(MIN_FRAME) : LEN_BITS'(1);
    cmd = '0;
  end
  assign mark_done = asked_q && marks;
  always_ff @(posedge clk) begin
    if (!work_q || work_done) begin
      work_q  <= works;
      frame_q <= is_frame_length;
    end
    if (mark_done) asked_q <= 1'b0;
    if (mark_valid) asked_q <= 1'b1;
    if (rst) begin
      work_q  <= 1'b0;
      asked_q <= 1'b0;
    end
  end

  beat_t ptxt;
  counted_t counted;
  logic out_ready, result_ready, room_ok, good;
  get_from_dec #(
      .STORE_BYTES(32768),
      .DESCRIPTORS(8)
  ) u_get_from_dec (
      .*,
      .begins(1'b0),
      .trusted_clk(clk),
      .rst_trusted(rst),
      .ptxt_ready(1'b1)
  );

  // Packets that left work, less those that are counted or handed on
  logic left;
  logic [3:0] open_q, fates;
  assign left = ptxt.valid;
  always_comb begin
    fates = 4'(left);
    for (int i = 0; i < int'(COUNTERS); i++) fates += 4'(counted[i]);
  end
  always_ff @(posedge clk) begin
    open_q <= open_q + 4'(work.valid && work_done) - fates;
    if (rst) open_q <= '0;
  end

  // Frames whose tag was right and whose number was marked, and that have not left
  logic [3:0] passed_q;
  logic ok_q;
  always_ff @(posedge clk) begin
    if (result.valid && result_ready) ok_q <= result.ok;
    passed_q <= passed_q + 4'(mark_done && mark_fresh && ok_q && frame_q) - 4'(left);
    if (order.wipe || rst) passed_q <= '0;
  end

  always_comb begin
    if (!rst) begin
      a_released : assert (order.wipe || !ptxt.last || passed_q != '0);
      a_one_fate : assert (wiping || open_q == '0);
      a_good : assert (!good || (work.valid && ok_q));
    end
  end
endmodule
