// SPDX-License-Identifier: Apache-2.0
//
// Proof harness of hdl/lib/stream/release_fifo, small enough for a SAT solver: beats of 8 bits, 4 words, 2 descriptors.
// One packet, any, is marked: all its beats have the top bit set, all others have not, and its verdict is "discard".
// Everything else is free. Property: the top bit never shows on the released side. With the module's own assertions
// (no beat without a release, streams hold, quiet while wiping) this is "nothing unverified leaves".
module release_fifo_proof (
    input logic       clk,
    input logic       rst,
    input logic       clear,
    input logic       s_valid,
    input logic [6:0] s_data,
    input logic       s_last,
    input logic       verdict_valid,
    input logic       verdict_ok,
    input logic       m_ready,
    input logic [2:0] marked          // which packet since the last clear
);

  logic busy, s_ready, verdict_ready, m_valid, m_last;
  logic [2:0] room;
  logic [7:0] m_data;
  logic [0:0] m_bytes;

  logic [2:0] packets, verdicts, chosen;  // counted since the last clear
  logic mark, ok;
  assign mark = packets == chosen;
  assign ok   = verdict_ok && verdicts != chosen;

  release_fifo #(
      .DATA_BITS  (8),
      .STORE_BYTES(4),
      .DESCRIPTORS(2)
  ) dut (
      .clk,
      .rst,
      .clear,
      .busy,
      .room,
      .s_valid,
      .s_ready,
      .s_data({mark, s_data}),
      .s_bytes(1'b1),
      .s_last,
      .verdict_valid,
      .verdict_ready,
      .verdict_ok(ok),
      .m_valid,
      .m_ready,
      .m_data,
      .m_bytes,
      .m_last
  );

  // The counts stop at 7, so the marked packet is one of the first seven after a clear.
  always_ff @(posedge clk) begin
    if (s_valid && s_ready && s_last && packets != 3'd7) packets <= packets + 3'd1;
    if (verdict_valid && verdict_ready && verdicts != 3'd7) verdicts <= verdicts + 3'd1;
    if (rst || clear) begin
      packets  <= '0;
      verdicts <= '0;
      chosen   <= (marked == 3'd7) ? 3'd0 : marked;
    end
  end

  logic started;
  initial started = 1'b0;
  always_ff @(posedge clk) begin
    if (!started) assume (rst);
    started <= 1'b1;
    if (started && !rst && !clear) nothing_discarded_shows : assert (!(m_valid && m_data[7]));
  end

endmodule
