// SPDX-License-Identifier: Apache-2.0
// AES-OTR v3 (docs/cores/otr.md): what schedule and data paths share: calls of AES, each with what its result is for.
// Byte order: strings have byte i in bits [8i+7:8i].
// Security: no secrets here.
package otr_pkg;

  // Bytes of a result that pass
  typedef enum logic [1:0] {
    PASS_NONE,
    PASS_ALL,
    PASS_TEXT,   // bytes of the string in the message's last block
    PASS_BEYOND  // all other bytes
  } pass_e;

  // What the result of a call is for
  typedef enum logic [2:0] {
    K_NONE,
    K_Q,      // mask of associated data
    K_SUM,    // the sum alone (associated data)
    K_TA,
    K_NONCE,  // mask of the message
    K_FIRST,  // first call of a chunk: early block, which goes to the second call; or the call of a single block
    K_LATE,   // second call of a chunk: late block; or the call of a single block with none before it
    K_TAG
  } kind_e;

  typedef struct packed {
    kind_e kind;
    logic  sum;       // the sum takes up the block that goes with the call, and
    pass_e sum_pass;  // these bytes of the result
    logic  sum_end;   // it is complete with that
    logic  cut;       // of the result only the bytes of the string count
    logic  last;      // last chunk
    logic  single;    // of one block
    logic  spent;     // which has been made before: this only ends the chunk
  } token_t;

  // A call to be made in the next cycle, or the calls of a chunk
  typedef struct packed {
    token_t     token;
    logic       from_first;   // AES takes the chunk's first block
    logic       from_second;
    logic       from_nonce;
    logic       from_sum;
    logic       with_first;   // the block that goes with it: the chunk's first
    logic       with_second;
    logic       with_ta;
    logic       mask_a;       // mask: A + 2 A + F, each if wanted
    logic       mask_2a;
    logic       mask_f;
    logic       next_a;       // A <= 2 A afterwards
    logic       finish;       // F <= the multiples of A below
    logic [3:0] multiples;    // 1, 2, 4, 8
  } call_t;

  // Where calls wait for their masks, which are made a bit of their multiple of A a cycle:

  // A call on its way: what it is for, its source, and the block that is added to its result
  typedef struct packed {
    token_t       token;
    logic [127:0] source;
    logic [127:0] beside;
  } item_t;

  // What a chunk's second call is made of
  typedef struct packed {
    logic         last;    // as in token_t
    logic         single;
    logic [127:0] source;
    logic [127:0] beside;
  } again_t;

  // Steps of a mask that are to come: bits of the multiple of A, the next one on top
  typedef struct packed {
    logic       first;   // of A of the first calls
    logic       second;  // of that of the second calls
    logic       next;    // which is doubled with the last step
    logic       begun;
    logic [3:0] left;    // as many ones from bit 0 on
    logic [3:0] bits;
  } walk_t;

  // The formatted nonce but for the nonce: tag length in the first seven bits, a one just before the nonce at the end
  function automatic logic [127:0] nonce_frame(input int unsigned nonce_bits, input int unsigned tag_bits);
    return (128'(tag_bits % 128) << 1) | (128'd1 << (8 * (15 - nonce_bits / 8)));
  endfunction

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  function automatic logic [15:0] passed(input pass_e pass, input logic [15:0] text);
    unique case (pass)
      PASS_ALL: return '1;
      PASS_TEXT: return text;
      PASS_BEYOND: return ~text;
      default: return '0;
    endcase
  endfunction

endpackage
