// SPDX-License-Identifier: Apache-2.0
//
// Which slot's key a core holds, and bringing in the other one when the next packet needs it: only when the core is empty. The key
// first, then the slot's constant associated data into the core's AD cache; a core without that cache gets the key alone.
// Specification: docs/core-ports.md rules 7 and 11, docs/wire-format.md "AD".
// Cycles that a packet of 64 bytes takes longer when it needs a change, the wait for the core to run empty included: 195 in suite
// 01, 46 in suite 02, about 1,000 in suite 02 interleaved, where it waits for all contexts (opening, tests/link/cycles_bench.py).
// Why not two cores, or a budget of switches: docs/wire-format.md leaves old and new session open side by side for two seconds, and
// only forged packets alternate for long. A second core doubles the area for them; a budget would let few forged packets starve
// the new session's first real one, and with it the rekey. So a forged packet costs at most its own time and two switches.
// Security: nothing that fails rules 1 to 4 (replays included) ever switches. Key and AD are copied nowhere here.

module key_switch
  import link_types_pkg::*;
#(
    parameter bit  AD_CACHE = 1'b1,
    parameter type beat_t   = link_types_pkg::beat_t
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        clear,         // the core forgets its key
    input  keys_t [1:0] keys,          // by slot
    input  logic        want,          // level: a packet of this slot is next
    input  logic        want_slot,
    input  logic        empty,         // no packet in the core
    output logic        right,         // the core holds the wanted key: the command may be given
    output logic  [1:0] holds,         // slot whose key is in the core, or on its way
    output logic        load,          // level: a key is brought in
    output logic        owns,          // the command and result channels of the core are this module's
    output keys_t       loading,       // what is brought in, or was
    output logic        key_valid,     // to the core
    input  logic        key_ready,
    output logic        cmd_valid,     // load AD
    input  logic        cmd_ready,
    output beat_t       ad,
    input  logic        ad_ready,
    input  logic        result_valid,
    output logic        result_ready
);
  typedef enum logic [3:0] {
    S_HELD,
    S_BEGIN,
    S_KEY,
    S_COMMAND,
    S_AD,
    S_RESULT,
    S_LOADED,
    S_RELEASE
  } state_e;

  localparam int unsigned BITS = $bits(ad.data);
  localparam int unsigned BEATS = 256 / BITS;  // of the associated data, 2 or more
  state_e state_q;
  logic known_q, slot_q;
  logic [$clog2(BEATS)-1:0] beat_q;

  assign right = state_q == S_HELD && known_q && slot_q == want_slot;
  assign load = !(state_q inside {S_HELD, S_RELEASE});
  assign owns = !(state_q inside {S_HELD, S_BEGIN});
  assign holds = known_q ? (2'd1 << slot_q) : 2'd0;
  assign loading = keys[slot_q];
  assign key_valid = state_q == S_KEY;
  assign cmd_valid = state_q == S_COMMAND;
  assign ad = '{
          valid: state_q == S_AD,
          data: loading.ad[BITS*beat_q+:BITS],
          bytes: ($bits(ad.bytes))'(BITS / 8),
          last: beat_q == '1
      };
  assign result_ready = state_q == S_RESULT;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_HELD: begin
        if (want && !right && empty) begin
          slot_q  <= want_slot;
          known_q <= 1'b1;
          state_q <= S_BEGIN;
        end
      end
      S_BEGIN: state_q <= S_KEY;
      S_KEY: if (key_ready) state_q <= AD_CACHE ? S_COMMAND : S_LOADED;
      S_COMMAND: if (cmd_ready) state_q <= S_AD;
      S_AD: begin
        if (ad_ready) begin
          beat_q <= beat_q + 1'b1;
          if (ad.last) state_q <= S_RESULT;
        end
      end
      S_RESULT: if (result_valid) state_q <= S_LOADED;
      S_LOADED: state_q <= S_RELEASE;
      default: state_q <= S_HELD;
    endcase
    if (rst || clear) begin
      known_q <= 1'b0;
      state_q <= S_HELD;
      beat_q  <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst && load)
      a_empty :
      assert (empty)
      else $error("key_switch: keys change under a packet in work");
`endif
endmodule
