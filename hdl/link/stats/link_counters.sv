// SPDX-License-Identifier: Apache-2.0
//
// All counters of the link, 64 bits each, in the core's clock. Every packet that does not leave is in exactly one drop counter.
// Specification: docs/wire-format.md, "Every counter is readable and totals balance"; the equations are in README.md.
// Events of the other two domains come as sums over event_cdc; at rest all counts are exact. Cleared by reset only.

module link_counters
  import link_pkg::*;
(
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             trusted_clk,
    input  logic                             trusted_rst,
    input  logic                             untrusted_clk,
    input  logic                             untrusted_rst,
    input  logic [  TRUSTED_EVENTS-1:0][3:0] trusted_add,                  // indices E_T_*
    input  logic [UNTRUSTED_EVENTS-1:0][3:0] untrusted_add,                // indices E_U_*
    input  logic                             ev_sealed,
    input  logic [        LEN_BITS-1:0]      ev_sealed_bytes,
    input  logic                             ev_keepalive_out,
    input  logic [                 1:0]      add_drop_trusted_session,
    input  logic                             ev_keepalive_in,
    input  logic [                 1:0]      add_drop_session,
    input  logic                             ev_handshake_in,
    input  logic                             ev_handshake_out,
    input  logic                             ev_installed,
    input  logic                             ev_taken,
    input  logic                             ev_drop_peer,
    input  logic [                 1:0]      add_drop_number,
    input  logic [                 1:0]      add_drop_replay,
    input  logic [                 1:0]      add_drop_auth,
    output logic                             moving,                       // pulse: something was counted
    output logic [                63:0]      count_trusted_in,
    output logic [                63:0]      count_trusted_in_bytes,
    output logic [                63:0]      count_sealed,
    output logic [                63:0]      count_sealed_bytes,
    output logic [                63:0]      count_drop_trusted_overload,
    output logic [                63:0]      count_drop_trusted_size,
    output logic [                63:0]      count_drop_trusted_session,
    output logic [                63:0]      count_untrusted_out,
    output logic [                63:0]      count_untrusted_in,
    output logic [                63:0]      count_untrusted_in_bytes,
    output logic [                63:0]      count_delivered,
    output logic [                63:0]      count_delivered_bytes,
    output logic [                63:0]      count_keepalives_in,
    output logic [                63:0]      count_keepalives_out,
    output logic [                63:0]      count_handshakes_in,
    output logic [                63:0]      count_handshakes_out,
    output logic [                63:0]      count_sessions_installed,
    output logic [                63:0]      count_sessions_taken,
    output logic [                63:0]      count_drop_overload,
    output logic [                63:0]      count_drop_short,
    output logic [                63:0]      count_drop_version,
    output logic [                63:0]      count_drop_type,
    output logic [                63:0]      count_drop_suite,
    output logic [                63:0]      count_drop_length,
    output logic [                63:0]      count_drop_session,
    output logic [                63:0]      count_drop_peer,
    output logic [                63:0]      count_drop_number,
    output logic [                63:0]      count_drop_replay,
    output logic [                63:0]      count_drop_auth,
    output logic [                63:0]      count_drop_foreign
);
  logic t_valid, u_valid;
  logic [3:0] t_channel, u_channel;
  logic [23:0] t_sum, u_sum;

  event_cdc #(
      .CHANNELS(TRUSTED_EVENTS)
  ) u_trusted (
      .s_clk(trusted_clk),
      .s_rst(trusted_rst),
      .s_add(trusted_add),
      .m_clk(clk),
      .m_rst(rst),
      .m_valid(t_valid),
      .m_channel(t_channel),
      .m_sum(t_sum)
  );

  event_cdc #(
      .CHANNELS(UNTRUSTED_EVENTS)
  ) u_untrusted (
      .s_clk(untrusted_clk),
      .s_rst(untrusted_rst),
      .s_add(untrusted_add),
      .m_clk(clk),
      .m_rst(rst),
      .m_valid(u_valid),
      .m_channel(u_channel),
      .m_sum(u_sum)
  );

  // What reached a channel in this cycle, else 0.
  function automatic logic [63:0] of(input logic valid, input logic [3:0] channel, input logic [23:0] sum,
                                     input logic [3:0] index);
    return (valid && channel == index) ? 64'(sum) : 64'd0;
  endfunction

  assign moving = t_valid || u_valid || ev_sealed || ev_keepalive_out || ev_keepalive_in || ev_handshake_in ||
      ev_handshake_out || ev_drop_peer || add_drop_number != '0 || add_drop_auth != '0 ||
      add_drop_trusted_session != '0 || add_drop_session != '0 || add_drop_replay != '0;

  always_ff @(posedge clk) begin
    count_trusted_in <= count_trusted_in + of(t_valid, t_channel, t_sum, E_T_IN);
    count_trusted_in_bytes <= count_trusted_in_bytes + of(t_valid, t_channel, t_sum, E_T_IN_BYTES);
    count_sealed <= count_sealed + 64'(ev_sealed);
    count_sealed_bytes <= count_sealed_bytes + 64'(ev_sealed_bytes);
    count_drop_trusted_overload <= count_drop_trusted_overload + of(t_valid, t_channel, t_sum, E_T_DROP_OVERLOAD);
    count_drop_trusted_size <= count_drop_trusted_size + of(t_valid, t_channel, t_sum, E_T_DROP_SIZE);
    count_drop_trusted_session <= count_drop_trusted_session + 64'(add_drop_trusted_session);
    count_untrusted_out <= count_untrusted_out + of(u_valid, u_channel, u_sum, E_U_OUT);
    count_untrusted_in <= count_untrusted_in + of(u_valid, u_channel, u_sum, E_U_IN);
    count_untrusted_in_bytes <= count_untrusted_in_bytes + of(u_valid, u_channel, u_sum, E_U_IN_BYTES);
    count_delivered <= count_delivered + of(t_valid, t_channel, t_sum, E_T_DELIVERED);
    count_delivered_bytes <= count_delivered_bytes + of(t_valid, t_channel, t_sum, E_T_DELIVERED_BYTES);
    count_keepalives_in <= count_keepalives_in + 64'(ev_keepalive_in);
    count_keepalives_out <= count_keepalives_out + 64'(ev_keepalive_out);
    count_handshakes_in <= count_handshakes_in + 64'(ev_handshake_in);
    count_handshakes_out <= count_handshakes_out + 64'(ev_handshake_out);
    count_sessions_installed <= count_sessions_installed + 64'(ev_installed);
    count_sessions_taken <= count_sessions_taken + 64'(ev_taken);
    count_drop_overload <= count_drop_overload + of(u_valid, u_channel, u_sum, E_U_DROP_OVERLOAD);
    count_drop_short <= count_drop_short + of(u_valid, u_channel, u_sum, E_U_DROP_SHORT);
    count_drop_version <= count_drop_version + of(u_valid, u_channel, u_sum, E_U_DROP_VERSION);
    count_drop_type <= count_drop_type + of(u_valid, u_channel, u_sum, E_U_DROP_TYPE);
    count_drop_suite <= count_drop_suite + of(u_valid, u_channel, u_sum, E_U_DROP_SUITE);
    count_drop_length <= count_drop_length + of(u_valid, u_channel, u_sum, E_U_DROP_LENGTH);
    count_drop_session <= count_drop_session + 64'(add_drop_session) + of(t_valid, t_channel, t_sum, E_T_FLUSHED);
    count_drop_peer <= count_drop_peer + 64'(ev_drop_peer);
    count_drop_number <= count_drop_number + 64'(add_drop_number);
    count_drop_replay <= count_drop_replay + 64'(add_drop_replay);
    count_drop_auth <= count_drop_auth + 64'(add_drop_auth);
    count_drop_foreign <= count_drop_foreign + of(u_valid, u_channel, u_sum, E_U_DROP_FOREIGN);
    if (rst) begin
      count_trusted_in <= '0;
      count_trusted_in_bytes <= '0;
      count_sealed <= '0;
      count_sealed_bytes <= '0;
      count_drop_trusted_overload <= '0;
      count_drop_trusted_size <= '0;
      count_drop_trusted_session <= '0;
      count_untrusted_out <= '0;
      count_untrusted_in <= '0;
      count_untrusted_in_bytes <= '0;
      count_delivered <= '0;
      count_delivered_bytes <= '0;
      count_keepalives_in <= '0;
      count_keepalives_out <= '0;
      count_handshakes_in <= '0;
      count_handshakes_out <= '0;
      count_sessions_installed <= '0;
      count_sessions_taken <= '0;
      count_drop_overload <= '0;
      count_drop_short <= '0;
      count_drop_version <= '0;
      count_drop_type <= '0;
      count_drop_suite <= '0;
      count_drop_length <= '0;
      count_drop_session <= '0;
      count_drop_peer <= '0;
      count_drop_number <= '0;
      count_drop_replay <= '0;
      count_drop_auth <= '0;
      count_drop_foreign <= '0;
    end
  end
endmodule
