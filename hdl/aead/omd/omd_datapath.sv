// SPDX-License-Identifier: Apache-2.0
// OMD data path: key, L*, L[i] by doubling, Delta, block buffer, sum of the AD digests, AD cache, tag.
// docs/cores/omd.md, "Data path". Every call to the compression function is
//   digest <= F'(chain, key || msg), chain = (digest of the last call, or left half of the block) + Delta.
// Byte order: byte i of every string in bits [8i+7:8i]; only the doubling reads strings as numbers (gf2n_pkg).
// Security: constant time; `clear` zeroises every register; the tag is compared whole, in one cycle.
module omd_datapath
  import omd_pkg::*;
#(
    parameter  int unsigned N_BITS     = 512,                 // block and chaining value: 256 or 512
    parameter  int unsigned DATA_BITS  = 64,                  // beat
    parameter  int unsigned KEY_BITS   = 512,                 // 8 to N_BITS
    parameter  int unsigned NONCE_BITS = 256,                 // 8 to N_BITS - 8
    parameter  int unsigned TAG_BITS   = 256,                 // 8 to N_BITS
    localparam int unsigned N_BYTES    = N_BITS / 8,
    localparam int unsigned BEATS      = N_BITS / DATA_BITS,
    localparam int unsigned SLOT_BITS  = $clog2(2 * BEATS)
) (
    input logic clk,
    input logic clear,
    input datapath_t ctl,

    input logic [  KEY_BITS-1:0] key,
    input logic [NONCE_BITS-1:0] nonce,
    input logic [  TAG_BITS-1:0] tag_in,

    input logic                   write,
    input logic [  SLOT_BITS-1:0] write_slot,
    input logic [  DATA_BITS-1:0] write_data,
    input logic [DATA_BITS/8-1:0] write_mask,

    output logic [N_BITS-1:0] f_key,
    output logic [N_BITS-1:0] f_chain,
    output logic [N_BITS-1:0] f_msg,
    input  logic [N_BITS-1:0] f_digest,

    output logic [  N_BITS-1:0] out_block,  // buffer + digest, zero beyond the string
    output logic [TAG_BITS-1:0] tag,
    output logic                tag_equal   // tag = tag_in
);

  // <tau>: the tag length in bits as a big-endian number of n bytes
  localparam logic [N_BITS-1:0] TAU_BLOCK = {8'(TAG_BITS), 8'(TAG_BITS >> 8), {(N_BITS - 16) {1'b0}}};
  // 10* behind the nonce
  localparam logic [N_BITS-1:0] NONCE_PAD = N_BITS'(8'h80) << NONCE_BITS;

  logic [  KEY_BITS-1:0] key_q;
  logic [NONCE_BITS-1:0] nonce_q;
  logic [N_BITS-1:0] l_star_q, l_q, delta_q;
  logic [BEATS-1:0][DATA_BITS-1:0] left_q, right_q;  // left half of an AD block; right half of it, or message
  logic [BEATS-1:0][DATA_BITS/8-1:0] mask_q;  // bytes of right_q that belong to the message
  logic [TAG_BITS-1:0] ad_sum_q, cache_q, tag_q;

  // 2 L in the field
  logic [N_BITS-1:0] l_twice;
  if (N_BITS == 512) begin : gen_double_512
    assign l_twice = gf2n_pkg::gf512_double(l_q);
  end else begin : gen_double_256
    assign l_twice = gf2n_pkg::gf256_double(l_q);
  end

  // The compression call
  logic [N_BITS-1:0] digest_masked;
  always_comb begin
    for (int unsigned i = 0; i < N_BYTES; i++) begin
      digest_masked[8*i+:8] = f_digest[8*i+:8] & {8{mask_q[i/(DATA_BITS/8)][i%(DATA_BITS/8)]}};
    end
  end
  assign f_key   = N_BITS'(key_q);
  assign f_chain = (ctl.use_h ? f_digest : left_q) ^ delta_q;
  assign f_msg   = right_q ^ (ctl.open ? digest_masked : '0) ^ (ctl.msg_tau ? TAU_BLOCK : '0);

  // Output: padding bytes of the buffer must not show, so both terms are masked
  always_comb begin
    for (int unsigned i = 0; i < N_BYTES; i++) begin
      out_block[8*i+:8] = digest_masked[8*i+:8]
        ^ (right_q[i/(DATA_BITS/8)][8*(i%(DATA_BITS/8))+:8] & {8{mask_q[i/(DATA_BITS/8)][i%(DATA_BITS/8)]}});
    end
  end

  assign tag = tag_q;
  assign tag_equal = tag_q == tag_in;

  always_ff @(posedge clk) begin
    if (ctl.key_load) key_q <= key;
    if (ctl.l_star_load) l_star_q <= f_digest;
    if (ctl.nonce_load) nonce_q <= nonce;

    if (ctl.l_restart) l_q <= l_star_q;
    else if (ctl.l_double) l_q <= l_twice;

    delta_q <= (ctl.delta_keep ? delta_q : '0)
      ^ (ctl.delta_add_l ? l_q : '0)
      ^ (ctl.delta_add_h ? f_digest : '0)
      ^ (ctl.delta_add_nonce ? (N_BITS'(nonce_q) | NONCE_PAD) : '0);

    if (write) begin
      for (int unsigned i = 0; i < BEATS; i++) begin
        if (write_slot == SLOT_BITS'(i)) left_q[i] <= write_data;
        if (write_slot == SLOT_BITS'(BEATS + i)) begin
          right_q[i] <= write_data;
          mask_q[i]  <= write_mask;
        end
      end
    end
    if (ctl.block_clear) begin
      left_q  <= '0;
      right_q <= '0;
      mask_q  <= '0;
    end

    if (ctl.ad_sum_start) ad_sum_q <= ctl.ad_sum_cached ? cache_q : '0;
    else if (ctl.ad_sum_add) ad_sum_q <= ad_sum_q ^ f_digest[TAG_BITS-1:0];
    if (ctl.cache_load) cache_q <= ad_sum_q;

    if (ctl.tag_load) tag_q <= f_digest[TAG_BITS-1:0] ^ ad_sum_q;
    if (ctl.tag_clear) tag_q <= '0;

    if (clear) begin
      key_q    <= '0;
      nonce_q  <= '0;
      l_star_q <= '0;
      l_q      <= '0;
      delta_q  <= '0;
      left_q   <= '0;
      right_q  <= '0;
      mask_q   <= '0;
      ad_sum_q <= '0;
      cache_q  <= '0;
      tag_q    <= '0;
    end
  end

endmodule
