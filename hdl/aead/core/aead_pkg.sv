// SPDX-License-Identifier: Apache-2.0
// What every AEAD mode shares (docs/core-ports.md): operations, what the front end tells its mode and is told by it, and
// what stands in the block collector.
// Security: no secrets here.
package aead_pkg;

  typedef enum logic [1:0] {
    OP_SEAL    = 2'd0,
    OP_OPEN    = 2'd1,
    OP_LOAD_AD = 2'd2
  } op_e;

  // Front end to mode
  typedef struct packed {
    logic       rest;       // no command is in flight: the next key or command may come
    logic       key_new;    // pulse: a key moves with this edge
    logic       accepts;    // pulse: a command moves with this edge, and its nonce
    logic       pending;    // level: a command was accepted and has not begun
    logic       begins;     // pulse: it begins, for it is not refused for itself
    logic       with_ad;    // level, from `pending` on: associated data are still to come
    logic       cached;     // the AD cache takes their place
    logic [1:0] op;         // op_e
    logic       refused;    // level: blocks are of no use, and no output follows
    logic       end_empty;  // pulse: the mode has made no output and makes none: it is the empty string
    logic       tag_taken;  // pulse: the expected tag moves with this edge
    logic       done;       // pulse: the verdict has fallen
  } front_t;

  // Mode to front end: levels, which do not depend on what the front end says
  typedef struct packed {
    logic wiping;    // memories are being zeroised
    logic key_free;  // a key may come
    logic tag_wait;  // the mode needs the expected tag before it goes on
    logic finish;    // until `done`: the tag stands, no output follows
    logic out_idle;  // the output that was made has gone
  } status_t;

  // Mode to front end: pulses
  typedef struct packed {
    logic key_done;  // the key is in use
    logic refuse;    // the input is not legal, or not authentic
    logic out_made;  // output has been made
  } event_t;

  // What stands in the block collector; the counts are as wide as the largest chunk needs.
  typedef struct packed {
    logic       full;        // a chunk is ready; the fields below are valid
    logic       last;        // it is the string's last one
    logic       two;         // it reaches into its second half
    logic       partial;     // its last block is short: it was padded
    logic       empty;       // the string is empty
    logic       bad;         // an illegal beat came
    logic [5:0] beats;       // beats of the string in it, less one
    logic [6:0] last_bytes;  // bytes in the last of them
  } chunk_t;

  // Orders to the collector
  typedef struct packed {
    logic start_ad;   // pulse: begin the associated data
    logic start_msg;  // pulse: begin the message
    logic next;       // pulse: the chunk has been taken, go on with the string
    logic stop;       // pulse: give up
  } collect_t;

  // Orders to the emitter
  typedef struct packed {
    logic       load;        // pulse: begin with a chunk; only while idle
    logic       empty;       // pulse: send the empty string; only while idle
    logic [5:0] beats;       // of the chunk, less one
    logic [6:0] last_bytes;  // bytes in the last of them
    logic       last;        // it is the string's last chunk
    logic       swap;        // its second half goes first
    logic       more;        // level: more chunks follow, the held beat may go
    logic       cut;         // level: no more chunks follow, the held beat is the last
  } emit_t;

  function automatic logic takes_ad(input logic [1:0] op, input logic cached);
    return op == OP_LOAD_AD || (op <= OP_OPEN && !cached);
  endfunction

  // Whether a command is refused for itself: operation 3, loading AD where there is no cache, a cache that is not valid.
  function automatic logic unfit(input logic [1:0] op, input logic cached, input logic cache_ok, input logic has_cache);
    return (op[1] && (op[0] || !has_cache)) || (cached && !(cache_ok && has_cache));
  endfunction

endpackage
