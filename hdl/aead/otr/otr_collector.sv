// SPDX-License-Identifier: Apache-2.0
// AES-OTR: collects the beats of one string (associated data or message) into chunks of two 16-byte blocks and pads the
// last block with 10*, the empty string too. docs/cores/otr.md, "Chunks".
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: one a beat; one more when a short last block ends with a full beat (its padding byte opens the next beat).
// Security: lengths are public; refuses (`bad`) what is not a legal beat and leaves the rest of the string alone.
module otr_collector #(
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64 or 128
    localparam int unsigned BEAT_BYTES = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1),
    localparam int unsigned BEATS = 256 / DATA_BITS,
    localparam int unsigned SLOT_BITS = $clog2(BEATS)
) (
    input logic clk,
    input logic clear,

    input logic start_ad,   // pulse: begin the associated data
    input logic start_msg,  // pulse: begin the message
    input logic next,       // pulse: the chunk has been taken, go on with the string
    input logic stop,       // pulse: give up

    input  logic                  ad_valid,
    output logic                  ad_ready,
    input  logic [ DATA_BITS-1:0] ad_data,
    input  logic [BYTES_BITS-1:0] ad_bytes,
    input  logic                  ad_last,
    input  logic                  msg_valid,
    output logic                  msg_ready,
    input  logic [ DATA_BITS-1:0] msg_data,
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,

    output logic                  write,       // store a beat with this edge
    output logic [ SLOT_BITS-1:0] write_slot,  // beat of the chunk, 0 first
    output logic [ DATA_BITS-1:0] write_data,  // padded, zero beyond
    output logic [BEAT_BYTES-1:0] write_mask,  // bytes of the string (not of the padding)

    output logic                  full,        // a chunk is ready; the outputs below are valid
    output logic                  last,        // it is the last one
    output logic                  two,         // it has a second block
    output logic                  partial,     // its last block was padded
    output logic                  empty,       // the string is empty
    output logic [ SLOT_BITS-1:0] beats,       // beats of the string in it, less one
    output logic [BYTES_BITS-1:0] last_bytes,  // bytes in the last of them
    output logic                  bad          // an illegal beat came
);

  localparam logic [BYTES_BITS-1:0] FULL_BEAT = BYTES_BITS'(BEAT_BYTES);
  localparam logic [SLOT_BITS-1:0] LAST_SLOT = SLOT_BITS'(BEATS - 1);
  localparam logic [SLOT_BITS-1:0] BLOCK_END = SLOT_BITS'(BEATS / 2 - 1);  // bits set in a block's last beat

  typedef enum logic [2:0] {
    S_OFF,
    S_AD,
    S_MSG,
    S_PAD,
    S_FULL,
    S_BAD
  } state_e;

  state_e state_q;
  logic is_ad_q, first_q;
  logic [SLOT_BITS-1:0] slot_q;

  logic take, in_last, full_beat, empty_string, legal, whole;
  logic [BYTES_BITS-1:0] in_bytes;

  assign ad_ready = state_q == S_AD;
  assign msg_ready = state_q == S_MSG;
  assign take = (ad_valid && ad_ready) || (msg_valid && msg_ready);
  assign in_bytes = is_ad_q ? ad_bytes : msg_bytes;
  assign in_last = is_ad_q ? ad_last : msg_last;

  assign full_beat = in_bytes == FULL_BEAT;
  assign empty_string = in_bytes == '0 && in_last && first_q;
  assign legal = full_beat || empty_string || (in_last && in_bytes != '0 && in_bytes < FULL_BEAT);
  assign whole = full_beat && (slot_q & BLOCK_END) == BLOCK_END;  // a last beat needs no padding

  // Beat, bytes of the string in it and the byte of its padding stand in registers before they go to the chunk: they come
  // from the ports and have a long way. `full` comes no later: an order to take the chunk acts a cycle after it at the
  // earliest.
  logic put;
  logic [DATA_BITS-1:0] data_q;
  logic [BEAT_BYTES-1:0] pad_q;
  assign put = take || state_q == S_PAD;  // what is not legal may be stored: it is never used

  always_ff @(posedge clk) begin
    write      <= put;
    write_slot <= slot_q;
    data_q     <= is_ad_q ? ad_data : msg_data;  // looked at with `write` only: an enable would be a slow net
    for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
      write_mask[i] <= state_q != S_PAD && BYTES_BITS'(i) < in_bytes;
      pad_q[i]      <= state_q == S_PAD ? i == 0 : BYTES_BITS'(i) == in_bytes;
    end
    if (clear) begin
      write      <= 1'b0;
      write_slot <= '0;
      write_mask <= '0;
      data_q     <= '0;
      pad_q      <= '0;
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
      write_data[8*i+:8] = data_q[8*i+:8] & {8{write_mask[i]}} | {pad_q[i], 7'b0};
    end
  end

  assign full = state_q == S_FULL;
  assign bad  = state_q == S_BAD;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_AD, S_MSG: begin
        if (take) begin
          first_q    <= 1'b0;
          last       <= in_last;
          two        <= slot_q[SLOT_BITS-1];
          empty      <= empty_string;
          partial    <= !whole;
          beats      <= slot_q;
          last_bytes <= in_bytes;
          slot_q     <= slot_q + SLOT_BITS'(1'b1);
          if (!legal) state_q <= S_BAD;
          else if (!in_last && slot_q != LAST_SLOT) state_q <= state_q;
          else if (full_beat && !whole) state_q <= S_PAD;
          else state_q <= S_FULL;
        end
      end
      S_PAD: state_q <= S_FULL;
      S_FULL: begin
        if (next) begin
          if (last) state_q <= S_OFF;
          else state_q <= is_ad_q ? S_AD : S_MSG;
          slot_q <= '0;
        end
      end
      S_OFF, S_BAD: ;
      default: state_q <= S_OFF;
    endcase

    if (start_ad || start_msg) begin
      state_q <= start_ad ? S_AD : S_MSG;
      is_ad_q <= start_ad;
      first_q <= 1'b1;
      slot_q  <= '0;
    end
    if (clear || stop) begin
      state_q <= S_OFF;
      first_q <= 1'b0;
    end
    if (clear) begin
      is_ad_q    <= 1'b0;
      slot_q     <= '0;
      last       <= 1'b0;
      two        <= 1'b0;
      partial    <= 1'b0;
      empty      <= 1'b0;
      beats      <= '0;
      last_bytes <= '0;
    end
  end

endmodule
