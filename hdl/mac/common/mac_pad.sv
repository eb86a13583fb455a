// SPDX-License-Identifier: Apache-2.0
// One beat of a message as a padded block of words (10* padding), combinational; zero when nothing is to be absorbed.
// Specification: Ascon-PRF (ePrint 2021/1574) section 2; docs/cores/ascon-mac.md.
// Byte order: byte i of the beat in bits [8i+7:8i]; word w of the block holds bytes 8w to 8w+7, in the order asked for.
// Security: bytes beyond `bytes` are ignored; no data-dependent control.
module mac_pad
  import ascon_pkg::*;
#(
    parameter  int unsigned DATA_BITS  = 320,               // a multiple of 64, at most 320
    parameter  int unsigned BYTES_LE   = 1,                 // 1: as SP 800-232, 0: as Ascon v1.2
    localparam int unsigned BYTES      = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS = $clog2(BYTES + 1)
) (
    input  logic   [ DATA_BITS-1:0] data,
    input  logic   [BYTES_BITS-1:0] bytes,
    input  logic                    absorb,  // the beat; a full one has no padding
    input  logic                    alone,   // the block of padding alone, that follows a full last beat
    output state_t                  block    // words beyond DATA_BITS are zero
);

  localparam logic [7:0] PAD = BYTES_LE != 0 ? 8'h01 : 8'h80;
  logic [    BYTES-1:0] taken;  // the bytes of the message
  logic [      BYTES:0] reached;  // of each byte: those before it are taken
  logic [DATA_BITS-1:0] padded;

  always_comb begin
    for (int unsigned i = 0; i < BYTES; i++) taken[i] = absorb && bytes > BYTES_BITS'(i);
    reached = {taken, absorb || alone};
    for (int unsigned i = 0; i < BYTES; i++) begin
      padded[8*i+:8] = taken[i] ? data[8*i+:8] : 8'h00;
      if (reached[i] && !taken[i]) padded[8*i+:8] = PAD;
    end
    block = '0;
    for (int unsigned w = 0; w < DATA_BITS / 64; w++) block[w] = word_of(padded[64*w+:64], BYTES_LE != 0);
  end

endmodule
