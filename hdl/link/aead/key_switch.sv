// SPDX-License-Identifier: Apache-2.0
//
// Which slot's key a core holds, and bringing in the other one when the next packet needs it: only when the core is empty.
// Cycles that a packet of 64 bytes takes longer when it needs a change, the wait for the core to run empty included: 195 in suite
// 01, 46 in suite 02, about 1,000 in suite 02 interleaved, where it waits for all contexts (opening, tests/link/cycles_bench.py).
// Why not two cores, or a budget of switches: docs/wire-format.md leaves old and new session open side by side for two seconds, and
// only forged packets alternate for long. A second core doubles the area for them; a budget would let few forged packets starve
// the new session's first real one, and with it the rekey. So a forged packet costs at most its own time and two switches.
// Nothing that fails rules 1 to 4 (replays included) ever switches.

module key_switch (
    input  logic       clk,
    input  logic       rst,
    input  logic       clear,       // the core forgets its key
    input  logic       want,        // level: a packet of this place is next
    input  logic       want_place,
    output logic       right,       // the core holds its key: the command may be given
    input  logic       empty,       // no packet in the core
    output logic       load,        // level, to session_load
    input  logic       loaded,
    output logic       place,       // whose key and AD to load
    output logic [1:0] holds        // place whose key is in the core, or on its way
);
  typedef enum logic [1:0] {
    S_HELD,
    S_LOAD,
    S_RELEASE  // the loader hands the core back
  } state_e;

  state_e state_q;
  logic known_q, place_q;

  assign right = state_q == S_HELD && known_q && place_q == want_place;
  assign load  = state_q == S_LOAD;
  assign place = place_q;
  assign holds = known_q ? (2'd1 << place_q) : 2'd0;

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_HELD: begin
        if (want && !right && empty) begin
          place_q <= want_place;
          known_q <= 1'b1;
          state_q <= S_LOAD;
        end
      end
      S_LOAD:  if (loaded) state_q <= S_RELEASE;
      default: state_q <= S_HELD;
    endcase
    if (rst || clear) begin
      known_q <= 1'b0;
      state_q <= S_HELD;
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
