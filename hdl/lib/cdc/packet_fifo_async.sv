// SPDX-License-Identifier: Apache-2.0
//
// Packet FIFO across two unrelated clocks: the reader sees only committed beats, and whole packets
// at once. The committed pointer crosses by a handshake that always carries its newest value
// (cdc_word), so packets of any size pass at one beat a cycle on both sides and no packet count
// limits it; a commit is seen after 4 to 7 cycles of each clock, or, if another was told just before, after up to
// twice as many. s_ready = 0 when full, also of uncommitted beats: a packet of more than DEPTH beats can only be
// discarded, which makes room two cycles later. Either reset empties both ends (cdc_reset; after power-up reset both once) and wipes
// the memory once the reader has stopped, s_ready = 0 meanwhile: at most 1024 cycles of s_clk after the restart.
// The memory stands between registers, of what is written and of what is read. m_valid is a register: a beat may still
// be offered, and taken, in the first cycle of a reset, and only in a reset may m_valid fall without a transfer.
module packet_fifo_async #(
    parameter int unsigned DATA_BITS = 64,  // a multiple of 8
    parameter int unsigned DEPTH = 2048,  // beats, a power of two, 4 or more; 16 for the full rate
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  s_clk,
    input  logic                  s_rst,
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    input  logic                  s_commit,   // with the last beat's transfer or later, before the next packet
    input  logic                  s_discard,  // uncommitted beats vanish, one taken now too; wins
    input  logic                  m_clk,
    input  logic                  m_rst,
    output logic                  m_valid,
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last
);

  if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad_depth
    $fatal(1, "packet_fifo_async: DEPTH = %0d, must be a power of two, at least 4", DEPTH);
  end

  localparam int unsigned ADDR_BITS = $clog2(DEPTH);
  typedef logic [ADDR_BITS:0] pointer_t;  // one bit more than an address: full differs from empty

  function automatic pointer_t to_gray(pointer_t binary);
    return binary ^ (binary >> 1);
  endfunction

  logic s_hold, s_zero, m_hold, m_zero;
  cdc_reset u_reset (
      .s_clk,
      .s_rst,
      .s_hold,
      .s_zero,
      .m_clk,
      .m_rst,
      .m_hold,
      .m_zero
  );

  // Writer: w_ptr runs ahead, committed follows at packet ends.
  pointer_t w_ptr, committed, told, r_gray_s;
  logic full, wiping, write, tell_valid, tell_ready;

  // Full: DEPTH words apart, which in gray code is equal but for the two top bits. From a register, since much hangs on
  // s_ready: a word that is read makes room a cycle later.
  function automatic logic fills(pointer_t writer, pointer_t reader_gray);
    return to_gray(writer) == {~reader_gray[ADDR_BITS-:2], reader_gray[ADDR_BITS-2:0]};
  endfunction
  assign s_ready = !s_hold && !wiping && !full;
  assign write = s_valid && s_ready;
  assign tell_valid = told != committed;

  // A commit or discard acts a cycle later, since it is known late. The next packet may begin in that cycle.
  logic commit, discard;
  pointer_t w_now, w_next;
  assign w_now  = discard ? committed : w_ptr;
  assign w_next = write ? w_now + 1'b1 : w_now;

  // The write itself comes a cycle later: whether there is room is known late, and enables all of the memory. A commit is
  // told no earlier than that.
  typedef struct packed {
    logic                  last;
    logic [BYTES_BITS-1:0] bytes;
    logic [DATA_BITS-1:0]  data;
  } beat_t;
  logic put;
  logic [ADDR_BITS-1:0] put_addr;
  beat_t put_beat;

  always_ff @(posedge s_clk) begin
    put      <= write;
    put_addr <= w_now[ADDR_BITS-1:0];
    put_beat <= '{last: s_last, bytes: s_bytes, data: s_data};
    if (s_zero) begin
      put      <= 1'b0;
      put_beat <= '0;
    end
  end

  always_ff @(posedge s_clk) begin
    commit  <= s_commit && !s_discard;
    discard <= s_discard;
    w_ptr   <= w_next;
    full    <= write ? fills(w_now + 1'b1, r_gray_s) : fills(w_now, r_gray_s);
    if (commit) committed <= w_ptr;
    if (tell_valid && tell_ready) told <= committed;
    if (s_zero) begin
      w_ptr     <= '0;
      full      <= 1'b0;
      committed <= '0;
      told      <= '0;
    end
  end

  // Reader.
  pointer_t r_ptr, r_gray, limit, news;
  beat_t stored, m_beat;
  logic m_held;  // m_hold a cycle ago: what waits for it waits for a register, not for the reader's reset
  logic news_valid, loaded, read, move;

  cdc_word #(
      .WIDTH(ADDR_BITS + 1)
  ) u_committed (
      .s_clk,
      .s_hold,
      .s_zero,
      .s_valid(tell_valid),
      .s_ready(tell_ready),
      .s_data (committed),
      .m_clk,
      .m_hold,
      .m_zero,
      .m_valid(news_valid),
      .m_ready(1'b1),
      .m_data (news)
  );
  sync_bits #(
      .WIDTH(ADDR_BITS + 1)
  ) u_r_gray (
      .clk(s_clk),
      .d  (r_gray),
      .q  (r_gray_s)
  );

  assign move = loaded && (!m_valid || m_ready);
  assign read = !m_held && r_ptr != limit && (!loaded || move);
  assign {m_last, m_bytes, m_data} = m_beat;

  always_ff @(posedge m_clk) begin
    m_held <= m_hold;
    if (news_valid) limit <= news;
    if (m_ready) m_valid <= 1'b0;
    if (move) begin
      loaded  <= 1'b0;
      m_valid <= 1'b1;
      m_beat  <= stored;
    end
    if (read) begin
      loaded <= 1'b1;
      r_ptr  <= r_ptr + 1'b1;
      r_gray <= to_gray(r_ptr + 1'b1);
    end
    if (m_hold) begin
      loaded  <= 1'b0;
      m_valid <= 1'b0;
    end
    if (m_held) m_beat <= '0;
    if (m_zero) begin
      r_ptr  <= '0;
      r_gray <= '0;
      limit  <= '0;
    end
  end

  wiped_ram #(
      .WIDTH($bits(beat_t)),
      .DEPTH(DEPTH)
  ) u_ram (
      .w_clk   (s_clk),
      .w_wipe  (s_zero),
      .w_wiping(wiping),
      .w_en    (put),
      .w_addr  (put_addr),
      .w_data  (put_beat),
      .r_clk   (m_clk),
      .r_en    (read || m_held),
      .r_addr  (m_held ? '0 : r_ptr[ADDR_BITS-1:0]),
      .r_data  (stored)
  );

endmodule
