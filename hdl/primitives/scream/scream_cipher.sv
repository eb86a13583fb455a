// SPDX-License-Identifier: Apache-2.0
// SCREAM's tweakable block cipher (docs/schemes/scream.md, "Definition") in both directions, for modes whose calls do not
// depend on one another: one round's hardware in STAGES stages, as many blocks in flight, each with its own tweak, round and
// direction. One more call waits in front of the round, the first subtweakey already added. A token travels with every
// block and comes back with its result. With two stages the cut lies between S-box and matrix.
// Both directions share the S-box: see scream_pkg::substitute. What is added to a row before the matrix is added behind it
// as its product, so that subtweakey and constants are one sum, made in the cycle before.
// Byte order: byte i of key, tweak and block in bits [8i+7:8i].
// Cycles: a result is written 2 STEPS STAGES edges after its call leaves the waiting place (round_flights). A key takes no
// time. Results come in the order of the calls.
// Security: constant time, also as to the direction; `clear` zeroises everything.
module scream_cipher
  import scream_pkg::*;
#(
    parameter int unsigned STEPS = 10,  // of two rounds
    parameter int unsigned STAGES = 1,  // of a round, and blocks in flight: 1, 2
    parameter int unsigned TOKEN_BITS = 4
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  key_new,     // pulse: take `key`; only while no call is at work
    input  logic [         127:0] key,
    output logic                  key_ready,   // calls may be loaded
    output logic                  waiting,     // a call waits in front of the round
    input  logic                  load,        // take a call; only while none is `waiting`
    input  logic                  inverse,     // decrypt
    input  logic [         127:0] tweak,
    input  logic [         127:0] block,
    input  logic [TOKEN_BITS-1:0] token,
    output logic                  done,        // a result was written by the edge before
    output logic [TOKEN_BITS-1:0] done_token,  // its token; held until the next
    output logic [         127:0] result       // held until the next
);

  localparam int unsigned ROUNDS = 2 * STEPS;
  localparam int unsigned LEFT_BITS = $clog2(ROUNDS);

  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "scream_cipher: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  // The tweak of the last subtweakey: three steps lead back to where they began
  function automatic logic [127:0] tweak_end(input logic [127:0] t);
    return STEPS % 3 == 0 ? t : STEPS % 3 == 1 ? tweak_on(t) : tweak_back(t);
  endfunction

  // Row 0 of what is added at a round's end. Encrypting: the product of the round's constant. Decrypting, the S-box of this
  // round and that of the next one want row 0 inverted; what goes before the next S-box goes through the matrix.
  function automatic logic [15:0] row_of(input logic backwards, input logic [LEFT_BITS-1:0] left);
    row_of = {16{backwards}};
    for (int unsigned i = 0; i < ROUNDS; i++) begin
      if (!backwards && left == LEFT_BITS'(ROUNDS - 1 - i)) row_of ^= mix_row(constant_of(i));
      if (backwards && left == LEFT_BITS'(i + 1)) row_of ^= mix_row(~constant_of(i));
    end
  endfunction

  logic start, start_plain, layer_back, last, last_inverse, ahead_inverse;
  logic [LEFT_BITS-1:0] ahead_left;

  round_flights #(
      .ROUNDS(ROUNDS),
      .STAGES(STAGES),
      .TOKEN_BITS(TOKEN_BITS)
  ) u_flights (
      .*
  );

  // ---- the call that waits: its block, and the tweak of the subtweakey that comes next ----

  logic [127:0] key_q, whitened_q, tweak_q, from_tweak;
  assign key_ready  = 1'b1;
  assign from_tweak = inverse ? tweak_end(tweak) : tweak;

  always_ff @(posedge clk) begin
    if (key_new) key_q <= key;
    if (load) begin
      tweak_q    <= inverse ? tweak_back(from_tweak) : tweak_on(from_tweak);
      whitened_q <= block ^ key_q ^ from_tweak ^ {112'h0, mix_row(~constant_of(ROUNDS - 1)) & {16{inverse}}};
    end
    if (clear) begin
      key_q      <= '0;
      tweak_q    <= '0;
      whitened_q <= '0;
    end
  end

  // ---- what is added: `added_q` stands while its round's matrix is at work; every second round ends a step ----

  logic [127:0] entering, current, next_q, added_q;
  logic step_ends;
  assign entering  = start ? tweak_q : next_q;
  assign step_ends = !ahead_left[0];

  always_ff @(posedge clk) begin
    if (!step_ends) next_q <= current;
    else next_q <= ahead_inverse ? tweak_back(current) : tweak_on(current);
    added_q <= ((key_q ^ current) & {128{step_ends}}) ^ {112'h0, row_of(ahead_inverse, ahead_left)};
    if (clear) begin
      next_q  <= '0;
      added_q <= '0;
    end
  end

  // ---- the round ----

  rows_t state_q, half, half_next;
  logic [127:0] onward, backward, made;

  assign half_next = substitute(state_q);

  if (STAGES == 2) begin : gen_cut
    rows_t half_q;
    logic [127:0] current_q;
    always_ff @(posedge clk) begin
      half_q    <= half_next;
      current_q <= entering;
      if (clear) begin
        half_q    <= '0;
        current_q <= '0;
      end
    end
    assign half = half_q;
    assign current = current_q;
  end else begin : gen_whole
    assign half = half_next;
    assign current = entering;
  end

  assign onward   = mix(half) ^ added_q;
  assign backward = half ^ added_q;
  assign made     = last_inverse ? backward : onward;

  always_ff @(posedge clk) begin
    if (start_plain) state_q <= whitened_q;
    else state_q <= layer_back ? mix_back(start ? whitened_q : backward) : onward;
    if (last) result <= made;
    if (clear) begin
      state_q <= '0;
      result  <= '0;
    end
  end

`ifndef SYNTHESIS
  logic [2:0] calls_q;  // loaded, and not done
  always_ff @(posedge clk) begin
    calls_q <= clear ? '0 : calls_q + 3'(load) - 3'(last);
    if (!clear) begin
      a_key_at_rest : assert (!key_new || calls_q == '0);
    end
  end
`endif

endmodule
