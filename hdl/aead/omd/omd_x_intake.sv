// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: takes the beats of one channel (associated data or message) for all contexts, pads the last beat with
// 10*, and counts what is there. Each context has room for 64 words of message, or 128 of associated data.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: one beat a cycle; it is in the memory two edges after the one that takes it.
// Security: lengths are public. An illegal beat ends the string; what follows is swallowed.
module omd_x_intake #(
    parameter  int unsigned CONTEXTS    = 8,                    // 2, 4, 8
    parameter  int unsigned BLOCK_WORDS = 8,                    // 8 message, 16 associated data
    localparam int unsigned CTX_BITS    = $clog2(CONTEXTS),
    localparam int unsigned WORD_BITS   = $clog2(BLOCK_WORDS),
    localparam int unsigned COUNT_BITS  = WORD_BITS + 4
) (
    input logic clk,
    input logic clear,

    input  logic                valid,
    output logic [CONTEXTS-1:0] ready,
    input  logic [CTX_BITS-1:0] ctx,
    input  logic [        63:0] data,
    input  logic [         3:0] bytes,
    input  logic                last,

    omd_x_string_if str,

    output logic                   write,
    output logic [WORD_BITS+6-1:0] write_addr,  // {context, block, word}
    output logic [           63:0] write_data,
    output logic [            3:0] write_bytes
);

  // Blocks are overwritten only after the engine has surely read them: one block of room stays free.
  localparam logic [3:0] FULL_BLOCKS = 4'd7;

  logic [CONTEXTS-1:0] first_q, swallow_q, take;
  logic full_beat, empty_string, legal;
  assign full_beat    = bytes == 4'd8;
  assign empty_string = bytes == '0 && last && first_q[ctx];
  assign legal        = full_beat || empty_string || (last && bytes != '0 && bytes < 4'd8);

  for (genvar c = 0; c < CONTEXTS; c++) begin : gen_ctx
    logic [COUNT_BITS-1:0] left, left_after;
    assign ready[c] = str.waiting[c] && (swallow_q[c] || str.words[c][COUNT_BITS-1-:4] != FULL_BLOCKS);
    assign take[c]  = valid && ready[c] && ctx == CTX_BITS'(c);
    always_comb begin
      left = str.words[c];
      if (str.consume[c]) begin
        left[COUNT_BITS-1-:4] = str.words[c][COUNT_BITS-1-:4] - 4'd1;
        if (str.words[c][COUNT_BITS-1-:4] == '0) left = '0;
      end
      left_after = left;
      if (take[c] && !swallow_q[c]) begin
        if (!legal) left_after[WORD_BITS-1:0] = '0;
        else if (!empty_string) left_after = left + COUNT_BITS'(1'b1);
      end
    end

    always_ff @(posedge clk) begin
      str.words[c] <= left_after;
      if (str.consume[c]) str.block[c] <= str.block[c] + 3'd1;
      if (take[c]) begin
        first_q[c] <= 1'b0;
        if (last) str.waiting[c] <= 1'b0;
        if (!swallow_q[c]) begin
          str.done[c]  <= last || !legal;
          str.whole[c] <= full_beat || !legal;
          if (!legal) begin
            str.bad[c]   <= 1'b1;
            swallow_q[c] <= 1'b1;
          end
        end
      end
      if (str.starts[c] || str.none[c]) begin
        str.words[c]   <= '0;
        str.block[c]   <= '0;
        str.done[c]    <= str.none[c];
        str.whole[c]   <= 1'b0;
        str.bad[c]     <= 1'b0;
        str.waiting[c] <= str.starts[c];
        first_q[c]     <= 1'b1;
        swallow_q[c]   <= 1'b0;
      end
      if (str.refuse[c]) begin
        str.words[c] <= '0;
        str.done[c]  <= 1'b1;
        str.bad[c]   <= 1'b1;
        swallow_q[c] <= 1'b1;
      end
      if (clear) begin
        str.words[c]   <= '0;
        str.block[c]   <= '0;
        str.done[c]    <= 1'b0;
        str.whole[c]   <= 1'b0;
        str.bad[c]     <= 1'b0;
        str.waiting[c] <= 1'b0;
        first_q[c]     <= 1'b0;
        swallow_q[c]   <= 1'b0;
      end
    end
  end

  // The beat, masked and padded
  logic [WORD_BITS+2:0] at;
  assign at = (WORD_BITS + 3)'(str.words[ctx]);
  always_ff @(posedge clk) begin
    write       <= valid;  // what is not taken lands behind the string
    write_addr  <= {3'(ctx), str.block[ctx] + at[WORD_BITS+2-:3], at[WORD_BITS-1:0]};
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
