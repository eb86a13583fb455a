// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: between the contexts and the intake of one channel, one bit or count a context.
// Security: lengths are public.
interface omd_x_string_if #(
    parameter int unsigned CONTEXTS   = 8,
    parameter int unsigned COUNT_BITS = 7
);
  logic [CONTEXTS-1:0] starts;  // a string is expected
  logic [CONTEXTS-1:0] none;  // none is expected
  logic [CONTEXTS-1:0] refuse;  // forget it and swallow what still comes
  logic [CONTEXTS-1:0] consume;  // the oldest block is done with
  logic [CONTEXTS-1:0][COUNT_BITS-1:0] words;  // words there
  logic [CONTEXTS-1:0][2:0] block;  // place of the oldest block
  logic [CONTEXTS-1:0] done;  // all of the string is there
  logic [CONTEXTS-1:0] whole;  // its last word has eight bytes
  logic [CONTEXTS-1:0] bad;  // it was not legal, or refused
  logic [CONTEXTS-1:0] waiting;  // beats are still to come
endinterface
