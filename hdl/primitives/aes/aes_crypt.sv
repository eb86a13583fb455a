// SPDX-License-Identifier: Apache-2.0
// AES-128 in both directions (FIPS 197, 5.1 and 5.3) for modes whose calls do not depend on one another: one round's
// hardware in STAGES stages, as many blocks in flight, each in its own round and direction. A token travels with every block
// and comes back with its result; what it says is the owner's affair.
// One table of the S-box serves both directions (aes_inverse_pkg). The first cut lies behind it, the second before the columns
// are mixed, the third before the table. Without decryption the table is that of the S-box itself, and InvMixColumns is gone.
// Byte order: byte i of key and block in bits [8i+7:8i].
// Cycles: a block is taken by `start` and `free`; its result is written 10 STAGES edges later, and `free` rises in the cycle
// before, so that STAGES blocks always fly. Results come in the order of the starts. A key takes 23 edges.
// Security: constant time, also as to the direction; `clear` zeroises everything.
module aes_crypt
  import aes_pkg::*, aes_inverse_pkg::*;
#(
    parameter int unsigned STAGES = 1,  // of a round, and blocks in flight: 1 to 4
    parameter int unsigned TOKEN_BITS = 4,
    parameter bit BOTH = 1'b1  // 0: it encrypts only, and `inverse` is not looked at
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
  logic [127:0] state_q, key_q, looked_up_next, looked_up, sub_next, sub, backward, forward, whitened;
  logic [127:0] mix_back, mix_forward, mix_key, mixed, made;
  // Into the round, at its start, before the table, behind it, where columns are mixed; without a cut two of them are one.
  flight_t entry, front_q, table_at, middle, back;
  logic backwards;  // the block that starts is to be decrypted
  logic key_needed;  // a block stands behind the table in the next cycle, and
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

  assign looked_up_next = front_q.inverse ? affine_back(state_q) : state_q;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) sub_next[8*i+:8] = sbox_table(looked_up[8*i+:8]);
  end

  // Decrypting adds the key before the columns are mixed, encrypting after it. A last round mixes none.
  assign forward = shift_rows(sub);
  assign backward = affine_back(shift_rows_back(sub)) ^ key_q;
  assign whitened = middle.inverse ? backward : forward ^ key_q;
  assign mixed = back.inverse ? mix_columns_back(mix_back) : mix_columns(mix_forward) ^ mix_key;

  // ---- what flies ----

  assign backwards = BOTH && inverse;

  always_comb begin
    entry = back;
    if (start) begin
      entry.valid   = 1'b1;
      entry.inverse = backwards;
      entry.last    = 1'b0;
      entry.key     = backwards ? ROUNDS - 4'd1 : 4'd1;
      entry.token   = token;
    end else begin
      entry.valid = back.valid && !back.last;
      entry.key   = back.inverse ? back.key - 4'd1 : back.key + 4'd1;
      entry.last  = back.inverse ? back.key == 4'd1 : back.key == ROUNDS - 4'd1;
    end
    if (!BOTH) entry.inverse = 1'b0;
  end

  if (STAGES == 4) begin : gen_table_cut
    always_ff @(posedge clk) begin
      looked_up <= looked_up_next;
      table_at  <= front_q;
      if (clear) begin
        looked_up <= '0;
        table_at  <= '0;
      end
    end
  end else begin : gen_table_whole
    assign looked_up = looked_up_next;
    assign table_at  = front_q;
  end

  if (STAGES >= 2) begin : gen_sub_cut
    always_ff @(posedge clk) begin
      sub    <= sub_next;
      middle <= table_at;
      if (clear) begin
        sub    <= '0;
        middle <= '0;
      end
    end
  end else begin : gen_sub_whole
    assign sub    = sub_next;
    assign middle = table_at;
  end

  if (STAGES >= 3) begin : gen_mix_cut
    logic [127:0] mixed_in_q;
    always_ff @(posedge clk) begin
      mixed_in_q <= middle.inverse || middle.last ? whitened : forward;
      mix_key    <= key_q;
      back       <= middle;
      if (clear) begin
        mixed_in_q <= '0;
        mix_key    <= '0;
        back       <= '0;
      end
    end
    assign mix_back = mixed_in_q;
    assign mix_forward = mixed_in_q;
    assign made = mixed_in_q;
  end else begin : gen_mix_whole
    assign mix_back = backward;
    assign mix_forward = forward;
    assign mix_key = key_q;
    assign made = whitened;
    assign back = middle;
  end

  assign key_needed = STAGES == 1 ? entry.valid : table_at.valid;
  assign key_number = STAGES == 1 ? entry.key : table_at.key;
  assign flying = front_q.valid || table_at.valid || middle.valid || back.valid;
  assign free = key_ready && (!back.valid || back.last);

  always_ff @(posedge clk) begin
    front_q <= entry;
    if (start) state_q <= block ^ keys[backwards?10 : 0];
    else if (entry.valid) state_q <= mixed;
    if (key_needed) key_q <= keys[key_number];
    done <= back.valid && back.last;
    if (back.valid && back.last) begin
      result     <= made;
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
