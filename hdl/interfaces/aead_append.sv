// SPDX-License-Identifier: Apache-2.0
//
// Puts the tag behind the ciphertext as one string; with seal = 0 strings pass unchanged and the tag is only taken.
// Byte i of a string in bits [8i+7:8i]. A short last beat of ciphertext waits for the tag, which comes after it.
// Cycles: one a beat, and one before the tag. clear wipes what is held.
module aead_append #(
    parameter  int unsigned DATA_BITS  = 64,                        // a power of two
    parameter  int unsigned TAG_BITS   = 256,                       // whole bytes
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  seal,       // held while a string is on its way
    input  logic                  s_valid,
    output logic                  s_ready,
    input  logic [ DATA_BITS-1:0] s_data,     // zero beyond the bytes
    input  logic [BYTES_BITS-1:0] s_bytes,
    input  logic                  s_last,
    input  logic                  tag_valid,
    output logic                  tag_ready,
    input  logic [  TAG_BITS-1:0] tag_data,
    output logic                  m_valid,
    input  logic                  m_ready,
    output logic [ DATA_BITS-1:0] m_data,
    output logic [BYTES_BITS-1:0] m_bytes,
    output logic                  m_last
);

  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned TAIL_BITS = TAG_BITS + DATA_BITS;
  localparam int unsigned COUNT_BITS = $clog2(TAIL_BITS / 8 + 1);
  localparam logic [BYTES_BITS-1:0] FULL_BEAT = BYTES_BITS'(BEAT_BYTES);
  typedef logic [COUNT_BITS-1:0] count_t;

  typedef enum logic [1:0] {
    S_PASS,
    S_WAIT,  // for the tag
    S_TAIL   // rest of the ciphertext, tag
  } state_e;

  state_e state;
  logic [TAIL_BITS-1:0] tail;
  count_t count;
  logic keep, tail_last;

  assign keep = seal && s_last && s_bytes != FULL_BEAT;
  assign tail_last = count <= count_t'(BEAT_BYTES);
  assign s_ready = state == S_PASS && m_ready;
  assign tag_ready = state == S_WAIT || (state == S_PASS && !seal);
  assign m_valid = state == S_TAIL || (state == S_PASS && s_valid && !keep);
  assign m_data = state == S_TAIL ? tail[DATA_BITS-1:0] : s_data;
  assign m_last = state == S_TAIL ? tail_last : s_last && !seal;
  assign m_bytes = state != S_TAIL ? s_bytes : tail_last ? BYTES_BITS'(count) : FULL_BEAT;

  always_ff @(posedge clk) begin
    unique case (state)
      S_PASS:
      if (s_valid && s_ready && s_last && seal) begin
        tail  <= keep ? TAIL_BITS'(s_data) : '0;
        count <= keep ? count_t'(s_bytes) : '0;
        state <= S_WAIT;
      end
      S_WAIT:
      if (tag_valid) begin
        tail  <= tail | (TAIL_BITS'(tag_data) << {count, 3'b000});
        count <= count + count_t'(TAG_BITS / 8);
        state <= S_TAIL;
      end
      S_TAIL:
      if (m_ready) begin
        tail  <= tail >> DATA_BITS;
        count <= count - count_t'(BEAT_BYTES);
        if (tail_last) state <= S_PASS;
      end
      default: state <= S_PASS;
    endcase
    if (clear) begin
      state <= S_PASS;
      tail  <= '0;
      count <= '0;
    end
  end

endmodule
