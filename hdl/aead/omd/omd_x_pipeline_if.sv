// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: between the machine and its pipelined compression functions (docs/cores/omd-x8.md).
interface omd_x_pipeline_if #(
    parameter int unsigned CONTEXTS = 8,
    parameter int unsigned LOOPS = 1  // pipelines, each with as many contexts
);
  localparam int unsigned CTX_BITS = $clog2(CONTEXTS);

  logic hold;  // nothing in flight: a command in an idle core then always takes the same time
  logic [LOOPS-1:0] ends_soon;  // the call of context ends_soon_ctx is about to end
  logic [LOOPS-1:0][CTX_BITS-1:0] ends_soon_ctx;
  logic [LOOPS-1:0] dec_ask;  // context dec_ctx is asked; the answer, a cycle later:
  logic [LOOPS-1:0][CTX_BITS-1:0] dec_ctx;
  logic [LOOPS-1:0] dec_chain;  //   its call ends: start the next from its sum
  logic [LOOPS-1:0] dec_load;  //   idle: start a call
  logic [LOOPS-1:0] dec_from_sum;  //     from the last sum, else from the start value
  logic [LOOPS-1:0][1:0] dec_block;  //   message of the new call: 0, 1 own bank; 2, 3 first, second shared block
  logic m_write;  // message words
  logic [7:0] m_addr;  // {0, bank, context, word}, {1, 0, 0, 0: key, 1: first, 2: second shared block, word}
  logic [63:0] m_data;
  logic [7:0] xy_write;  // end masks and start values, one bit a word
  logic [7:0][3:0] xy_addr;  // {0: end mask, 1: start value, context}
  logic [1:0][63:0] xy_data;
  logic [2:0] sum_ctx;  // the sum of this context,
  logic [2:0] sum_word;  // this word of it,
  logic [63:0] sum_data;  // two cycles later
  logic sum_keep;  // a call of this context may start from its sum, which is read in this cycle and the next
endinterface
