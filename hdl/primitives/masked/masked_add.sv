// SPDX-License-Identifier: Apache-2.0
// Sum modulo 2^WIDTH of two words in two shares each (their XOR is the word): a parallel prefix adder (Kogge and Stone,
// "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations", IEEE TC 1973) of masked
// ANDs, each with a random bit of its own. First-order secure with glitches and transitions (docs/probing.md).
// Cycles: 1 + log2 WIDTH registers deep, a pair of words a cycle; y0 and y1 are logic after the last registers, linear in
// each domain. The operands' shares are independent of one another.
// Security: no enable and no reset; the user shifts other values in to overwrite secrets.
module masked_add #(
    parameter  int unsigned WIDTH  = 64,                                       // a power of two, 4 or more
    localparam int unsigned LEVELS = $clog2(WIDTH),
    localparam int unsigned RANDOM = 2 * LEVELS * (WIDTH - 1) - 2 * WIDTH + 3  // ANDs
) (
    input logic clk,
    input logic [RANDOM-1:0] random,
    input logic [WIDTH-1:0] a0,
    input logic [WIDTH-1:0] a1,
    input logic [WIDTH-1:0] b0,
    input logic [WIDTH-1:0] b1,
    output logic [WIDTH-1:0] y0,
    output logic [WIDTH-1:0] y1
);

  localparam int unsigned CARRIES = WIDTH - 1;  // out of all bits but the last

  if (WIDTH < 4 || (WIDTH & (WIDTH - 1)) != 0) begin : gen_bad_width
    $fatal(1, "masked_add: WIDTH = %0d, allowed: powers of two from 4 on", WIDTH);
  end

  // Level k knows of 2^k bits up to each one whether they make a carry, and whether they pass one on.
  for (genvar k = 0; k <= LEVELS; k++) begin : gen_level
    logic [1:0][WIDTH-1:0] half;  // the sum without carries, by domain
    logic [1:0][CARRIES-1:0] make, pass;

    if (k == 0) begin : gen_bits
      masked_and #(
          .WIDTH(CARRIES)
      ) u_make (
          .clk,
          .random(random[CARRIES-1:0]),
          .a0(a0[CARRIES-1:0]),
          .a1(a1[CARRIES-1:0]),
          .b0(b0[CARRIES-1:0]),
          .b1(b1[CARRIES-1:0]),
          .c0(make[0]),
          .c1(make[1])
      );
      always_ff @(posedge clk) half <= {a1 ^ b1, a0 ^ b0};
      assign pass = {half[1][CARRIES-1:0], half[0][CARRIES-1:0]};
    end else begin : gen_groups
      localparam int unsigned FROM = 1 << (k - 1);  // distance to the group below
      localparam int unsigned FIRST = (2 * k - 1) * CARRIES - 3 * FROM + 3;  // random bit of this level
      localparam int unsigned MAKERS = CARRIES - FROM;
      logic [1:0][CARRIES-1:0] made;  // by the group itself, a cycle ago
      logic [1:0][ MAKERS-1:0] taken;  // from the group below

      always_ff @(posedge clk) begin
        half <= gen_level[k-1].half;
        made <= gen_level[k-1].make;
      end

      masked_and #(
          .WIDTH(MAKERS)
      ) u_make (
          .clk,
          .random(random[FIRST+:MAKERS]),
          .a0(gen_level[k-1].pass[0][CARRIES-1:FROM]),
          .a1(gen_level[k-1].pass[1][CARRIES-1:FROM]),
          .b0(gen_level[k-1].make[0][MAKERS-1:0]),
          .b1(gen_level[k-1].make[1][MAKERS-1:0]),
          .c0(taken[0]),
          .c1(taken[1])
      );
      for (genvar d = 0; d < 2; d++) begin : gen_domain
        assign make[d] = made[d] ^ {taken[d], FROM'(0)};
      end

      // Groups that reach the first bit pass nothing on.
      if (k < LEVELS) begin : gen_pass
        localparam int unsigned PASSERS = CARRIES - 2 * FROM;
        assign pass[0][2*FROM-1:0] = '0;
        assign pass[1][2*FROM-1:0] = '0;
        masked_and #(
            .WIDTH(PASSERS)
        ) u_pass (
            .clk,
            .random(random[FIRST+MAKERS+:PASSERS]),
            .a0(gen_level[k-1].pass[0][CARRIES-1:2*FROM]),
            .a1(gen_level[k-1].pass[1][CARRIES-1:2*FROM]),
            .b0(gen_level[k-1].pass[0][CARRIES-1-FROM:FROM]),
            .b1(gen_level[k-1].pass[1][CARRIES-1-FROM:FROM]),
            .c0(pass[0][CARRIES-1:2*FROM]),
            .c1(pass[1][CARRIES-1:2*FROM])
        );
      end else begin : gen_no_pass
        logic unused;
        assign pass   = '0;
        assign unused = pass[0][0] ^ pass[1][0];
      end
    end
  end

  assign y0 = gen_level[LEVELS].half[0] ^ {gen_level[LEVELS].make[0], 1'b0};
  assign y1 = gen_level[LEVELS].half[1] ^ {gen_level[LEVELS].make[1], 1'b0};

endmodule
