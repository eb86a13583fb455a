// SPDX-License-Identifier: Apache-2.0
// The sealing direction with its sessions around any core: slots, control, feeder, key switch, queue of work, packet builder.
// Frames, keep-alives and the pace of everything are free, in every order.
module sealing
  import link_pkg::*, link_types_pkg::*;
(
    input logic  clk,
    input logic  rst_wanted,
    input logic  zeroise,
    input logic  offer,
    input logic  good,
    input logic  good_slot,
    input logic  opening_idle,
    input logic  opening_busy,
    input logic  opening_unclean,
    input logic  tick,
    input logic  marked_wanted,
    input logic  len_valid,
    input logic  is_long,          // the frame that comes
    input beat_t ptxt,
    input logic  keepalive_valid,
    input logic  keepalive_slot,
    input logic  sealed_ready
);
  localparam int unsigned NUMBERS = 4;  // packets a key may seal, as the free core has it
  localparam build_t BUILD = '{
      suite: 8'h11,
      architecture: 8'd0,
      lanes: 1,
      work_bytes: 16384,
      data_bits: 64,
      drop_when_full: 1'b1,
      outer_ethernet: 1'b1,
      fifo_bytes: 32768,
      store_bytes: 32768,
      replay_window: 64,
      fast_schedule: 1'b0,
      slices: 1'b0,
      count_ports: 1'b1,
      kind: 8'h00,
      n_max: 64'(NUMBERS)
  };

  logic rst, cur;
  logic [1:0] take;
  order_t order;
  direction_t tx;
  slot_t [1:0] slots;
  keys_t [1:0] keys, unused_keys;
  sessions #(
      .BUILD(BUILD)
  ) u_sessions (
      .*,
      .work_idle(tx.idle && opening_idle),
      .cores_busy(tx.busy || opening_busy),
      .unclean(tx.unclean || opening_unclean),
      .own_sid(32'd1),
      .keys_tx(keys),
      .keys_rx(unused_keys)
  );

  // ---- packets ----
  command_t cmd, work;
  beat_t msg, out, sealed;
  result_t result;
  counted_t fed, built;
  logic [LEN_BITS-1:0] len_data, sealed_bytes;
  logic begins, begins_ready, cmd_ready, msg_ready, out_ready, result_ready, work_done, put_idle;
  logic len_ready, ptxt_ready, keepalive_ready, tag_in_ready;
  assign len_data = is_long ? LEN_BITS'(MIN_FRAME + 1) : LEN_BITS'(MIN_FRAME);
  put_to_enc u_put_to_enc (
      .*,
      .idle(put_idle),
      .counted(fed)
  );
  work_queue #(.DEPTH(2)) u_work (.*);
  session_aead #(
      .BUILD(BUILD),
      .OPEN (1'b0)
  ) u_encrypt (
      .*,
      .seed('0),  // this core takes none
      .busy(tx.busy),
      .working(tx.working),
      .seedless(tx.seedless),
      .seed_ready(tx.seed_ready),
      .alarm(tx.alarm),
      .tag_in('0)
  );
  get_from_enc #(
      .SUITE(BUILD.suite)
  ) u_get_from_enc (
      .*,
      .counted(built)
  );
  assign tx.idle = put_idle && !work.valid;
  assign tx.unclean = tx.busy || work.valid;
  assign tx.stirs = 1'b0;

  // Frames that came, less those that are counted
  logic [2:0] open_q;
  logic came;
  assign came = len_valid && len_ready;
  always_ff @(posedge clk) begin
    open_q <= open_q + 3'(came) - 3'(built[COUNT_SEALED]) - 3'(built[COUNT_DROP_TRUSTED_SESSION]) -
        3'(fed[COUNT_DROP_TRUSTED_SESSION]);
    if (rst) open_q <= '0;
  end

  always_comb begin
    if (!rst) begin
      a_one_fate : assert (work.valid || u_put_to_enc.begin_q || open_q == '0);
      a_no_debt : assert (open_q <= 3'd2);
    end
  end
endmodule
