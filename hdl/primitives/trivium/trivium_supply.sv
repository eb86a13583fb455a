// SPDX-License-Identifier: Apache-2.0
// Random bits for the masks of a core, with the order in which such a core is cleared: `wipe` zeroises domain 0 and what is
// public, `wipe_late` domain 1 a cycle later, and the random bits last until masked pipelines are empty. Then the generators
// are cleared, and a new seed is needed. An alarm of the generators is a clear that lasts until a seed comes.
// Byte order: that of `trivium_words`.
// Cycles: a seed is taken at the earliest 18 cycles after a clear.
// Security: pipelines of at most 15 registers; `seed_ready` is low while the user's memories are being wiped.
module trivium_supply #(
    parameter int unsigned WORDS = 2  // 64 random bits a cycle each
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic                   wiping,        // level: the user is not ready for a seed
    input  logic                   seed_valid,
    output logic                   seed_ready,
    input  logic [    159:0]       seed_data,
    output logic                   random_valid,
    output logic [WORDS-1:0][63:0] random,
    output logic                   alarm,
    output logic                   wipe,
    output logic                   wipe_late,
    output logic                   busy           // level: random bits of before a clear
);

  localparam logic [4:0] LASTS = 5'd16;

  logic words_clear, lasts_q, words_ready;
  logic [4:0] count_q;

  assign wipe = clear || alarm;
  assign busy = lasts_q;
  assign words_clear = lasts_q && count_q == LASTS;
  assign seed_ready = words_ready && !clear && !lasts_q && (alarm || !wiping);

  always_ff @(posedge clk) begin
    count_q <= count_q + 5'd1;
    if (words_clear) lasts_q <= 1'b0;
    if (clear) begin
      lasts_q <= 1'b1;
      count_q <= '0;
    end
    wipe_late <= wipe;
  end

  trivium_words #(
      .WORDS(WORDS)
  ) u_words (
      .clk,
      .clear(words_clear),
      .seed_valid(seed_valid && seed_ready),
      .seed_ready(words_ready),
      .seed(seed_data),
      .valid(random_valid),
      .random,
      .alarm
  );

endmodule
