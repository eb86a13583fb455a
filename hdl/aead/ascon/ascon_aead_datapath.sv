// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128 data path: key, block buffer, state, and ROUNDS_PER_CYCLE rounds behind what a call adds to the state.
// Specification: NIST SP 800-232 section 4. Byte order: byte i of every string in bits [8i+7:8i], which is the
// little-endian order of the standard's words.
// Security: constant time; at rest the state is zero but for the nonce; `clear` zeroises every register.
module ascon_aead_datapath
  import ascon_pkg::*, ascon_aead_pkg::*;
#(
    parameter  int unsigned DATA_BITS        = 64,                            // beat: 32, 64 or 128
    parameter  int unsigned ROUNDS_PER_CYCLE = 1,                             // 1, 2 or 4
    localparam int unsigned BEATS            = 128 / DATA_BITS,
    localparam int unsigned SLOT_BITS        = BEATS > 1 ? $clog2(BEATS) : 1
) (
    input logic clk,
    input logic clear,

    input call_t       call,        // the one that starts in this cycle; zero in others
    input logic        run,         // rounds are done in this cycle
    input logic  [3:0] round,       // number of the first of them, a multiple of ROUNDS_PER_CYCLE
    input logic        rest,        // level: no command is in flight; the state is zero but for the nonce at the port
    input logic        fill,        // IV and key join the nonce
    input logic        key_load,
    input logic        open,        // level: the bytes of a message block are ciphertext
    input logic        block_clear,

    input logic [127:0] key,
    input logic [127:0] nonce,

    input logic                   write,
    input logic                   write_msg,   // the beat is of the message
    input logic [  SLOT_BITS-1:0] write_slot,
    input logic [  DATA_BITS-1:0] write_data,
    input logic [DATA_BITS/8-1:0] write_mask,

    output logic [127:0] out_block,  // state + block, zero beyond the string
    output logic [127:0] tag         // of a state that has come to rest after the last call
);

  logic unused;
  assign unused = &{1'b0, call.start, call.twelve};  // `run` and `round` say it

  logic [127:0] key_q;
  state_t state_q, added;
  logic [BEATS-1:0][DATA_BITS-1:0] block_q;  // padded, zero beyond
  logic [BEATS-1:0][DATA_BITS/8-1:0] mask_q;  // bytes of the string
  logic [BEATS-1:0][DATA_BITS/8-1:0] open_mask_q;  // bytes of a ciphertext: they replace those of the state
  state_t x[ROUNDS_PER_CYCLE+1];

  logic [15:0] byte_mask, open_mask;
  logic [127:0] text_mask, ciphertext_mask, block;
  assign byte_mask = mask_q;
  assign open_mask = open_mask_q;
  assign block = block_q;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      text_mask[8*i+:8]       = {8{byte_mask[i]}};
      ciphertext_mask[8*i+:8] = {8{open_mask[i]}};
    end
  end

  assign out_block = (state_q[1:0] ^ block) & text_mask;
  assign tag       = state_q[4:3] ^ key_q;

  always_comb begin
    added = state_q;
    if (call.absorb) added[1:0] = (state_q[1:0] & ~ciphertext_mask) ^ block;
    added[0] ^= 64'(call.pad);
    added[3:2] ^= key_q & {128{call.key_last}};
    added[4:3] ^= key_q & {128{call.key_first}};
    added[4] ^= {call.separate, 63'b0};
  end

  assign x[0] = added;
  for (genvar j = 0; j < ROUNDS_PER_CYCLE; j++) begin : g_round
    ascon_round u_round (
        .x(x[j]),
        .constant(round_constant(round | 4'(j))),
        .y(x[j+1])
    );
  end

  always_ff @(posedge clk) begin
    if (key_load) key_q <= key;

    if (run) state_q <= x[ROUNDS_PER_CYCLE];
    if (fill) state_q[2:0] <= {key_q, IV};
    if (rest) state_q <= {nonce, 192'b0};

    if (block_clear) begin
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

    if (clear) begin
      key_q       <= '0;
      state_q     <= '0;
      block_q     <= '0;
      mask_q      <= '0;
      open_mask_q <= '0;
    end
  end

endmodule
