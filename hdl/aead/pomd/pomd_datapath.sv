// SPDX-License-Identifier: Apache-2.0
// p-OMD data path: key, L*, its multiples by doubling, Delta, the two halves of a step, tag.
// docs/cores/pomd.md, "Structure". Every call to the compression function is
//   digest <= F'(chain, key || msg), chain = digest of the last call + left half + Delta.
// Byte order: byte i of every string in bits [8i+7:8i]; only the doubling reads strings as numbers (gf2n_pkg).
// Security: constant time; `clear` zeroises every register.
module pomd_datapath
  import pomd_pkg::*;
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

    input logic                   ad_write,
    input logic                   ad_wide,    // the slot counts from the left half on, else within it (upper numbers)
    input logic [  SLOT_BITS-1:0] ad_slot,
    input logic [  DATA_BITS-1:0] ad_data,
    input logic                   msg_write,
    input logic [  SLOT_BITS-1:0] msg_slot,   // upper numbers
    input logic [  DATA_BITS-1:0] msg_data,
    input logic [DATA_BITS/8-1:0] msg_mask,

    output logic [N_BITS-1:0] f_key,
    output logic [N_BITS-1:0] f_chain,
    output logic [N_BITS-1:0] f_msg,
    input  logic [N_BITS-1:0] f_digest,

    output logic [  N_BITS-1:0] out_block,  // right half + digest, zero beyond the message
    output logic [TAG_BITS-1:0] tag         // what the strings make
);

  // <tau>: the tag length in bits as a big-endian number of n bytes
  localparam logic [N_BITS-1:0] TAU_BLOCK = {8'(TAG_BITS), 8'(TAG_BITS >> 8), {(N_BITS - 16) {1'b0}}};

  logic [  KEY_BITS-1:0] key_q;
  logic [NONCE_BITS-1:0] nonce_q;
  logic [N_BITS-1:0] l_star_q, l_q, delta_q;
  logic [BEATS-1:0][DATA_BITS-1:0] left_q;  // associated data
  logic [BEATS-1:0][DATA_BITS-1:0] right_q;  // message, or right half of a block of 2n bytes of associated data
  logic [BEATS-1:0][DATA_BITS/8-1:0] mask_q;  // bytes of right_q that belong to the message
  logic [TAG_BITS-1:0] check_q;  // the tag that the strings make

  // Nonce, padded with 10*
  logic [BEATS-1:0][DATA_BITS-1:0] nonce_block;
  assign nonce_block = N_BITS'({8'h80, nonce_q});

  // 2 L in the field
  logic [N_BITS-1:0] l_twice;
  if (N_BITS == 512) begin : gen_double_512
    assign l_twice = gf2n_pkg::gf512_double(l_q);
  end else begin : gen_double_256
    assign l_twice = gf2n_pkg::gf256_double(l_q);
  end

  logic [N_BYTES-1:0] byte_mask;
  logic [N_BITS-1:0] text_mask, right, text;
  assign byte_mask = mask_q;
  assign right     = right_q;
  always_comb begin
    for (int unsigned i = 0; i < N_BYTES; i++) text_mask[8*i+:8] = {8{byte_mask[i]}};
  end
  assign text      = right ^ (f_digest & text_mask & {N_BITS{ctl.open}});
  assign f_key     = N_BITS'(key_q);
  assign f_chain   = (f_digest & {N_BITS{ctl.use_h}}) ^ left_q ^ delta_q;
  assign f_msg     = ctl.msg_tau ? TAU_BLOCK : text;

  assign out_block = (right ^ f_digest) & text_mask;
  assign tag       = check_q;

  always_ff @(posedge clk) begin
    if (ctl.key_load) key_q <= key;
    if (ctl.l_star_load) l_star_q <= f_digest;
    if (ctl.nonce_take) nonce_q <= nonce;

    if (ctl.l_restart) l_q <= l_star_q;
    else if (ctl.l_double) l_q <= l_twice;

    if (ctl.delta_clear) delta_q <= '0;
    else delta_q <= delta_q ^ (l_q & {N_BITS{ctl.delta_add_l}}) ^ (f_digest & {N_BITS{ctl.delta_add_h}});

    for (int unsigned i = 0; i < BEATS; i++) begin
      if (ctl.nonce_use) left_q[i] <= nonce_block[i];
      else if (ad_write && ad_slot == (ad_wide ? SLOT_BITS'(i) : SLOT_BITS'(BEATS + i))) left_q[i] <= ad_data;
      // The message is used up before associated data come to the right half.
      if (ad_write && ad_wide && ad_slot == SLOT_BITS'(BEATS + i)) right_q[i] <= ad_data;
      if (msg_write && msg_slot == SLOT_BITS'(BEATS + i)) begin
        right_q[i] <= msg_data;
        mask_q[i]  <= msg_mask;
      end
    end
    if (ctl.left_clear) left_q <= '0;
    if (ctl.right_clear) begin
      right_q <= '0;
      mask_q  <= '0;
    end

    if (ctl.check_load) check_q <= f_digest[TAG_BITS-1:0];
    if (ctl.check_clear) check_q <= '0;

    if (clear) begin
      key_q    <= '0;
      nonce_q  <= '0;
      l_star_q <= '0;
      l_q      <= '0;
      delta_q  <= '0;
      left_q   <= '0;
      right_q  <= '0;
      mask_q   <= '0;
      check_q  <= '0;
    end
  end

endmodule
