// SPDX-License-Identifier: Apache-2.0
//
// Takes unverified plaintext into the release store and gives each packet its verdict: receive rule 5 (tag), rule 6 (replay, in
// one step with marking), and nothing of under 14 bytes (it only shows life). Released frames go whole into fifo_dec.
// Specification: docs/wire-format.md, "Rules on receive". Cycles: a verdict comes 1 (auth) to 3 cycles after the result.
// Security: the only consumer of the opening core's output; release_fifo keeps it until the verdict. `wipe` drops the store and
// counts every packet of it.

module get_from_dec
  import link_pkg::*;
#(
    parameter int unsigned STORE_BYTES = 131072,
    parameter int unsigned DESCRIPTORS = 512      // packets in the store
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,           // pulse at the start of a wipe
    input  logic                wipe,            // level: drop and count everything here
    output logic                wiping,          // the store is being zeroised, or packets are still being counted
    input  logic                info_valid,      // packets in work, in order
    output logic                info_ready,
    input  logic [LEN_BITS-1:0] info_len,
    input  logic [        63:0] info_pn,
    output logic                room_ok,         // the store takes one more packet of any size
    input  logic                out_valid,       // the core
    output logic                out_ready,
    input  logic [        63:0] out_data,
    input  logic [         3:0] out_bytes,
    input  logic                out_last,
    input  logic                result_valid,
    output logic                result_ready,
    input  logic                result_ok,
    output logic                mark_valid,      // replay window, rule 6
    output logic [        63:0] mark_pn,
    input  logic                mark_done,
    input  logic                mark_fresh,
    input  logic                exit_closed,     // from a wipe until fifo_dec is drained: hand nothing on
    output logic                fifo_valid,      // fifo_dec
    input  logic                fifo_ready,
    output logic [        63:0] fifo_data,
    output logic [         3:0] fifo_bytes,
    output logic                fifo_last,
    output logic                fifo_commit,
    output logic                fifo_discard,
    output logic                ev_good,         // pulses; this one: rule 6 passed, a frame or a keep-alive
    output logic                ev_keepalive,
    output logic                ev_drop_auth,
    output logic                ev_drop_replay,
    output logic                ev_drop_session  // a packet wiped in work or in the store
);
  // Two packets can be in work: the one asking and the one before it, each perhaps without a beat in the store yet.
  localparam int unsigned RESERVE = 2 * (MAX_FRAME / 8);
  localparam int unsigned ROOM_BITS = $clog2(STORE_BYTES / 8) + 1;
  localparam int unsigned COUNT_BITS = $clog2(DESCRIPTORS + 1);

  if (STORE_BYTES < 8 * RESERVE) begin : g_small_store
    $fatal(1, "get_from_dec: STORE_BYTES = %0d, must be at least %0d", STORE_BYTES, 8 * RESERVE);
  end

  typedef enum logic [1:0] {
    S_RESULT,
    S_MARK,
    S_VERDICT
  } state_e;

  state_e state_q;
  logic ok_q;  // tag right
  logic fresh_q;  // and number marked now
  logic [COUNT_BITS-1:0] held_q;  // packets in the store
  logic [COUNT_BITS-1:0] released_q;  // of them, released and not yet handed on whole

  logic store_busy, store_ready, store_valid;
  logic [ROOM_BITS-1:0] room;
  logic verdict_valid, verdict_ready, verdict_ok, judged, deliverable;
  logic store_m_valid, handed_on;

  assign store_valid = out_valid && !wipe;
  assign out_ready = store_ready && !wipe;
  assign deliverable = info_len >= LEN_BITS'(MIN_FRAME);
  assign verdict_ok = ok_q && fresh_q && deliverable;
  assign verdict_valid = state_q == S_VERDICT && !wipe;
  assign judged = verdict_valid && verdict_ready;

  assign result_ready = state_q == S_RESULT && info_valid;
  assign mark_valid = result_valid && result_ready && result_ok && !wipe;
  assign mark_pn = info_pn;

  assign ev_good = judged && ok_q && fresh_q;
  assign ev_drop_auth = judged && !ok_q;
  assign ev_drop_replay = judged && ok_q && !fresh_q;
  assign ev_keepalive = judged && ok_q && fresh_q && !deliverable;
  assign ev_drop_session = wipe && (info_valid || released_q != '0);
  assign info_ready = judged || wipe;
  assign wiping = store_busy || info_valid || released_q != '0;

  release_fifo #(
      .DATA_BITS  (64),
      .STORE_BYTES(STORE_BYTES),
      .DESCRIPTORS(DESCRIPTORS)
  ) u_store (
      .clk,
      .rst,
      .clear,
      .busy(store_busy),
      .room,
      .s_valid(store_valid),
      .s_ready(store_ready),
      .s_data(out_data),
      .s_bytes(out_bytes),
      .s_last(out_last),
      .verdict_valid,
      .verdict_ready,
      .verdict_ok,
      .m_valid(store_m_valid),
      .m_ready(fifo_ready && !exit_closed),
      .m_data(fifo_data),
      .m_bytes(fifo_bytes),
      .m_last(fifo_last)
  );
  assign fifo_valid = store_m_valid && !exit_closed;
  assign handed_on = fifo_valid && fifo_ready && fifo_last;
  assign fifo_commit = handed_on;
  assign fifo_discard = wipe;

  logic entered, refused;  // a refusal can come with the last beat of an earlier frame
  assign entered = store_valid && store_ready && out_last;
  assign refused = judged && !verdict_ok;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_RESULT: begin
        ok_q    <= result_ok;
        fresh_q <= 1'b0;
        if (result_valid && result_ready) state_q <= result_ok ? S_MARK : S_VERDICT;
      end
      S_MARK: begin
        fresh_q <= mark_fresh;
        if (mark_done) state_q <= S_VERDICT;
      end
      S_VERDICT: if (verdict_ready) state_q <= S_RESULT;
      default:   state_q <= S_RESULT;
    endcase

    held_q     <= held_q + COUNT_BITS'(entered) - COUNT_BITS'(handed_on) - COUNT_BITS'(refused);
    released_q <= released_q + COUNT_BITS'(judged && verdict_ok) - COUNT_BITS'(handed_on);
    room_ok    <= room >= ROOM_BITS'(RESERVE) && held_q < COUNT_BITS'(DESCRIPTORS - 4);

    if (wipe) begin
      state_q <= S_RESULT;
      held_q <= '0;
      released_q <= (info_valid || released_q == '0) ? released_q : released_q - 1'b1;
      room_ok <= 1'b0;
    end
    if (rst) begin
      state_q    <= S_RESULT;
      held_q     <= '0;
      released_q <= '0;
      room_ok    <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // No beat leaves without a verdict that was ok, whatever release_fifo does.
  always_ff @(posedge clk)
    if (!rst && !wipe) begin
      a_released :
      assert (!fifo_valid || released_q != '0)
      else $error("get_from_dec: unverified plaintext leaves");
      a_verified :
      assert (!(judged && verdict_ok) || (ok_q && fresh_q))
      else $error("get_from_dec: false verdict");

      a_room_returns :
      assert (info_valid || released_q != '0 || held_q == '0)
      else $error("get_from_dec: a packet that left still counts");
    end
`endif
endmodule
