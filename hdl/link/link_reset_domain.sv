// SPDX-License-Identifier: Apache-2.0
//
// Reset of one clock domain of the link: what it asks for itself holds from the next edge until the common reset is there, so
// that the domain never runs in between. It reaches the logic from a flip-flop of its clock.

module link_reset_domain (
    input  logic clk,
    input  logic request,  // synchronous to clk, one cycle or longer
    output logic asked,    // the request, registered
    input  logic any,      // asked by any domain
    output logic rst
);
  logic came;
  logic [3:0] request_q;
  assign asked = request_q[0];

  reset_sync u_any (
      .clk,
      .rst_async_in(any),
      .rst(came)
  );

  always_ff @(posedge clk) begin
    request_q <= {request_q[2:0], request};
    rst       <= request || request_q != '0 || came;
  end
endmodule
