// SPDX-License-Identifier: Apache-2.0
//
// Reset of one clock domain of the link: what it asks for itself holds from the next edge until the common reset is there, so
// that the domain never runs in between. The common reset comes no later than a crossing shows that its other end was reset
// (cdc_reset asks through as many flip-flops, and later), so that no stream breaks off in a domain that is not in reset, as long
// as no clock has more than four edges between two of another. The proof is tests/lib/test_crossing_proof.py.

module link_reset_domain (
    input  logic clk,
    input  logic request,  // synchronous to clk, one cycle or longer
    output logic asked,    // the request, registered
    input  logic any,      // asked by any domain
    output logic rst
);
  logic [1:0] request_q;
  assign asked = request_q[0];
  always_ff @(posedge clk) request_q <= {request_q[0], request};

  reset_sync u_any (
      .clk,
      .rst_async_in(any),
      .rst_in(request || request_q != '0),
      .rst
  );
endmodule
