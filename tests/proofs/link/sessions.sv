// SPDX-License-Identifier: Apache-2.0
// The session slots with their control, under free resets, zeroise, offers and verdicts, for the harnesses of both directions.
// A key is told from the others by its lowest bit: no logic of the link looks at keys, so that the key whose bit is set stands
// for any one key. It is installed once at most, over all resets. The first cycle is a reset, any later one may be.
module sessions
  import link_pkg::*, link_types_pkg::*;
#(
    parameter build_t BUILD = '0
) (
    input  logic          clk,
    input  logic          rst_wanted,
    output logic          rst,
    input  logic          zeroise,
    input  logic          offer,
    input  logic          good,
    input  logic          good_slot,
    input  logic          work_idle,
    input  logic          cores_busy,
    input  logic          unclean,
    input  logic          tick,
    input  logic          marked_wanted,
    input  logic   [31:0] own_sid,
    input  logic   [ 1:0] take,
    output logic          cur,
    output order_t        order,
    output slot_t  [ 1:0] slots,
    output keys_t  [ 1:0] keys_tx,
    output keys_t  [ 1:0] keys_rx
);
  logic started_q, promoted, taken, busy, marked, marked_q;
  logic [1:0] retire;
  session_t next;
  identity_t identity;
  initial started_q = 1'b0;
  initial marked_q = 1'b0;
  always_ff @(posedge clk) begin
    started_q <= 1'b1;
    if (taken && marked) marked_q <= 1'b1;
  end
  assign rst = rst_wanted || !started_q;
  assign identity = '{initiator: 1'b1, bad: 1'b0, id_i: 64'd1, id_r: 64'd2};
  assign marked = marked_wanted && !marked_q;
  always_comb begin
    next = '0;
    next.key_tx[0] = marked;
    next.key_rx[0] = marked;
    next.own_sid = own_sid;
  end

  session_control u_control (.*);
  for (genvar i = 0; i < 2; i++) begin : g_slot
    session_slot #(
        .BUILD(BUILD)
    ) u_slot (
        .*,
        .wipe(order.wipe),
        .erase(order.erase[i]),
        .install(order.install[i]),
        .t_rekey_ms(32'd1),
        .t_max_ms(32'd2),
        .retire(retire[i]),
        .good(good && good_slot == 1'(i)),
        .take(take[i]),
        .accepted('0),
        .slot(slots[i]),
        .keys_tx(keys_tx[i]),
        .keys_rx(keys_rx[i])
    );
  end
endmodule
