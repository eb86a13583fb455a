// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128, masked, data path (docs/cores/ascon-masked.md): the first and the last call, which the key enters, on a state
// in two shares; the calls over associated data and message on the bare state, one round a cycle.
// Specification: NIST SP 800-232 section 4. Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: two a round in shares. A call in shares starts with `call`; 28 cycles on the bare state stands, 26 on the tag.
// Security: no data-dependent control. Shares of the state meet in one place, behind registers that hold zeros in all cycles
// but the one after the key was added behind the first call, and in front of a register that nothing else writes. At rest both states are zero but for IV and nonce. `clear` zeroises
// domain 0 and what is not in shares, `clear_late` domain 1; the round in shares is empty two cycles later.
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

  // Cycles from the one on that brings a state into the shares: its last round's result stands; the bare state goes on
  localparam logic [4:0] MADE = 5'(2 * ROUNDS_A);
  localparam logic [4:0] JOINED = MADE + 5'd2;

  state_t state_q, added, bulk, plain_q, joined_q, mask_q;
  state_t [1:0] x, y, opened;
  logic [127:0] text_mask;
  logic [  4:0] step_q;
  logic [7:0] bulk_constant, constant;
  logic shared_q;  // the call under way is one in shares
  logic last_q;  // it is the last
  logic full_q;  // the first registers of the round in shares hold a state
  logic enter, load, go, open;

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

  assign bulk_constant = round_constant(round);

  ascon_round u_bulk (
      .x(added),
      .constant(bulk_constant),
      .y(bulk)
  );

  always_ff @(posedge clk) begin
    if (call.start) shared_q <= call.twelve;
    if (run && !(call.start ? call.twelve : shared_q)) state_q <= bulk;
    if (enter) state_q <= '0;
    if (step_q == JOINED) state_q <= joined_q;
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
  assign go = step_q != '0 && !step_q[0] && step_q < MADE;
  assign open = step_q == MADE && !last_q;
  assign constant = load || go ? round_constant(step_q[4:1]) : '0;
  assign idle = step_q == '0 && !load;
  assign ready = idle || step_q == JOINED;

  always_ff @(posedge clk) begin
    full_q <= load || go;
    // Masks are of random bits that the round does not take for a state in work.
    if (!full_q) mask_q <= {mask_q[1:0], random};
    load <= enter && !stop;
    if (enter) last_q <= call.key_last;
    if (load) begin
      step_q <= 5'd1;
    end else if (step_q == (last_q ? MADE : JOINED)) begin
      step_q <= '0;
    end else if (step_q != '0) begin
      step_q <= step_q + 5'd1;
    end
    if (clear || stop) step_q <= '0;
    if (clear) begin
      load   <= 1'b0;
      full_q <= 1'b0;
      mask_q <= '0;
      last_q <= 1'b0;
    end
  end

  ascon_masked_round u_round (
      .clk,
      .random,
      .x0(x[0]),
      .x1(x[1]),
      .y0(y[0]),
      .y1(y[1])
  );

  for (genvar d = 0; d < 2; d++) begin : gen_domain
    ascon_aead_masked_share u_share (
        .clk,
        .clear(d == 0 ? clear : clear_late),
        .key_load,
        .key(key[d]),
        .key_renew(load),
        .random(random[1:0]),
        .mask(mask_q),
        .load,
        .last(last_q),
        .plain(d == 0 ? plain_q : '0),
        .go,
        .constant(d == 0 ? constant : '0),
        .y(y[d]),
        .x(x[d]),
        .open,
        .tag_load(step_q == MADE && last_q),
        .tag_drop(rest),
        .opened(opened[d]),
        .computed(computed[d])
    );
  end

endmodule
