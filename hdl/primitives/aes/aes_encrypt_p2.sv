// SPDX-License-Identifier: Apache-2.0
// AES encryption (FIPS 197) with a pipeline register inside the round: two half-length stages, two blocks in flight, each in
// its lane. `tick` begins a turn: a block of lane 0 starts with it, one of lane 1 in the next cycle, both if wanted.
// The cut lies behind the table, or in the middle of the composite-field S-box.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: result[0] is written 2 ROUNDS edges after the one that takes `tick`, result[1] one later; the next `tick` may
// come 2 ROUNDS cycles after this one.
// Security: constant time; `clear` zeroises everything.
module aes_encrypt_p2
  import aes_pkg::*;
#(
    parameter int unsigned KEY_BITS = 128,  // 128 or 256
    parameter int unsigned SBOX_FORM = SBOX_TABLE,  // SBOX_TABLE or SBOX_COMPOSITE
    parameter int unsigned STORED_KEYS = 0  // 1: keep the round keys
) (
    input  logic                       clk,
    input  logic                       clear,
    input  logic                       key_new,    // pulse: take `key`; only while no block is in flight
    input  logic [KEY_BITS-1:0]        key,
    output logic                       key_ready,  // blocks may start
    input  logic                       tick,       // pulse: a turn begins
    input  logic                       start,      // pulse: take `block`; lane 0 with tick, lane 1 in the next cycle
    input  logic                       lane,
    input  logic [       127:0]        block,
    output logic [         1:0]        flying,     // a block of the lane is under way
    output logic [         1:0]        done,       // its result was written by the edge before
    output logic [         1:0][127:0] result      // held until the lane's next
);

  localparam int unsigned ROUNDS = KEY_BITS == 256 ? 14 : 10;
  localparam logic [4:0] LAST = 5'(2 * ROUNDS);  // lane 0 ends; the next turn may begin

  logic [127:0] state_q, first_key, round_key, shifted;
  logic [15:0][11:0] half_q;
  logic [4:0] cycle_q;  // of the turn, 0: none
  logic run_q;  // cycle_q is not 0: rounds are made, else the registers stand still
  logic turn_q;  // on to the next round's key: in odd cycles of a turn from 3 on, and in the one after its last
  logic end0_q, end1_q;  // a lane's last round

  aes_key_schedule #(
      .KEY_BITS (KEY_BITS),
      .SBOX_FORM(SBOX_FORM),
      .STORED   (STORED_KEYS),
      .STAGES   (2)
  ) u_keys (
      .clk,
      .clear,
      .key_new,
      .key,
      .ready(key_ready),
      .turn (turn_q),
      .first_key,
      .round_key
  );

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) shifted[8*i+:8] = sub_byte_back(SBOX_FORM, half_q[i]);
    shifted = shift_rows(shifted);
  end

  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < 16; i++) half_q[i] <= sub_byte_front(SBOX_FORM, state_q[8*i+:8]);
    if (start) state_q <= block ^ first_key;
    else if (run_q) state_q <= mix_columns(shifted) ^ round_key;

    if (tick) run_q <= 1'b1;
    else if (cycle_q == LAST) run_q <= 1'b0;
    if (tick) cycle_q <= 5'd1;
    else if (cycle_q == LAST) cycle_q <= '0;
    else if (cycle_q != '0) cycle_q <= cycle_q + 5'd1;
    end0_q <= cycle_q == LAST - 5'd1;
    end1_q <= end0_q;
    turn_q <= end0_q || (cycle_q != '0 && !cycle_q[0] && cycle_q != LAST);

    done   <= flying & {end1_q, end0_q};
    if (flying[0] && end0_q) begin
      result[0] <= shifted ^ round_key;
      flying[0] <= 1'b0;
    end
    if (flying[1] && end1_q) begin
      result[1] <= shifted ^ round_key;
      flying[1] <= 1'b0;
    end
    if (start) flying[lane] <= 1'b1;

    if (clear) begin
      state_q <= '0;
      half_q  <= '0;
      cycle_q <= '0;
      run_q   <= 1'b0;
      turn_q  <= 1'b0;
      end0_q  <= 1'b0;
      end1_q  <= 1'b0;
      flying  <= '0;
      done    <= '0;
      result  <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_turn_after_turn : assert (!tick || (key_ready && (cycle_q == '0 || cycle_q == LAST)));
      a_start_in_its_cycle : assert (!start || (lane ? cycle_q == 5'd1 : tick));
    end
  end
`endif

endmodule
