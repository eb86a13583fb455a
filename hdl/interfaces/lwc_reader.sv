// SPDX-License-Identifier: Apache-2.0
//
// Reads instructions and segments of the LWC hardware API (pdi or sdi) and gives strings in the core's beats.
// Bus: first byte in the high bits of a word, the last word of a segment padded. Strings: byte i in bits [8i+7:8i].
// Segments of one type are one string. From a wrong segment (type out of order, flags, reserved bits) on nothing is
// believed: segments are dropped by their lengths up to the one marked last, and all strings of the input that have not
// ended end there, marked bad. Cycles: one a word, 2 + words of the header a segment. clear wipes what is held.
module lwc_reader
  import aead_adapter_pkg::*;
  import lwc_pkg::*;
#(
    parameter int unsigned W = 32  // 8, 16, 32, 64 or 128
) (
    input logic clk,
    input logic clear,
    input logic [W-1:0] s_data,
    input logic s_valid,
    output logic s_ready,
    output inst_t inst,
    input logic inst_take,
    input segments_t follow,  // with inst_take
    string_if.source m,
    output string_e m_what
);

  localparam int unsigned WORD_BYTES = W / 8;
  localparam int unsigned HEAD_WORDS = W < 32 ? 32 / W : 1;
  localparam int unsigned PART_BITS = $clog2(WORD_BYTES + 1);

  typedef enum logic [2:0] {
    S_WORD,   // an instruction comes
    S_TAKE,   // it is looked at
    S_HEAD,
    S_CHECK,
    S_DATA,
    S_END,    // an empty string
    S_CLOSE   // strings that a wrong segment has ended
  } state_e;

  state_e state;
  string_e what, final_q;
  logic open_q, drop_q, bad, clean;
  logic [1:0] head_count;
  segment_t head;
  logic [31:0] head_q, head_next;
  logic head_clean;  // nothing in a word beside the header
  logic [3:0] inst_q;
  logic [15:0] left;
  logic good, final_word, take;
  logic [PART_BITS-1:0] part;

  assign inst = '{valid: state == S_TAKE, code: inst_q, clean: clean};

  assign head = segment_t'(head_q);
  logic unused_eoi;
  assign unused_eoi = &{1'b0, head.eoi};  // tells nothing that the lengths do not
  if (W < 32) begin : g_narrow
    assign head_next  = {head_q[31-W:0], s_data};
    assign head_clean = 1'b1;
  end else if (W == 32) begin : g_whole
    assign head_next  = s_data;
    assign head_clean = 1'b1;
  end else begin : g_wide
    assign head_next  = s_data[W-1-:32];
    assign head_clean = s_data[W-33:0] == '0;
  end

  assign good = head.kind == segment_of(
      what, open_q
  ) && !head.partial && head.reserved == '0 && clean && head.last == (head.eot && what == final_q);
  assign final_word = left <= 16'(WORD_BYTES);
  assign part = final_word ? PART_BITS'(left) : PART_BITS'(WORD_BYTES);

  // Strings
  string_if #(.DATA_BITS(W)) word ();
  assign word.valid = (state == S_DATA && s_valid && !bad) || state == S_END || (state == S_CLOSE && !drop_q);
  assign word.last  = state != S_DATA || (head.eot && final_word);
  assign word.bytes = state == S_DATA ? part : '0;
  assign word.code  = bad ? BAD_STREAM : OK;
  always_comb
    for (int unsigned i = 0; i < WORD_BYTES; i++)
      word.data[8*i+:8] = PART_BITS'(i) < word.bytes ? s_data[W-8-8*i+:8] : 8'h00;

  assign s_ready = !clear && (state == S_WORD || state == S_HEAD || (state == S_DATA && (bad || word.ready)));
  assign take = s_valid && s_ready;

  aead_repack u_beats (
      .*,
      .s(word)
  );

  always_ff @(posedge clk) begin
    if (word.valid && word.ready) m_what <= what;

    unique case (state)
      S_WORD:
      if (take) begin
        inst_q <= s_data[W-1-:4];
        clean  <= s_data[W-5:0] == '0;
        state  <= S_TAKE;
      end

      S_TAKE:
      if (inst_take) begin
        what    <= follow.first;
        final_q <= follow.final_one;
        open_q  <= follow.open;
        drop_q  <= follow.drop;
        bad     <= follow.drop;
        state   <= follow.run ? S_HEAD : S_WORD;
      end

      S_HEAD:
      if (take) begin
        head_q <= head_next;
        clean  <= head_clean;
        if (head_count == 2'(HEAD_WORDS - 1)) state <= S_CHECK;
      end

      S_CHECK: begin
        left <= head.length;
        if (!good) bad <= 1'b1;
        if (head.length != '0) state <= S_DATA;
        else if (bad || !good) state <= head.last ? S_CLOSE : S_HEAD;
        else state <= head.eot ? S_END : S_HEAD;
      end

      S_DATA:
      if (take) begin
        left <= left - 16'(WORD_BYTES);
        if (final_word) begin
          state <= S_HEAD;
          if (bad) state <= head.last ? S_CLOSE : S_HEAD;
          else if (head.eot) begin
            if (what == final_q) state <= S_WORD;
            else what <= string_e'(what + 1'b1);
          end
        end
      end

      S_END:
      if (word.ready) begin
        state <= what == final_q ? S_WORD : S_HEAD;
        if (what != final_q) what <= string_e'(what + 1'b1);
      end

      S_CLOSE:
      if (drop_q) state <= S_WORD;
      else if (word.ready) begin
        if (what == final_q) state <= S_WORD;
        else what <= string_e'(what + 1'b1);
      end

      default: state <= S_WORD;
    endcase

    if (state == S_HEAD) begin
      if (take) head_count <= head_count + 2'd1;
    end else head_count <= '0;

    if (clear) state <= S_WORD;
  end

endmodule
