// SPDX-License-Identifier: Apache-2.0
// AES-GCM data path: registers of block, output, tag and hash, beside those of AES and of the product.
// Specification: NIST SP 800-38D, section 7. Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge; the hash takes up its block one cycle later.
// Security: constant time; `clear` zeroises every register.
module gcm_datapath
  import gcm_pkg::*;
(
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,
    input logic      rest,   // level: no command is in flight

    input  logic [95:0] nonce,
    output logic [95:0] nonce_held, // the one that stood when the command was taken

    input logic [127:0] in_block,  // that of the collector, zero beyond the string
    input logic [ 15:0] in_mask,   // its bytes that are of the string

    input logic [127:0] stream,  // of the key
    input logic [127:0] lengths,  // bits of associated data and of message, 64 bits each, high byte first
    output logic [127:0] out_block,
    output logic [127:0] tag
);

  logic [127:0] text, hash_block_q, hash_key_q, hash;
  logic hash_start_q;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) text[8*i+:8] = stream[8*i+:8] & {8{in_mask[i]}};
  end

  gcm_hash u_hash (
      .clk,
      .clear,
      .wipe(rest),
      .key(hash_key_q),
      .start(hash_start_q),
      .block(hash_block_q),
      .restore(ctl.restore),
      .cache_load(ctl.cache_load),
      .hash
  );

  always_ff @(posedge clk) begin
    if (rest) nonce_held <= nonce;
    if (ctl.hash_key_load) hash_key_q <= stream;
    if (ctl.mask_load) tag <= stream;
    if (ctl.tag_sum) tag <= tag ^ hash;
    if (ctl.text) out_block <= in_block ^ text;

    hash_start_q <= ctl.hash;
    // The block is zero while the lengths are taken up.
    if (ctl.hash) hash_block_q <= in_block ^ (text & {128{ctl.hash_text}}) ^ (lengths & {128{ctl.hash_lengths}});

    if (clear) begin
      nonce_held   <= '0;
      hash_key_q   <= '0;
      tag          <= '0;
      out_block    <= '0;
      hash_start_q <= 1'b0;
      hash_block_q <= '0;
    end
  end

endmodule
