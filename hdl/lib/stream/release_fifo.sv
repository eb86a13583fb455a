// SPDX-License-Identifier: Apache-2.0
//
// Holds unverified packets until their verdict (core-ports.md rule 6): a packet leaves only after
// verdict_ok = 1, in order; one with verdict_ok = 0 vanishes. Byte i of a beat is data[8i+7:8i].
// Room: STORE_BYTES (a short last beat takes a whole one) and DESCRIPTORS packets; s_ready = 0 when
// either is used up, so no packet may exceed STORE_BYTES. First beat out three edges after its verdict,
// then one a cycle, packets back to back; a discarded packet costs one cycle. rst and clear drop all
// and wipe the store (16 banks of 1024 words side by side by default: 1024 cycles), busy, no ready.
// m_valid falls without a transfer only then. Lengths of packets are no secrets and are not wiped.
module release_fifo #(
    parameter int unsigned DATA_BITS = 64,  // a multiple of 8
    parameter int unsigned STORE_BYTES = 131072,  // beats of the store: a power of two, 4 or more
    parameter int unsigned DESCRIPTORS = 512,  // packets in the store, a power of two, 2 or more
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned WORDS = STORE_BYTES / (DATA_BITS / 8),
    localparam int unsigned ADDR_BITS = $clog2(WORDS)
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  clear,          // pulse: as rst
    output logic                  busy,           // wiping
    output logic [   ADDR_BITS:0] room,           // free beats of the store
    input  logic                  s_valid,        // unverified packets
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    input  logic                  verdict_valid,  // one a packet, in order, taken only after its last beat
    output logic                  verdict_ready,
    input  logic                  verdict_ok,     // 1 release, 0 discard
    output logic                  m_valid,        // verified packets
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last
);

  if (WORDS < 4 || (WORDS & (WORDS - 1)) != 0 || WORDS * (DATA_BITS / 8) != STORE_BYTES) begin : g_bad_store
    $fatal(1, "release_fifo: STORE_BYTES = %0d must be a power of two of beats, 4 or more", STORE_BYTES);
  end
  if (DESCRIPTORS < 2 || (DESCRIPTORS & (DESCRIPTORS - 1)) != 0) begin : g_bad_descriptors
    $fatal(1, "release_fifo: DESCRIPTORS = %0d must be a power of two, 2 or more", DESCRIPTORS);
  end

  localparam int unsigned INDEX_BITS = $clog2(DESCRIPTORS);
  localparam logic [BYTES_BITS-1:0] FULL_BEAT = BYTES_BITS'(DATA_BITS / 8);
  typedef logic [ADDR_BITS:0] pointer_t;  // one bit more than an address: full differs from empty
  typedef logic [INDEX_BITS:0] index_t;  // the same for descriptors
  typedef struct packed {
    pointer_t              stop;   // first beat of the next packet
    logic [BYTES_BITS-1:0] bytes;  // in the last beat
  } packet_t;

  logic wiping, stop_all;
  assign stop_all = rst || clear;
  assign busy = wiping;

  // Writer. A packet is closed when its last beat is in the store, judged when it has its verdict.
  pointer_t w_ptr, r_ptr;
  index_t closed, judged, fetched, finished;  // numbers of packets so far, finished = left or discarded
  (* no_rw_check *) packet_t packets[DESCRIPTORS];
  (* no_rw_check *) logic verdicts[DESCRIPTORS];
  logic write, judge;

  assign room = pointer_t'(WORDS) - (w_ptr - r_ptr);
  assign s_ready = !wiping && room != '0 && closed - finished != index_t'(DESCRIPTORS);
  assign write = s_valid && s_ready;
  assign verdict_ready = !wiping && judged != closed;
  assign judge = verdict_valid && verdict_ready;

  always_ff @(posedge clk) if (write && s_last) packets[closed[INDEX_BITS-1:0]] <= {w_ptr + 1'b1, s_bytes};
  always_ff @(posedge clk) if (judge) verdicts[judged[INDEX_BITS-1:0]] <= verdict_ok;

  // Reader. Only judged packets are fetched; only released ones are read from the store.
  packet_t packet;
  logic verdict, packet_valid, fetch, read, read_last, skip;

  assign read = packet_valid && verdict && (!m_valid || m_ready);
  assign read_last = read && r_ptr + 1'b1 == packet.stop;
  assign skip = packet_valid && !verdict;
  assign fetch = fetched != judged && (!packet_valid || read_last || skip);

  always_ff @(posedge clk)
    if (fetch) begin
      packet  <= packets[fetched[INDEX_BITS-1:0]];
      verdict <= verdicts[fetched[INDEX_BITS-1:0]];
    end

  always_ff @(posedge clk) begin
    if (write) begin
      w_ptr <= w_ptr + 1'b1;
      if (s_last) closed <= closed + 1'b1;
    end
    if (judge) judged <= judged + 1'b1;

    if (read_last || skip) begin
      packet_valid <= 1'b0;
      finished     <= finished + 1'b1;
    end
    if (fetch) begin
      packet_valid <= 1'b1;
      fetched      <= fetched + 1'b1;
    end
    if (read) r_ptr <= r_ptr + 1'b1;
    if (skip) r_ptr <= packet.stop;

    if (m_ready) m_valid <= 1'b0;
    if (read) begin
      m_valid <= 1'b1;
      m_last  <= read_last;
      m_bytes <= read_last ? packet.bytes : FULL_BEAT;
    end

    if (stop_all) begin
      w_ptr        <= '0;
      r_ptr        <= '0;
      closed       <= '0;
      judged       <= '0;
      fetched      <= '0;
      finished     <= '0;
      packet_valid <= 1'b0;
      m_valid      <= 1'b0;
    end
  end

  // The read port runs through a wipe, so that no plaintext stays in its register.
  wiped_ram #(
      .WIDTH(DATA_BITS),
      .DEPTH(WORDS)
  ) u_store (
      .w_clk   (clk),
      .w_wipe  (stop_all),
      .w_wiping(wiping),
      .w_en    (write),
      .w_addr  (w_ptr[ADDR_BITS-1:0]),
      .w_data  (s_data),
      .r_clk   (clk),
      .r_en    (read || wiping),
      .r_addr  (r_ptr[ADDR_BITS-1:0]),
      .r_data  (m_data)
  );

`ifndef SYNTHESIS
  // Judged by counts alone, apart from the logic above: a beat may show only while fewer
  // packets have left than have been released.
  index_t released, left;
  always_ff @(posedge clk) begin
    if (judge && verdict_ok) released <= released + 1'b1;
    if (m_valid && m_ready && m_last) left <= left + 1'b1;
    if (stop_all) begin
      released <= '0;
      left     <= '0;
    end
  end

  logic                  past_waiting;
  logic [ DATA_BITS-1:0] past_data;
  logic [BYTES_BITS-1:0] past_bytes;
  logic                  past_last;
  always_ff @(posedge clk) begin
    past_waiting <= m_valid && !m_ready && !stop_all;
    past_data    <= m_data;
    past_bytes   <= m_bytes;
    past_last    <= m_last;
    if (!stop_all) begin
      no_beat_without_release :
      assert (!m_valid || released != left)
      else $error("release_fifo: a beat shows without a verdict ok");
      m_stream_holds :
      assert (!past_waiting || (m_valid && m_data == past_data && m_bytes == past_bytes && m_last == past_last))
      else $error("release_fifo: m stream changed before it was taken");
      verdict_after_packet :
      assert (closed - judged <= index_t'(DESCRIPTORS))
      else $error("release_fifo: verdict for a packet that has not ended");
      quiet_while_wiping :
      assert (!wiping || !(s_ready || verdict_ready || m_valid))
      else $error("release_fifo: ready or valid while wiping");
    end
  end
`endif

endmodule
