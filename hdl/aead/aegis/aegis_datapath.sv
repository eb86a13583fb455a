// SPDX-License-Identifier: Apache-2.0
// AEGIS-128L data path: key, block, state, and eight rounds of AES side by side: an update a cycle.
// Specification: RFC 10032, section 4. Byte order: byte i of every string in bits [8i+7:8i].
// An update adds block and side input to S0 and S4. The side input is nonce and key in the first updates, S2 + lengths in
// the last ones, and zero between; it has a register of its own, so that the block comes from one source.
// S1, S2, S3, S5, S6 and S7 are stored with what the beginning adds to them: a register of zeros is then the state before
// key and nonce, and no update needs to choose between a constant and its result.
// Security: constant time; at rest everything is zero but key and nonce; `clear` zeroises every register.
module aegis_datapath
  import aes_pkg::*, aegis_pkg::*;
#(
    parameter  int unsigned DATA_BITS = 256,                           // beat: 32, 64, 128 or 256
    parameter  int unsigned TAG_BITS  = 128,                           // 128 or 256
    localparam int unsigned BEATS     = 256 / DATA_BITS,
    localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,

    input logic rest,     // level: no command is in flight; everything is zero but for key and nonce
    input logic fill,     // key and nonce join the state
    input logic key_load,
    input logic open,     // level: the bytes of a message block are ciphertext

    input logic [127:0] key,
    input logic [127:0] nonce,
    input logic [127:0] lengths, // bits of associated data and of message, 64 bits each

    input logic                   write,
    input logic                   write_msg,   // the beat is of the message
    input logic [  SLOT_BITS-1:0] write_slot,
    input logic [  DATA_BITS-1:0] write_data,
    input logic [DATA_BITS/8-1:0] write_mask,

    output logic [255:0] out_block,  // key stream + block, zero beyond the string
    output logic [TAG_BITS-1:0] tag
);

  localparam logic [STATE_BLOCKS-1:0][127:0] FIRST = {C0, C1, C0, 128'b0, C1, C0, C1, 128'b0};

  logic [127:0] key_q;
  logic [255:0] side_q;
  logic [STATE_BLOCKS-1:0][127:0] state_q, s, updated;
  logic [BEATS-1:0][  DATA_BITS-1:0] block_q;  // zero beyond the string
  logic [BEATS-1:0][DATA_BITS/8-1:0] mask_q;  // bytes of the string
  logic [BEATS-1:0][DATA_BITS/8-1:0] open_mask_q;  // bytes of a ciphertext

  function automatic logic [255:0] spread(input logic [31:0] bytes);
    for (int unsigned i = 0; i < 32; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  function automatic logic [127:0] aes_round(input logic [127:0] x);
    logic [127:0] y;
    for (int unsigned i = 0; i < 16; i++) y[8*i+:8] = sub_byte(SBOX_TABLE, x[8*i+:8]);
    return mix_columns(shift_rows(y));
  endfunction

  logic [255:0] block, stream, added;
  assign s = state_q ^ FIRST;
  assign block = block_q;
  assign stream = {s[2] ^ s[5] ^ (s[6] & s[7]), s[6] ^ s[1] ^ (s[2] & s[3])};
  assign out_block = block ^ (stream & spread(mask_q));
  assign added = side_q ^ block ^ (stream & spread(open_mask_q));

  for (genvar i = 0; i < STATE_BLOCKS; i++) begin : g_round
    logic [127:0] key_of_round;
    if (i % 4 == 0) begin : gen_added
      assign key_of_round = state_q[i] ^ added[32*i+:128];
    end else begin : gen_alone
      assign key_of_round = state_q[i];
    end
    assign updated[i] = aes_round(s[(i+STATE_BLOCKS-1)%STATE_BLOCKS]) ^ key_of_round;
  end

  if (TAG_BITS == 256) begin : gen_long_tag
    assign tag = {s[4] ^ s[5] ^ s[6] ^ s[7], s[0] ^ s[1] ^ s[2] ^ s[3]};
  end else begin : gen_tag
    assign tag = s[0] ^ s[1] ^ s[2] ^ s[3] ^ s[4] ^ s[5] ^ s[6];
  end

  always_ff @(posedge clk) begin
    if (key_load) key_q <= key;

    if (ctl.side_end) side_q <= {2{s[2] ^ lengths}};
    if (rest) side_q <= {128'b0, nonce};
    if (fill) side_q[255:128] <= key_q;
    if (ctl.side_clear) side_q <= '0;

    if (ctl.update) state_q <= updated;
    if (fill) begin
      {state_q[4], state_q[0]}             <= {2{key_q ^ side_q[127:0]}};
      {state_q[7], state_q[6], state_q[5]} <= {3{key_q}};
    end

    if (ctl.block_clear) begin
      block_q     <= '0;
      mask_q      <= '0;
      open_mask_q <= '0;
    end
    for (int unsigned i = 0; i < BEATS; i++) begin
      if (write && write_slot == SLOT_BITS'(i)) begin
        block_q[i]     <= write_data;
        mask_q[i]      <= write_mask;
        open_mask_q[i] <= write_mask & {(DATA_BITS / 8) {open && write_msg}};
      end
    end

    if (clear || rest) begin
      state_q     <= '0;
      block_q     <= '0;
      mask_q      <= '0;
      open_mask_q <= '0;
    end
    if (clear) begin
      key_q  <= '0;
      side_q <= '0;
    end
  end

endmodule
