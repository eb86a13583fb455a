// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: masks of the calls (specification, section 3; docs/cores/otr.md). First calls run ahead of second
// ones by the length of the pipeline, so each has its own A = 2^i L; B = A + 2 A.
// F, the mask of a string's last call, is a sum of multiples of A, made in four cycles while the pipeline works.
// Byte order: byte i of a mask in bits [8i+7:8i].
// Cycles: `mask` one edge after the order.
// Security: no data-dependent control; `clear` zeroises everything.
module otr_pipe_masks
  import otr_pkg::*, gf128_pkg::*;
(
    input logic clk,
    input logic clear,

    input logic          start,       // A <= `start_with`, both
    input logic  [127:0] start_with,
    input call_t         call,
    input logic          second,      // a second call, in place of `call`
    input logic          second_b,    // its mask is B

    output logic [127:0] mask
);

  logic unused;
  assign unused = &{1'b0, call};

  logic [127:0] a_q, late_q, f_q;
  logic [3:0] multiples_q, walk_q;

  always_ff @(posedge clk) begin
    mask <= (a_q & {128{call.mask_a && !second}}) ^ (gf128_double(
        a_q
    ) & {128{call.mask_2a && !second}}) ^ (f_q & {128{call.mask_f && !second}}) ^ (late_q & {128{second}}) ^
        (gf128_double(
        late_q
    ) & {128{second && second_b}});

    if (call.next_a || walk_q[0]) a_q <= gf128_double(a_q);
    if (second) late_q <= gf128_double(late_q);
    if (start) begin
      a_q    <= start_with;
      late_q <= start_with;
    end

    walk_q      <= {1'b0, walk_q[3:1]};
    multiples_q <= {1'b0, multiples_q[3:1]};
    if (walk_q[0] && multiples_q[0]) f_q <= f_q ^ a_q;
    if (call.finish) begin
      walk_q      <= '1;
      multiples_q <= call.multiples;
      f_q         <= '0;
    end

    if (clear) begin
      mask        <= '0;
      a_q         <= '0;
      late_q      <= '0;
      f_q         <= '0;
      walk_q      <= '0;
      multiples_q <= '0;
    end
  end

endmodule
