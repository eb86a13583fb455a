// SPDX-License-Identifier: Apache-2.0
// AND of two bits in three shares, domain-oriented: a random bit for each two domains, a register for each term.
// Two probes see no secret.
module dom_and3 (
    input  logic       clk,
    input  logic [2:0] a,
    input  logic [2:0] b,
    input  logic [2:0] r,
    output logic [2:0] c
);

  // The random bit of two domains
  function automatic int unsigned shared(int unsigned one, int unsigned other);
    return one + other - 1;
  endfunction

  for (genvar i = 0; i < 3; i++) begin : gen_domain
    logic [2:0] term;
    for (genvar j = 0; j < 3; j++) begin : gen_term
      if (i == j) begin : gen_own
        always_ff @(posedge clk) term[j] <= a[i] & b[j];
      end else begin : gen_joint
        always_ff @(posedge clk) term[j] <= (a[i] & b[j]) ^ r[shared(i, j)];
      end
    end
    assign c[i] = ^term;
  end

endmodule
