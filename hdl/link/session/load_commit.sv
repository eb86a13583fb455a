// SPDX-License-Identifier: Apache-2.0
//
// Commits a session that software wrote word by word, when no handshake makes them. Answers every commit with one pulse of
// `done` (installed) or `error` (refused). Specification: docs/wire-format.md, "loaded sessions".
// Security: refused unless every word was written since the last commit or reset, with handshakes on, with bad ids, with a
// session id of 0, with this end's session id live. Whatever becomes of it, the words are wiped: a commit works once.

module load_commit
  import link_pkg::*;
(
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 wipe,         // level: zeroise; a load under way is refused
    input  logic                 enabled,      // handshakes are off, ids are good
    input  logic                 initiator,
    input  logic     [1:0]       live,         // session slots
    input  logic     [1:0][31:0] live_sid,     // this end's id in them
    input  logic                 write,        // pulse
    input  logic                 commit,       // pulse
    output logic                 ready,        // level: writes and commits are taken
    output logic                 write_taken,
    input  logic                 complete,     // next_session
    input  session_t             session,
    output logic                 offer,        // level: install it
    input  logic                 taken,        // pulse
    output logic                 clear,        // wipe the words
    output logic                 done,         // pulses
    output logic                 error
);
  typedef enum logic [1:0] {
    S_OPEN,
    S_JUDGE,
    S_OFFER,
    S_WIPE
  } state_e;

  state_e state_q;
  logic [31:0] own_sid;
  logic bad;
  assign own_sid = initiator ? session.sid_i : session.sid_r;
  assign bad = !enabled || !complete || session.sid_i == '0 || session.sid_r == '0 ||
      (live[0] && live_sid[0] == own_sid) || (live[1] && live_sid[1] == own_sid);

  logic unused;
  assign unused = &{1'b0, session.key_ir, session.key_ri, session.salt_ir, session.salt_ri};

  assign ready = state_q == S_OPEN && !rst && !wipe;
  assign write_taken = ready && write && enabled;
  assign offer = state_q == S_OFFER;
  assign clear = state_q == S_WIPE && enabled;  // else the words are the handshake's

  always_ff @(posedge clk) begin
    done  <= 1'b0;
    error <= commit && !ready && !rst;
    unique case (state_q)
      S_OPEN:  if (commit) state_q <= S_JUDGE;
      S_JUDGE: begin
        error   <= bad || commit;
        state_q <= bad ? S_WIPE : S_OFFER;
      end
      S_OFFER: begin
        done <= taken;
        if (taken) state_q <= S_WIPE;
      end
      default: state_q <= S_OPEN;
    endcase
    if (wipe) begin
      error   <= (state_q inside {S_JUDGE, S_OFFER} && !taken) || commit;
      state_q <= S_WIPE;
    end
    if (rst) begin
      done    <= 1'b0;
      error   <= 1'b0;
      state_q <= S_WIPE;
    end
  end
endmodule
