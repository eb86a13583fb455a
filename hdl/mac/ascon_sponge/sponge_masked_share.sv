// SPDX-License-Identifier: Apache-2.0
// Serial sponge MAC, masked: one domain, that is one share of every secret (docs/cores/ascon-mac-masked.md): the key, and the
// state between two calls, of which the tag is a part. IV and blocks come in domain 0; the other one is given zeros. Nothing
// here sees the other domain. `mask` and `random` are those of the other domain, too.
// Byte order: byte i of key and tag in bits [8i+7:8i]; words in the order of the convention.
// Cycles: every register takes its order with the next edge.
// Security: no data-dependent control. A state that entered a call is followed by zeros. `clear` zeroises every register.
module sponge_masked_share
  import ascon_pkg::*, sponge_masked_pkg::*;
#(
    parameter logic LE = 1'b1  // 1: as SP 800-232, 0: as Ascon v1.2
) (
    input logic clk,
    input logic clear,

    input logic         key_load,
    input logic [127:0] key,
    input logic         key_renew,  // the key takes up random bits
    input logic [127:0] random,

    input state_t        mask,    // not of random bits that the round takes for a state in work
    input logic          begins,  // state <= IV || K || 0
    input logic   [63:0] iv,
    input logic          made,    // state <= y
    input state_t        y,       // behind the rounds
    input logic          drop,    // state <= 0: it entered a call, or its tag was judged

    output state_t         state,
    output logic   [127:0] tag     // of this state
);

  logic [127:0] key_q;

  assign tag = {bytes_of(state[1], LE), bytes_of(state[0], LE)};

  always_ff @(posedge clk) begin
    if (key_load || key_renew) key_q <= (key_load ? key : key_q) ^ random;
    if (drop) state <= '0;
    if (made) state <= kept(y, mask);
    if (begins) state <= begun(iv, {word_of(key_q[127:64], LE), word_of(key_q[63:0], LE)}, mask);
    if (clear) begin
      key_q <= '0;
      state <= '0;
    end
  end

endmodule
