// SPDX-License-Identifier: Apache-2.0
//
// Gathers one string of exactly BYTES bytes into a register: a command or a key. Byte i is data[8i+7:8i]. A string of
// any other length, or a malformed one, gives ok = 0; head_ok says whether its first two bytes are there
// nevertheless. The next string is taken only after `take`. take and clear wipe the register.
module aead_word
  import aead_adapter_pkg::*;
#(
    parameter int unsigned BYTES = 40  // length of the string, 2 or more
) (
    input logic clk,
    input logic clear,
    string_if.sink s,
    output logic valid,
    input logic take,
    output logic ok,
    output logic head_ok,
    output logic [8*BYTES-1:0] data
);

  localparam int unsigned DATA_BITS = s.DATA_BITS;
  localparam int unsigned BYTES_BITS = s.BYTES_BITS;
  localparam int unsigned BEAT_BYTES = DATA_BITS / 8;
  localparam int unsigned BEATS = (BYTES + BEAT_BYTES - 1) / BEAT_BYTES;
  localparam int unsigned INDEX_BITS = $clog2(BEATS + 1);
  localparam logic [BYTES_BITS-1:0] TAIL_BYTES = BYTES_BITS'(BYTES - (BEATS - 1) * BEAT_BYTES);

  logic [BEATS*DATA_BITS-1:0] store;
  logic [INDEX_BITS-1:0] index;  // BEATS: one too many has come

  assign s.ready = !valid && !clear;
  assign data = store[8*BYTES-1:0];

  if (BEATS * BEAT_BYTES != BYTES) begin : g_tail
    logic unused_tail;
    assign unused_tail = &{1'b0, store[BEATS*DATA_BITS-1:8*BYTES]};
  end

  always_ff @(posedge clk) begin
    if (s.valid && s.ready) begin
      for (int unsigned i = 0; i < BEATS; i++) if (index == INDEX_BITS'(i)) store[i*DATA_BITS+:DATA_BITS] <= s.data;
      if (index == '0) head_ok <= s.code == OK && s.bytes >= BYTES_BITS'(2'd2);
      if (s.last) index <= '0;
      else if (index != INDEX_BITS'(BEATS)) index <= index + 1'b1;
      valid <= s.last;
      ok <= s.code == OK && index == INDEX_BITS'(BEATS - 1) && s.bytes == TAIL_BYTES;
    end
    if (take) begin
      valid <= 1'b0;
      store <= '0;
    end
    if (clear) begin
      valid <= 1'b0;
      store <= '0;
      index <= '0;
    end
  end

endmodule
