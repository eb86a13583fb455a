// SPDX-License-Identifier: Apache-2.0
// Modes that take a block a cycle: what their shell and their data paths share.
// Byte order: byte i of a block in bits [8i+7:8i].
// Security: no secrets here.
package aead_pipe_pkg;

  // Packets in flight at once, by number, where there are several
  localparam int unsigned PACKETS = 16;
  typedef logic [$clog2(PACKETS)-1:0] packet_t;
  typedef logic [$clog2(PACKETS):0] number_t;  // of a command, counted on

  // What is kept of a command
  typedef struct packed {
    logic [1:0] op;      // aead_pkg::op_e
    logic       cached;  // the AD cache takes the place of associated data
  } command_t;

  // A beat of a string, as in aead_if
  typedef struct packed {
    logic         valid;
    logic [127:0] data;
    logic [4:0]   bytes;
    logic         last;
  } beat_t;

  // A block of output
  typedef struct packed {
    logic         valid;
    logic         late;    // the late one of its chunk, which it completes
    logic         last;    // of the last chunk,
    logic         single;  // which has but one,
    logic         spent;   // and that was made before
    logic [127:0] block;   // zero beyond the string
  } made_t;

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

endpackage
