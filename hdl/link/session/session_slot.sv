// SPDX-License-Identifier: Apache-2.0
//
// One session slot: keys, ids, packet numbers, replay window, age. Empty after reset, `wipe` and `erase`.
// Specification: docs/wire-format.md, "Sessions". Byte order: byte i of every string is bits [8i+7:8i].
// Security: packet number and window become 0 only with new keys. Erasing zeroises keys and salts.

module session_slot
  import link_pkg::*;
#(
    parameter logic [ 7:0] SUITE = 8'h01,
    parameter logic [ 7:0] KIND  = 8'h00,
    parameter logic [63:0] N_MAX = 64'h0001_0000_0000_0000
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             wipe,         // level: zeroise
    input  logic             erase,        // pulse: this session ends
    input  logic             install,      // pulse: the next one begins
    input  session_t         next,
    input  logic             initiator,
    input  logic     [ 63:0] id_i,
    input  logic     [ 63:0] id_r,
    input  logic             tick,         // a millisecond
    input  logic     [ 31:0] t_rekey_ms,
    input  logic     [ 31:0] t_max_ms,
    input  logic             retire,       // pulse: another session took its place
    input  logic             good,         // pulse: a valid packet came in it
    output logic             live,
    output logic             heard,        // since it was installed
    output logic             overdue,      // to be erased
    output logic             renew,        // old or nearly used up
    output logic     [ 31:0] age_ms,
    output logic     [ 31:0] own_sid,      // packets to this end carry it
    output logic     [ 31:0] peer_sid,
    output logic     [511:0] key_tx,
    output logic     [511:0] key_rx,
    output logic     [255:0] ad_tx,
    output logic     [255:0] ad_rx,
    output logic     [191:0] salt_rx,
    input  logic             take,         // the packet number shown was used to seal
    output logic     [ 63:0] pn,
    output logic     [255:0] nonce,
    output logic             sealable,     // live, with packet numbers left
    output logic             quiet,        // nothing sealed for 250 ms
    input  logic             check_valid,  // replay_window
    output logic             check_ready,
    input  logic     [ 63:0] check_pn,
    output logic             check_fresh,
    input  logic             mark_valid,
    input  logic     [ 63:0] mark_pn,
    output logic             mark_done,
    output logic             mark_fresh,
    output logic     [ 63:0] received      // highest marked packet number + 1
);
  logic live_q, heard_q, retired_q;
  logic [511:0] key_tx_q, key_rx_q;
  logic [191:0] salt_rx_q;
  logic [31:0] own_sid_q, peer_sid_q, age_q;
  logic [11:0] retired_ms_q;
  logic [7:0] quiet_ms_q;
  logic exhausted;

  assign live = live_q;
  assign heard = heard_q;
  assign age_ms = age_q;
  assign own_sid = own_sid_q;
  assign peer_sid = peer_sid_q;
  assign key_tx = key_tx_q;
  assign key_rx = key_rx_q;
  assign salt_rx = salt_rx_q;
  assign ad_tx = ctx(SUITE, initiator ? CTX_I_TO_R : CTX_R_TO_I, KIND, peer_sid_q, id_i, id_r);
  assign ad_rx = ctx(SUITE, initiator ? CTX_R_TO_I : CTX_I_TO_R, KIND, own_sid_q, id_i, id_r);
  assign sealable = live_q && !exhausted;
  assign quiet = quiet_ms_q == 8'(KEEP_ALIVE_MS);

  nonce_gen #(
      .N_MAX(N_MAX)
  ) u_nonce_gen (
      .clk,
      .rst,
      .wipe(wipe || erase),
      .install,
      .salt(initiator ? next.salt_ir : next.salt_ri),
      .take,
      .pn,
      .nonce,
      .exhausted
  );

  replay_window u_replay_window (
      .clk,
      .rst,
      .install,
      .check_valid,
      .check_ready,
      .check_pn,
      .check_fresh,
      .mark_valid,
      .mark_pn,
      .mark_done,
      .mark_fresh,
      .next(received)
  );

  always_ff @(posedge clk) begin
    overdue <= live_q && (age_q >= t_max_ms || (retired_q && retired_ms_q == 12'(OLD_MS)));
    renew   <= live_q && (age_q >= t_rekey_ms || pn > N_MAX / 2 || received > N_MAX / 2);
    if (tick && age_q != '1) age_q <= age_q + 32'd1;
    if (tick && retired_q && retired_ms_q != 12'(OLD_MS)) retired_ms_q <= retired_ms_q + 12'd1;
    if (take) quiet_ms_q <= '0;
    else if (tick && !quiet) quiet_ms_q <= quiet_ms_q + 8'd1;
    if (good) heard_q <= 1'b1;
    if (retire) retired_q <= 1'b1;
    if (install) begin
      live_q       <= 1'b1;
      heard_q      <= 1'b0;
      retired_q    <= 1'b0;
      retired_ms_q <= '0;
      quiet_ms_q   <= '0;
      age_q        <= '0;
      key_tx_q     <= initiator ? next.key_ir : next.key_ri;
      key_rx_q     <= initiator ? next.key_ri : next.key_ir;
      salt_rx_q    <= initiator ? next.salt_ri : next.salt_ir;
      own_sid_q    <= initiator ? next.sid_i : next.sid_r;
      peer_sid_q   <= initiator ? next.sid_r : next.sid_i;
    end
    if (rst || wipe || erase) begin
      live_q     <= 1'b0;
      heard_q    <= 1'b0;
      retired_q  <= 1'b0;
      overdue    <= 1'b0;
      renew      <= 1'b0;
      age_q      <= '0;
      key_tx_q   <= '0;
      key_rx_q   <= '0;
      salt_rx_q  <= '0;
      own_sid_q  <= '0;
      peer_sid_q <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst)
      a_clean :
      assert (live_q || {key_tx_q, key_rx_q, salt_rx_q, own_sid_q, peer_sid_q, nonce} == '0)
      else $error("session_slot: keys outlive their session");
`endif
endmodule
