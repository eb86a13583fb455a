// SPDX-License-Identifier: Apache-2.0
// The functions of a round of sha2_compress, or of sha512_compress_s, are those of FIPS 180-4, 4.1.2 and 4.1.3, written bit by bit, and its sum of
// three terms with one carry chain is their sum modulo 2^WORD_BITS.
module sha2_functions #(
    parameter int unsigned WORD_BITS = 64,
    parameter bit SERIAL = 1'b0  // of sha512_compress_s
) (
    input logic [WORD_BITS-1:0] x,
    input logic [WORD_BITS-1:0] y,
    input logic [WORD_BITS-1:0] z
);

  localparam bit LONG = WORD_BITS == 64;
  logic [WORD_BITS-1:0] ch, maj, big0, big1, small0, small1;
  always_comb begin
    for (int j = 0; j < WORD_BITS; j++) begin
      ch[j] = x[j] ? y[j] : z[j];
      maj[j] = 32'(x[j]) + 32'(y[j]) + 32'(z[j]) >= 2;
      big0[j] = x[(j+(LONG?28 : 2))%WORD_BITS] ^ x[(j+(LONG?34 : 13))%WORD_BITS] ^ x[(j+(LONG?39 : 22))%WORD_BITS];
      big1[j] = x[(j+(LONG?14 : 6))%WORD_BITS] ^ x[(j+(LONG?18 : 11))%WORD_BITS] ^ x[(j+(LONG?41 : 25))%WORD_BITS];
      small0[j] = x[(j+(LONG?1 : 7))%WORD_BITS] ^ x[(j+(LONG?8 : 18))%WORD_BITS];
      small1[j] = x[(j+(LONG?19 : 17))%WORD_BITS] ^ x[(j+(LONG?61 : 19))%WORD_BITS];
      // The last of these is a shift
      if (j + (LONG ? 7 : 3) < WORD_BITS) small0[j] ^= x[(j+(LONG?7 : 3))%WORD_BITS];
      if (j + (LONG ? 6 : 10) < WORD_BITS) small1[j] ^= x[(j+(LONG?6 : 10))%WORD_BITS];
    end
  end

  // Nothing but its functions is looked at
  if (SERIAL) begin : g_module
    sha512_compress_s dut (
        .clk(1'b0),
        .clear(1'b0),
        .start(1'b0),
        .msg('0),
        .key_at(),
        .key_word('0),
        .chain_at(),
        .chain_word('0),
        .ready(),
        .word_valid(),
        .word_at(),
        .word()
    );
  end else begin : g_module
    sha2_compress #(
        .WORD_BITS(WORD_BITS)
    ) dut (
        .clk(1'b0),
        .clear(1'b0),
        .key('0),
        .key_new(1'b0),
        .start(1'b0),
        .chain('0),
        .msg('0),
        .ready(),
        .digest()
    );
  end

  always_comb begin
    a_ch : assert (g_module.dut.ch(x, y, z) == ch);
    a_maj : assert (g_module.dut.maj(x, y, z) == maj);
    a_big_sigma0 : assert (g_module.dut.big_sigma0(x) == big0);
    a_big_sigma1 : assert (g_module.dut.big_sigma1(x) == big1);
    a_small_sigma0 : assert (g_module.dut.small_sigma0(x) == small0);
    a_small_sigma1 : assert (g_module.dut.small_sigma1(x) == small1);
    a_sum3 : assert (g_module.dut.sum3(x, y, z) == x + y + z);
  end

endmodule
