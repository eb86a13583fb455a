// SPDX-License-Identifier: Apache-2.0
//
// One context's way out: the release FIFO, guarded against packets longer than PACKET_BYTES: these are cut, so that they
// can be discarded instead of blocking it for ever (`cut` asks for the verdict 0). Byte i of a beat is data[8i+7:8i].
// start, the packet, `ended`, verdict; behind a sealed packet its tag (t) as a string of its own, verdict.
// rst and clear drop and wipe everything (release_fifo), busy meanwhile.
module aead_lane #(
    parameter type beat_t = logic,  // valid, data, bytes, last
    parameter int unsigned TAG_BITS = 256,
    parameter int unsigned STORE_BYTES = 16384,  // a power of two
    parameter int unsigned PACKET_BYTES = 16384,  // longest packet, tag included; at most STORE_BYTES
    parameter int unsigned DESCRIPTORS = 32  // strings waiting, a power of two, 2 or more
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         clear,
    output logic         busy,           // wiping
    output logic         has_room,       // for the longest packet
    input  logic         start,          // pulse: forget the packet before
    input  logic         seal,           // with start: a tag will follow
    input  beat_t        s,              // unverified
    output logic         s_ready,
    output logic         ended,          // the packet is in
    output logic         cut,            // it was too long
    output logic  [31:0] length,         // its bytes
    input  beat_t        t,              // tag of a sealed packet; never together with s
    output logic         t_ready,
    input  logic         verdict_valid,
    output logic         verdict_ready,
    input  logic         verdict_ok,
    output beat_t        m,              // verified
    input  logic         m_ready
);

  localparam int unsigned DATA_BITS = $bits(s.data);
  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned TAG_BEATS = (TAG_BITS + DATA_BITS - 1) / DATA_BITS;
  localparam int unsigned OPEN_BEATS = PACKET_BYTES / BEAT_BYTES;
  localparam int unsigned SEAL_BEATS = OPEN_BEATS - TAG_BEATS;
  localparam int unsigned COUNT_BITS = $clog2(OPEN_BEATS + 1);
  localparam int unsigned ROOM_BITS = $clog2(STORE_BYTES / BEAT_BYTES) + 1;

  if (PACKET_BYTES > STORE_BYTES || PACKET_BYTES % BEAT_BYTES != 0 || OPEN_BEATS <= TAG_BEATS) begin : g_bad_packet
    $fatal(
        1,
        "aead_lane: PACKET_BYTES = %0d, allowed: whole beats, more than the tag's, at most STORE_BYTES = %0d",
        PACKET_BYTES,
        STORE_BYTES
    );
  end

  logic [COUNT_BITS-1:0] count, last_beat;  // beats of this packet in the store; number of the last one allowed
  logic [ROOM_BITS-1:0] room;
  logic store_ready, end_here;
  beat_t into;  // the store

  assign has_room = room >= ROOM_BITS'(OPEN_BEATS);
  assign end_here = count == last_beat;
  assign s_ready  = !ended && (cut ? !busy : store_ready && !t.valid);
  assign t_ready  = store_ready;
  always_comb begin
    into = s;
    into.valid = s.valid && !ended && !cut;
    into.last = s.last || end_here;
    if (t.valid) into = t;
  end

  always_ff @(posedge clk) begin
    if (s.valid && s_ready) begin
      count  <= count + 1'b1;
      length <= length + 32'(s.bytes);
      ended  <= s.last;
      if (end_here && !s.last) cut <= 1'b1;
    end
    if (start) last_beat <= seal ? COUNT_BITS'(SEAL_BEATS - 1) : COUNT_BITS'(OPEN_BEATS - 1);
    if (start || rst || clear) begin
      count  <= '0;
      length <= '0;
      ended  <= 1'b0;
      cut    <= 1'b0;
    end
  end

  release_fifo #(
      .DATA_BITS  (DATA_BITS),
      .STORE_BYTES(STORE_BYTES),
      .DESCRIPTORS(DESCRIPTORS)
  ) u_release (
      .*,
      .s_valid(into.valid),
      .s_ready(store_ready),
      .s_data (into.data),
      .s_bytes(into.bytes),
      .s_last (into.last),
      .m_valid(m.valid),
      .m_data (m.data),
      .m_bytes(m.bytes),
      .m_last (m.last)
  );

endmodule
