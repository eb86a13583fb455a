// SPDX-License-Identifier: Apache-2.0
// What the parts of AES-GCM share (docs/cores/gcm.md), and the field of GHASH.
// Specification: NIST SP 800-38D, 6.3. Field: x^128 + x^7 + x^2 + x + 1; bit i of a polynomial here is the coefficient of x^i.
// Byte order: byte i of a string in bits [8i+7:8i]; the standard's first coefficient is the upper bit of byte 0.
// Security: no secrets here.
package gcm_pkg;

  localparam int unsigned DIGIT_BITS = 16;  // of a factor, multiplied in a cycle
  localparam int unsigned DIGITS = 128 / DIGIT_BITS;
  localparam int unsigned PARTIAL_BITS = 128 + DIGIT_BITS / 2 - 1;

  // Orders of the schedule to the data path; they come from registers, each acts on the next edge.
  typedef struct packed {
    logic hash_key_load;  // hash key <= key stream
    logic mask_load;      // tag <= key stream
    logic tag_sum;        // tag <= tag + hash
    logic text;           // output <= block + key stream
    logic hash;           // the hash takes up the block,
    logic hash_text;      // or what goes out,
    logic hash_lengths;   // or the lengths
    logic pop;            // the block of key stream is used up
    logic block_clear;    // the collector's block is wiped
    logic restore;        // hash <= cache
    logic cache_load;     // cache <= hash
  } datapath_t;

  // A string as a polynomial, and back: wires only
  function automatic logic [127:0] mirror(input logic [127:0] x);
    for (int unsigned i = 0; i < 128; i++) mirror[i] = x[8*(i/8)+7-i%8];
  endfunction

  // The product of half a digit and a polynomial, not reduced
  function automatic logic [PARTIAL_BITS-1:0] times(input logic [DIGIT_BITS/2-1:0] digit, input logic [127:0] x);
    times = '0;
    for (int unsigned i = 0; i < DIGIT_BITS / 2; i++) begin
      times ^= PARTIAL_BITS'(x & {128{digit[i]}}) << i;
    end
  endfunction

  // x * x^DIGIT_BITS + low + high * x^(DIGIT_BITS / 2), reduced
  function automatic logic [127:0] shift_add(input logic [127:0] x, input logic [PARTIAL_BITS-1:0] low,
                                             input logic [PARTIAL_BITS-1:0] high);
    logic [127+DIGIT_BITS:0] sum, folded;
    logic [DIGIT_BITS-1:0] over;
    sum = {x, DIGIT_BITS'(0)} ^ (128 + DIGIT_BITS)'(low) ^ ((128 + DIGIT_BITS)'(high) << (DIGIT_BITS / 2));
    over = sum[128+:DIGIT_BITS];
    folded = (128 + DIGIT_BITS)'(over);
    folded ^= folded << 1 ^ folded << 2 ^ folded << 7;
    return sum[127:0] ^ folded[127:0];
  endfunction

endpackage
