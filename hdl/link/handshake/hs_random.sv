// SPDX-License-Identifier: Apache-2.0
//
// This end's random value R: drawn from outside when it is wanted, and drawn again while its session id is 0 or lives in a slot,
// or while it is the value held before. Specification: docs/wire-format.md, "R_i and R_r".
// Cycles: 2 from the transfer to `have`.
// Security: the link has no seed of its own: whoever drives the port answers for fresh values, over resets too. A source that
// repeats itself is refused, and no handshake starts. R is public.

module hs_random
  import link_types_pkg::*;
(
    input  logic          clk,
    input  logic          rst,
    input  logic          forget,        // pulse or level: the value held is spent
    input  logic          want,          // level: draw one if none is held
    input  slot_t [  1:0] slots,
    input  logic          random_valid,
    output logic          random_ready,
    input  logic  [255:0] random_data,
    output logic          have,
    output logic  [255:0] r              // also after it is spent, until the next one
);
  logic [255:0] drawn_q, r_q;
  logic check_q, have_q, any_q;
  logic [31:0] sid;
  logic good;

  assign random_ready = want && !have_q && !check_q && !forget && !rst;
  assign sid = drawn_q[31:0];
  assign good = sid != '0 && !is_live(slots, sid) && !(any_q && drawn_q == r_q);
  assign have = have_q;
  assign r = r_q;

  always_ff @(posedge clk) begin
    check_q <= random_valid && random_ready;
    if (random_valid && random_ready) drawn_q <= random_data;
    if (check_q && good) begin
      r_q    <= drawn_q;
      any_q  <= 1'b1;
      have_q <= 1'b1;
    end
    if (forget) have_q <= 1'b0;
    if (rst) begin
      check_q <= 1'b0;
      have_q  <= 1'b0;
      any_q   <= 1'b0;
      r_q     <= '0;
    end
  end

  wire unused = &{1'b0, slots};
endmodule
