// SPDX-License-Identifier: Apache-2.0
// The parts of Minalpher-P, the permutation of 32 bytes (docs/schemes/minalpher.md, "Definition").
// Byte order: byte i of a block in bits [8i+7:8i]; of a byte the high nibble is the one of the lower column.
// Security: an S-box of four bits is four functions of four bits, read in constant time; the rest are wires and sums.
package minalpher_p_pkg;

  localparam int unsigned ROUNDS = 17;

  // [0] is A, [1] is B; then row, column, nibble
  typedef logic [3:0][7:0][3:0] matrix_t;
  typedef matrix_t [1:0] matrices_t;

  localparam logic [3:0] SBOX[16] = '{
      4'hb,
      4'h3,
      4'h4,
      4'h1,
      4'h2,
      4'h8,
      4'hc,
      4'hf,
      4'h5,
      4'hd,
      4'he,
      4'h0,
      4'h6,
      4'h9,
      4'ha,
      4'h7
  };

  // Place p of a row takes place SR[p]; SR1, then SR2.
  localparam int unsigned SR[2][8] = '{'{6, 7, 1, 0, 2, 3, 4, 5}, '{4, 5, 0, 1, 7, 6, 2, 3}};

  function automatic matrices_t matrices_of(input logic [255:0] block);
    for (int unsigned m = 0; m < 2; m++) begin
      for (int unsigned r = 0; r < 4; r++) begin
        for (int unsigned c = 0; c < 8; c++) begin
          matrices_of[m][r][c] = block[8*(8*r+4*m+c/2)+(c%2==0?4 : 0)+:4];
        end
      end
    end
  endfunction

  function automatic logic [255:0] block_of(input matrices_t x);
    for (int unsigned m = 0; m < 2; m++) begin
      for (int unsigned r = 0; r < 4; r++) begin
        for (int unsigned c = 0; c < 8; c++) begin
          block_of[8*(8*r+4*m+c/2)+(c%2==0?4 : 0)+:4] = x[m][r][c];
        end
      end
    end
  endfunction

  function automatic logic [3:0] sub_nibble(input logic [3:0] x);
    sub_nibble = '0;
    for (int unsigned i = 0; i < 16; i++) if (x == 4'(i)) sub_nibble |= SBOX[i];
  endfunction

  // S-box, permutation of the rows, exchange of the matrices. It is its own inverse: what a row of one matrix
  // undergoes, the row of the other matrix that it comes to undoes.
  function automatic matrices_t substitute(input matrices_t x);
    for (int unsigned m = 0; m < 2; m++) begin
      for (int unsigned r = 0; r < 4; r++) begin
        for (int unsigned p = 0; p < 8; p++) begin
          if ((m == 0) == (r < 2)) substitute[1-m][r][p] = sub_nibble(x[m][r][SR[r%2][p]]);
          else substitute[1-m][r][SR[r%2][p]] = sub_nibble(x[m][r][p]);
        end
      end
    end
  endfunction

  // Every row and its neighbours
  function automatic matrix_t mix_rows(input matrix_t x);
    for (int unsigned r = 0; r < 4; r++) mix_rows[r] = x[r] ^ x[(r+1)%4] ^ x[(r+3)%4];
  endfunction

  // B + A, rows and their neighbours, the round's constant in half of B. But for the constant it is its own inverse.
  function automatic matrices_t mix(input matrices_t x, input logic [3:0] number);
    mix[0] = mix_rows(x[0]);
    mix[1] = mix_rows(x[1] ^ x[0]);
    for (int unsigned r = 0; r < 4; r++) begin
      for (int unsigned c = 0; c < 4; c++) mix[1][r][c] ^= 4'(c) ^ 4'(r) ^ number;
    end
  endfunction

  // The numbers of the rounds. The inverse takes them from 16 down to 0 and adds a constant before the rows are mixed.
  // Added behind that, it is the constant of the rows' neighbours: r + (r + 1) + (r + 3) modulo 4, exclusive or, is r
  // with bit 1 turned. So the inverse is the permutation with bit 1 of every number turned.
  function automatic logic [3:0] first_number(input logic inverse);
    return inverse ? 4'd2 : 4'd0;
  endfunction

  function automatic logic [3:0] next_number(input logic inverse, input logic [3:0] number);
    return inverse ? ((number ^ 4'd2) - 4'd1) ^ 4'd2 : number + 4'd1;
  endfunction

endpackage
