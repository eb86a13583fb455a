// SPDX-License-Identifier: Apache-2.0
// AES-128 in both directions (FIPS 197, 5.1 and 5.3) for modes whose calls do not depend on one another: one round's
// hardware in STAGES stages, as many blocks in flight, each in its own round and direction. A token travels with every block
// and comes back with its result; what it says is the owner's affair.
// The S-box is that of the composite field: both directions share the inversion. With two stages the cut lies in its middle.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: a block is taken by `start` and `free`; its result is written 10 STAGES edges later, and `free` rises in the cycle
// before, so that STAGES blocks always fly. Results come in the order of the starts. A key takes 23 edges.
// Security: constant time, also as to the direction; `clear` zeroises everything.
module aes_crypt
  import aes_pkg::*, aes_inverse_pkg::*;
#(
    parameter int unsigned STAGES = 1,  // of a round, and blocks in flight: 1, 2
    parameter int unsigned TOKEN_BITS = 4
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  key_new,     // pulse: take `key`; only while no block is in flight
    input  logic [         127:0] key,
    output logic                  key_ready,   // blocks may start
    output logic                  free,        // a block may start; does not depend on `start`
    input  logic                  start,       // take `block`; only while `free`
    input  logic                  inverse,     // decrypt it
    input  logic [TOKEN_BITS-1:0] token,
    input  logic [         127:0] block,
    output logic                  flying,      // a block is under way
    output logic                  done,        // a result was written by the edge before
    output logic [TOKEN_BITS-1:0] done_token,  // its token; held until the next
    output logic [         127:0] result       // held until the next
);

  localparam logic [3:0] ROUNDS = 4'd10;

  if (STAGES != 1 && STAGES != 2) begin : gen_bad_stages
    $fatal(1, "aes_crypt: STAGES = %0d, allowed: 1, 2", STAGES);
  end

  typedef struct packed {
    logic                  valid;
    logic                  inverse;
    logic                  last;     // its last round
    logic [3:0]            key;      // number of the round's key: 1 to 10, decrypting 9 to 0
    logic [TOKEN_BITS-1:0] token;
  } flight_t;

  logic [10:0][127:0] keys;
  logic [127:0] state_q, key_q, shifted, mixed_in, mixed, whitened;
  logic [15:0][11:0] half, half_next;
  flight_t entry, front_q, back;  // into the round, in its first half, in its second half
  logic second_next;  // a block is in the second half in the next cycle, and
  logic [3:0] second_key;  // the number of the key that it needs there

  aes_round_keys #(
      .SBOX_FORM(SBOX_COMPOSITE)
  ) u_keys (
      .clk,
      .clear,
      .key_new,
      .key,
      .ready(key_ready),
      .keys
  );

  // ---- the round ----

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      half_next[i] = sbox_front_either(front_q.inverse, state_q[8*i+:8]);
      shifted[8*i+:8] = sbox_back_either(back.inverse, half[i]);
    end
    shifted  = back.inverse ? shift_rows_back(shifted) : shift_rows(shifted);
    // Decrypting adds the key before the columns are mixed, encrypting after it.
    whitened = shifted ^ key_q;
    mixed_in = back.inverse ? before_mix_back(whitened) : shifted;
    mixed    = mix_columns(mixed_in) ^ (key_q & {128{!back.inverse}});
  end

  // ---- what flies ----

  always_comb begin
    entry = back;
    if (start) begin
      entry.valid   = 1'b1;
      entry.inverse = inverse;
      entry.last    = 1'b0;
      entry.key     = inverse ? ROUNDS - 4'd1 : 4'd1;
      entry.token   = token;
    end else begin
      entry.valid = back.valid && !back.last;
      entry.key   = back.inverse ? back.key - 4'd1 : back.key + 4'd1;
      entry.last  = back.inverse ? back.key == 4'd1 : back.key == ROUNDS - 4'd1;
    end
  end

  if (STAGES == 2) begin : gen_cut
    flight_t back_q;
    always_ff @(posedge clk) begin
      half   <= half_next;
      back_q <= front_q;
      if (clear) begin
        half   <= '0;
        back_q <= '0;
      end
    end
    assign back = back_q;
    assign second_next = front_q.valid;
    assign second_key = front_q.key;
    assign flying = front_q.valid || back_q.valid;
  end else begin : gen_whole
    assign half = half_next;
    assign back = front_q;
    assign second_next = entry.valid;
    assign second_key = entry.key;
    assign flying = front_q.valid;
  end

  assign free = key_ready && (!back.valid || back.last);

  always_ff @(posedge clk) begin
    front_q <= entry;
    if (start) state_q <= block ^ keys[inverse?10 : 0];
    else if (entry.valid) state_q <= mixed;
    if (second_next) key_q <= keys[second_key];
    done <= back.valid && back.last;
    if (back.valid && back.last) begin
      result <= whitened;
      done_token <= back.token;
    end
    if (clear) begin
      front_q    <= '0;
      state_q    <= '0;
      key_q      <= '0;
      done       <= 1'b0;
      done_token <= '0;
      result     <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_start_while_free : assert (!start || free);
      a_key_at_rest : assert (!key_new || !flying);
    end
  end
`endif

endmodule
