// SPDX-License-Identifier: Apache-2.0
//
// What happens to the two session slots: install into `alt`, promotion of `alt` to `cur`, erasing, zeroise.
// Specification: docs/wire-format.md, "Sessions": a slot is rewritten or erased only when no packet is in work under it, and takes
// no new one meanwhile. A session keeps its slot (0 or 1) for life; `cur` says which slot is the current one.
// Order of a change: hold both feeders, wait until nothing is in work, zeroise the slot and the cores that hold its key,
// install, let go. Cycles: about 16 beyond the packets in work; nothing is lost, frames wait in their FIFOs.
// Security: a wipe ends when cores and store report themselves clean.

module session_control
  import link_types_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic         zeroise,     // pulse
    input  logic         offer,       // level: a session to install; may be withdrawn before `erase`
    output logic         taken,       // pulse: installed
    input  slot_t  [1:0] slots,
    input  logic         good,        // pulse: a valid packet
    input  logic         good_slot,
    input  logic         work_idle,   // no packet in work in either direction
    output logic         cur,         // slot of the current session
    output logic         promoted,    // pulse: first valid packet in `alt`
    output logic   [1:0] retire,      // pulses, by slot
    output order_t       order,
    input  logic         cores_busy,
    input  logic         unclean,     // something still zeroises or counts
    output logic         busy
);
  typedef enum logic [2:0] {
    S_RUN,
    S_QUIESCE,
    S_ERASE,
    S_SETTLE,   // until the cores are clean
    S_INSTALL,
    S_CLEAR,
    S_WIPE
  } state_e;

  state_e state_q;
  logic cur_q;
  logic installing_q;  // or only erasing
  logic slot_q;
  logic [2:0] count_q;  // settling and wiping last eight cycles at least, until all busy signals are up

  logic [1:0] overdue;
  assign overdue = {slots[1].overdue, slots[0].overdue};
  assign busy = state_q != S_RUN;
  assign cur = cur_q;
  assign promoted = good && !slots[good_slot].heard && good_slot != cur_q;
  assign retire = {promoted && good_slot != 1'b1, promoted && good_slot != 1'b0};
  assign taken = state_q == S_INSTALL && !zeroise;
  assign order = '{
          hold: busy,
          clear: state_q == S_CLEAR,
          wipe: state_q inside {S_CLEAR, S_WIPE},
          erase: (state_q == S_ERASE) ? (2'd1 << slot_q) : 2'd0,
          install: taken ? (2'd1 << slot_q) : 2'd0
      };

  always_ff @(posedge clk) begin
    if (promoted) cur_q <= good_slot;
    count_q <= count_q + 3'(count_q != '1);
    unique case (state_q)
      S_RUN: begin
        installing_q <= overdue == '0;
        slot_q       <= !overdue[0];
        if (overdue != '0 || offer) state_q <= S_QUIESCE;
      end
      S_QUIESCE: begin
        if (installing_q) slot_q <= !cur_q;
        if (installing_q && !offer) state_q <= S_RUN;
        else if (work_idle) state_q <= S_ERASE;
      end
      S_ERASE: begin
        count_q <= '0;
        state_q <= S_SETTLE;
      end
      S_SETTLE:  if (count_q == '1 && !cores_busy) state_q <= installing_q ? S_INSTALL : S_RUN;
      S_INSTALL: state_q <= S_RUN;
      S_CLEAR:   state_q <= S_WIPE;
      S_WIPE:    if (count_q == '1 && !unclean) state_q <= S_RUN;
      default:   state_q <= S_CLEAR;
    endcase
    if (zeroise) state_q <= S_CLEAR;
    if (zeroise || state_q == S_CLEAR) count_q <= '0;
    if (rst) begin
      state_q <= S_RUN;
      count_q <= '0;
      cur_q   <= 1'b0;
    end
  end

  wire unused = &{1'b0, slots};

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst && !zeroise) begin
      a_quiet :
      assert (!(state_q inside {S_ERASE, S_SETTLE, S_INSTALL}) || work_idle)
      else $error("session_control: a slot changes under a packet in work");
      a_alt :
      assert (!taken || slot_q != cur_q)
      else $error("session_control: the current session is overwritten");
      a_good :
      assert (!good || slots[good_slot].live)
      else $error("session_control: a packet passed in a dead session");
    end
`endif
endmodule
