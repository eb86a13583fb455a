// SPDX-License-Identifier: Apache-2.0
// AES-128 in both directions (FIPS 197, 5.1 and 5.3) for modes whose calls do not depend on one another: one round's
// hardware in STAGES stages, as many blocks in flight, each in its own round and direction. A token travels with every block
// and comes back with its result; what it says is the owner's affair.
// The S-box is that of the composite field: both directions share the inversion. The first cut lies in its middle, the second
// behind it, the third before MixColumns.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: a block is taken by `start` and `free`; its result is written 10 STAGES edges later, and `free` rises in the cycle
// before, so that STAGES blocks always fly. Results come in the order of the starts. A key takes 23 edges.
// Security: constant time, also as to the direction; `clear` zeroises everything.
module aes_crypt
  import aes_pkg::*, aes_inverse_pkg::*;
#(
    parameter int unsigned STAGES = 1,  // of a round, and blocks in flight: 1 to 4
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

  if (STAGES < 1 || STAGES > 4) begin : gen_bad_stages
    $fatal(1, "aes_crypt: STAGES = %0d, allowed: 1 to 4", STAGES);
  end

  typedef struct packed {
    logic                  valid;
    logic                  inverse;
    logic                  last;     // its last round
    logic [3:0]            key;      // number of the round's key: 1 to 10, decrypting 9 to 0
    logic [TOKEN_BITS-1:0] token;
  } flight_t;

  logic [10:0][127:0] keys;
  logic [127:0] state_q, key_q, shifted_next, shifted, whitened, mixed_in_next, mixed_in, mix_key, mixed;
  logic [15:0][11:0] half, half_next;
  // Into the round, before the S-box, in its middle, at the key, at MixColumns; without a cut two of them are one.
  flight_t entry, front_q, middle, late, back;
  logic key_needed;  // a block stands at the key in the next cycle, and
  logic [3:0] key_number;  // the number of the key that it needs there

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
    for (int unsigned i = 0; i < 16; i++) half_next[i] = sbox_front_either(front_q.inverse, state_q[8*i+:8]);
  end

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) shifted_next[8*i+:8] = sbox_back_either(middle.inverse, half[i]);
    shifted_next = middle.inverse ? shift_rows_back(shifted_next) : shift_rows(shifted_next);
  end

  // Decrypting adds the key before the columns are mixed, encrypting after it. A last round mixes none.
  always_comb begin
    whitened      = shifted ^ key_q;
    mixed_in_next = late.inverse ? before_mix_back(whitened) : shifted;
    if (STAGES == 4 && late.last) mixed_in_next = whitened;
    mixed = mix_columns(mixed_in) ^ (mix_key & {128{!back.inverse}});
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

  if (STAGES >= 2) begin : gen_sbox_cut
    always_ff @(posedge clk) begin
      half   <= half_next;
      middle <= front_q;
      if (clear) begin
        half   <= '0;
        middle <= '0;
      end
    end
  end else begin : gen_sbox_whole
    assign half   = half_next;
    assign middle = front_q;
  end

  if (STAGES >= 3) begin : gen_key_cut
    always_ff @(posedge clk) begin
      shifted <= shifted_next;
      late    <= middle;
      if (clear) begin
        shifted <= '0;
        late    <= '0;
      end
    end
  end else begin : gen_key_whole
    assign shifted = shifted_next;
    assign late    = middle;
  end

  if (STAGES == 4) begin : gen_mix_cut
    always_ff @(posedge clk) begin
      mixed_in <= mixed_in_next;
      mix_key  <= key_q;
      back     <= late;
      if (clear) begin
        mixed_in <= '0;
        mix_key  <= '0;
        back     <= '0;
      end
    end
  end else begin : gen_mix_whole
    assign mixed_in = mixed_in_next;
    assign mix_key  = key_q;
    assign back     = late;
  end

  assign key_needed = STAGES == 1 ? entry.valid : STAGES == 2 ? front_q.valid : middle.valid;
  assign key_number = STAGES == 1 ? entry.key : STAGES == 2 ? front_q.key : middle.key;
  assign flying = front_q.valid || middle.valid || late.valid || back.valid;
  assign free = key_ready && (!back.valid || back.last);

  always_ff @(posedge clk) begin
    front_q <= entry;
    if (start) state_q <= block ^ keys[inverse?10 : 0];
    else if (entry.valid) state_q <= mixed;
    if (key_needed) key_q <= keys[key_number];
    done <= back.valid && back.last;
    if (back.valid && back.last) begin
      result <= STAGES == 4 ? mixed_in : whitened;
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
