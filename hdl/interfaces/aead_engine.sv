// SPDX-License-Identifier: Apache-2.0
//
// What every adapter has inside: runs an AEAD core of the port contract (docs/core-ports.md) in the order of the orders
// that come in, all its contexts at once, and keeps what leaves in release FIFOs until it is judged (docs/interfaces.md).
// An order is taken, then its AD, message and expected tag; its packet goes to any context that is free, and comes out
// in its turn: `done` says how it went, then `out` gives the strings of a good packet: ciphertext and tag, or plaintext.
// Byte i of every string is in bits [8i+7:8i] of its beat.
// Security: out is fed by release FIFOs only; the verdict is ok only if the core said so and no input was at fault.
module aead_engine
  import aead_adapter_pkg::*;
#(
    parameter int unsigned TAG_BITS = 256,  // 0: no tag
    parameter int unsigned STORE_BYTES = 16384,  // release store of a context; a power of two
    parameter int unsigned PACKET_BYTES = STORE_BYTES,  // longest packet that leaves, tag included, in whole beats
    parameter int unsigned DESCRIPTORS = 16,  // orders in work or waiting to leave; a power of two, 2 or more
    parameter int unsigned AD_FIFO_BYTES = 0,  // AD held back for a context, and its longest; 0: none, no limit
    parameter int unsigned MSG_FIFO_BYTES = 0  // input message held back for a context; 0: none
) (
    input logic clk,
    input logic rst,
    input logic clear,
    output logic wiping,
    output logic busy,  // wiping, or a key or order in work
    engine_if.engine adapter,  // a key, or an order and then its strings, one order after the other
    string_if.sink ad,
    string_if.sink msg,
    string_if.source out,  // verified; a packet after its done, its tag a string of its own
    output logic out_end,  // last beat of the packet
    aead_if.user core
);

  localparam int unsigned DATA_BITS = core.DATA_BITS;
  localparam int unsigned CONTEXTS = core.CONTEXTS;
  localparam int unsigned BYTES_BITS = core.BYTES_BITS;
  if (CONTEXTS == 0 || (CONTEXTS & (CONTEXTS - 1)) != 0) begin : g_bad_contexts
    $fatal(1, "aead_engine: CONTEXTS = %0d must be a power of two", CONTEXTS);
  end
  if (DESCRIPTORS < 2 || (DESCRIPTORS & (DESCRIPTORS - 1)) != 0) begin : g_bad_descriptors
    $fatal(1, "aead_engine: DESCRIPTORS = %0d must be a power of two, 2 or more", DESCRIPTORS);
  end
  if (TAG_BITS % 8 != 0) begin : g_bad_tag
    $fatal(1, "aead_engine: TAG_BITS = %0d, allowed: whole bytes", TAG_BITS);
  end

  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned INDEX_BITS = $clog2(DESCRIPTORS);
  localparam bit HAS_TAG = TAG_BITS != 0;
  typedef logic [core.CTX_BITS-1:0] ctx_t;
  typedef logic [INDEX_BITS-1:0] index_t;
  typedef logic [INDEX_BITS:0] pointer_t;  // one bit more: full differs from empty
  typedef core.beat_t core_beat_t;
  typedef struct packed {
    logic                  valid;
    logic [DATA_BITS-1:0]  data;
    logic [BYTES_BITS-1:0] bytes;
    logic                  last;
  } beat_t;  // of a context that is known

  // The number of the only context need not be looked at
  ctx_t out_ctx, result_ctx;
  assign out_ctx = CONTEXTS == 1 ? '0 : core.out.ctx;
  assign result_ctx = CONTEXTS == 1 ? '0 : core.result.ctx;

  logic wipe, ad_wiping, msg_wiping;
  logic [CONTEXTS-1:0] lane_busy;
  assign wipe   = rst || clear;
  assign wiping = wipe || ad_wiping || msg_wiping || (|lane_busy);

  // Orders by number: where the next one goes, which one is said next, which one leaves next.
  pointer_t next, said, left;
  logic full;
  assign full = next - left == pointer_t'(DESCRIPTORS);

  // A packet in the core, for each context
  logic [CONTEXTS-1:0] working;
  logic [1:0] work_op[CONTEXTS];
  code_e [CONTEXTS-1:0] work_code;  // packed: written in two places, so it must not become a memory of two write ports
  index_t work_index[CONTEXTS];

  // ---- entrance: one order at a time --------------------------------------------------------------------------------

  typedef enum logic [1:0] {
    S_IDLE,
    S_NOTE,
    S_COMMAND,
    S_FEED      // its strings
  } front_e;

  typedef enum logic [1:0] {
    C_IDLE,
    C_VERDICT,     // the packet's, and the record of the order
    C_TAG,
    C_TAG_VERDICT
  } close_e;

  front_e front;
  close_e close;
  ctx_t   lane;  // of the order at the entrance
  logic want_ad, want_msg, want_tag, ad_drop, started, note_taken;

  // The order that is being closed
  ctx_t close_lane;
  logic close_packet;  // it has a packet
  logic close_here;  // close_lane counts
  index_t close_index;
  logic [7:0] close_op;
  code_e close_code;
  logic [31:0] close_length;
  assign close_here = close != C_IDLE && close_packet;

  logic [CONTEXTS-1:0] has_room, free;
  logic found;
  ctx_t choice;
  always_comb begin
    found  = 1'b0;
    choice = '0;
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      // One context: its packets leave in its own order, so it may wait for room in mid-packet. Several: the one that
      // must leave first may not have to wait behind another's full store.
      free[c] = !working[c];
      if (CONTEXTS > 1 && (!core.cmd_ready[c] || !has_room[c] || (close_here && close_lane == ctx_t'(c))))
        free[c] = 1'b0;
    end
    for (int unsigned c = CONTEXTS; c > 0; c--) begin
      if (free[c-1]) begin
        found  = 1'b1;
        choice = ctx_t'(c - 1);
      end
    end
  end

  assign core.key = adapter.key;
  assign adapter.key_ready = core.key_ready;
  assign core.cmd = '{
          valid: front == S_COMMAND,
          ctx: lane,
          op: adapter.order.op[1:0],
          cached_ad: adapter.order.cached,
          nonce: adapter.order.nonce
      };
  assign started = core.cmd.valid && core.cmd_ready[lane];
  assign adapter.order_ready = started || note_taken;

  // The strings of the order
  core_beat_t ad_give, msg_give;
  logic ad_give_ready, ad_cut, ad_done, msg_give_ready, msg_done, tag_done;
  assign ad_give = '{
          valid: front == S_FEED && want_ad && ad.valid && !ad_drop,
          ctx: lane,
          data: ad.data,
          // An AD that is at fault ends with a beat that no core takes for legal: a load of it would put its beginning
          // into the cache.
          bytes:
          ad_cut
          || (
          ad.last && ad.code != OK
          ) ?
          '1
          :
          ad.bytes,
          last: ad.last || ad_cut
      };
  assign msg_give = '{
          valid: front == S_FEED && want_msg && msg.valid,
          ctx: lane,
          data: msg.data,
          bytes: msg.bytes,
          last: msg.last
      };
  assign core.tag_in = '{valid: front == S_FEED && want_tag && adapter.tag.valid, ctx: lane, data: adapter.tag.data};
  assign ad.ready = front == S_FEED && want_ad && (ad_drop || ad_give_ready);
  assign msg.ready = front == S_FEED && want_msg && msg_give_ready;
  assign adapter.tag_ready = front == S_FEED && want_tag && core.tag_in_ready[lane];
  assign ad_done = ad.valid && ad.ready && ad.last;
  assign msg_done = msg.valid && msg.ready && msg.last;
  assign tag_done = adapter.tag.valid && adapter.tag_ready;

  if (AD_FIFO_BYTES != 0) begin : g_ad_limit
    localparam int unsigned AD_BEATS = AD_FIFO_BYTES / BEAT_BYTES;
    localparam int unsigned AD_COUNT = $clog2(AD_BEATS);
    logic [AD_COUNT-1:0] count;
    assign ad_cut = count == AD_COUNT'(AD_BEATS - 1) && !ad.last;
    always_ff @(posedge clk) begin
      if (ad_give.valid && ad_give_ready) count <= count + 1'b1;
      if (started || wipe) count <= '0;
    end
  end else begin : g_no_ad_limit
    assign ad_cut = 1'b0;
  end

  aead_queue #(
      .beat_t  (core_beat_t),
      .CONTEXTS(CONTEXTS),
      .BYTES   (AD_FIFO_BYTES)
  ) u_ad_queue (
      .*,
      .busy   (ad_wiping),
      .s      (ad_give),
      .s_ready(ad_give_ready),
      .m      (core.ad),
      .m_ready(core.ad_ready)
  );

  aead_queue #(
      .beat_t  (core_beat_t),
      .CONTEXTS(CONTEXTS),
      .BYTES   (MSG_FIFO_BYTES)
  ) u_msg_queue (
      .*,
      .busy   (msg_wiping),
      .s      (msg_give),
      .s_ready(msg_give_ready),
      .m      (core.msg),
      .m_ready(core.msg_ready)
  );

  code_e fault;  // of the strings, this cycle
  always_comb begin
    fault = OK;
    if (tag_done && adapter.tag.code != OK) fault = adapter.tag.code;
    if (msg_done && msg.code != OK) fault = msg.code;
    if (ad_give.valid && ad_give_ready && ad_cut) fault = AD_TOO_LONG;
    else if (ad_done && ad.code != OK) fault = ad.code;
  end

  // ---- the core's side ------------------------------------------------------------------------------------------------

  logic [CONTEXTS-1:0] lane_ready, lane_ended, lane_cut, tag_room, verdict_ready, lane_take;
  logic [31:0] lane_length[CONTEXTS];
  beat_t [CONTEXTS-1:0] lane_out;
  beat_t tag_beat;
  logic verdict, verdict_ok;

  assign core.out_ready = working[out_ctx] && lane_ready[out_ctx] && !(close_here && close_lane == out_ctx);

  for (genvar c = 0; c < CONTEXTS; c++) begin : g_lane
    logic close_mine;
    beat_t out_beat, tag_mine;
    assign close_mine = close_here && close_lane == ctx_t'(c);
    always_comb begin
      out_beat = '{
          valid: core.out.valid && out_ctx == ctx_t'(c) && working[c] && !close_mine,
          data: core.out.data,
          bytes: core.out.bytes,
          last: core.out.last
      };
      tag_mine = tag_beat;
      tag_mine.valid = tag_beat.valid && close_mine;
    end

    aead_lane #(
        .beat_t      (beat_t),
        .TAG_BITS    (TAG_BITS),
        .STORE_BYTES (STORE_BYTES),
        .PACKET_BYTES(PACKET_BYTES),
        .DESCRIPTORS (2 * DESCRIPTORS)
    ) u_lane (
        .*,
        .busy         (lane_busy[c]),
        .has_room     (has_room[c]),
        .start        (started && lane == ctx_t'(c)),
        .seal         (core.cmd.op == 2'(OP_SEAL)),
        .s            (out_beat),
        .s_ready      (lane_ready[c]),
        .ended        (lane_ended[c]),
        .cut          (lane_cut[c]),
        .length       (lane_length[c]),
        .t            (tag_mine),
        .t_ready      (tag_room[c]),
        .verdict_valid(verdict && close_mine),
        .verdict_ready(verdict_ready[c]),
        .m            (lane_out[c]),
        .m_ready      (lane_take[c])
    );
  end

  // A result is taken when its packet is whole and its inputs are known to the end.
  logic result_taken, recorded, result_load;
  code_e result_code;
  assign result_load = work_op[result_ctx] == 2'(OP_LOAD_AD);
  assign core.result_ready = close == C_IDLE && working[result_ctx] &&
      (result_load || lane_ended[result_ctx]) && !(front == S_FEED && lane == result_ctx);
  assign result_taken = core.result.valid && core.result_ready;
  assign note_taken = close == C_IDLE && front == S_NOTE && !core.result.valid;

  always_comb begin
    result_code = work_code[result_ctx];
    if (result_code == OK) begin
      if (lane_cut[result_ctx] && !result_load) result_code = TOO_LONG;
      else if (!core.result.ok) result_code = work_op[result_ctx] == 2'(OP_OPEN) ? NOT_AUTH : CORE_REFUSE;
    end
  end

  assign verdict = (close == C_VERDICT && close_packet) || close == C_TAG_VERDICT;
  assign verdict_ok = close_code == OK;
  assign recorded = close == C_VERDICT && (!close_packet || verdict_ready[close_lane]);

  if (HAS_TAG) begin : g_tag
    localparam int unsigned TAG_BEATS = (TAG_BITS + DATA_BITS - 1) / DATA_BITS;
    localparam int unsigned PLACE_BITS = $clog2(TAG_BEATS + 1);
    localparam logic [BYTES_BITS-1:0] TAIL_BYTES = BYTES_BITS'(TAG_BITS / 8 - (TAG_BEATS - 1) * BEAT_BYTES);
    logic [TAG_BEATS-1:0][DATA_BITS-1:0] tag;
    logic [PLACE_BITS-1:0] place;  // of the beat that leaves next
    logic tag_last;
    assign tag_last = place == PLACE_BITS'(TAG_BEATS - 1);
    assign tag_beat = '{
            valid: close == C_TAG,
            data: tag[place],
            bytes: tag_last ? TAIL_BYTES : BYTES_BITS'(BEAT_BYTES),
            last: tag_last
        };
    always_ff @(posedge clk) begin
      if (result_taken) begin
        tag   <= (TAG_BEATS * DATA_BITS)'(core.result.tag);
        place <= '0;
      end else if (tag_beat.valid && tag_room[close_lane]) place <= place + 1'b1;
      if (wipe) tag <= '0;
    end
  end else begin : g_no_tag
    logic unused_tag;
    assign unused_tag = &{1'b0, core.result.tag, tag_room};
    assign tag_beat   = '0;
  end

  always_ff @(posedge clk) begin
    if (ad_give.valid && ad_give_ready && ad_cut) ad_drop <= 1'b1;
    if (ad_done) want_ad <= 1'b0;
    if (msg_done) want_msg <= 1'b0;
    if (tag_done) want_tag <= 1'b0;
    if (fault != OK && work_code[lane] == OK) work_code[lane] <= fault;

    unique case (front)
      S_IDLE:
      if (adapter.order.valid && !full && !wiping) begin
        lane <= choice;
        if (adapter.order.note) front <= S_NOTE;
        else if (found) front <= S_COMMAND;
      end
      S_NOTE:  if (note_taken) front <= S_IDLE;
      S_COMMAND:
      if (started) begin
        want_ad          <= !adapter.order.cached;
        want_msg         <= adapter.order.op != OP_LOAD_AD;
        want_tag         <= adapter.order.op == OP_OPEN && HAS_TAG;
        ad_drop          <= 1'b0;
        work_op[lane]    <= core.cmd.op;
        work_code[lane]  <= OK;
        work_index[lane] <= next[INDEX_BITS-1:0];
        front            <= S_FEED;
      end
      S_FEED:  if ((!want_ad || ad_done) && (!want_msg || msg_done) && (!want_tag || tag_done)) front <= S_IDLE;
      default: front <= S_IDLE;
    endcase
    if (adapter.order_ready) next <= next + 1'b1;

    unique case (close)
      C_IDLE: begin
        close_lane   <= result_ctx;
        close_length <= '0;
        if (result_taken) begin
          close_packet <= !result_load;
          close_index  <= work_index[result_ctx];
          close_op     <= {6'd0, work_op[result_ctx]};
          close_code   <= result_code;
          if (result_code == OK && !result_load)
            close_length <= lane_length[result_ctx] + (work_op[result_ctx] == 2'(OP_SEAL) ? 32'(TAG_BITS / 8) : 32'd0);
          close <= C_VERDICT;
        end else if (note_taken) begin
          close_packet <= 1'b0;
          close_index  <= next[INDEX_BITS-1:0];
          close_op     <= adapter.order.op;
          close_code   <= adapter.order.code;
          close        <= C_VERDICT;
        end
      end
      C_VERDICT:
      if (recorded) close <= close_packet && close_op == OP_SEAL && close_code == OK && HAS_TAG ? C_TAG : C_IDLE;
      C_TAG: if (tag_room[close_lane] && tag_beat.last) close <= C_TAG_VERDICT;
      C_TAG_VERDICT: if (verdict_ready[close_lane]) close <= C_IDLE;
      default: close <= C_IDLE;
    endcase

    if (result_taken) working[result_ctx] <= 1'b0;
    if (started) working[lane] <= 1'b1;

    if (wipe) begin
      front    <= S_IDLE;
      close    <= C_IDLE;
      working  <= '0;
      next     <= '0;
      want_ad  <= 1'b0;
      want_msg <= 1'b0;
      want_tag <= 1'b0;
    end
  end

  // ---- exit: in the order of the orders -------------------------------------------------------------------------------

  typedef struct packed {
    logic [7:0]  op;
    code_e       code;
    logic [31:0] length;
  } record_t;

  typedef struct packed {
    logic packet;  // one leaves
    logic sealed;  // with a tag behind it
    ctx_t lane;
  } parcel_t;

  (* no_rw_check *) record_t records[DESCRIPTORS];
  (* no_rw_check *) parcel_t parcels[DESCRIPTORS];
  logic [DESCRIPTORS-1:0] known;  // the record is there
  record_t record;
  parcel_t parcel;
  logic leaving, leave, second;

  always_ff @(posedge clk)
    if (recorded)
      records[close_index] <= '{op: close_op, code: close_code, length: close_length};
  always_ff @(posedge clk)
    if (recorded)
      parcels[close_index] <= '{
          packet: close_packet && close_code == OK,
          sealed: close_op == OP_SEAL && HAS_TAG,
          lane: close_lane
      };

  assign record = records[said[INDEX_BITS-1:0]];
  assign parcel = parcels[left[INDEX_BITS-1:0]];
  assign adapter.done = '{
          valid: said != next && known[said[INDEX_BITS-1:0]],
          op: record.op,
          code: record.code,
          length: record.length
      };

  assign leaving = left != said && parcel.packet;
  assign out.valid = leaving && lane_out[parcel.lane].valid;
  assign out.data = lane_out[parcel.lane].data;
  assign out.bytes = lane_out[parcel.lane].bytes;
  assign out.last = lane_out[parcel.lane].last;
  assign out.code = OK;
  assign out_end = out.last && (second || !parcel.sealed);
  assign leave = left != said && (!parcel.packet || (out.valid && out.ready && out_end));
  always_comb
    for (int unsigned c = 0; c < CONTEXTS; c++) lane_take[c] = leaving && parcel.lane == ctx_t'(c) && out.ready;

  always_ff @(posedge clk) begin
    if (out.valid && out.ready && out.last) second <= !out_end;
    if (adapter.done.valid && adapter.done_ready) said <= said + 1'b1;
    if (leave) begin
      left <= left + 1'b1;
      known[left[INDEX_BITS-1:0]] <= 1'b0;
    end
    if (recorded) known[close_index] <= 1'b1;
    if (wipe) begin
      said   <= '0;
      left   <= '0;
      known  <= '0;
      second <= 1'b0;
    end
  end

  assign busy = wiping || core.busy || front != S_IDLE || next != said;

`ifndef SYNTHESIS
  // By counts, apart from the logic above: packets that leave are never more than the core's good results whose inputs were good.
  logic [31:0] good_results, packets_out;
  logic past_waiting;
  logic [DATA_BITS+BYTES_BITS:0] past_beat;
  always_ff @(posedge clk) begin
    if (result_taken && core.result.ok && result_code == OK && !result_load) good_results <= good_results + 1;
    if (out.valid && out.ready && out_end) packets_out <= packets_out + 1;
    past_waiting <= out.valid && !out.ready && !wipe;
    past_beat    <= {out.data, out.bytes, out.last};
    if (wipe) begin
      good_results <= '0;
      packets_out  <= '0;
    end else begin
      nothing_unverified_leaves :
      assert (!out.valid || packets_out != good_results)
      else $error("aead_engine: a beat shows without a good result");
      out_holds :
      assert (!past_waiting || (out.valid && past_beat == {out.data, out.bytes, out.last}))
      else $error("aead_engine: out changed before it was taken");
      an_open_context_has_a_number :
      assert (!result_taken || !known[work_index[result_ctx]])
      else $error("aead_engine: two results for one order");
    end
  end
`endif

endmodule
