// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream between an adapter and the flat ports of its top. Byte i of the packet is in bits [8i+7:8i] of its beat.
interface axis_if #(
    parameter int unsigned DATA_BITS = 64  // tdata; whole bytes
);

  logic [  DATA_BITS-1:0] tdata;
  logic [DATA_BITS/8-1:0] tkeep;
  logic                   tvalid;
  logic                   tready;
  logic                   tlast;

  modport source(output tdata, tkeep, tvalid, tlast, input tready);
  modport sink(input tdata, tkeep, tvalid, tlast, output tready);

endinterface
