// SPDX-License-Identifier: Apache-2.0
//
// Takes unverified plaintext into the release store and gives each packet its verdict: receive rule 5 (tag), rule 6 (replay, in
// one step with marking), and nothing of under 14 bytes (it only shows life). Released frames go whole into fifo_dec.
// Specification: docs/wire-format.md, "Rules on receive". Cycles: a verdict comes 1 (auth) to 4 cycles after the result.
// The store keeps room for every packet in work, so that the core's output never waits: what is in work always ends, and no
// session lives longer or comes later because the trusted side takes nothing.
// Security: the only consumer of the opening core's output; release_fifo keeps it until the verdict. `wipe` drops the store and
// counts every packet of it.

module get_from_dec
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter int unsigned STORE_BYTES = 131072,
    parameter int unsigned DESCRIPTORS = 512,                    // packets in the store
    parameter bit          SLICES      = 1'b0,                   // registers on its longest paths
    parameter type         beat_t      = link_types_pkg::beat_t
) (
    input  logic     clk,
    input  logic     rst,
    input  order_t   order,         // a wipe drops and counts everything here
    output logic     wiping,        // the store is being zeroised, or packets are still being counted
    input  command_t work,          // the oldest packet in work
    output logic     work_done,     // pulse: it has its verdict, or is dropped
    input  logic     begins,        // cmd.packet starts: the store keeps room for it
    input  command_t cmd,
    output logic     room_ok,       // the store takes one more packet of any size
    input  beat_t    out,           // the core
    output logic     out_ready,
    input  result_t  result,
    output logic     result_ready,
    output logic     mark_valid,    // replay window, rule 6
    input  logic     mark_done,
    input  logic     mark_fresh,
    input  logic     exit_closed,   // from a wipe until fifo_dec is drained: hand nothing on
    input  logic     trusted_clk,
    input  logic     rst_trusted,
    output beat_t    ptxt,          // trusted_clk: verified frames
    input  logic     ptxt_ready,
    output logic     good,          // pulse in the cycle of the verdict: rule 6 passed, a frame or a keep-alive
    output counted_t counted
);
  localparam int unsigned BYTES = $bits(out.data) / 8;
  localparam int unsigned LARGEST = MAX_FRAME / BYTES;  // beats of a packet
  localparam int unsigned ROOM_BITS = $clog2(STORE_BYTES / BYTES) + 1;
  localparam int unsigned COUNT_BITS = $clog2(DESCRIPTORS + 1);

  if (STORE_BYTES < 2 * MAX_FRAME) begin : g_small_store
    $fatal(1, "get_from_dec: STORE_BYTES = %0d, must be at least %0d", STORE_BYTES, 2 * MAX_FRAME);
  end

  typedef enum logic [1:0] {
    S_RESULT,
    S_ASK,     // have the number marked
    S_MARK,
    S_VERDICT
  } state_e;

  state_e state_q;
  logic ok_q;  // tag right
  logic fresh_q;  // and number marked now
  logic [COUNT_BITS-1:0] held_q;  // packets in work and in the store
  logic [COUNT_BITS-1:0] released_q;  // of them, released and not yet handed on whole
  logic [ROOM_BITS-1:0] promised_q;  // beats of packets in work that are not in the store yet

  logic store_busy, store_ready, store_valid;
  logic [ROOM_BITS-1:0] room;
  logic verdict_valid, verdict_ready, verdict_ok, judged, deliverable;
  beat_t stored, leaving;
  logic fifo_ready;
  logic handed_on;

  assign store_valid = out.valid && !order.wipe;
  assign out_ready   = store_ready && !order.wipe;
  // A packet is the oldest for cycles before its verdict.
  if (SLICES) begin : g_deliverable
    logic q;
    always_ff @(posedge clk) q <= is_frame(work.packet.length);
  end else begin : g_deliverable
    localparam logic q = 1'b0;  // verilog_lint: waive parameter-name-style (it stands for a signal)
  end
  assign deliverable = SLICES ? g_deliverable.q : is_frame(work.packet.length);
  assign verdict_ok = ok_q && fresh_q && deliverable;
  assign verdict_valid = state_q == S_VERDICT && !order.wipe;
  assign judged = verdict_valid && verdict_ready;

  assign result_ready = state_q == S_RESULT && work.valid;
  assign mark_valid = state_q == S_ASK && !order.wipe;  // from a register: the windows measure in this cycle

  assign good = judged && ok_q && fresh_q;
  assign work_done = judged || order.wipe;
  assign wiping = store_busy || work.valid || released_q != '0;
  always_comb begin
    counted = '0;
    counted[COUNT_DROP_AUTH] = 5'(judged && !ok_q);
    counted[COUNT_DROP_REPLAY] = 5'(judged && ok_q && !fresh_q);
    counted[COUNT_KEEPALIVES_IN] = 5'(good && !deliverable);
    counted[COUNT_DROP_SESSION] = 5'(order.wipe && (work.valid || released_q != '0));  // in work or in the store
  end

  release_fifo #(
      .DATA_BITS  (8 * BYTES),
      .STORE_BYTES(STORE_BYTES),
      .DESCRIPTORS(DESCRIPTORS)
  ) u_store (
      .*,
      .clear(order.clear),
      .busy(store_busy),
      .s_valid(store_valid),
      .s_ready(store_ready),
      .s_data(out.data),
      .s_bytes(out.bytes),
      .s_last(out.last),
      .m_valid(stored.valid),
      .m_ready(fifo_ready && !exit_closed),
      .m_data(stored.data),
      .m_bytes(stored.bytes),
      .m_last(stored.last)
  );
  always_comb begin
    leaving = stored;
    leaving.valid = stored.valid && !exit_closed;
  end
  assign handed_on = leaving.valid && fifo_ready && leaving.last;
  packet_fifo_async #(
      .DATA_BITS(8 * BYTES),
      .DEPTH(16384 / BYTES),  // the release store does the storing
      .LATE(SLICES)
  ) u_fifo_dec (
      .s_clk(clk),
      .s_rst(rst),
      .s_valid(leaving.valid),
      .s_ready(fifo_ready),
      .s_data(leaving.data),
      .s_bytes(leaving.bytes),
      .s_last(leaving.last),
      .s_commit(handed_on),
      .s_discard(order.wipe),
      .m_clk(trusted_clk),
      .m_rst(rst_trusted),
      .m_valid(ptxt.valid),
      .m_ready(ptxt_ready),
      .m_data(ptxt.data),
      .m_bytes(ptxt.bytes),
      .m_last(ptxt.last)
  );

  logic entered, refused;  // a refusal can come with the last beat of an earlier frame
  assign entered = store_valid && store_ready;
  assign refused = judged && !verdict_ok;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_RESULT: begin
        ok_q    <= result.ok;
        fresh_q <= 1'b0;
        if (result.valid && result_ready) state_q <= result.ok ? S_ASK : S_VERDICT;
      end
      S_ASK: state_q <= S_MARK;
      S_MARK: begin
        fresh_q <= mark_fresh;
        if (mark_done) state_q <= S_VERDICT;
      end
      S_VERDICT: if (verdict_ready) state_q <= S_RESULT;
      default: state_q <= S_RESULT;
    endcase

    held_q     <= held_q + COUNT_BITS'(begins) - COUNT_BITS'(handed_on) - COUNT_BITS'(refused);
    released_q <= released_q + COUNT_BITS'(judged && verdict_ok) - COUNT_BITS'(handed_on);
    promised_q <= promised_q + (begins ? ROOM_BITS'(beats_of(cmd.packet.length, BYTES)) : '0) - ROOM_BITS'(entered);
    room_ok    <= room >= promised_q + ROOM_BITS'(LARGEST) && held_q < COUNT_BITS'(DESCRIPTORS - 4);

    if (order.wipe) begin
      state_q <= S_RESULT;
      held_q <= '0;
      promised_q <= '0;
      released_q <= (work.valid || released_q == '0) ? released_q : released_q - 1'b1;
      room_ok <= 1'b0;
    end
    if (rst) begin
      state_q    <= S_RESULT;
      held_q     <= '0;
      released_q <= '0;
      promised_q <= '0;
      room_ok    <= 1'b0;
    end
  end

  wire unused = &{1'b0, order, work, result, cmd};

`ifndef SYNTHESIS
  // No beat leaves without a verdict that was ok, whatever release_fifo does.
  always_ff @(posedge clk)
    if (!rst && !order.wipe) begin
      a_released :
      assert (!leaving.valid || released_q != '0)
      else $error("get_from_dec: unverified plaintext leaves");
      a_verified :
      assert (!(judged && verdict_ok) || (ok_q && fresh_q))
      else $error("get_from_dec: false verdict");

      a_room_returns :
      assert (work.valid || (promised_q == '0 && (released_q != '0 || held_q == '0)))
      else $error("get_from_dec: a packet that left still counts");
      a_never_waits :
      assert (!out.valid || store_ready)
      else $error("get_from_dec: the store lacks room for a packet in work");
    end
`endif
endmodule
