// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: takes the beats of one channel (associated data or message) for eight contexts, pads the last beat with
// 10*, and counts what is there. Each context has room for 64 words of message, or 128 of associated data.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: one beat a cycle; it is in the memory two edges after the one that takes it.
// Security: lengths are public. An illegal beat ends the string; what follows is swallowed.
module omd_x8_intake #(
    parameter  int unsigned BLOCK_WORDS = 8,                    // 8 message, 16 associated data
    localparam int unsigned WORD_BITS   = $clog2(BLOCK_WORDS),
    localparam int unsigned COUNT_BITS  = WORD_BITS + 4
) (
    input logic clk,
    input logic clear,

    input  logic        valid,
    output logic [ 7:0] ready,
    input  logic [ 2:0] ctx,
    input  logic [63:0] data,
    input  logic [ 3:0] bytes,
    input  logic        last,

    input logic [7:0] begin_string,  // a string is expected
    input logic [7:0] no_string,     // none is expected
    input logic [7:0] refuse,        // forget it and swallow what still comes
    input logic [7:0] consume,       // the oldest block is done with

    output logic [7:0][COUNT_BITS-1:0] words,   // words there
    output logic [7:0][           2:0] block,   // place of the oldest block
    output logic [7:0]                 done,    // all of the string is there
    output logic [7:0]                 whole,   // its last word has eight bytes
    output logic [7:0]                 bad,     // it was not legal, or refused
    output logic [7:0]                 waiting, // beats are still to come

    output logic                   write,
    output logic [WORD_BITS+6-1:0] write_addr,  // {context, block, word}
    output logic [           63:0] write_data,
    output logic [            3:0] write_bytes
);

  // Blocks are overwritten only after the engine has surely read them: one block of room stays free.
  localparam logic [3:0] FULL_BLOCKS = 4'd7;

  logic [7:0] first_q, swallow_q, take;
  logic full_beat, empty_string, legal;
  assign full_beat    = bytes == 4'd8;
  assign empty_string = bytes == '0 && last && first_q[ctx];
  assign legal        = full_beat || empty_string || (last && bytes != '0 && bytes < 4'd8);

  for (genvar c = 0; c < 8; c++) begin : gen_ctx
    logic [COUNT_BITS-1:0] left, left_after;
    assign ready[c] = waiting[c] && (swallow_q[c] || words[c][COUNT_BITS-1-:4] != FULL_BLOCKS);
    assign take[c]  = valid && ready[c] && ctx == 3'(c);
    always_comb begin
      left = words[c];
      if (consume[c]) begin
        left[COUNT_BITS-1-:4] = words[c][COUNT_BITS-1-:4] - 4'd1;
        if (words[c][COUNT_BITS-1-:4] == '0) left = '0;
      end
      left_after = left;
      if (take[c] && !swallow_q[c]) begin
        if (!legal) left_after[WORD_BITS-1:0] = '0;
        else if (!empty_string) left_after = left + COUNT_BITS'(1'b1);
      end
    end

    always_ff @(posedge clk) begin
      words[c] <= left_after;
      if (consume[c]) block[c] <= block[c] + 3'd1;
      if (take[c]) begin
        first_q[c] <= 1'b0;
        if (last) waiting[c] <= 1'b0;
        if (!swallow_q[c]) begin
          done[c]  <= last || !legal;
          whole[c] <= full_beat || !legal;
          if (!legal) begin
            bad[c]       <= 1'b1;
            swallow_q[c] <= 1'b1;
          end
        end
      end
      if (begin_string[c] || no_string[c]) begin
        words[c]     <= '0;
        block[c]     <= '0;
        done[c]      <= no_string[c];
        whole[c]     <= 1'b0;
        bad[c]       <= 1'b0;
        waiting[c]   <= begin_string[c];
        first_q[c]   <= 1'b1;
        swallow_q[c] <= 1'b0;
      end
      if (refuse[c]) begin
        words[c]     <= '0;
        done[c]      <= 1'b1;
        bad[c]       <= 1'b1;
        swallow_q[c] <= 1'b1;
      end
      if (clear) begin
        words[c]     <= '0;
        block[c]     <= '0;
        done[c]      <= 1'b0;
        whole[c]     <= 1'b0;
        bad[c]       <= 1'b0;
        waiting[c]   <= 1'b0;
        first_q[c]   <= 1'b0;
        swallow_q[c] <= 1'b0;
      end
    end
  end

  // The beat, masked and padded
  logic [WORD_BITS+2:0] at;
  assign at = (WORD_BITS + 3)'(words[ctx]);
  always_ff @(posedge clk) begin
    write       <= valid;  // what is not taken lands behind the string
    write_addr  <= {ctx, block[ctx] + at[WORD_BITS+2-:3], at[WORD_BITS-1:0]};
    write_bytes <= bytes;
    for (int unsigned i = 0; i < 8; i++) begin
      write_data[8*i+:8] <= 4'(i) < bytes ? data[8*i+:8] : 4'(i) == bytes ? 8'h80 : 8'h00;
    end
    if (clear) begin
      write       <= 1'b0;
      write_data  <= '0;
      write_bytes <= '0;
    end
  end

endmodule
