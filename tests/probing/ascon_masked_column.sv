// SPDX-License-Identifier: Apache-2.0
// Column 0 of the S-box of Ascon-p in shares, of a whole state: what probes of a round's outcome look through. It takes its
// random bits from the three words of a round. All columns are alike.
module ascon_masked_column
  import ascon_pkg::*;
(
    input logic clk,
    input logic [2:0][63:0] random,
    input state_t x0,
    input state_t x1,
    output logic [4:0] y0,
    output logic [4:0] y1
);

  logic [4:0] column0, column1;

  always_comb begin
    for (int unsigned i = 0; i < 5; i++) begin
      column0[i] = x0[i][0];
      column1[i] = x1[i][0];
    end
  end

  ascon_masked_sbox #(
      .WIDTH(1)
  ) u_sbox (
      .clk,
      .random({random[2][0], random[1][0], random[0][0]}),
      .x0(column0),
      .x1(column1),
      .y0,
      .y1
  );

endmodule
