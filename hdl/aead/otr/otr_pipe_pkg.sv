// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle, several packets in flight (docs/cores/otr.md): what schedule and data path share.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package otr_pipe_pkg;
  import aead_pipe_pkg::packet_t;
  import otr_pkg::*;

  // What travels with a call
  typedef struct packed {
    kind_e      kind;
    packet_t    packet;    // that it belongs to
    logic       opens;     // the packet is opened
    logic       sum;       // the packet's sum takes up the block that goes with the call, and
    pass_e      sum_pass;  // these bytes of the result
    logic       sum_end;   // it is complete with that
    logic       cut;       // of the result only the bytes of the string count,
    logic [4:0] bytes;     // so many
    logic       last;      // last chunk; of K_TA: for the cache
    logic       single;    // of one block
    logic       spent;     // which has been made before: this only ends the chunk
  } token_t;

  // A call to be made in the next cycle, or the calls of a chunk
  typedef struct packed {
    token_t  token;
    logic    from_first;     // AES takes the chunk's first block
    logic    from_second;
    logic    from_nonce;
    logic    from_sum;       // of the message, with its F,
    logic    from_ad_sum;    // of the associated data, with theirs
    logic    with_first;     // the block that goes with it: the chunk's first
    logic    with_second;
    logic    with_ta;
    logic    with_cache;
    logic    a_text;         // A is that of the message
    logic    a_ad;           // of the associated data
    logic    with_a;         // mask: A + 2 A, each if wanted
    logic    with_2a;
    logic    next_text;      // A of the message <= 2 A afterwards
    logic    next_ad;
    logic    finish_text;    // F of the message <= A and the multiples of it below
    logic    finish_ad;
    logic    with_a2;
    logic    with_a4;
    logic    with_a8;
    logic    ad_block;       // the sum of the associated data takes up the block
    logic    begins;         // a packet begins: its sums are zero, A of the associated data <= Q
    packet_t begins_packet;
    logic    cache_clear;
  } call_t;

  // What is known of a chunk that waits for its calls, or of a block of associated data
  typedef struct packed {
    logic       ad;
    logic       last;     // of the string
    logic       two;      // blocks
    logic       partial;  // its last block is short
    logic       empty;    // the string is empty
    logic       bad;      // the packet is refused
    logic [4:0] bytes;    // of its last block
  } queued_t;

  // Bytes of a string's last block
  function automatic logic [15:0] text_of(input logic [4:0] bytes);
    for (int unsigned i = 0; i < 16; i++) text_of[i] = 5'(i) < bytes;
  endfunction

endpackage
