// SPDX-License-Identifier: Apache-2.0
// A round of Ascon-p is that of NIST SP 800-232, 3.2 to 3.4: the constant of the round, the S-box as its table of 32
// entries column by column, the linear layer as sums of single bits.
module ascon_p (
    input logic [4:0][63:0] x,
    input logic [3:0] round
);

  // Entry 0 first
  localparam logic [4:0] SBOX[32] = '{
      5'h04,
      5'h0b,
      5'h1f,
      5'h14,
      5'h1a,
      5'h15,
      5'h09,
      5'h02,
      5'h1b,
      5'h05,
      5'h08,
      5'h12,
      5'h1d,
      5'h03,
      5'h06,
      5'h1c,
      5'h1e,
      5'h13,
      5'h07,
      5'h0e,
      5'h00,
      5'h0d,
      5'h11,
      5'h18,
      5'h10,
      5'h0c,
      5'h01,
      5'h19,
      5'h16,
      5'h0a,
      5'h0f,
      5'h17
  };
  // The last twelve of the constants of sixteen rounds
  localparam logic [7:0] CONSTANT[12] = '{
      8'hf0,
      8'he1,
      8'hd2,
      8'hc3,
      8'hb4,
      8'ha5,
      8'h96,
      8'h87,
      8'h78,
      8'h69,
      8'h5a,
      8'h4b
  };
  localparam int FIRST[5] = '{19, 61, 1, 10, 7};
  localparam int SECOND[5] = '{28, 39, 6, 17, 41};

  logic [7:0] constant;
  always_comb begin
    constant = '0;
    for (int i = 0; i < 12; i++) if (round == 4'(i)) constant = CONSTANT[i];
  end

  // In a column word 0 has the uppermost bit of the entry's number.
  logic [4:0][63:0] added, substituted, standard;
  logic [4:0] entry;
  always_comb begin
    added = x;
    added[2] ^= 64'(constant);
    for (int j = 0; j < 64; j++) begin
      entry = '0;
      for (int i = 0; i < 32; i++) begin
        if ({added[0][j], added[1][j], added[2][j], added[3][j], added[4][j]} == 5'(i)) entry = SBOX[i];
      end
      for (int i = 0; i < 5; i++) substituted[i][j] = entry[4-i];
    end
    for (int i = 0; i < 5; i++) begin
      for (int j = 0; j < 64; j++) begin
        standard[i][j] = substituted[i][j] ^ substituted[i][(j+FIRST[i])%64] ^ substituted[i][(j+SECOND[i])%64];
      end
    end
  end

  logic [4:0][63:0] y;
  ascon_round dut (
      .x,
      .constant(ascon_pkg::round_constant(round)),
      .y
  );

  always_comb begin
    a_round : assert (round >= 4'd12 || y == standard);
  end

endmodule
