// SPDX-License-Identifier: Apache-2.0
// The S-box of Ascon-p on WIDTH columns in two shares (their sum is the column), as in `ascon_pkg`: a linear layer, five
// masked ANDs a column, a linear layer. First-order secure with glitches and transitions (docs/probing.md), alone and
// from one round into the next, with three random bits a column: words 0 and 3 share one, words 1 and 4 another.
// Specification: NIST SP 800-232 section 3.3. Word x_i of the shares is x0[i] and x1[i].
// Cycles: two registers deep, a state a cycle; y0 and y1 are logic after the last registers, linear in each domain.
// The constant of the round is public: the user adds it to x0[2].
// Security: no enable and no reset; the user shifts other values in to overwrite secrets.
module ascon_masked_sbox #(
    parameter int unsigned WIDTH = 64
) (
    input logic clk,
    input logic [2:0][WIDTH-1:0] random,
    input logic [4:0][WIDTH-1:0] x0,
    input logic [4:0][WIDTH-1:0] x1,
    output logic [4:0][WIDTH-1:0] y0,
    output logic [4:0][WIDTH-1:0] y1
);

  typedef logic [4:0][WIDTH-1:0] words_t;

  localparam words_t WORD_2 = {{(2 * WIDTH) {1'b0}}, {WIDTH{1'b1}}, {(2 * WIDTH) {1'b0}}};

  // The registers before the ANDs keep a glitch from showing more than the bits that an AND takes.
  words_t in0, in1, held0, held1, and0, and1;

  function automatic words_t linear_before(input words_t x);
    return {x[4] ^ x[3], x[3], x[2] ^ x[1], x[1], x[0] ^ x[4]};
  endfunction

  function automatic words_t linear_behind(input words_t t);
    return {t[4], t[3] ^ t[2], t[2], t[1] ^ t[0], t[0] ^ t[4]};
  endfunction

  always_ff @(posedge clk) begin
    in0   <= linear_before(x0);
    in1   <= linear_before(x1);
    held0 <= in0;
    held1 <= in1;
  end

  for (genvar i = 0; i < 5; i++) begin : gen_word
    masked_and #(
        .WIDTH(WIDTH)
    ) u_and (
        .clk,
        .random(random[i%3]),
        .a0(~in0[(i+1)%5]),
        .a1(in1[(i+1)%5]),
        .b0(in0[(i+2)%5]),
        .b1(in1[(i+2)%5]),
        .c0(and0[i]),
        .c1(and1[i])
    );
  end

  // The complement of word 2 is of one domain.
  assign y0 = linear_behind(held0 ^ and0) ^ WORD_2;
  assign y1 = linear_behind(held1 ^ and1);

endmodule
