// SPDX-License-Identifier: Apache-2.0
//
// This end's random value R: taken from outside when it is wanted, and another one while its session id is 0, lives in a slot or
// is that of the value held before. Specification: docs/wire-format.md, "R_i and R_r".
// Byte order: byte i of R is bits [8i+7:8i].
// Security: the link has no seed of its own: whoever drives the port answers for fresh values, over resets too. A source that
// repeats itself is refused, and no handshake starts. R is public.

module hs_random
  import link_types_pkg::*;
(
    input  logic          clk,
    input  logic          rst,
    input  logic          forget,        // pulse or level: the value held is spent
    input  logic          want,          // level: take one if none is held
    input  slot_t [  1:0] slots,
    input  logic          random_valid,
    output logic          random_ready,
    input  logic  [255:0] random_data,
    output logic          have,
    input  logic  [  1:0] at,            // which word of R is read, also after it is spent, until the next one
    output logic  [ 63:0] word,          // that word, in the same cycle
    output logic  [ 31:0] own_sid        // the session id in R, likewise
);
  logic [3:0][63:0] r_q;
  logic have_q;
  logic [31:0] sid;
  logic good;

  assign sid = random_data[31:0];
  assign good = sid != '0 && sid != own_sid && !is_live(slots, sid);
  assign random_ready = want && !have_q && !rst;
  assign have = have_q;
  assign word = r_q[at];
  assign own_sid = r_q[0][31:0];

  // What is taken in a cycle in which the value before it is spent is not that value.
  always_ff @(posedge clk) begin
    if (forget) have_q <= 1'b0;
    if (random_valid && random_ready && good) begin
      r_q    <= random_data;
      have_q <= 1'b1;
    end
    if (rst) begin
      r_q    <= '0;
      have_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, slots};
endmodule
