// SPDX-License-Identifier: Apache-2.0
//
// One session slot: keys, ids, packet numbers, age. Empty after reset, `wipe` and `erase`.
// Specification: docs/wire-format.md, "Sessions". Byte order: byte i of every string is bits [8i+7:8i].
// Security: the packet number becomes 0 only with new keys, as does the replay window (link_rx). Erasing zeroises keys and salts.

module session_slot
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             wipe,        // level: zeroise
    input  logic             erase,       // pulse: this session ends
    input  logic             install,     // pulse: the next one begins
    input  session_t         next,
    input  identity_t        identity,
    input  logic             tick,        // a millisecond
    input  logic      [31:0] t_rekey_ms,
    input  logic      [31:0] t_max_ms,
    input  logic             retire,      // pulse: another session took its place
    input  logic             good,        // pulse: a valid packet came in it
    input  logic             take,        // the packet number shown was used to seal
    input  logic      [63:0] accepted,    // highest accepted packet number + 1
    output slot_t            slot,
    output keys_t            keys_tx,
    output keys_t            keys_rx
);
  logic live_q, heard_q, retired_q;
  logic [511:0] key_tx_q, key_rx_q;
  logic [191:0] salt_rx_q;
  logic [31:0] own_sid_q, peer_sid_q, age_q;
  logic [11:0] retired_ms_q;
  logic [ 7:0] quiet_ms_q;
  logic exhausted, overdue_q, renew_q, initiator;
  logic [ 63:0] pn;
  logic [191:0] salt_tx;
  assign initiator = identity.initiator;

  assign slot = '{
          live: live_q,
          heard: heard_q,
          sealable: live_q && !exhausted,
          quiet: quiet_ms_q == 8'(KEEP_ALIVE_MS),
          overdue: overdue_q,
          renew: renew_q,
          age_ms: age_q,
          own_sid: own_sid_q,
          peer_sid: peer_sid_q,
          sent: pn
      };
  assign keys_tx = '{
          key: key_tx_q,
          ad:
          ctx
          (
              BUILD.suite, initiator ? CTX_I_TO_R : CTX_R_TO_I, BUILD.kind, peer_sid_q, identity.id_i, identity.id_r
          ),
          salt: salt_tx
      };
  assign keys_rx = '{
          key: key_rx_q,
          ad:
          ctx
          (
              BUILD.suite, initiator ? CTX_R_TO_I : CTX_I_TO_R, BUILD.kind, own_sid_q, identity.id_i, identity.id_r
          ),
          salt: salt_rx_q
      };

  nonce_gen #(
      .N_MAX(BUILD.n_max)
  ) u_nonce_gen (
      .*,
      .wipe(wipe || erase),
      .salt(next.salt_tx),
      .salt_now(salt_tx)
  );

  always_ff @(posedge clk) begin
    overdue_q <= live_q && (age_q >= t_max_ms || (retired_q && retired_ms_q == 12'(OLD_MS)));
    renew_q   <= live_q && (age_q >= t_rekey_ms || pn > BUILD.n_max / 2 || accepted > BUILD.n_max / 2);
    if (tick && age_q != '1) age_q <= age_q + 32'd1;
    if (tick && retired_q && retired_ms_q != 12'(OLD_MS)) retired_ms_q <= retired_ms_q + 12'd1;
    if (take) quiet_ms_q <= '0;
    else if (tick && !slot.quiet) quiet_ms_q <= quiet_ms_q + 8'd1;
    if (good) heard_q <= 1'b1;
    if (retire) retired_q <= 1'b1;
    if (install) begin
      live_q       <= 1'b1;
      heard_q      <= 1'b0;
      retired_q    <= 1'b0;
      retired_ms_q <= '0;
      quiet_ms_q   <= '0;
      age_q        <= '0;
      key_tx_q     <= next.key_tx;
      key_rx_q     <= next.key_rx;
      salt_rx_q    <= next.salt_rx;
      own_sid_q    <= next.own_sid;
      peer_sid_q   <= next.peer_sid;
    end
    if (rst || wipe || erase) begin
      live_q     <= 1'b0;
      heard_q    <= 1'b0;
      retired_q  <= 1'b0;
      overdue_q  <= 1'b0;
      renew_q    <= 1'b0;
      age_q      <= '0;
      key_tx_q   <= '0;
      key_rx_q   <= '0;
      salt_rx_q  <= '0;
      own_sid_q  <= '0;
      peer_sid_q <= '0;
    end
  end

  wire unused = &{1'b0, identity.bad};

`ifndef SYNTHESIS
  always_ff @(posedge clk)
    if (!rst)
      a_clean :
      assert (live_q || {key_tx_q, key_rx_q, salt_rx_q, own_sid_q, peer_sid_q, salt_tx, pn} == '0)
      else $error("session_slot: keys outlive their session");
`endif
endmodule
