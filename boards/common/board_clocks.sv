// SPDX-License-Identifier: Apache-2.0
//
// Clocks of a board: one PLL for the lines and streams, another for the core, whose clock is no part of 125 MHz. ecppll makes both
// modules from board.toml with each build.

module board_clocks (
    input  logic clkin,       // of the oscillator
    output logic tx_clk,      // 125 MHz
    output logic stream_clk,  // stream_mhz of board.toml
    output logic core_clk,    // core_mhz of board.toml
    output logic locked       // all of them run; of no clock
);
  logic lines_locked, core_locked;
  lines_pll u_lines (
      .locked(lines_locked),
      .*
  );
  core_pll u_core (
      .locked(core_locked),
      .*
  );
  assign locked = lines_locked && core_locked;
endmodule
