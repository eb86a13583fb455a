// SPDX-License-Identifier: Apache-2.0
//
// Free-running ring oscillators out of LUT4 cells of an ECP5, of different odd lengths, each sampled through two flip-flops; a raw bit
// is the exclusive or of all samples of one moment. The cells are kept as they stand: a synthesiser would see inverters in a loop
// and remove them, and the placer needs leave for loops (nextpnr-ecp5 --ignore-loops).
// In simulation noise/model takes its place.

module noise_rings (
    input  logic clk,
    input  logic sample,  // unused: the rings run all the time
    output logic raw
);
  localparam int unsigned RINGS = 8;
  localparam logic [15:0] INVERTER = 16'h5555;  // Z = !A

  logic [RINGS-1:0] out, sampled;

  for (genvar ring = 0; ring < RINGS; ring++) begin : g_ring
    localparam int unsigned CELLS = 3 + 2 * (ring % 4);
    (* keep *) logic [CELLS-1:0] node;
    for (genvar i = 0; i < CELLS; i++) begin : g_cell
      (* keep *)
      LUT4 #(
          .INIT(INVERTER)
      ) u_inverter (
          .A(node[(i+CELLS-1)%CELLS]),
          .B(1'b0),
          .C(1'b0),
          .D(1'b0),
          .Z(node[i])
      );
    end
    assign out[ring] = node[0];
  end

  sync_bits #(
      .WIDTH(RINGS)
  ) u_sync (
      .clk(clk),
      .d  (out),
      .q  (sampled)
  );

  assign raw = ^sampled;

  wire unused = &{1'b0, sample};
endmodule
