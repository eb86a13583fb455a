// SPDX-License-Identifier: Apache-2.0
//
// Holds input beats back for each context of a core: one memory, a queue of BYTES for each. Beats of one context keep
// their order; a context that is not ready holds up none but itself. BYTES = 0: beats pass straight through.
// Byte i of a beat is data[8i+7:8i]. Cycles: a beat shows two after it came; one a cycle over all contexts, one in two
// for one of several (it must be seen to be ready again). rst and clear wipe the memory, busy meanwhile.
module aead_queue #(
    parameter type beat_t = logic,  // of aead_if
    parameter int unsigned CONTEXTS = 1,  // a power of two
    parameter int unsigned BYTES = 2048  // of a context; 0, or a power of two of 4 beats or more
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 clear,
    output logic                 busy,     // wiping
    input  beat_t                s,
    output logic                 s_ready,
    output beat_t                m,
    input  logic  [CONTEXTS-1:0] m_ready
);

  if (BYTES == 0) begin : g_none
    assign busy = 1'b0;
    assign m = s;
    assign s_ready = m_ready[s.ctx];
    logic unused;
    assign unused = &{1'b0, clk, rst, clear};
  end else begin : g_queue
    localparam int unsigned CTX_BITS = $bits(s.ctx);
    localparam int unsigned BEAT_BYTES = $bits(s.data) / 8;
    localparam int unsigned WORDS = BYTES / BEAT_BYTES;
    localparam int unsigned WORD_BITS = $clog2(WORDS);
    typedef logic [WORD_BITS:0] pointer_t;  // one bit more than an address: full differs from empty

    if (WORDS < 4 || (WORDS & (WORDS - 1)) != 0 || WORDS * BEAT_BYTES != BYTES) begin : g_bad_bytes
      $fatal(1, "aead_queue: BYTES = %0d must be 0 or a power of two of beats, 4 or more", BYTES);
    end
    if ((CONTEXTS & (CONTEXTS - 1)) != 0) begin : g_bad_contexts
      $fatal(1, "aead_queue: CONTEXTS = %0d must be a power of two", CONTEXTS);
    end

    pointer_t [CONTEXTS-1:0] w_ptr, r_ptr;  // packed: written in two places, so no memories of two write ports
    logic [CONTEXTS-1:0] there;
    logic wipe, write, found, read;
    logic [CTX_BITS-1:0] chosen;

    assign wipe = rst || clear;
    assign s_ready = !busy && w_ptr[s.ctx] - r_ptr[s.ctx] != pointer_t'(WORDS);
    assign write = s.valid && s_ready;

    // Turns go round, from the context after the last one on.
    always_comb begin
      for (int unsigned c = 0; c < CONTEXTS; c++) begin
        there[c] = w_ptr[c] != r_ptr[c];
        if (CONTEXTS > 1 && (!m_ready[c] || (m.valid && m.ctx == CTX_BITS'(c)))) there[c] = 1'b0;
      end
      found  = 1'b0;
      chosen = '0;
      for (int unsigned i = CONTEXTS; i > 0; i--) begin
        if (there[(32'(m.ctx)+i)%CONTEXTS]) begin
          found  = 1'b1;
          chosen = CTX_BITS'((32'(m.ctx) + i) % CONTEXTS);
        end
      end
    end
    assign read = found && !busy && (!m.valid || m_ready[m.ctx]);

    always_ff @(posedge clk) begin
      if (write) w_ptr[s.ctx] <= w_ptr[s.ctx] + 1'b1;
      if (m_ready[m.ctx]) m.valid <= 1'b0;
      if (read) begin
        m.valid <= 1'b1;
        m.ctx <= chosen;
        r_ptr[chosen] <= r_ptr[chosen] + 1'b1;
      end
      if (wipe) begin
        for (int unsigned c = 0; c < CONTEXTS; c++) begin
          w_ptr[c] <= '0;
          r_ptr[c] <= '0;
        end
        m.valid <= 1'b0;
        m.ctx   <= '0;
      end
    end

    localparam int unsigned ADDR_BITS = $clog2(WORDS * CONTEXTS);
    logic [ADDR_BITS-1:0] w_addr, r_addr;
    if (CONTEXTS == 1) begin : g_one
      assign w_addr = w_ptr[0][WORD_BITS-1:0];
      assign r_addr = r_ptr[0][WORD_BITS-1:0];
    end else begin : g_many
      assign w_addr = {s.ctx, w_ptr[s.ctx][WORD_BITS-1:0]};
      assign r_addr = {chosen, r_ptr[chosen][WORD_BITS-1:0]};
    end

    wiped_ram #(
        .WIDTH($bits({s.data, s.bytes, s.last})),
        .DEPTH(WORDS * CONTEXTS)
    ) u_memory (
        .w_clk   (clk),
        .w_wipe  (wipe),
        .w_wiping(busy),
        .w_en    (write),
        .w_addr,
        .w_data  ({s.data, s.bytes, s.last}),
        .r_clk   (clk),
        .r_en    (read || busy),
        .r_addr,
        .r_data  ({m.data, m.bytes, m.last})
    );
  end

endmodule
