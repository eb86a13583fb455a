// SPDX-License-Identifier: Apache-2.0
//
// Keeps all contexts of an interleaved core, or of several cores (link_lanes), busy behind a port where packets go in one after the
// other and come out in the same order: a packet starts in any context that is free, is fed from a ring of beats, and its output
// waits in a second ring, at the same addresses, until it is its turn. Ports of the core: docs/core-ports.md; byte i of a beat is
// bits [8i+7:8i].
// Room is reserved before a packet starts, so the core's output never waits; a context without work costs the others nothing.
// Cycles: 3 into an idle context before its first beat; out begins 3 after the packet's result, then one beat a cycle.
// Security: order and room depend on lengths alone. rst and clear drop everything and wipe both rings (at most 1024 cycles, busy).

module link_interleave
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter  int unsigned CONTEXTS   = 8,                       // a power of two, 2 or more
    parameter  bit          OPEN       = 1'b0,                    // packets bring their expected tags
    parameter  int unsigned NONCE_BITS = 256,
    parameter  int unsigned TAG_BITS   = 256,
    parameter  int unsigned WORK_BYTES = 131072,                  // of packets in work, each ring; 2^n, 16384 or more
    parameter  int unsigned PACKETS    = 64,                      // in work or waiting for their turn; a power of two
    parameter  type         beat_t     = link_types_pkg::beat_t,
    localparam int unsigned CTX_BITS   = $clog2(CONTEXTS)
) (
    input  logic                         clk,
    input  logic                         rst,
    input  logic                         clear,         // pulse
    output logic                         busy,          // wiping
    input  logic                         cmd_valid,     // packets in order
    output logic                         cmd_ready,
    input  logic        [NONCE_BITS-1:0] cmd_nonce,
    input  logic        [  LEN_BITS-1:0] cmd_length,    // of the message, bytes, 1 or more
    input  beat_t                        msg,
    output logic                         msg_ready,
    input  tag_t                         tag_in,
    output logic                         tag_in_ready,
    output beat_t                        out,           // in the same order
    input  logic                         out_ready,
    output result_t                      result,
    input  logic                         result_ready,
           aead_if.user                  core
);
  localparam int unsigned BYTES = $bits(msg.data) / 8;
  localparam int unsigned PLACE_BITS = $clog2(BYTES);
  localparam logic [PLACE_BITS:0] FULL = (PLACE_BITS + 1)'(BYTES);
  localparam int unsigned BEATS = WORK_BYTES / BYTES;
  localparam int unsigned ADDR_BITS = $clog2(BEATS);
  localparam int unsigned INDEX_BITS = $clog2(PACKETS);
  localparam int unsigned COUNT_BITS = LEN_BITS - PLACE_BITS;  // beats of a packet

  if (WORK_BYTES < 16384 || (WORK_BYTES & (WORK_BYTES - 1)) != 0) begin : g_bad_work
    $fatal(1, "link_interleave: WORK_BYTES = %0d, must be a power of two, 16384 or more", WORK_BYTES);
  end
  localparam bit POWERS = (CONTEXTS & (CONTEXTS - 1)) == 0 && (PACKETS & (PACKETS - 1)) == 0;
  if (CONTEXTS < 2 || PACKETS < 2 || !POWERS) begin : g_bad_counts
    $fatal(1, "link_interleave: CONTEXTS = %0d and PACKETS = %0d must be powers of two, 2 or more", CONTEXTS, PACKETS);
  end

  typedef logic [CTX_BITS-1:0] ctx_t;
  typedef logic [ADDR_BITS:0] pointer_t;  // one bit more than an address: full differs from empty
  typedef logic [INDEX_BITS:0] index_t;  // of packets
  typedef logic [COUNT_BITS-1:0] count_t;

  logic stop, wiping_in, wiping_out;
  assign stop = rst || clear;
  assign busy = wiping_in || wiping_out;

  // ------------------------------------------------------------------------------------------------ entrance
  typedef enum logic [2:0] {
    E_IDLE,
    E_ROOM,  // wait for room in the ring
    E_TEXT,
    E_TAG,
    E_START  // wait until the packet has a context
  } entry_e;

  entry_e entry_q;
  logic [NONCE_BITS-1:0] nonce_q;
  logic [LEN_BITS-1:0] len_q;
  pointer_t tail_q, head_q;  // ring: where the next packet begins, first beat that has not left
  pointer_t write_q;  // beats before it are there
  index_t entered_q, left_q;  // packets so far
  logic waiting_q;  // the packet at the entrance has no context yet
  logic fits, allot, put;
  ctx_t ctx_q;  // where it goes, or went

  assign fits = pointer_t'(BEATS) - (tail_q - head_q) >= pointer_t'(beats_of(len_q, BYTES));
  assign allot = entry_q == E_ROOM && fits && entered_q - left_q != index_t'(PACKETS);
  assign cmd_ready = entry_q == E_IDLE && !busy && !stop;
  assign msg_ready = entry_q == E_TEXT;
  assign put = msg.valid && msg_ready;

  // ------------------------------------------------------------------------------------------------ contexts
  logic [CONTEXTS-1:0] work_q;  // a packet is in the context
  logic [CONTEXTS-1:0] free;
  logic pick_q, started, found;  // a context is chosen for the waiting packet
  ctx_t choice;

  assign free = ~work_q & core.cmd_ready;
  always_comb begin
    found  = 1'b0;
    choice = '0;
    for (int unsigned c = CONTEXTS; c > 0; c--)
    if (free[c-1]) begin
      found  = 1'b1;
      choice = ctx_t'(c - 1);
    end
  end

  assign core.key = '0;  // key_switch sends them
  assign core.ad = '0;
  assign core.cmd = '{valid: pick_q, ctx: ctx_q, op: '0, cached_ad: 1'b0, nonce: nonce_q};
  assign started = pick_q && core.cmd_ready[ctx_q];

  assign core.tag_in = '{
          valid: OPEN && entry_q == E_TAG && !waiting_q && tag_in.valid,
          ctx: ctx_q,
          data: tag_in.data[TAG_BITS-1:0]
      };
  assign tag_in_ready = OPEN && entry_q == E_TAG && !waiting_q && core.tag_in_ready[ctx_q];

  always_ff @(posedge clk) begin
    unique case (entry_q)
      E_IDLE: begin
        nonce_q <= cmd_nonce;
        len_q   <= cmd_length;
        if (cmd_valid && cmd_ready) entry_q <= E_ROOM;
      end
      E_ROOM:  if (allot) entry_q <= E_TEXT;
      E_TEXT:  if (put && msg.last) entry_q <= OPEN ? E_TAG : E_START;
      E_TAG:   if (tag_in.valid && tag_in_ready) entry_q <= E_IDLE;
      E_START: if (!waiting_q) entry_q <= E_IDLE;
      default: entry_q <= E_IDLE;
    endcase

    if (allot) begin
      tail_q    <= tail_q + pointer_t'(beats_of(len_q, BYTES));
      entered_q <= entered_q + 1'b1;
      waiting_q <= 1'b1;
    end
    if (put) write_q <= write_q + 1'b1;
    if (waiting_q && !pick_q && found) begin
      pick_q <= 1'b1;
      ctx_q  <= choice;
    end
    if (started) begin
      pick_q    <= 1'b0;
      waiting_q <= 1'b0;
    end

    if (stop) begin
      entry_q   <= E_IDLE;
      nonce_q   <= '0;
      tail_q    <= '0;
      write_q   <= '0;
      entered_q <= '0;
      waiting_q <= 1'b0;
      pick_q    <= 1'b0;
    end
  end

  // What each context works on. The first beat of the waiting packet: its end less its beats.
  pointer_t read_at[CONTEXTS], write_at[CONTEXTS];
  count_t to_feed[CONTEXTS];
  logic [PLACE_BITS-1:0] tail_bytes[CONTEXTS];  // in the last beat; 0: all of it
  logic [INDEX_BITS-1:0] index_of[CONTEXTS];
  pointer_t first;
  assign first = tail_q - pointer_t'(beats_of(len_q, BYTES));

  logic feed, feeding, advance;
  ctx_t feed_ctx;
  logic out_here, ends;
  assign out_here = core.out.valid && core.out_ready;
  assign ends = core.result.valid && core.result_ready;

  for (genvar c = 0; c < CONTEXTS; c++) begin : g_context
    logic start_here;
    assign start_here = started && ctx_q == ctx_t'(c);
    always_ff @(posedge clk) begin
      if (start_here) begin
        work_q[c]     <= 1'b1;
        read_at[c]    <= first;
        write_at[c]   <= first;
        to_feed[c]    <= count_t'(beats_of(len_q, BYTES));
        tail_bytes[c] <= len_q[PLACE_BITS-1:0];
        index_of[c]   <= INDEX_BITS'(entered_q - 1'b1);
      end
      if (feed && feed_ctx == ctx_t'(c)) begin
        read_at[c] <= read_at[c] + 1'b1;
        to_feed[c] <= to_feed[c] - 1'b1;
      end
      if (out_here && core.out.ctx == ctx_t'(c)) write_at[c] <= write_at[c] + 1'b1;
      if (ends && core.result.ctx == ctx_t'(c)) work_q[c] <= 1'b0;
      if (stop) work_q[c] <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ into the core
  // One beat a cycle goes to the next context in turn that has one and takes it. A beat under way keeps its context from being
  // chosen again until its ready shows what became of it.
  logic [CONTEXTS-1:0] want;
  ctx_t last_ctx_q;
  logic f_valid_q, f_last_q;
  ctx_t f_ctx_q;
  logic [PLACE_BITS-1:0] f_bytes_q;

  assign advance = !f_valid_q || core.msg_ready[f_ctx_q];
  always_comb begin
    for (int unsigned c = 0; c < CONTEXTS; c++)
    want[c] = work_q[c] && to_feed[c] != '0 && read_at[c] != write_q && core.msg_ready[c] &&
          !(f_valid_q && f_ctx_q == ctx_t'(c));
    feeding  = 1'b0;
    feed_ctx = '0;
    for (int unsigned i = CONTEXTS; i > 0; i--)
    if (want[ctx_t'(last_ctx_q+ctx_t'(i))]) begin
      feeding  = 1'b1;
      feed_ctx = ctx_t'(last_ctx_q + ctx_t'(i));
    end
  end
  assign feed = feeding && advance;

  always_ff @(posedge clk) begin
    if (advance) begin
      f_valid_q <= feeding;
      f_ctx_q   <= feed_ctx;
      f_last_q  <= to_feed[feed_ctx] == count_t'(1);
      f_bytes_q <= tail_bytes[feed_ctx];
    end
    if (feed) last_ctx_q <= feed_ctx;
    if (stop) begin
      f_valid_q  <= 1'b0;
      last_ctx_q <= '0;
    end
  end

  logic [8*BYTES-1:0] in_data, out_data;
  assign core.msg = '{
          valid: f_valid_q,
          ctx: f_ctx_q,
          data: in_data,
          bytes: (f_last_q && f_bytes_q != '0) ? {1'b0, f_bytes_q} : FULL,
          last: f_last_q
      };

  wiped_ram #(
      .WIDTH(8 * BYTES),
      .DEPTH(BEATS)
  ) u_in (
      .w_clk   (clk),
      .w_wipe  (stop),
      .w_wiping(wiping_in),
      .w_en    (put),
      .w_addr  (write_q[ADDR_BITS-1:0]),
      .w_data  (msg.data),
      .r_clk   (clk),
      .r_en    (advance || wiping_in),
      .r_addr  (wiping_in ? '0 : read_at[feed_ctx][ADDR_BITS-1:0]),
      .r_data  (in_data)
  );

  // ------------------------------------------------------------------------------------------------ out of the core
  assign core.out_ready = !busy;
  assign core.result_ready = !busy;

  logic [LEN_BITS-1:0] len_of[PACKETS];
  logic [TAG_BITS:0] result_of[PACKETS];  // ok, tag
  logic [PACKETS-1:0] done_q, done_d;
  always_ff @(posedge clk) if (allot) len_of[entered_q[INDEX_BITS-1:0]] <= len_q;
  always_ff @(posedge clk) if (ends) result_of[index_of[core.result.ctx]] <= {core.result.ok, core.result.tag};

  // ------------------------------------------------------------------------------------------------ exit, in order
  typedef enum logic [1:0] {
    X_IDLE,
    X_TEXT,
    X_RESULT
  } exit_e;

  exit_e exit_q;
  count_t to_read_q;
  logic [PLACE_BITS-1:0] exit_bytes_q;
  logic read, begins, out_valid_q, out_last_q, ok_q;
  logic [TAG_BITS-1:0] tag_q;
  logic [LEN_BITS-1:0] exit_len;

  assign exit_len = len_of[left_q[INDEX_BITS-1:0]];
  assign begins = exit_q == X_IDLE && done_q[left_q[INDEX_BITS-1:0]];
  assign read = exit_q == X_TEXT && to_read_q != '0 && (!out_valid_q || out_ready);
  assign out = '{
          valid: out_valid_q,
          data: out_data,
          bytes: (out_last_q && exit_bytes_q != '0) ? {1'b0, exit_bytes_q} : FULL,
          last: out_last_q
      };
  assign result = '{valid: exit_q == X_RESULT, ok: ok_q, tag: 256'(tag_q)};

  always_comb begin
    done_d = done_q;
    if (ends) done_d[index_of[core.result.ctx]] = 1'b1;
    if (begins) done_d[left_q[INDEX_BITS-1:0]] = 1'b0;
    if (stop) done_d = '0;
  end

  always_ff @(posedge clk) begin
    done_q <= done_d;
    if (out_ready) out_valid_q <= 1'b0;
    if (read) begin
      out_valid_q <= 1'b1;
      out_last_q  <= to_read_q == count_t'(1);
      to_read_q <= to_read_q - 1'b1;
      head_q    <= head_q + 1'b1;
    end
    unique case (exit_q)
      X_IDLE: begin
        to_read_q    <= count_t'(beats_of(exit_len, BYTES));
        exit_bytes_q <= exit_len[PLACE_BITS-1:0];
        {ok_q, tag_q} <= result_of[left_q[INDEX_BITS-1:0]];
        if (begins) exit_q <= X_TEXT;
      end
      X_TEXT:  if (out_valid_q && out_ready && out_last_q) exit_q <= X_RESULT;
      X_RESULT: begin
        if (result_ready) begin
          exit_q <= X_IDLE;
          left_q <= left_q + 1'b1;
        end
      end
      default: exit_q <= X_IDLE;
    endcase
    if (stop) begin
      exit_q    <= X_IDLE;
      out_valid_q <= 1'b0;
      head_q    <= '0;
      left_q    <= '0;
    end
  end

  wiped_ram #(
      .WIDTH(8 * BYTES),
      .DEPTH(BEATS)
  ) u_out (
      .w_clk   (clk),
      .w_wipe  (stop),
      .w_wiping(wiping_out),
      .w_en    (out_here),
      .w_addr  (write_at[core.out.ctx][ADDR_BITS-1:0]),
      .w_data  (core.out.data),
      .r_clk   (clk),
      .r_en    (read || wiping_out),
      .r_addr  (wiping_out ? '0 : head_q[ADDR_BITS-1:0]),
      .r_data  (out_data)
  );

  wire unused = &{1'b0, core.busy, core.key_ready, core.ad_ready, core.out, msg.bytes, tag_in};  // the length counts

`ifndef SYNTHESIS
  // The core gives as many beats as it took, and ends no packet before the last of them.
  count_t to_write[CONTEXTS];
  logic stopped_q;  // in the cycle before
  initial stopped_q = 1'b0;  // a simulation may begin with any other value
  always_ff @(posedge clk) begin
    stopped_q <= stop;
    a_forgotten :
    assert (stop || !stopped_q || nonce_q == '0)
    else $error("link_interleave: a stop left the nonce, of which the salt is part");
    if (out_here) to_write[core.out.ctx] <= to_write[core.out.ctx] - 1'b1;
    if (started) to_write[ctx_q] <= count_t'(beats_of(len_q, BYTES));
    if (!stop && !busy) begin
      a_room :
      assert (tail_q - head_q <= pointer_t'(BEATS) && entered_q - left_q <= index_t'(PACKETS))
      else $error("link_interleave: more in work than there is room");
      a_whole :
      assert (!ends || (work_q[core.result.ctx] && to_write[core.result.ctx] == '0))
      else $error("link_interleave: a packet ended early");
      a_beats :
      assert (!out_here || (work_q[core.out.ctx] && core.out.last == (to_write[core.out.ctx] == count_t'(1))))
      else $error("link_interleave: output and message differ in length");
      a_length :
      assert (!put || msg.last == (write_q + 1'b1 == tail_q))
      else $error("link_interleave: message and stated length differ");
      a_promise :
      assert (!core.msg.valid || core.msg_ready[core.msg.ctx])
      else $error("link_interleave: the core took its promise back");
    end
  end
`endif
endmodule
