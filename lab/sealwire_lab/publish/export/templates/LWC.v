@% import "ports.sv" as ports %@
// SPDX-License-Identifier: Apache-2.0
// @{p.name}@ under the name that the test bench of the LWC hardware API looks for; its widths are in LWC_config.vhd.
module LWC (
    input  wire        clk,
    input  wire        rst,  // synchronous, active high
    input  wire [@{p.values.W - 1}@:0] pdi_data,
    input  wire        pdi_valid,
    output wire        pdi_ready,
    input  wire [@{p.values.SW - 1}@:0] sdi_data,
    input  wire        sdi_valid,
    output wire        sdi_ready,
    output wire [@{p.values.W - 1}@:0] do_data,
    output wire        do_last,
    output wire        do_valid,
    input  wire        do_ready
);

  @{p.name}@ u_lwc (
@{ports.connections(p)}@  );

endmodule
