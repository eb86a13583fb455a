// SPDX-License-Identifier: Apache-2.0
//
// The session slot `cur`: installs derived sessions, holds what both directions need of them, and zeroises.
// Specification: docs/wire-format.md, "Sessions": a slot is rewritten only when no packet is in work under it, and takes
// no new one meanwhile; packet numbers and window start at 0 exactly when new keys are installed.
// Order: hold both feeders, wait until nothing is in work, load key and AD into both cores, install, let go.
// Security: after reset and after `zeroise` there is no session. A wipe ends when cores and store report themselves clean.

module link_session (
    input  logic         clk,
    input  logic         rst,
    input  logic         zeroise,        // pulse
    input  logic         derived,        // ks_gen: level, values stand until taken
    output logic         taken,
    input  logic [191:0] salt_rx_next,
    input  logic [ 31:0] own_sid_next,
    input  logic [ 31:0] peer_sid_next,
    input  logic         work_idle,      // no packet in work in either direction
    output logic         hold,           // feeders start no packet
    output logic         load,           // level: cores take key and AD
    input  logic         loaded,         // both have
    output logic         install,        // pulse: nonces and window start anew
    output logic         up,
    output logic [191:0] salt_rx,
    output logic [ 31:0] own_sid,
    output logic [ 31:0] peer_sid,
    output logic         clear,          // pulse: zeroise cores and store
    output logic         wipe,           // level: everything in work is dropped and counted
    input  logic         unclean,        // something still zeroises or counts
    output logic         busy
);
  typedef enum logic [2:0] {
    S_RUN,
    S_QUIESCE,
    S_LOAD,
    S_INSTALL,
    S_SETTLE,   // the loaders hand the cores back
    S_CLEAR,
    S_WIPE
  } state_e;

  state_e state_q;
  logic [2:0] count_q;  // a wipe lasts at least eight cycles, until all busy signals are up

  assign hold = state_q != S_RUN || derived;
  assign load = state_q == S_LOAD;
  assign install = state_q == S_INSTALL;
  assign taken = state_q == S_INSTALL && !zeroise;  // else ks_gen says that the session ended
  assign clear = state_q == S_CLEAR;
  assign wipe = state_q inside {S_CLEAR, S_WIPE};
  assign busy = state_q != S_RUN;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_RUN:     if (derived) state_q <= S_QUIESCE;
      S_QUIESCE: if (work_idle) state_q <= S_LOAD;
      S_LOAD: begin
        up <= 1'b0;  // the old keys are gone
        if (loaded) state_q <= S_INSTALL;
      end
      S_INSTALL: begin
        up       <= 1'b1;
        salt_rx  <= salt_rx_next;
        own_sid  <= own_sid_next;
        peer_sid <= peer_sid_next;
        state_q  <= S_SETTLE;
      end
      S_SETTLE:  state_q <= S_RUN;
      S_CLEAR:   state_q <= S_WIPE;
      S_WIPE: begin
        count_q <= count_q + 3'd1;
        if (count_q == '1) begin
          count_q <= '1;
          if (!unclean) state_q <= S_RUN;
        end
      end
      default:   state_q <= S_CLEAR;
    endcase
    if (zeroise) state_q <= S_CLEAR;
    if (zeroise || state_q == S_CLEAR) count_q <= '0;
    if (rst || zeroise) begin
      up       <= 1'b0;
      salt_rx  <= '0;
      own_sid  <= '0;
      peer_sid <= '0;
    end
    if (rst) begin
      state_q <= S_RUN;
      count_q <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst && load)
      a_quiet :
      assert (work_idle)
      else $error("link_session: keys change under a packet in work");
`endif
endmodule
