// SPDX-License-Identifier: Apache-2.0
//
// Packet FIFO across two unrelated clocks: the reader sees only committed beats, and whole packets
// at once. The committed pointer crosses by a handshake that always carries its newest value
// (cdc_word), so packets of any size pass at one beat a cycle on both sides and no packet count
// limits it; a commit is seen after 3 to 6 cycles of each clock, or, if another was told just before,
// after up to twice as many. s_ready = 0 when full, also of
// uncommitted beats: a packet of more than DEPTH beats can only be discarded. Either reset empties
// both ends (cdc_reset; after power-up reset both once) and wipes the memory once the reader has stopped,
// s_ready = 0 meanwhile: at most 1024 cycles of s_clk after the restart. m_valid falls without a transfer only in a reset.
// With LATE a beat stands in a register for a cycle before its memory takes it, so that no path of the writer ends in write enables
// of block RAMs, which stand far apart, an end's own reset stops it a cycle later, from a register (cdc_reset), and s_ready falls a
// cycle later than a restart of the other end begins, and rises a cycle later: what is taken then is lost with all before it.
// Nothing else changes: a commit is told a cycle after it at the soonest.
module packet_fifo_async #(
    parameter int unsigned DATA_BITS = 64,  // a multiple of 8
    parameter int unsigned DEPTH = 2048,  // beats, a power of two, 4 or more; 16 for the full rate
    parameter bit LATE = 1'b0,  // memory and resets act a cycle later
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
  cdc_reset #(
      .LATE(LATE)
  ) u_reset (
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
  assign s_ready = (LATE ? g_late.open : !s_hold && !wiping) && !full;
  assign write = s_valid && s_ready;
  assign tell_valid = told != committed;

  pointer_t w_next;
  assign w_next = write ? w_ptr + 1'b1 : w_ptr;

  always_ff @(posedge s_clk) begin
    if (s_discard) begin
      w_ptr <= committed;
      full  <= fills(committed, r_gray_s);
    end else begin
      w_ptr <= w_next;
      full  <= write ? fills(w_ptr + 1'b1, r_gray_s) : fills(w_ptr, r_gray_s);
      if (s_commit) committed <= w_next;
    end
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
  logic news_valid, loaded, read;

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

  assign m_valid = loaded && !m_hold;
  assign read = !m_hold && r_ptr != limit && (!loaded || m_ready);

  always_ff @(posedge m_clk) begin
    if (news_valid) limit <= news;
    if (m_ready) loaded <= 1'b0;
    if (read) begin
      loaded <= 1'b1;
      r_ptr  <= r_ptr + 1'b1;
      r_gray <= to_gray(r_ptr + 1'b1);
    end
    if (m_hold) loaded <= 1'b0;
    if (m_zero) begin
      r_ptr  <= '0;
      r_gray <= '0;
      limit  <= '0;
    end
  end

  if (LATE) begin : g_late
    logic open, en;  // neither held nor wiping
    logic [ADDR_BITS-1:0] addr;
    logic [DATA_BITS+BYTES_BITS:0] data;
    always_ff @(posedge s_clk) begin
      open <= !s_rst && !s_hold && !wiping;
      en   <= write;
      addr <= w_ptr[ADDR_BITS-1:0];
      data <= {s_last, s_bytes, s_data};
      if (s_zero) data <= '0;
    end
  end else begin : g_late
    // verilog_lint: waive-start parameter-name-style (they stand for signals)
    localparam logic open = 1'b0;
    localparam logic en = 1'b0;
    localparam logic [ADDR_BITS-1:0] addr = '0;
    localparam logic [DATA_BITS+BYTES_BITS:0] data = '0;
    // verilog_lint: waive-stop parameter-name-style
  end

  wiped_ram #(
      .WIDTH(DATA_BITS + BYTES_BITS + 1),
      .DEPTH(DEPTH)
  ) u_ram (
      .w_clk   (s_clk),
      .w_wipe  (s_zero),
      .w_wiping(wiping),
      .w_en    (LATE ? g_late.en : write),
      .w_addr  (LATE ? g_late.addr : w_ptr[ADDR_BITS-1:0]),
      .w_data  (LATE ? g_late.data : {s_last, s_bytes, s_data}),
      .r_clk   (m_clk),
      .r_en    (read || m_hold),
      .r_addr  (m_hold ? '0 : r_ptr[ADDR_BITS-1:0]),
      .r_data  ({m_last, m_bytes, m_data})
  );

endmodule
