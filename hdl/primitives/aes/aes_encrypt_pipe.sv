// SPDX-License-Identifier: Apache-2.0
// AES-128 encryption (FIPS 197), unrolled: ten rounds side by side, a block a cycle. It never stops: every cycle takes what
// stands at `block`, and what goes with a block travels beside it in the owner's shift registers.
// STAGES = 2 cuts each round behind the S-box table, in the middle of the composite-field S-box, or behind the block RAM.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: `result` shows a block LATENCY = 10 STAGES + 1 edges after it stood at `block`; key_ready rises 23 edges after the
// one that takes key_new.
// Security: constant time; `clear` zeroises the keys. Blocks on their way are not wiped but pushed out: hold `clear` and zero
// at `block` for LATENCY + 1 cycles.
module aes_encrypt_pipe
  import aes_pkg::*;
#(
    parameter int unsigned STAGES = 2,  // of a round: 1, 2; 2 with S-boxes in memory
    parameter int unsigned SBOX_FORM = SBOX_TABLE  // SBOX_TABLE, SBOX_COMPOSITE, or 2: block RAM, but for the keys
) (
    input  logic         clk,
    input  logic         clear,
    input  logic         key_new,    // pulse: take `key`; only while no block is in flight
    input  logic [127:0] key,
    output logic         key_ready,  // blocks may start
    input  logic [127:0] block,
    output logic [127:0] result
);

  localparam int unsigned ROUNDS = 10;
  localparam int unsigned SBOX_MEMORY = 2;

  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "aes_encrypt_pipe: STAGES = %0d, allowed: 1, 2", STAGES);
  end
  if (SBOX_FORM > SBOX_MEMORY) begin : gen_bad_sbox
    $fatal(1, "aes_encrypt_pipe: SBOX_FORM = %0d, allowed: 0 (table), 1 (composite field), 2 (memory)", SBOX_FORM);
  end
  if (SBOX_FORM == SBOX_MEMORY && STAGES != 2) begin : gen_bad_memory
    $fatal(1, "aes_encrypt_pipe: STAGES = %0d with S-boxes in memory, allowed: 2", STAGES);
  end

  logic [ROUNDS:0][127:0] keys;
  aes_round_keys #(
      .SBOX_FORM(SBOX_FORM == SBOX_MEMORY ? SBOX_TABLE : SBOX_FORM)
  ) u_keys (
      .clk,
      .clear,
      .key_new,
      .key,
      .ready(key_ready),
      .keys
  );

  if (SBOX_FORM == SBOX_MEMORY) begin : gen_memory
    aes_rounds_rom u_rounds (
        .clk,
        .keys,
        .block,
        .result
    );
  end else begin : gen_logic
    logic [ROUNDS:0][127:0] state_q;  // after the round of that number
    always_ff @(posedge clk) state_q[0] <= block ^ keys[0];

    for (genvar r = 1; r <= ROUNDS; r++) begin : gen_round
      logic [15:0][11:0] half, half_next;
      logic [127:0] shifted;
      always_comb begin
        for (int unsigned i = 0; i < 16; i++) begin
          half_next[i] = sub_byte_front(SBOX_FORM, state_q[r-1][8*i+:8]);
          shifted[8*i+:8] = sub_byte_back(SBOX_FORM, half[i]);
        end
        shifted = shift_rows(shifted);
      end
      if (STAGES == 2) begin : gen_cut
        always_ff @(posedge clk) half <= half_next;
      end else begin : gen_whole
        assign half = half_next;
      end
      always_ff @(posedge clk) state_q[r] <= (r == ROUNDS ? shifted : mix_columns(shifted)) ^ keys[r];
    end

    assign result = state_q[ROUNDS];
  end

endmodule
