// SPDX-License-Identifier: Apache-2.0
// The feeder of the opening core. Packets have the shape that the entrance gives them, everything else about them is free, and
// so are sessions, replay windows, room, core and wipes.
module opening_feeder
  import link_pkg::*, link_types_pkg::*;
(
    input logic          clk,
    input logic          rst_wanted,
    input order_t        order,
    input slot_t  [ 1:0] slots,
    input logic          coming,
    input logic   [31:0] coming_sid,
    input logic          ctxt_offered,
    input logic   [ 1:0] size,          // of the packet that comes: one of four
    input logic   [31:0] packet_sid,
    input logic   [63:0] rest,          // a beat behind the header
    input logic   [ 1:0] check_ready,
    input logic   [ 1:0] check_fresh,
    input logic          room_ok,
    input logic          begins_ready,
    input logic          cmd_ready,
    input logic          msg_ready,
    input logic          tag_in_ready
);
  localparam logic [7:0] SUITE = 8'h11;
  localparam logic [63:0] N_MAX = 64'd4;
  localparam int unsigned TAG_BYTES = 16;

  logic started_q, rst;
  initial started_q = 1'b0;
  always_ff @(posedge clk) started_q <= 1'b1;
  assign rst = rst_wanted || !started_q;

  // ---- packets as fifo_ctxt holds them: header, number, text and tag, cut to the stated length ----
  beat_t ctxt;
  logic ctxt_ready, taken;
  logic [2:0] beat_q, beats;  // of the packet under way; after the header
  logic [LEN_BITS-1:0] text;
  header_t header;
  always_comb begin
    unique case (size)
      2'd0: text = LEN_BITS'(1);
      2'd1: text = LEN_BITS'(MIN_FRAME);
      2'd2: text = LEN_BITS'(8);
      default: text = LEN_BITS'(MIN_FRAME + 3);
    endcase
    header = '{
        version: WIRE_VERSION,
        kind: TYPE_DATA,
        suite: SUITE,
        length: 16'(text) + 16'(TAG_BYTES),
        sid: packet_sid
    };
    ctxt = '{
        valid: ctxt_offered,
        data: (beat_q == '0) ? beat_of(header) : rest,
        bytes: 4'd8,
        last: beat_q != '0 && beat_q == beats
    };
  end
  assign taken = ctxt.valid && ctxt_ready;
  always_ff @(posedge clk) begin
    if (taken) beat_q <= ctxt.last ? '0 : beat_q + 3'd1;
    if (taken && beat_q == '0) beats <= 3'd1 + 3'((text + LEN_BITS'(TAG_BYTES + 7)) >> 3);
    if (rst) beat_q <= '0;
  end

  command_t cmd;
  beat_t msg;
  tag_t tag_in;
  counted_t counted;
  logic begins, idle;
  logic [1:0] check_valid;
  put_to_dec #(
      .SUITE(SUITE),
      .N_MAX(N_MAX)
  ) u_put_to_dec (
      .*
  );

  // Fates: it is counted under one cause, or goes to the core.
  logic came;
  logic asked_q;  // the windows of the session were asked for this packet
  logic [1:0] answer_q;  // of the windows, a cycle before
  logic [2:0] fates, open_q;
  assign came = taken && beat_q == '0;
  always_comb begin
    fates = 3'(begins);
    for (int i = 0; i < int'(COUNTERS); i++) fates += 3'(counted[i]);
  end
  always_ff @(posedge clk) begin
    open_q <= open_q + 3'(came) - fates;
    if (check_valid != '0) asked_q <= (check_valid & ~check_ready) == '0;
    answer_q <= check_fresh;
    if (rst) open_q <= '0;
  end

  always_comb begin
    if (!rst) begin
      a_one_fate : assert (fates <= 3'd1 && fates <= open_q && open_q <= 3'd1);
      a_none_forgotten : assert (!came || open_q == '0);
      a_number : assert (!begins || cmd.packet.number < N_MAX);
      a_fresh : assert (!begins || (asked_q && answer_q[cmd.packet.slot]));
      a_held : assert (!begins || !order.wipe);
    end
  end
endmodule
