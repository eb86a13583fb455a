// SPDX-License-Identifier: Apache-2.0
//
// Holds input beats back for each context of a core: one memory, a queue of BYTES for each. Beats of one context keep
// their order; a context that is not ready holds up none but itself. BYTES = 0: beats pass straight through.
// Byte i of a beat is data[8i+7:8i]. Cycles: a beat shows two after it came; one a cycle over all contexts, one in two
// for one of several (it must be seen to be ready again). rst and clear wipe the memory, busy meanwhile.
module aead_queue #(
    parameter int unsigned DATA_BITS = 64,
    parameter int unsigned CONTEXTS = 1,  // a power of two
    parameter int unsigned BYTES = 2048,  // of a context; 0, or a power of two of 4 beats or more
    localparam int unsigned CTX_BITS = CONTEXTS == 1 ? 1 : $clog2(CONTEXTS),
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  clear,
    output logic                  busy,     // wiping
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [  CTX_BITS-1:0] s_ctx,
    input  logic [ DATA_BITS-1:0] s_data,
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    output logic                  m_valid,
    input  logic [  CONTEXTS-1:0] m_ready,
    output logic [  CTX_BITS-1:0] m_ctx,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last
);

  if (BYTES == 0) begin : g_none
    assign busy = 1'b0;
    assign m_valid = s_valid;
    assign s_ready = m_ready[s_ctx];
    assign m_ctx = s_ctx;
    assign m_data = s_data;
    assign m_bytes = s_bytes;
    assign m_last = s_last;
    logic unused;
    assign unused = &{1'b0, clk, rst, clear};
  end else begin : g_queue
    localparam int unsigned WORDS = BYTES / (DATA_BITS / 8);
    localparam int unsigned WORD_BITS = $clog2(WORDS);
    localparam int unsigned WIDTH = DATA_BITS + BYTES_BITS + 1;
    typedef logic [WORD_BITS:0] pointer_t;  // one bit more than an address: full differs from empty

    if (WORDS < 4 || (WORDS & (WORDS - 1)) != 0 || WORDS * (DATA_BITS / 8) != BYTES) begin : g_bad_bytes
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
    assign s_ready = !busy && w_ptr[s_ctx] - r_ptr[s_ctx] != pointer_t'(WORDS);
    assign write = s_valid && s_ready;

    // Turns go round, from the context after the last one on.
    always_comb begin
      for (int unsigned c = 0; c < CONTEXTS; c++) begin
        there[c] = w_ptr[c] != r_ptr[c];
        if (CONTEXTS > 1 && (!m_ready[c] || (m_valid && m_ctx == CTX_BITS'(c)))) there[c] = 1'b0;
      end
      found  = 1'b0;
      chosen = '0;
      for (int unsigned i = CONTEXTS; i > 0; i--) begin
        if (there[(32'(m_ctx)+i)%CONTEXTS]) begin
          found  = 1'b1;
          chosen = CTX_BITS'((32'(m_ctx) + i) % CONTEXTS);
        end
      end
    end
    assign read = found && !busy && (!m_valid || m_ready[m_ctx]);

    always_ff @(posedge clk) begin
      if (write) w_ptr[s_ctx] <= w_ptr[s_ctx] + 1'b1;
      if (m_ready[m_ctx]) m_valid <= 1'b0;
      if (read) begin
        m_valid <= 1'b1;
        m_ctx <= chosen;
        r_ptr[chosen] <= r_ptr[chosen] + 1'b1;
      end
      if (wipe) begin
        for (int unsigned c = 0; c < CONTEXTS; c++) begin
          w_ptr[c] <= '0;
          r_ptr[c] <= '0;
        end
        m_valid <= 1'b0;
        m_ctx   <= '0;
      end
    end

    localparam int unsigned ADDR_BITS = $clog2(WORDS * CONTEXTS);
    logic [ADDR_BITS-1:0] w_addr, r_addr;
    if (CONTEXTS == 1) begin : g_one
      assign w_addr = w_ptr[0][WORD_BITS-1:0];
      assign r_addr = r_ptr[0][WORD_BITS-1:0];
    end else begin : g_many
      assign w_addr = {s_ctx, w_ptr[s_ctx][WORD_BITS-1:0]};
      assign r_addr = {chosen, r_ptr[chosen][WORD_BITS-1:0]};
    end

    wiped_ram #(
        .WIDTH(WIDTH),
        .DEPTH(WORDS * CONTEXTS)
    ) u_memory (
        .w_clk   (clk),
        .w_wipe  (wipe),
        .w_wiping(busy),
        .w_en    (write),
        .w_addr,
        .w_data  ({s_data, s_bytes, s_last}),
        .r_clk   (clk),
        .r_en    (read || busy),
        .r_addr,
        .r_data  ({m_data, m_bytes, m_last})
    );
  end

endmodule
