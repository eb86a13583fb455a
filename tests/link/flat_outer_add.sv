// SPDX-License-Identifier: Apache-2.0
//
// outer_add with flat ports, for packets in beats of DATA_BITS.
module flat_outer_add
  import link_types_pkg::*;
#(
    parameter  int unsigned DATA_BITS = 64,
    localparam int unsigned BEAT_BITS = DATA_BITS + $clog2(DATA_BITS / 8) + 3
) (
    input logic untrusted_clk,
    input logic rst_untrusted,
    input settings_t settings,
    input logic [BEAT_BITS-1:0] leaving,
    output logic leaving_ready,
    output logic [BEAT_BITS-1:0] framed,
    input logic framed_ready
);
  typedef struct packed {
    logic                         valid;
    logic [DATA_BITS-1:0]         data;
    logic [$clog2(DATA_BITS/8):0] bytes;
    logic                         last;
  } beat_t;

  outer_add #(.beat_t(beat_t)) dut (.*);

endmodule
