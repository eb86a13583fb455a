// SPDX-License-Identifier: Apache-2.0
// Cells of Yosys that Verilog has no operator for, or that tools warn about, in terms of others.

module \$bwmux (A, B, S, Y);
  parameter WIDTH = 0;
  input [WIDTH-1:0] A, B, S;
  output [WIDTH-1:0] Y;
  assign Y = (A & ~S) | (B & S);
endmodule

// `!` is for one bit.
module \$logic_not (A, Y);
  parameter A_SIGNED = 0;
  parameter A_WIDTH = 0;
  parameter Y_WIDTH = 0;
  input [A_WIDTH-1:0] A;
  output [Y_WIDTH-1:0] Y;
  wire _TECHMAP_FAIL_ = A_WIDTH <= 1;
  wire any = |A;
  assign Y = !any;
endmodule

// An index has no more bits than the word asks for; one that may be negative is left alone.
module \$shiftx (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 0;
  parameter B_WIDTH = 0;
  parameter Y_WIDTH = 0;
  parameter _TECHMAP_CONSTMSK_B_ = 0;
  parameter _TECHMAP_CONSTVAL_B_ = 0;
  localparam WIDTH = $clog2(A_WIDTH);
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam POSITIVE = _TECHMAP_CONSTMSK_B_[B_WIDTH-1] && !_TECHMAP_CONSTVAL_B_[B_WIDTH-1];
  wire _TECHMAP_FAIL_ = B_WIDTH <= WIDTH || (B_SIGNED && !POSITIVE);
  \$shiftx #(
      .A_SIGNED(0),
      .B_SIGNED(0),
      .A_WIDTH (A_WIDTH),
      .B_WIDTH (WIDTH),
      .Y_WIDTH (Y_WIDTH)
  ) _TECHMAP_REPLACE_ (
      .A(A),
      .B(B[WIDTH-1:0]),
      .Y(Y)
  );
endmodule
