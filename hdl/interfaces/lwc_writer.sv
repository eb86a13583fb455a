// SPDX-License-Identifier: Apache-2.0
//
// Writes what an engine gives as segments of the LWC hardware API (do): header and data of ciphertext and tag, or of
// plaintext, then the status word; of what failed the status word alone. Segments are of 65520 bytes at most.
// Strings: byte i in bits [8i+7:8i]. Bus: first byte in the high bits of a word, unused bytes zero, do_last with the status.
// Cycles: one a word, and two between a header and its data. clear wipes what is held.
module lwc_writer
  import aead_adapter_pkg::*;
  import lwc_pkg::*;
#(
    parameter int unsigned W = 32,  // 8, 16, 32, 64 or 128
    parameter int unsigned TAG_BITS = 256  // 0: no tag
) (
    input logic clk,
    input logic clear,
    input logic done_valid,
    output logic done_ready,
    input logic done_open,
    input logic done_ok,
    input logic [31:0] done_length,  // bytes, tag included
    string_if.sink s,
    output logic [W-1:0] do_data,
    output logic do_last,
    output logic do_valid,
    input logic do_ready
);

  localparam int unsigned WORD_BYTES = W / 8;
  localparam int unsigned HEAD_WORDS = W < 32 ? 32 / W : 1;
  localparam logic [31:0] SEGMENT = 32'd65520;  // whole words of any width
  localparam logic [31:0] TAG_BYTES = 32'(TAG_BITS / 8);

  typedef enum logic [1:0] {
    S_IDLE,
    S_HEAD,
    S_DATA,
    S_STATUS
  } state_e;

  state_e state;
  logic open, ok, in_tag, string_end, segment_end, more_tag;
  logic [31:0] left;  // bytes of the string still to be sent
  logic [15:0] segment_left;
  logic [1:0] head_count;
  segment_t head;
  logic [W-1:0] head_word;  // what of it goes now
  logic [3:0] status;

  string_if #(.DATA_BITS(W)) word ();
  logic unused_code;
  assign unused_code = &{1'b0, word.code};

  aead_repack u_words (
      .*,
      .m(word)
  );

  assign string_end = left <= SEGMENT;
  assign more_tag = !open && !in_tag && TAG_BITS != 0;
  assign head = '{
          kind: in_tag ? SEG_TAG : open ? SEG_PLAINTEXT : SEG_CIPHERTEXT,
          partial: 1'b0,
          eoi: 1'b0,
          eot: string_end,
          last: string_end && !more_tag,
          reserved: 8'd0,
          length: string_end ? left[15:0] : SEGMENT[15:0]
      };
  if (W < 32) begin : g_narrow
    assign head_word = head[31-32'(head_count)*W-:W];
  end else begin : g_wide
    assign head_word = W'({head, 128'd0} >> (160 - W));
  end
  assign status = ok ? STATUS_SUCCESS : STATUS_FAILURE;

  assign done_ready = state == S_IDLE;
  assign word.ready = state == S_DATA && (do_ready || word.bytes == '0);
  assign segment_end = segment_left <= 16'(WORD_BYTES);
  assign do_valid = state == S_HEAD || state == S_STATUS || (state == S_DATA && word.valid && word.bytes != '0);
  assign do_last = state == S_STATUS;

  always_comb begin
    do_data = '0;
    unique case (state)
      S_HEAD:   do_data = head_word;
      S_DATA:   for (int unsigned i = 0; i < WORD_BYTES; i++) do_data[W-8-8*i+:8] = word.data[8*i+:8];
      S_STATUS: do_data[W-1-:4] = status;
      default:  ;
    endcase
  end

  always_ff @(posedge clk) begin
    unique case (state)
      S_IDLE: begin
        open   <= done_open;
        ok     <= done_ok;
        in_tag <= 1'b0;
        left   <= done_length - (done_open ? 32'd0 : TAG_BYTES);
        if (done_valid) state <= done_ok ? S_HEAD : S_STATUS;
      end

      S_HEAD: begin
        segment_left <= head.length;
        if (do_ready) begin
          head_count <= head_count + 2'd1;
          if (head_count == 2'(HEAD_WORDS - 1)) begin
            head_count <= '0;
            state      <= S_DATA;
          end
        end
      end

      S_DATA:
      if (word.valid && word.ready) begin
        segment_left <= segment_left - 16'(WORD_BYTES);
        if (segment_end) begin
          state <= S_HEAD;
          left  <= string_end ? TAG_BYTES : left - SEGMENT;
          if (string_end) begin
            in_tag <= 1'b1;
            if (!more_tag) state <= S_STATUS;
          end
        end
      end

      S_STATUS: if (do_ready) state <= S_IDLE;

      default: state <= S_IDLE;
    endcase
    if (clear) begin
      state      <= S_IDLE;
      head_count <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!clear && state == S_DATA && word.valid) begin
      length_is_kept :
      assert (word.last == (segment_end && string_end))
      else $error("lwc_writer: a string has not the length that was said");
    end
`else
  logic unused_last;
  assign unused_last = &{1'b0, word.last};
`endif

endmodule
