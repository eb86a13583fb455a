// SPDX-License-Identifier: Apache-2.0
// OMD authenticated encryption over the SHA-512 compression function, four packets interleaved in two round loops.
// Specification: OMD v1 and v2 (CAESAR), sets omdsha512*; docs/cores/omd-sha512-x4.md. Ports: docs/core-ports.md.
// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].
// Cycles: over all contexts 40.5 a message block of 64 bytes, sealing or opening (81 with two contexts); alone 162.
// Security: constant time for given lengths. What `out` carries in opening is unverified until result_ok; only a
// release FIFO may take it. rst and clear zeroise all registers and memories in 768 cycles, with busy high.
module omd_sha512_x4 #(
    parameter  int unsigned DATA_BITS  = 64,   // beat of ad, msg and out: 64
    parameter  int unsigned KEY_BITS   = 512,  // 8 to 512, whole bytes
    parameter  int unsigned NONCE_BITS = 256,  // 8 to 504, whole bytes
    parameter  int unsigned TAG_BITS   = 256,  // 8 to 512, whole bytes
    parameter  int unsigned VERSION    = 2,    // 1 or 2
    parameter  int unsigned CONTEXTS   = 4,    // 2 or 4: a round loop for two
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),
    localparam int unsigned CTX_BITS   = $clog2(CONTEXTS)
) (
    input  logic                  clk,
    input  logic                  rst,            // synchronous, as clear
    input  logic                  clear,          // pulse: zeroise everything, drop what is in flight
    output logic                  busy,           // key work or a command in flight, or clearing
    input  logic                  key_valid,
    output logic                  key_ready,
    input  logic [  KEY_BITS-1:0] key_data,
    input  logic                  cmd_valid,
    output logic [  CONTEXTS-1:0] cmd_ready,
    input  logic [  CTX_BITS-1:0] cmd_ctx,        // one context: not looked at
    input  logic [           1:0] cmd_op,         // 0 seal, 1 open, 2 load AD
    input  logic                  cmd_cached_ad,  // use the AD cache, send no AD
    input  logic [NONCE_BITS-1:0] cmd_nonce,
    input  logic                  ad_valid,
    output logic [  CONTEXTS-1:0] ad_ready,
    input  logic [  CTX_BITS-1:0] ad_ctx,
    input  logic [ DATA_BITS-1:0] ad_data,
    input  logic [BYTES_BITS-1:0] ad_bytes,       // valid bytes of the beat
    input  logic                  ad_last,
    input  logic                  msg_valid,
    output logic [  CONTEXTS-1:0] msg_ready,
    input  logic [  CTX_BITS-1:0] msg_ctx,
    input  logic [ DATA_BITS-1:0] msg_data,       // message, or ciphertext without tag
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,
    input  logic                  tag_in_valid,
    output logic [  CONTEXTS-1:0] tag_in_ready,
    input  logic [  CTX_BITS-1:0] tag_in_ctx,
    input  logic [  TAG_BITS-1:0] tag_in_data,    // expected tag, open only
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [  CTX_BITS-1:0] out_ctx,
    output logic [ DATA_BITS-1:0] out_data,       // ciphertext, or plaintext NOT YET VERIFIED
    output logic [BYTES_BITS-1:0] out_bytes,
    output logic                  out_last,
    output logic                  result_valid,
    input  logic                  result_ready,
    output logic [  CTX_BITS-1:0] result_ctx,
    output logic                  result_ok,
    output logic [  TAG_BITS-1:0] result_tag      // seal only, else 0
);

  if (CONTEXTS != 2 && CONTEXTS != 4) begin : gen_bad_contexts
    $fatal(1, "omd_sha512_x4: CONTEXTS = %0d, allowed: 2, 4", CONTEXTS);
  end

  localparam int unsigned LOOPS = CONTEXTS / 2;
  localparam int unsigned LOOP_BITS = LOOPS > 1 ? $clog2(LOOPS) : 1;

  logic f_clear, f_hold, m_write;
  logic [8:0] f_walk;
  logic [LOOPS-1:0] ends_soon, dec_ask, dec_chain, dec_load, dec_from_sum;
  logic [LOOPS-1:0][CTX_BITS-1:0] ends_soon_ctx, dec_ctx;
  logic [LOOPS-1:0][1:0] dec_block;
  logic [7:0] m_addr, xy_write;
  logic [7:0][ 3:0] xy_addr;
  logic [1:0][63:0] xy_data;
  logic [63:0] m_data, sum_data;
  logic [2:0] sum_ctx, sum_word;

  omd_x_core #(
      .DATA_BITS (DATA_BITS),
      .KEY_BITS  (KEY_BITS),
      .NONCE_BITS(NONCE_BITS),
      .TAG_BITS  (TAG_BITS),
      .VERSION   (VERSION),
      .CONTEXTS  (CONTEXTS),
      .LOOPS     (LOOPS),
      .SHA2      (1'b1)
  ) u_core (
      .*
  );  // ports of the contract, and those to the pipelines

  // Each round loop has its own copies of the memories; contexts 0 and 1 are the first one's.
  logic [LOOPS-1:0][1:0][63:0] halves;
  logic [2:0] half_q;  // context / 2, half
  logic unused_bits;
  always_ff @(posedge clk) half_q <= {sum_ctx[2:1], sum_word[2]};
  always_ff @(posedge clk) sum_data <= halves[LOOP_BITS'(half_q[2:1])][half_q[0]];
  assign unused_bits = &{1'b0, sum_ctx, dec_from_sum, f_walk};

  for (genvar l = 0; l < LOOPS; l++) begin : gen_loop
    logic end_ctx, ask_ctx;
    assign ends_soon_ctx[l] = CTX_BITS'({2'(l), end_ctx});
    assign dec_ctx[l]       = CTX_BITS'({2'(l), ask_ctx});

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
        if (xy_write[w] && xy_addr[w][2:1] == 2'(l)) begin
          mask_write[w/4] = 1'b1;
          mask_addr[w/4] |= {xy_addr[w][3], xy_addr[w][0], 2'(w)};
        end
      end
    end
    always_ff @(posedge clk) begin
      word_write_q <= m_write && (m_addr[7] || m_addr[5:4] == 2'(l));
      word_addr_q  <= {m_addr[7:6], m_addr[5:4] & {2{m_addr[7]}}, m_addr[3:0]};
      word_q       <= m_data;
      mask_write_q <= f_clear ? '1 : mask_write;
      mask_addr_q  <= f_clear ? {2{f_walk[3:0]}} : mask_addr;
      mask_q       <= xy_data;
    end

    sha2_pipeline_x2 u_pipeline (
        .clk,
        .clear(f_clear),
        .clear_walk(f_walk[3:0]),
        .hold(f_hold),
        .ends_soon(ends_soon[l]),
        .ends_soon_ctx(end_ctx),
        .dec_ctx(ask_ctx),
        .dec_ask(dec_ask[l]),
        .dec_chain(dec_chain[l]),
        .dec_load(dec_load[l]),
        .dec_block(dec_block[l]),
        .m_write(word_write_q),
        .m_addr(word_addr_q),
        .m_data(word_q),
        .xy_write(mask_write_q),
        .xy_addr(mask_addr_q),
        .xy_data(mask_q),
        .sum_ctx(sum_ctx[0]),
        .sum_word(sum_word[1:0]),
        .sum_data(halves[l])
    );
  end

endmodule
