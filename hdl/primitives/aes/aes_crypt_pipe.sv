// SPDX-License-Identifier: Apache-2.0
// AES-128 in both directions (FIPS 197, 5.1 and 5.3.5), unrolled: ten rounds side by side, a block a cycle, each in its own
// direction, S-boxes in block RAM (aes_sbox_both_rom). It never stops: every cycle takes what stands at `block`, and what goes
// with a block travels beside it in the owner's shift registers.
// A round is two stages: the memory's read, which a register takes up at once, because a block RAM answers late; then the columns
// and the round key, up to the address of the next round's memory. Decrypting is the equivalent inverse cipher on a state whose
// columns 1 and 3 are exchanged: ShiftRows then does what InvShiftRows would, so that only round keys and the two ends of the
// pipeline know the direction.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: `result` shows a block LATENCY = 21 edges after it stood at `block`; key_ready rises 34 edges after the one that takes
// key_new.
// Security: constant time, also as to the direction; `clear` zeroises the keys. Blocks on their way are not wiped but pushed out:
// hold `clear` and zero at `block` and `inverse` for LATENCY + 1 cycles.
module aes_crypt_pipe
  import aes_pkg::*;
(
    input  logic         clk,
    input  logic         clear,
    input  logic         key_new,    // pulse: take `key`; only while no block is in flight
    input  logic [127:0] key,
    output logic         key_ready,  // blocks may start
    input  logic         inverse,    // decrypt the block
    input  logic [127:0] block,
    output logic [127:0] result
);

  localparam int unsigned ROUNDS = 10;

  function automatic logic [127:0] exchanged(input logic [127:0] s);
    return {s[63:32], s[95:64], s[127:96], s[31:0]};
  endfunction

  logic forward_ready;
  logic [ROUNDS:0][127:0] keys, back;

  aes_round_keys #(
      .SBOX_FORM(SBOX_TABLE)
  ) u_keys (
      .clk,
      .clear,
      .key_new,
      .key,
      .ready(forward_ready),
      .keys
  );

  aes_round_keys_back u_back (
      .clk,
      .clear,
      .key_new,
      .keys_ready(forward_ready),
      .keys,
      .ready(key_ready),
      .back
  );

  logic [2*ROUNDS:0] way;  // direction of the block that entered so many cycles before
  logic [2*ROUNDS:1] way_q;
  logic [ROUNDS:0][127:0] state;  // after the round of that number; decrypting, with columns exchanged

  assign way = {way_q, inverse};
  always_ff @(posedge clk) way_q <= way[2*ROUNDS-1:0];

  assign state[0] = inverse ? exchanged(block ^ back[0]) : block ^ keys[0];

  for (genvar r = 1; r <= ROUNDS; r++) begin : gen_round
    logic [15:0][7:0] near, far, near_q, far_q;
    logic [127:0] key_q;
    for (genvar i = 0; i < 8; i++) begin : gen_rom
      aes_sbox_both_rom #(
          .MIXED(r != ROUNDS)
      ) u_rom (
          .clk,
          .inverse({2{way[2*r-2]}}),
          .x(state[r-1][16*i+:16]),
          .near(near[2*i+:2]),
          .far(far[2*i+:2])
      );
    end
    always_ff @(posedge clk) begin
      near_q <= near;
      key_q  <= way[2*r-1] ? exchanged(back[r]) : keys[r];
    end

    if (r == ROUNDS) begin : gen_last
      logic unused;
      assign unused   = &{1'b0, far, far_q};
      assign far_q    = '0;
      assign state[r] = shift_rows(near_q) ^ key_q;
    end else begin : gen_mixed
      logic [127:0] near_shifted, far_shifted, sum;
      always_ff @(posedge clk) far_q <= far;
      always_comb begin
        near_shifted = shift_rows(near_q);
        far_shifted  = shift_rows(far_q);
        for (int unsigned c = 0; c < 16; c += 4) begin
          for (int unsigned i = 0; i < 4; i++) begin
            sum[8*(c+i)+:8] = near_shifted[8*(c+i)+:8] ^ far_shifted[8*(c+(i+2)%4)+:8];
          end
        end
      end
      assign state[r] = mix_columns(sum) ^ key_q;
    end
  end

  always_ff @(posedge clk) result <= way[2*ROUNDS] ? exchanged(state[ROUNDS]) : state[ROUNDS];

endmodule
