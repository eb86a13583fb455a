// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: its pipelined compression functions. BLAKE2b has one pipeline for eight contexts; SHA-512 has a round loop for
// each two (docs/cores/omd-x8.md, docs/cores/omd-sha512-x4.md).
// Security: constant time; while `clear` is held the memories go to zero by the walking addresses.
module omd_x_pipelines #(
    parameter bit BLAKE2B = 1'b0,
    parameter int unsigned CONTEXTS = 8,
    parameter int unsigned LOOPS = 1,
    localparam int unsigned CTX_BITS = $clog2(CONTEXTS)
) (
    input logic                   clk,
    input logic                   clear,
    input logic             [8:0] clear_walk,  // walks through all values while clear is held
          omd_x_pipeline_if       pipe
);

  localparam int unsigned LOOP_BITS = LOOPS > 1 ? $clog2(LOOPS) : 1;

  if (BLAKE2B) begin : gen_blake2b
    logic unused_walk;
    assign unused_walk  = &{1'b0, clear_walk};
    assign pipe.dec_ask = 1'b1;
    blake2b_pipeline_x8 u_pipeline (
        .clk,
        .clear,
        .clear_walk(clear_walk[2:0]),
        .hold(pipe.hold),
        .ends_soon(pipe.ends_soon),
        .ends_soon_ctx(pipe.ends_soon_ctx),
        .dec_ctx(pipe.dec_ctx),
        .dec_chain(pipe.dec_chain),
        .dec_load(pipe.dec_load),
        .dec_from_sum(pipe.dec_from_sum),
        .dec_block(pipe.dec_block),
        .m_write(pipe.m_write),
        .m_addr(pipe.m_addr),
        .m_data(pipe.m_data),
        .xy_write(pipe.xy_write),
        .xy_addr(pipe.xy_addr),
        .xy_data(pipe.xy_data),
        .sum_ctx(pipe.sum_ctx),
        .sum_word(pipe.sum_word),
        .sum_data(pipe.sum_data),
        .sum_keep(pipe.sum_keep)
    );
  end else begin : gen_sha512
    // Each round loop has its own copies of the memories; contexts 0 and 1 are the first one's.
    logic [LOOPS-1:0][1:0][63:0] halves;
    logic [2:0] half_q;  // context / 2, half
    logic unused_bits;
    always_ff @(posedge clk) half_q <= {pipe.sum_ctx[2:1], pipe.sum_word[2]};
    always_ff @(posedge clk) pipe.sum_data <= halves[LOOP_BITS'(half_q[2:1])][half_q[0]];
    assign unused_bits = &{1'b0, pipe.sum_ctx, pipe.sum_keep, pipe.dec_from_sum, clear_walk};

    for (genvar l = 0; l < LOOPS; l++) begin : gen_loop
      logic end_ctx, ask_ctx;
      assign pipe.ends_soon_ctx[l] = CTX_BITS'({2'(l), end_ctx});
      assign pipe.dec_ctx[l]       = CTX_BITS'({2'(l), ask_ctx});

      // What the engine writes, a cycle later: the way is long. Of the words of a half one is written at a time.
      logic word_write_q;
      logic [7:0] word_addr_q;
      logic [63:0] word_q;
      logic [1:0] mask_write, mask_write_q;
      logic [1:0][3:0] mask_addr, mask_addr_q;
      logic [1:0][63:0] mask_q;
      always_comb begin
        mask_write = '0;
        mask_addr  = '0;
        for (int unsigned w = 0; w < 8; w++) begin
          if (pipe.xy_write[w] && pipe.xy_addr[w][2:1] == 2'(l)) begin
            mask_write[w/4] = 1'b1;
            mask_addr[w/4] |= {pipe.xy_addr[w][3], pipe.xy_addr[w][0], 2'(w)};
          end
        end
      end
      always_ff @(posedge clk) begin
        word_write_q <= pipe.m_write && (pipe.m_addr[7] || pipe.m_addr[5:4] == 2'(l));
        word_addr_q  <= {pipe.m_addr[7:6], pipe.m_addr[5:4] & {2{pipe.m_addr[7]}}, pipe.m_addr[3:0]};
        word_q       <= pipe.m_data;
        mask_write_q <= clear ? '1 : mask_write;
        mask_addr_q  <= clear ? {2{clear_walk[3:0]}} : mask_addr;
        mask_q       <= pipe.xy_data;
      end

      sha2_pipeline_x2 u_pipeline (
          .clk,
          .clear,
          .clear_walk(clear_walk[3:0]),
          .hold(pipe.hold),
          .ends_soon(pipe.ends_soon[l]),
          .ends_soon_ctx(end_ctx),
          .dec_ctx(ask_ctx),
          .dec_ask(pipe.dec_ask[l]),
          .dec_chain(pipe.dec_chain[l]),
          .dec_load(pipe.dec_load[l]),
          .dec_block(pipe.dec_block[l]),
          .m_write(word_write_q),
          .m_addr(word_addr_q),
          .m_data(word_q),
          .xy_write(mask_write_q),
          .xy_addr(mask_addr_q),
          .xy_data(mask_q),
          .sum_ctx(pipe.sum_ctx[0]),
          .sum_word(pipe.sum_word[1:0]),
          .sum_data(halves[l])
      );
    end
  end

endmodule
