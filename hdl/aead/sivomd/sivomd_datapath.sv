// SPDX-License-Identifier: Apache-2.0
// SIV-OMD (experimental) data path: key, L*, its multiples by doubling, Delta, block buffer, sum of the MAC's digests, IV.
// docs/cores/siv-omd.md, "Structure". Every call to the compression function is
//   digest <= F'(chain, key || msg), chain = left half + Delta, and in the serial mode + digest of the last call.
// Byte order: byte i of every string in bits [8i+7:8i]; only the doubling reads strings as numbers (gf2n_pkg).
// Security: constant time; `clear` zeroises every register; the tag is compared whole, in one cycle.
module sivomd_datapath
  import sivomd_pkg::*;
#(
    parameter  int unsigned SERIAL     = 0,                   // 0: parallel mode, 1: serial mode
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

    output logic [  N_BITS-1:0] out_block,  // right half + digest, zero beyond the message
    output logic [TAG_BITS-1:0] tag,        // the IV
    output logic                tag_equal   // the sum is the IV
);

  // <tau>: the tag length in bits as a big-endian number of n bytes
  localparam logic [N_BITS-1:0] TAU_BLOCK = {8'(TAG_BITS), 8'(TAG_BITS >> 8), {(N_BITS - 16) {1'b0}}};

  logic [  KEY_BITS-1:0] key_q;
  logic [NONCE_BITS-1:0] nonce_q;
  logic [N_BITS-1:0] l_star_q, l_q, delta_q;
  logic [BEATS-1:0][  DATA_BITS-1:0] left_q;  // of a block of the MAC; or the sum, or the IV
  logic [BEATS-1:0][  DATA_BITS-1:0] right_q;  // of a block of the MAC; or the block that is encrypted
  logic [BEATS-1:0][DATA_BITS/8-1:0] mask_q;  // bytes of right_q that belong to the message
  logic [N_BITS-1:0] sum_q, cache_q;  // digests of the MAC; in opening then the tag that the strings make
  logic [TAG_BITS-1:0] iv_q;  // the tag as it starts the encryption: made in sealing, given in opening

  // Nonce, padded with 10*
  logic [  N_BITS-1:0] nonce_block;
  assign nonce_block = N_BITS'({8'h80, nonce_q});

  logic [BEATS-1:0][DATA_BITS-1:0] sum_block, iv_block;
  assign sum_block = sum_q;
  assign iv_block  = N_BITS'(iv_q);

  // 2 L in the field
  logic [N_BITS-1:0] l_twice;
  if (N_BITS == 512) begin : gen_double_512
    assign l_twice = gf2n_pkg::gf512_double(l_q);
  end else begin : gen_double_256
    assign l_twice = gf2n_pkg::gf256_double(l_q);
  end

  logic [N_BYTES-1:0] byte_mask;
  logic [N_BITS-1:0] text_mask, right;
  assign byte_mask = mask_q;
  assign right     = right_q;
  always_comb begin
    for (int unsigned i = 0; i < N_BYTES; i++) text_mask[8*i+:8] = {8{byte_mask[i]}};
  end

  // The compression call
  logic [N_BITS-1:0] block;
  assign f_key = N_BITS'(key_q);
  assign block = right ^ (TAU_BLOCK & {N_BITS{ctl.use_tau}});
  if (SERIAL != 0) begin : gen_serial
    assign f_chain = (f_digest & {N_BITS{ctl.use_h}}) ^ left_q ^ delta_q;
    assign f_msg   = ctl.use_nonce ? nonce_block : block ^ (f_digest & text_mask & {N_BITS{ctl.open}});
  end else begin : gen_parallel
    logic unused_serial;
    assign unused_serial = &{1'b0, ctl.use_h, ctl.open};
    assign f_chain = left_q ^ delta_q;
    assign f_msg = ctl.use_nonce ? nonce_block : block;
  end

  assign out_block = (right ^ f_digest) & text_mask;
  assign tag       = iv_q;
  assign tag_equal = sum_q[TAG_BITS-1:0] == iv_q;

  always_ff @(posedge clk) begin
    if (ctl.key_load) key_q <= key;
    if (ctl.l_star_load) l_star_q <= f_digest;
    if (ctl.nonce_take) nonce_q <= nonce;

    if (ctl.l_restart) l_q <= l_star_q;
    else if (ctl.l_double) l_q <= l_twice;

    if (ctl.delta_clear) delta_q <= '0;
    else if (ctl.delta_add_l) delta_q <= delta_q ^ l_q;

    for (int unsigned i = 0; i < BEATS; i++) begin
      if (ctl.left_from_sum) left_q[i] <= sum_block[i];
      else if (ctl.left_from_iv) left_q[i] <= iv_block[i];
      else if (write && write_slot == SLOT_BITS'(i)) left_q[i] <= write_data;
      if (write && write_slot == SLOT_BITS'(BEATS + i)) begin
        right_q[i] <= write_data;
        mask_q[i]  <= write_mask;
      end
    end
    if (ctl.left_clear) left_q <= '0;
    if (ctl.right_clear) begin
      right_q <= '0;
      mask_q  <= '0;
    end

    if (ctl.sum_from_cache) sum_q <= cache_q;
    else if (ctl.sum_add) sum_q <= sum_q ^ f_digest;
    if (ctl.sum_clear) sum_q <= '0;
    if (ctl.cache_load) cache_q <= sum_q;

    if (ctl.iv_from_digest) iv_q <= f_digest[TAG_BITS-1:0];
    if (ctl.iv_from_port) iv_q <= tag_in;
    if (ctl.iv_clear) iv_q <= '0;

    if (clear) begin
      key_q    <= '0;
      nonce_q  <= '0;
      l_star_q <= '0;
      l_q      <= '0;
      delta_q  <= '0;
      left_q   <= '0;
      right_q  <= '0;
      mask_q   <= '0;
      sum_q    <= '0;
      cache_q  <= '0;
      iv_q     <= '0;
    end
  end

endmodule
