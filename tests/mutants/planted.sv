// SPDX-License-Identifier: Apache-2.0
// A small house for the tests of the planter: a module with a place for every kind of defect, and what is left out.
module planted #(
    parameter  int unsigned WIDTH = 4,
    localparam int unsigned TOP   = WIDTH - 1
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             go,
    input  logic             stay,
    input  logic [WIDTH-1:0] a,
    output logic [WIDTH-1:0] sum,
    output logic             high,
    output logic             odd
);

  if (WIDTH < 2) begin : g_bad_width
    $fatal(1, "planted: WIDTH = %0d, must be at least 2", WIDTH);
  end

  function automatic logic [3:0] bits(int unsigned count);
    return 4'(count + 1);
  endfunction
  localparam logic [3:0] TABLE = bits(WIDTH);

  logic unused;
  assign unused = &{1'b0, a};

  // a comment with && and <= in it
  assign high   = go && a < 4'd9;  /* and another || */

  always_ff @(posedge clk) begin
    if (go) sum <= stay ? sum : a + 1'b1;
    if (rst) sum <= '0;
  end

  planted_leaf u_leaf (
      .a(a[0]),
      .odd
  );

`ifdef SYNTHESIS
  wire unused_sum = sum > 4'd5;  // no simulation has this
`else
  always_ff @(posedge clk) assert (rst || sum != 4'd15 || TABLE != '0);
  planted_check u_check (.a);
`endif

endmodule

module planted_leaf (
    input  logic a,
    output logic odd
);
  assign odd = !a;
endmodule

module planted_check (
    input logic [3:0] a
);
  logic seen;
  assign seen = a == 4'd3;
endmodule
