// SPDX-License-Identifier: Apache-2.0
// Random bits for masks from WORDS generators side by side, 64 bits each in every cycle: `trivium_random` from one seed, a
// key for all and an IV of its own for each, which is the seed's with the generator's number added (XOR) to its lowest byte.
// Byte order: `seed` has the key in its low 80 bits and the IV above it, as `trivium_random` takes them.
// Cycles: `random` is valid 19 cycles after the seed was taken. A seed is taken once, and again after a clear or an alarm.
// Security: a generator whose health alarm rises stops all of them; `alarm` is high until a good seed comes. `clear`
// overwrites all states.
module trivium_words #(
    parameter int unsigned WORDS = 2  // 1 to 256
) (
    input  logic                   clk,
    input  logic                   clear,
    input  logic                   seed_valid,
    output logic                   seed_ready,
    input  logic [    159:0]       seed,
    output logic                   valid,
    output logic [WORDS-1:0][63:0] random,
    output logic                   alarm
);

  logic [WORDS-1:0] each_ready, each_valid, each_alarm;
  logic seeded_q;

  assign seed_ready = &each_ready && !seeded_q;
  assign valid = &each_valid;
  assign alarm = |each_alarm;

  always_ff @(posedge clk) begin
    if (seed_valid && seed_ready) seeded_q <= 1'b1;
    else if (alarm) seeded_q <= 1'b0;
    if (clear) seeded_q <= 1'b0;
  end

  for (genvar i = 0; i < WORDS; i++) begin : gen_word
    trivium_random u_trivium (
        .clk,
        .rst(1'b0),
        .clear(clear || (alarm && !each_alarm[i] && !(seed_valid && seed_ready))),
        .seed_valid(seed_valid && seed_ready),
        .seed_ready(each_ready[i]),
        .seed_key(seed[79:0]),
        .seed_iv(seed[159:80] ^ 80'(i)),
        .valid(each_valid[i]),
        .random(random[i]),
        .alarm(each_alarm[i])
    );
  end

endmodule
