// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128, masked, data path (docs/cores/ascon-masked.md): the first and the last call, which the key enters, on a state
// in two shares; the calls over associated data and message on the bare state, one round a cycle.
// Specification: NIST SP 800-232 section 4. Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: two a round in shares. A call in shares starts with `call`; 28 cycles on the bare state stands, 26 on the tag.
// Security: no data-dependent control. Shares of the state meet in one place, behind registers that hold zeros in all cycles
// but the one after the key was added behind the first call, and in front of a register that nothing else writes. At rest
// both states are zero but for IV and nonce. `clear` zeroises domain 0 and what is not in shares, `clear_late` domain 1;
// the round in shares is empty two cycles later.
module ascon_aead_masked_datapath
  import ascon_pkg::*, ascon_aead_pkg::*;
(
    input logic clk,
    input logic clear,
    input logic clear_late, // `clear`, one cycle later

    input logic [2:0][63:0] random,  // new in each cycle

    input  call_t       call,     // the one that starts in this cycle; zero in others
    input  logic        run,      // rounds of the bare state are done in this cycle, if the call is none in shares
    input  logic  [3:0] round,    // number of that round
    input  logic        rest,     // level: no command is in flight
    input  logic        stop,     // the command is refused
    input  logic        opening,  // level: the bytes of the block are ciphertext
    output logic        ready,    // the next cycle's `call` may be one
    output logic        idle,     // no call in shares is under way

    input logic                key_load,
    input logic [  1:0][127:0] key,
    input logic [127:0]        nonce,

    input logic [127:0] block,   // padded
    input logic [ 15:0] in_mask, // bytes of the string

    input logic out_load,  // out_block <= state + block
    output logic [127:0] out_block,  // zero beyond the string, and at rest
    output logic [1:0][127:0] computed  // shares of the tag, until `rest`
);

  state_t state_q, added, bulk, plain_q, joined_q, mask;
  state_t [1:0] x, y, opened;
  logic [127:0] text_mask;
  logic [1:0] join_q;  // the bare state's way out of the shares: opened, joined
  logic shared_q;  // the call under way is one in shares
  logic last_q;  // it is the last
  logic enter, load, made, rest_in_shares, open;

  logic unused;
  assign unused = &{1'b0, call.key_first};  // the key is added behind the first call in any case

  // ---- the bare state ----

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) text_mask[8*i+:8] = {8{in_mask[i]}};
  end

  always_comb begin
    added = state_q;
    if (call.absorb) added[1:0] = (state_q[1:0] & ~(text_mask &{128{opening}})) ^ block;
    added[0] ^= 64'(call.pad);
    added[4] ^= {call.separate, 63'b0};
  end

  ascon_round u_bulk (
      .x(added),
      .constant(round_constant(round)),
      .y(bulk)
  );

  always_ff @(posedge clk) begin
    if (call.start) shared_q <= call.twelve;
    if (run && !(call.start ? call.twelve : shared_q)) state_q <= bulk;
    if (enter) state_q <= '0;
    if (join_q[1]) state_q <= joined_q;
    // The way into the shares and out of them: one cycle each, else zeros, so that the bare state's changes reach no share.
    plain_q  <= added & {320{enter}};
    joined_q <= opened[0] ^ opened[1];
    if (out_load) out_block <= (state_q[1:0] ^ block) & text_mask;
    if (rest) begin
      state_q   <= {nonce, 128'b0, IV};
      out_block <= '0;
    end
    if (clear) begin
      shared_q  <= 1'b0;
      state_q   <= '0;
      plain_q   <= '0;
      joined_q  <= '0;
      out_block <= '0;
    end
  end

  // ---- the state in shares ----

  assign enter = call.start && call.twelve;
  assign open  = made && !last_q;
  assign idle  = rest_in_shares && join_q == '0;
  assign ready = idle || join_q[1];

  always_ff @(posedge clk) begin
    load   <= enter && !stop;
    join_q <= {join_q[0], open};
    if (enter) last_q <= call.key_last;
    if (clear || stop) join_q <= '0;
    if (clear) begin
      load   <= 1'b0;
      last_q <= 1'b0;
    end
  end

  ascon_masked_permutation u_permutation (
      .clk,
      .clear,
      .stop,
      .random,
      .load,
      .from('0),
      .x,
      .y,
      .made,
      .idle(rest_in_shares),
      .mask
  );

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    ascon_aead_masked_share u_share (
        .clk,
        .clear(d == 0 ? clear : clear_late),
        .key_load,
        .key(key[d]),
        .key_renew(load),
        .random(random[1:0]),
        .mask,
        .last(last_q),
        .plain(d == 0 ? plain_q : '0),
        .y(y[d]),
        .x(x[d]),
        .open,
        .tag_load(made && last_q),
        .tag_drop(rest),
        .opened(opened[d]),
        .computed(computed[d])
    );
  end

endmodule
