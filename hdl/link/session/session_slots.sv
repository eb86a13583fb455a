// SPDX-License-Identifier: Apache-2.0
//
// The two session slots with their control: everything by place (0 or 1); `cur` says which place is the current session.
// Specification: docs/wire-format.md, "Sessions". T_rekey and T_max are raised to what the specification asks for at least.

module session_slots
  import link_pkg::*;
#(
    parameter logic [ 7:0] SUITE = 8'h01,
    parameter logic [ 7:0] KIND  = 8'h00,
    parameter logic [63:0] N_MAX = 64'h0001_0000_0000_0000
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   zeroise,         // pulse
    input  logic                   initiator,
    input  logic     [63:0]        id_i,
    input  logic     [63:0]        id_r,
    input  logic     [31:0]        cfg_t_rekey_ms,  // quasi-static
    input  logic     [31:0]        cfg_t_max_ms,
    input  logic                   tick,            // a millisecond
    input  logic                   offer,           // level: install `next`
    output logic                   taken,           // pulse: done
    input  session_t               next,
    input  logic                   good,            // pulse: a valid packet
    input  logic                   good_place,
    input  logic                   work_idle,       // no packet in work in either direction
    output logic                   hold,            // feeders start no packet
    output logic                   cur,
    output logic                   promoted,        // pulse: first valid packet in `alt`
    output logic                   renew,           // no current session, or it is old or nearly used up
    output logic     [ 1:0]        live,
    output logic     [ 1:0]        heard,
    output logic     [ 1:0]        sealable,        // with packet numbers left
    output logic     [ 1:0]        quiet,           // nothing sealed for 250 ms
    output logic     [ 1:0][ 31:0] age_ms,
    output logic     [ 1:0][ 31:0] own_sid,
    output logic     [ 1:0][ 31:0] peer_sid,
    output logic     [ 1:0][511:0] key_tx,
    output logic     [ 1:0][511:0] key_rx,
    output logic     [ 1:0][255:0] ad_tx,
    output logic     [ 1:0][255:0] ad_rx,
    output logic     [ 1:0][191:0] salt_rx,
    input  logic     [ 1:0]        take,            // the packet number was used
    output logic     [ 1:0][ 63:0] pn,
    output logic     [ 1:0][255:0] nonce,
    input  logic     [ 1:0]        check_valid,     // replay windows
    output logic     [ 1:0]        check_ready,
    input  logic     [63:0]        check_pn,
    output logic     [ 1:0]        check_fresh,
    input  logic                   mark_valid,
    input  logic                   mark_place,
    input  logic     [63:0]        mark_pn,
    output logic                   mark_done,
    output logic                   mark_fresh,
    output logic     [ 1:0][ 63:0] received,
    input  logic     [ 1:0]        enc_holds,       // key_switch
    input  logic     [ 1:0]        dec_holds,
    output logic                   clear_enc,       // pulses: zeroise a core
    output logic                   clear_dec,
    input  logic                   cores_busy,
    output logic                   clear,           // pulse: zeroise cores and store
    output logic                   wipe,            // level
    input  logic                   unclean,
    output logic                   busy
);
  logic [31:0] t_rekey_q, t_max_q;
  logic [1:0] overdue, slot_renew, retire, erase, install, done, fresh;

  always_ff @(posedge clk) begin
    t_rekey_q <= (cfg_t_rekey_ms < LEAST_REKEY_MS) ? LEAST_REKEY_MS :
        (cfg_t_rekey_ms > MOST_REKEY_MS) ? MOST_REKEY_MS : cfg_t_rekey_ms;
    t_max_q <= (cfg_t_max_ms < t_rekey_q + LEAST_MARGIN_MS) ? t_rekey_q + LEAST_MARGIN_MS : cfg_t_max_ms;
  end

  session_control u_control (
      .clk,
      .rst,
      .zeroise,
      .offer,
      .taken,
      .live,
      .heard,
      .overdue,
      .good,
      .good_place,
      .work_idle,
      .hold,
      .cur,
      .promoted,
      .retire,
      .erase,
      .install,
      .enc_holds,
      .dec_holds,
      .clear_enc,
      .clear_dec,
      .cores_busy,
      .clear,
      .wipe,
      .unclean,
      .busy
  );

  for (genvar p = 0; p < 2; p++) begin : g_slot
    session_slot #(
        .SUITE(SUITE),
        .KIND (KIND),
        .N_MAX(N_MAX)
    ) u_slot (
        .clk,
        .rst,
        .wipe,
        .erase(erase[p]),
        .install(install[p]),
        .next,
        .initiator,
        .id_i,
        .id_r,
        .tick,
        .t_rekey_ms(t_rekey_q),
        .t_max_ms(t_max_q),
        .retire(retire[p]),
        .good(good && good_place == 1'(p)),
        .live(live[p]),
        .heard(heard[p]),
        .overdue(overdue[p]),
        .renew(slot_renew[p]),
        .age_ms(age_ms[p]),
        .own_sid(own_sid[p]),
        .peer_sid(peer_sid[p]),
        .key_tx(key_tx[p]),
        .key_rx(key_rx[p]),
        .ad_tx(ad_tx[p]),
        .ad_rx(ad_rx[p]),
        .salt_rx(salt_rx[p]),
        .take(take[p]),
        .pn(pn[p]),
        .nonce(nonce[p]),
        .sealable(sealable[p]),
        .quiet(quiet[p]),
        .check_valid(check_valid[p]),
        .check_ready(check_ready[p]),
        .check_pn,
        .check_fresh(check_fresh[p]),
        .mark_valid(mark_valid && mark_place == 1'(p)),
        .mark_pn,
        .mark_done(done[p]),
        .mark_fresh(fresh[p]),
        .received(received[p])
    );
  end

  assign mark_done = done != 2'd0;
  assign mark_fresh = |(fresh & done);
  assign renew = !live[cur] || slot_renew[cur];
endmodule
