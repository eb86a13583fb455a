// SPDX-License-Identifier: Apache-2.0
//
// link_session at rest, for its count of milliseconds.
module flat_session
  import link_pkg::*;
  import link_types_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic [19:0] ms_cycles,
    output logic        tick
);

  settings_t settings;
  always_comb begin
    settings = '0;
    settings.ms_cycles = ms_cycles;
  end
  progress_t progress;
  assign tick = progress.tick;

  logic load_ready, load_done, load_error, keepalive_valid, keepalive_slot, session_busy;
  identity_t identity;
  order_t order;
  slot_t [1:0] slots;
  keys_t [1:0] keys_tx, keys_rx;
  counted_t session_counted;
  link_session #(
      .BUILD('{suite: 8'h02, n_max: 64'd1 << 48, default: '0})
  ) dut (
      .*,
      .zeroise(1'b0),
      .load('0),
      .tx('0),
      .rx('0),
      .take('0),
      .good(1'b0),
      .good_slot(1'b0),
      .accepted('0),
      .proposal('0),
      .keepalive_ready(1'b0)
  );

endmodule
