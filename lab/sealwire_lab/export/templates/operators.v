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
