// SPDX-License-Identifier: Apache-2.0
// What schedule, data path and output of AEGIS-128L share.
// Specification: RFC 10032, section 4. Byte order: byte i of a string in bits [8i+7:8i].
// Security: no secrets here.
package aegis_pkg;

  localparam int unsigned STATE_BLOCKS = 8;
  localparam int unsigned START_UPDATES = 10;
  localparam int unsigned END_UPDATES = 7;

  localparam logic [127:0] C0 = 128'h6279e99059372215_0d08050302010100;
  localparam logic [127:0] C1 = 128'hdd28b57342311120_f12fc26d55183ddb;

  // Orders of the schedule to the data path
  typedef struct packed {
    logic update;       // the state takes up block and side input
    logic block_clear;  // the collector's block is wiped
    logic side_clear;   // side input <= 0
    logic side_end;     // side input <= S2 + lengths, in both halves
  } datapath_t;

endpackage
