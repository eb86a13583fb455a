// SPDX-License-Identifier: Apache-2.0
// Block collector: puts the beats of one string (associated data or message) into chunks and pads a short last block
// with one byte and zeros.
// The mode holds the chunk: the collector says where each beat goes.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: one a beat; one more when a short last block ends with a full beat (its padding byte opens the next beat).
// Security: lengths are public; refuses (`bad`) what is not a legal beat and leaves the rest of the string alone.
module aead_collector
  import aead_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat
    parameter int unsigned CHUNK_BITS = 512,  // a power of two, at most 64 beats
    parameter int unsigned BLOCKS = 1,  // of a chunk; a block that is not the last one needs no padding: 1, 2
    parameter bit MSG_IN_HALF = 1'b0,  // chunks of the message fill only the second half
    parameter bit PAD_EMPTY = 1'b0,  // the empty string is padded to a block
    parameter logic [7:0] PAD_BYTE = 8'h80,  // the byte behind a short last block
    parameter bit OVERLAP = 1'b0,  // the next chunk's first beat may come with `next`; not with MSG_IN_HALF
    parameter bit LATE_WRITE = 1'b0,  // beats are written one cycle after they were taken
    localparam int unsigned BEAT_BYTES = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BEAT_BYTES + 1),
    localparam int unsigned BEATS = CHUNK_BITS / DATA_BITS,
    localparam int unsigned SLOT_BITS = BEATS > 1 ? $clog2(BEATS) : 1
) (
    input logic clk,
    input logic clear,

    input  collect_t ctl,
    output chunk_t   chunk,
    output logic     is_ad,    // which string the beats below are to be of
    output logic     take_ad,  // ready for a beat
    output logic     take_msg,

    input logic                  in_valid,
    input logic [ DATA_BITS-1:0] in_data,
    input logic [BYTES_BITS-1:0] in_bytes,
    input logic                  in_last,

    output logic                  write,       // store a beat with this edge
    output logic [ SLOT_BITS-1:0] write_slot,  // beat of the chunk, 0 first
    output logic [ DATA_BITS-1:0] write_data,  // padded, zero beyond
    output logic [BEAT_BYTES-1:0] write_mask   // bytes of the string (not of the padding)
);

  localparam logic [BYTES_BITS-1:0] FULL_BEAT = BYTES_BITS'(BEAT_BYTES);
  localparam logic [SLOT_BITS-1:0] LAST_SLOT = SLOT_BITS'(BEATS - 1);
  localparam logic [SLOT_BITS-1:0] BLOCK_END = SLOT_BITS'(BEATS / BLOCKS - 1);  // bits set in a block's last beat
  localparam logic [SLOT_BITS-1:0] FIRST_MSG_SLOT = MSG_IN_HALF ? SLOT_BITS'(BEATS / 2) : '0;

  typedef enum logic [2:0] {
    S_OFF,
    S_AD,
    S_MSG,
    S_PAD,
    S_FULL,
    S_BAD
  } state_e;

  state_e state_q;
  logic first_q;
  logic [SLOT_BITS-1:0] slot_q;

  logic take, full_beat, empty_string, legal, whole;

  logic goes_on;
  assign goes_on = OVERLAP && state_q == S_FULL && ctl.next && !chunk.last;
  assign take_ad = state_q == S_AD || (goes_on && is_ad);
  assign take_msg = state_q == S_MSG || (goes_on && !is_ad);
  assign take = in_valid && (take_ad || take_msg);

  assign full_beat = in_bytes == FULL_BEAT;
  assign empty_string = in_bytes == '0 && in_last && first_q;
  assign legal = full_beat || empty_string || (in_last && in_bytes != '0 && in_bytes < FULL_BEAT);
  assign whole = full_beat && (slot_q & BLOCK_END) == BLOCK_END;  // a last beat needs no padding

  // What is not legal may be stored: it is never used.
  logic put;
  logic [BEAT_BYTES-1:0] text, pad;
  assign put = (take && (PAD_EMPTY || in_bytes != '0)) || state_q == S_PAD;
  always_comb begin
    for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
      text[i] = state_q != S_PAD && BYTES_BITS'(i) < in_bytes;
      pad[i]  = state_q == S_PAD ? i == 0 : BYTES_BITS'(i) == in_bytes;
    end
  end

  logic [ DATA_BITS-1:0] data;
  logic [BEAT_BYTES-1:0] padding;
  always_comb begin
    for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
      write_data[8*i+:8] = data[8*i+:8] & {8{write_mask[i]}} | (padding[i] ? PAD_BYTE : 8'h00);
    end
  end

  // A beat comes from the ports and may have a long way to the chunk. With LATE_WRITE it stands in a register between; `full`
  // comes no later, for an order to take the chunk acts a cycle after it at the earliest.
  if (LATE_WRITE) begin : gen_late
    always_ff @(posedge clk) begin
      write      <= put;
      write_slot <= slot_q;
      data       <= in_data;  // looked at with `write` only: an enable would be a slow net
      write_mask <= text;
      padding    <= pad;
      if (clear) begin
        write      <= 1'b0;
        write_slot <= '0;
        data       <= '0;
        write_mask <= '0;
        padding    <= '0;
      end
    end
  end else begin : gen_at_once
    assign write      = put;
    assign write_slot = slot_q;
    assign data       = in_data;
    assign write_mask = text;
    assign padding    = pad;
  end

  assign chunk.full = state_q == S_FULL;
  assign chunk.bad  = state_q == S_BAD;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_PAD: state_q <= S_FULL;
      S_FULL: begin
        if (ctl.next) begin
          if (chunk.last) state_q <= S_OFF;
          else state_q <= is_ad ? S_AD : S_MSG;
          slot_q <= is_ad ? '0 : FIRST_MSG_SLOT;
        end
      end
      S_AD, S_MSG, S_OFF, S_BAD: ;
      default: state_q <= S_OFF;
    endcase

    if (take) begin
      first_q          <= 1'b0;
      chunk.last       <= in_last;
      chunk.two        <= slot_q[SLOT_BITS-1];
      chunk.empty      <= empty_string;
      chunk.partial    <= !whole && (PAD_EMPTY || !empty_string);
      chunk.beats      <= 6'(SLOT_BITS'(slot_q - (is_ad ? '0 : FIRST_MSG_SLOT)));
      chunk.last_bytes <= 7'(in_bytes);
      if (BEATS > 1) slot_q <= slot_q + SLOT_BITS'(1'b1);
      if (!legal) state_q <= S_BAD;
      else if (!in_last && slot_q != LAST_SLOT) state_q <= is_ad ? S_AD : S_MSG;
      else if (full_beat && !whole) state_q <= S_PAD;
      else state_q <= S_FULL;
    end

    if (ctl.start_ad || ctl.start_msg) begin
      state_q <= ctl.start_ad ? S_AD : S_MSG;
      is_ad   <= ctl.start_ad;
      first_q <= 1'b1;
      slot_q  <= ctl.start_ad ? '0 : FIRST_MSG_SLOT;
    end
    if (clear || ctl.stop) begin
      state_q <= S_OFF;
      first_q <= 1'b0;
    end
    if (clear) begin
      is_ad            <= 1'b0;
      slot_q           <= '0;
      chunk.last       <= 1'b0;
      chunk.two        <= 1'b0;
      chunk.partial    <= 1'b0;
      chunk.empty      <= 1'b0;
      chunk.beats      <= '0;
      chunk.last_bytes <= '0;
    end
  end

endmodule
