// SPDX-License-Identifier: Apache-2.0
// What the modes that make their output block by block share with `aead_outputs`.
// Security: no secrets here.
package aead_block_pkg;

  // A block of output as the emitter is told of it
  typedef struct packed {
    logic       last;     // of the string
    logic       partial;  // it is short
    logic [5:0] beats;    // less one
    logic [6:0] bytes;    // in the last of them
  } output_t;

  // The block in the collector gives one of output as long.
  function automatic output_t output_of(input aead_pkg::chunk_t chunk);
    return '{last: chunk.last, partial: chunk.partial, beats: chunk.beats, bytes: chunk.last_bytes};
  endfunction

endpackage
