// SPDX-License-Identifier: Apache-2.0
//
// The session that is about to be installed: written by the key schedule or by software, word by word, when no handshake makes
// them. Word order of a load: session_place in link_types_pkg. Specification: docs/wire-format.md, "loaded sessions".
// Every commit of software is answered with one pulse of `load_done` (installed) or `load_error` (refused).
// Security: a commit is refused unless every word was written since the last commit or reset, with handshakes on, with bad ids, with
// a session id of 0, with this end's session id live or among the last LAST that were installed since reset, with one key for
// both directions. Whatever becomes of it, the words are wiped: a commit works once. A write in the cycle of a commit is lost.

module next_session
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0
) (
    input  logic            clk,
    input  logic            rst,
    input  order_t          order,       // a wipe refuses a load under way
    input  logic            enabled,     // loads: handshakes are off
    input  identity_t       identity,
    input  slot_t     [1:0] slots,
    input  proposal_t       proposal,    // what the handshake derives
    input  load_t           load,
    output logic            load_ready,  // level: writes and commits are taken
    output logic            load_offer,  // level: install `next`
    input  logic            taken,       // pulse
    output logic            load_done,   // pulses
    output logic            load_error,
    output session_t        next
);
  localparam int unsigned KEY_BITS = 8 * suite_info(BUILD.suite).key_bytes;
  localparam int unsigned LAST = 8;  // installed sessions that are not loaded again

  typedef enum logic [1:0] {
    S_OPEN,
    S_JUDGE,
    S_OFFER,
    S_WIPE
  } state_e;

  state_e state_q;
  logic [SESSION_WORDS-1:0][31:0] words_q;
  logic [SESSION_WORDS-1:0] written_q, writes;
  logic may_load, write, clear, bad, seen, one_key_q;
  logic [LAST-1:0][31:0] last_q;  // own session ids, the newest first
  assign bad = !may_load || written_q != '1 || next.own_sid == '0 || next.peer_sid == '0 || is_live(
      slots, next.own_sid
  ) || seen || one_key_q;
  always_comb begin
    seen = 1'b0;
    for (int unsigned i = 0; i < LAST; i++) if (last_q[i] == next.own_sid) seen = 1'b1;
  end
  assign may_load = enabled && !identity.bad;
  assign load_ready = state_q == S_OPEN && !rst && !order.wipe;
  assign load_offer = state_q == S_OFFER;
  assign write = load.write && !load.commit && load_ready && may_load;
  assign clear = state_q == S_WIPE && may_load;  // else the words are the handshake's

  // ------------------------------------------------------------------------------------------------ words
  assign next = session_t'(words_q);

  // The schedule brings two words at once, and with the salts the ids; software one. Each word has an enable of its own, which
  // costs no logic before its flip-flops.
  derived_t derived;  // behind a register: the words come late in a cycle, and long before the session is on offer
  logic [5:0] index, place;
  logic salts, whole;
  always_ff @(posedge clk) derived <= proposal.derived.valid && !proposal.clear && !rst ? proposal.derived : '0;
  assign salts = derived.valid && derived.c == CTX_SALTS;
  assign whole = derived.valid && !(salts && derived.at[1:0] == 2'd3);  // a salt has three of four words
  always_comb begin
    index = load.index;
    if (derived.valid) begin
      index = {2'd0, derived.at, 1'b0};
      if (derived.c == CTX_R_TO_I) index[4] = 1'b1;
      if (salts) index = 6'(SALTS_AT) + (derived.at[2] ? 6'd6 : 6'd0) + {3'd0, derived.at[1:0], 1'b0};
    end
    place = session_place(index, identity.initiator);
    for (int unsigned i = 0; i < SESSION_WORDS; i++)
    writes[i] = derived.valid ? whole && place[5:1] == 5'(i / 2) : write && place == 6'(i);
    if (salts) writes[SIDS_AT+:2] = '1;
  end

  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < SESSION_WORDS; i++)
    if (writes[i]) words_q[i] <= derived.valid ? derived.data[32*(i%2)+:32] : load.data;
    if (salts) words_q[SIDS_AT+:2] <= {derived.peer_sid, derived.own_sid};
    if (write && !derived.valid) written_q <= written_q | writes;
    if (rst || clear || proposal.clear) begin
      words_q   <= '0;
      written_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ commits of software
  always_ff @(posedge clk) begin
    load_done  <= 1'b0;
    load_error <= load.commit && !load_ready && !rst;
    unique case (state_q)
      S_OPEN:  if (load.commit) state_q <= S_JUDGE;
      S_JUDGE: begin
        load_error <= bad || load.commit;
        state_q <= bad ? S_WIPE : S_OFFER;
      end
      S_OFFER: begin
        load_done <= taken;
        if (taken) state_q <= S_WIPE;
      end
      default: state_q <= S_OPEN;
    endcase
    if (order.wipe) begin
      load_error <= (state_q inside {S_JUDGE, S_OFFER} && !taken) || load.commit;
      state_q <= S_WIPE;
    end
    one_key_q <= next.key_tx[KEY_BITS-1:0] == next.key_rx[KEY_BITS-1:0];
    if (taken) last_q <= {last_q[LAST-2:0], next.own_sid};
    if (rst) begin
      last_q     <= '0;  // a session id is never 0
      load_done  <= 1'b0;
      load_error <= 1'b0;
      state_q    <= S_WIPE;
    end
  end

  wire unused = &{1'b0, order, identity, slots, load, proposal};
endmodule
