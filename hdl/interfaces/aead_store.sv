// SPDX-License-Identifier: Apache-2.0
//
// The release FIFO of an adapter, guarded against packets that are longer than it: these are cut, so that they can be
// discarded instead of blocking it for ever (`cut` asks for the verdict 0). Byte i of a beat is data[8i+7:8i].
// start, the packet, `ended`, verdict: one packet at a time goes in; any number wait inside.
// rst and clear drop and wipe everything (release_fifo), busy meanwhile.
module aead_store #(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned STORE_BYTES = 16384,  // longest packet; a power of two
    parameter int unsigned DESCRIPTORS = 16,  // packets waiting, a power of two, 2 or more
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  clear,
    output logic                  busy,           // wiping
    input  logic                  start,          // pulse: forget the packet before
    input  logic                  s_valid,        // unverified
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    output logic                  ended,          // the packet is in
    output logic                  cut,            // it was longer than the store
    output logic [          31:0] length,         // its bytes
    input  logic                  verdict_valid,
    output logic                  verdict_ready,
    input  logic                  verdict_ok,
    output logic                  m_valid,        // verified
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last
);

  localparam int unsigned BEATS = STORE_BYTES / (DATA_BITS / 8);
  localparam int unsigned COUNT_BITS = $clog2(BEATS);
  localparam logic [COUNT_BITS-1:0] LAST_BEAT = COUNT_BITS'(BEATS - 1);

  logic [COUNT_BITS-1:0] count;  // beats of this packet in the store
  logic [  COUNT_BITS:0] unused_room;
  logic store_ready, end_here;

  assign end_here = count == LAST_BEAT;
  assign s_ready  = !ended && (cut ? !busy : store_ready);

  always_ff @(posedge clk) begin
    if (s_valid && s_ready) begin
      count  <= count + 1'b1;
      length <= length + 32'(s_bytes);
      ended  <= s_last;
      if (end_here && !s_last) cut <= 1'b1;
    end
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
      .clk,
      .rst,
      .clear,
      .busy,
      .room   (unused_room),
      .s_valid(s_valid && !ended && !cut),
      .s_ready(store_ready),
      .s_data,
      .s_bytes,
      .s_last (s_last || end_here),
      .verdict_valid,
      .verdict_ready,
      .verdict_ok,
      .m_valid,
      .m_ready,
      .m_data,
      .m_bytes,
      .m_last
  );

endmodule
