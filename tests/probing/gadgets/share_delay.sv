// SPDX-License-Identifier: Apache-2.0
// Two of three shares, once more a cycle later in one sum: two probes that see one cycle each know the secret where one
// of them is placed a cycle after the other.
module share_delay (
    input  logic       clk,
    input  logic [2:0] a,
    output logic       sum
);

  logic [1:0] held;

  always_ff @(posedge clk) held <= a[1:0];

  assign sum = ^held;

endmodule
