// SPDX-License-Identifier: Apache-2.0
// OMD data path: key, L*, L[i] by doubling, Delta, block buffer, sum of the digests (in the end the tag), AD cache.
// docs/cores/omd.md, "Data path". Every call to the compression function is
//   digest <= F'(chain, key || msg), chain = (digest of the last call, or left half of the block) + Delta.
// Byte order: byte i of every string in bits [8i+7:8i]; only the doubling reads strings as numbers (gf2n_pkg).
// Security: constant time; `clear` zeroises every register.
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

    input logic                   write,
    input logic [  SLOT_BITS-1:0] write_slot,
    input logic [  DATA_BITS-1:0] write_data,
    input logic [DATA_BITS/8-1:0] write_mask,

    output logic [N_BITS-1:0] f_key,
    output logic [N_BITS-1:0] f_chain,
    output logic [N_BITS-1:0] f_msg,
    input  logic [N_BITS-1:0] f_digest,

    output logic [  N_BITS-1:0] out_block,  // buffer + digest, zero beyond the string
    output logic [TAG_BITS-1:0] tag         // sum of the digests
);

  // <tau>: the tag length in bits as a big-endian number of n bytes
  localparam logic [N_BITS-1:0] TAU_BLOCK = {8'(TAG_BITS), 8'(TAG_BITS >> 8), {(N_BITS - 16) {1'b0}}};

  logic [  KEY_BITS-1:0] key_q;
  logic [NONCE_BITS-1:0] nonce_q;
  logic [N_BITS-1:0] l_star_q, l_q, delta_q;
  logic [BEATS-1:0][DATA_BITS-1:0] left_q, right_q;  // left half of an AD block; right half of it, or message
  logic [BEATS-1:0][DATA_BITS/8-1:0] mask_q;  // bytes of right_q that belong to the message
  logic [BEATS-1:0][DATA_BITS/8-1:0] open_mask_q;  // bytes of right_q that belong to the ciphertext
  logic [TAG_BITS-1:0] sum_q, cache_q;  // sum of the digests that make the tag

  // Nonce, padded with 10*
  logic [N_BITS-1:0] nonce_block;
  assign nonce_block = N_BITS'({8'h80, nonce_q});

  // 2 L in the field
  logic [N_BITS-1:0] l_twice;
  if (N_BITS == 512) begin : gen_double_512
    assign l_twice = gf2n_pkg::gf512_double(l_q);
  end else begin : gen_double_256
    assign l_twice = gf2n_pkg::gf256_double(l_q);
  end

  logic [N_BITS-1:0] delta_term;
  always_comb begin
    unique case (ctl.delta_add)
      ADD_L:      delta_term = l_q;
      ADD_DIGEST: delta_term = f_digest;
      ADD_NONCE:  delta_term = nonce_block;
      default:    delta_term = '0;
    endcase
  end

  // The compression call. left_q is zero whenever the digest is used.
  logic [N_BYTES-1:0] byte_mask, open_mask;
  logic [N_BITS-1:0] text_mask, ciphertext_mask, right;
  assign byte_mask = mask_q;
  assign open_mask = open_mask_q;
  assign right     = right_q;
  always_comb begin
    for (int unsigned i = 0; i < N_BYTES; i++) begin
      text_mask[8*i+:8]       = {8{byte_mask[i]}};
      ciphertext_mask[8*i+:8] = {8{open_mask[i]}};
    end
  end
  assign f_key     = N_BITS'(key_q);
  assign f_chain   = (f_digest & {N_BITS{ctl.use_h}}) ^ left_q ^ delta_q;
  assign f_msg     = right ^ (f_digest & ciphertext_mask) ^ (TAU_BLOCK & {N_BITS{ctl.msg_tau}});

  assign out_block = (right ^ f_digest) & text_mask;
  assign tag       = sum_q;

  always_ff @(posedge clk) begin
    if (ctl.key_load) key_q <= key;
    if (ctl.l_star_load) l_star_q <= f_digest;
    if (ctl.nonce_take) nonce_q <= nonce;

    if (ctl.l_restart) l_q <= l_star_q;
    else if (ctl.l_double) l_q <= l_twice;

    if (ctl.delta_clear) delta_q <= '0;
    else delta_q <= delta_q ^ delta_term;

    for (int unsigned i = 0; i < BEATS; i++) begin
      if (write && write_slot == SLOT_BITS'(i)) left_q[i] <= write_data;
      if (write && write_slot == SLOT_BITS'(BEATS + i)) begin
        right_q[i]     <= write_data;
        mask_q[i]      <= write_mask;
        open_mask_q[i] <= write_mask & {(DATA_BITS / 8) {ctl.open}};
      end
    end
    if (ctl.block_clear) begin
      left_q <= '0;
      right_q <= '0;
      mask_q <= '0;
      open_mask_q <= '0;
    end

    if (ctl.sum_from_cache) sum_q <= cache_q;
    else if (ctl.sum_add) sum_q <= sum_q ^ f_digest[TAG_BITS-1:0];
    if (ctl.sum_clear) sum_q <= '0;
    if (ctl.cache_load) cache_q <= sum_q;

    if (clear) begin
      key_q       <= '0;
      nonce_q     <= '0;
      l_star_q    <= '0;
      l_q         <= '0;
      delta_q     <= '0;
      left_q      <= '0;
      right_q     <= '0;
      mask_q      <= '0;
      open_mask_q <= '0;
      sum_q       <= '0;
      cache_q     <= '0;
    end
  end

endmodule
