// SPDX-License-Identifier: Apache-2.0
//
// Ethernet as IEEE 802.3 writes it, clauses 3 and 4: sizes, and the frame check sequence a byte at a time, its lowest bit first.

package ethernet_pkg;
  localparam int unsigned MIN_BYTES = 60;  // of a frame without FCS; shorter ones are padded, or are runts
  localparam int unsigned GAP_BYTES = 12;  // between two frames
  localparam int unsigned PREAMBLE_BYTES = 7;
  localparam int unsigned FCS_BYTES = 4;
  localparam logic [7:0] PREAMBLE = 8'h55;
  localparam logic [7:0] START = 8'hD5;  // start-of-frame delimiter
  localparam logic [31:0] CRC_POLYNOMIAL = 32'hEDB88320;  // bit-reversed: bits leave at the low end
  localparam logic [31:0] CRC_BEGIN = '1;

  // The FCS is the complement of the last value, low byte first.
  function automatic logic [31:0] crc_next(logic [31:0] crc, logic [7:0] data);
    crc_next = crc ^ {24'd0, data};
    for (int unsigned i = 0; i < 8; i++) crc_next = (crc_next >> 1) ^ (crc_next[0] ? CRC_POLYNOMIAL : '0);
  endfunction
endpackage
