// SPDX-License-Identifier: Apache-2.0
// Modes that take a block a cycle: what their shell and their data paths share.
// Byte order: byte i of a block in bits [8i+7:8i].
// Security: no secrets here.
package aead_pipe_pkg;

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
