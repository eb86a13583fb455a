// SPDX-License-Identifier: Apache-2.0
//
// The sessions: two slots with their control, the session about to be installed (by handshake or by software), time, keep-alives.
// Specification: docs/wire-format.md, "Sessions". T_rekey and T_max are raised to what the specification asks for at least.
// Byte order: byte i of every string is bits [8i+7:8i].
// Security: keys leave for the two directions only (keys_tx, keys_rx).

module link_session
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter build_t BUILD = '0
) (
    input  logic                   clk,
    input  logic                   rst,
    input  settings_t              settings,
    input  logic                   zeroise,          // pulse
    input  load_t                  load,
    output logic                   load_ready,
    output logic                   load_done,        // pulses
    output logic                   load_error,
    output identity_t              identity,
    input  direction_t             tx,
    input  direction_t             rx,
    input  logic       [1:0]       take,             // by slot: its packet number is spent
    input  logic                   good,             // pulse: a valid packet
    input  logic                   good_slot,
    input  logic       [1:0][63:0] accepted,         // by slot: highest accepted packet number + 1
    input  proposal_t              proposal,         // of the handshake
    output order_t                 order,
    output progress_t              progress,
    output slot_t      [1:0]       slots,
    output keys_t      [1:0]       keys_tx,
    output keys_t      [1:0]       keys_rx,
    output logic                   keepalive_valid,
    input  logic                   keepalive_ready,
    output logic                   keepalive_slot,
    output logic                   session_busy,
    output counted_t               session_counted
);
  logic tick, cur, promoted, taken, control_busy, load_offer, smaller;

  // ------------------------------------------------------------------------------------------------ who and when
  // Ids compare as big-endian numbers: the smaller one is the initiator, for good.
  assign smaller = swap64(settings.local_id) < swap64(settings.peer_id);
  always_ff @(posedge clk) begin
    identity <= '{
        initiator: smaller,
        bad: settings.local_id == settings.peer_id || settings.local_id == '0 || settings.peer_id == '0,
        id_i: smaller ? settings.local_id : settings.peer_id,
        id_r: smaller ? settings.peer_id : settings.local_id
    };
  end

  // A millisecond is so many cycles; with 0 time stands still.
  logic [19:0] cycles_left_q;
  always_ff @(posedge clk) begin
    tick          <= cycles_left_q == 20'd1;
    cycles_left_q <= (cycles_left_q <= 20'd1) ? settings.ms_cycles : cycles_left_q - 20'd1;
    if (rst) begin
      tick          <= 1'b0;
      cycles_left_q <= settings.ms_cycles;
    end
  end

  // ------------------------------------------------------------------------------------------------ the next session
  session_t next;
  next_session #(
      .BUILD(BUILD)
  ) u_next_session (
      .*,
      .enabled(!settings.handshake)
  );

  // ------------------------------------------------------------------------------------------------ slots
  logic [31:0] t_rekey_ms, t_max_ms;
  logic [1:0] retire;
  always_ff @(posedge clk) begin
    t_rekey_ms <= (settings.t_rekey_ms < LEAST_REKEY_MS) ? LEAST_REKEY_MS :
        (settings.t_rekey_ms > MOST_REKEY_MS) ? MOST_REKEY_MS : settings.t_rekey_ms;
    t_max_ms <= (settings.t_max_ms < t_rekey_ms + LEAST_MARGIN_MS) ? t_rekey_ms + LEAST_MARGIN_MS : settings.t_max_ms;
  end

  session_control u_control (
      .*,
      .offer(proposal.offer || load_offer),
      .work_idle(tx.idle && rx.idle),
      .cores_busy(tx.busy || rx.busy),
      .unclean(tx.unclean || rx.unclean),
      .busy(control_busy)
  );

  for (genvar i = 0; i < 2; i++) begin : g_slot
    session_slot #(
        .BUILD(BUILD)
    ) u_slot (
        .*,
        .wipe(order.wipe),
        .erase(order.erase[i]),
        .install(order.install[i]),
        .retire(retire[i]),
        .good(good && good_slot == 1'(i)),
        .take(take[i]),
        .accepted(accepted[i]),
        .slot(slots[i]),
        .keys_tx(keys_tx[i]),
        .keys_rx(keys_rx[i])
    );
  end

  keepalives u_keepalives (
      .*,
      .wipe(order.wipe),
      .initiator(identity.initiator),
      .loaded(!settings.handshake),
      .probe(proposal.probe),
      .valid(keepalive_valid),
      .slot(keepalive_slot),
      .ready(keepalive_ready)
  );

  assign progress = '{
          tick: tick,
          heard: good,
          promoted: promoted,
          taken: taken,
          cur: cur,
          renew: !slots[cur].live || slots[cur].renew
      };
  assign session_busy = control_busy || load_offer;
  always_comb begin
    session_counted = '0;
    session_counted[COUNT_SESSIONS_INSTALLED] = 5'(taken);
    session_counted[COUNT_SESSIONS_TAKEN] = 5'(promoted);
  end

  wire unused = &{1'b0, settings, tx, rx};
endmodule
