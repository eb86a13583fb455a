// SPDX-License-Identifier: Apache-2.0
//
// The link with its control plane: sealwire_link behind AXI4-Lite registers (link_control) in core_clk. Register map:
// sealwire_link_regs.rdl, guide: docs/control.md. core_rst resets the registers too; the other two resets keep the settings.
// Settings reach the link with command.restart only, so its quasi-static inputs change in its reset.
// R of the next handshake comes from the port (a random source), or from registers if software has committed one.
// Security: no secret can be read back, see link_control.

module sealwire_link_axil
  import link_control_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,  // 01, 02 OMD, 03, 04 p-OMD, 11, 12 AES-OTR: link_pkg
    parameter logic [7:0] ARCHITECTURE = 8'd0,  // of the cores: link_pkg, ARCH_*
    parameter int unsigned WORK_BYTES = 131072,  // packets in an interleaved core; a power of two, 16384 or more
    parameter int unsigned DATA_BITS = 64,  // 64 only
    parameter bit DROP_WHEN_FULL = 1'b1,  // 1 never stalls an input, drops whole frames; 0 stalls, for lossless tests
    parameter bit OUTER_ETHERNET = 1'b1,  // 1 link packets in Ethernet frames of EtherType 88B5; 0 bare
    parameter int unsigned FIFO_BYTES = 32768,  // each entrance FIFO and fifo_enc; a power of two, 32768 or more
    parameter int unsigned STORE_BYTES = 131072,  // release store; a power of two, 32768 or more
    parameter logic [7:0] KIND = 8'h00,  // what the messages are: 00 Ethernet, 01 IP
    parameter logic [63:0] N_MAX = link_pkg::suite_info(SUITE).max_packets  // packets a key may seal, up to this
) (
    input  logic         trusted_clk,
    input  logic         trusted_rst,              // any of the three resets restarts the whole link
    input  logic         core_clk,
    input  logic         core_rst,
    input  logic         untrusted_clk,
    input  logic         untrusted_rst,
    // trusted_clk
    input  logic [ 63:0] s_axis_trusted_tdata,     // plaintext Ethernet frames in, without FCS
    input  logic [  7:0] s_axis_trusted_tkeep,
    input  logic         s_axis_trusted_tvalid,
    output logic         s_axis_trusted_tready,
    input  logic         s_axis_trusted_tlast,
    output logic [ 63:0] m_axis_trusted_tdata,     // verified plaintext frames out
    output logic [  7:0] m_axis_trusted_tkeep,
    output logic         m_axis_trusted_tvalid,
    input  logic         m_axis_trusted_tready,
    output logic         m_axis_trusted_tlast,
    // untrusted_clk
    input  logic [ 63:0] s_axis_untrusted_tdata,   // link packets in
    input  logic [  7:0] s_axis_untrusted_tkeep,
    input  logic         s_axis_untrusted_tvalid,
    output logic         s_axis_untrusted_tready,
    input  logic         s_axis_untrusted_tlast,
    output logic [ 63:0] m_axis_untrusted_tdata,   // link packets out
    output logic [  7:0] m_axis_untrusted_tkeep,
    output logic         m_axis_untrusted_tvalid,
    input  logic         m_axis_untrusted_tready,
    output logic         m_axis_untrusted_tlast,
    // core_clk
    input  logic [ 11:0] s_axil_awaddr,            // control: AXI4-Lite, 4 KiB
    input  logic [  2:0] s_axil_awprot,
    input  logic         s_axil_awvalid,
    output logic         s_axil_awready,
    input  logic [ 31:0] s_axil_wdata,
    input  logic [  3:0] s_axil_wstrb,
    input  logic         s_axil_wvalid,
    output logic         s_axil_wready,
    output logic [  1:0] s_axil_bresp,
    output logic         s_axil_bvalid,
    input  logic         s_axil_bready,
    input  logic [ 11:0] s_axil_araddr,
    input  logic [  2:0] s_axil_arprot,
    input  logic         s_axil_arvalid,
    output logic         s_axil_arready,
    output logic [ 31:0] s_axil_rdata,
    output logic [  1:0] s_axil_rresp,
    output logic         s_axil_rvalid,
    input  logic         s_axil_rready,
    input  logic         s_random_valid,           // core_clk: 32 fresh random bytes, from a source; 0 if there is none
    output logic         s_random_ready,
    input  logic [255:0] s_random_data
);
  localparam int unsigned COUNTERS = 32;

  settings_t settings;
  link_status_t status;
  logic restart, zeroise;
  logic psk_valid, psk_ready, random_valid, random_ready, register_random;
  logic load_write, load_commit, load_done, load_error;
  logic [5:0] load_index;
  logic [31:0] load_data;
  logic [511:0] psk_data;
  logic [255:0] random_data;
  logic [COUNTERS-1:0][63:0] counts;
  logic [63:0] session_sent, session_received;
  logic [63:0] count_trusted_in;
  logic [63:0] count_trusted_in_bytes;
  logic [63:0] count_sealed;
  logic [63:0] count_sealed_bytes;
  logic [63:0] count_drop_trusted_overload;
  logic [63:0] count_drop_trusted_size;
  logic [63:0] count_drop_trusted_session;
  logic [63:0] count_untrusted_out;
  logic [63:0] count_untrusted_in;
  logic [63:0] count_untrusted_in_bytes;
  logic [63:0] count_delivered;
  logic [63:0] count_delivered_bytes;
  logic [63:0] count_keepalives_in;
  logic [63:0] count_keepalives_out;
  logic [63:0] count_drop_overload;
  logic [63:0] count_drop_short;
  logic [63:0] count_drop_version;
  logic [63:0] count_drop_type;
  logic [63:0] count_drop_suite;
  logic [63:0] count_drop_length;
  logic [63:0] count_drop_session;
  logic [63:0] count_drop_number;
  logic [63:0] count_drop_replay;
  logic [63:0] count_drop_auth;
  logic [63:0] count_drop_foreign;
  logic [63:0] count_handshakes_in;
  logic [63:0] count_handshakes_out;
  logic [63:0] count_drop_peer;
  logic [63:0] count_sessions_installed;
  logic [63:0] count_sessions_taken;

  // The order of the registers.
  assign counts = {
    session_received,
    session_sent,
    count_sessions_taken,
    count_sessions_installed,
    count_drop_peer,
    count_handshakes_out,
    count_handshakes_in,
    count_drop_foreign,
    count_drop_auth,
    count_drop_replay,
    count_drop_number,
    count_drop_session,
    count_drop_length,
    count_drop_suite,
    count_drop_type,
    count_drop_version,
    count_drop_short,
    count_drop_overload,
    count_keepalives_out,
    count_keepalives_in,
    count_delivered_bytes,
    count_delivered,
    count_untrusted_in_bytes,
    count_untrusted_in,
    count_untrusted_out,
    count_drop_trusted_session,
    count_drop_trusted_size,
    count_drop_trusted_overload,
    count_sealed_bytes,
    count_sealed,
    count_trusted_in_bytes,
    count_trusted_in
  };

  link_control #(
      .SUITE(SUITE),
      .KIND(KIND),
      .PACKETS(link_pkg::contexts_of(SUITE, ARCHITECTURE)),
      .DROP_WHEN_FULL(DROP_WHEN_FULL),
      .OUTER_ETHERNET(OUTER_ETHERNET),
      .FIFO_BYTES(FIFO_BYTES),
      .STORE_BYTES(STORE_BYTES),
      .COUNTERS(COUNTERS)
  ) u_control (
      .clk(core_clk),
      .rst(core_rst),
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .settings,
      .psk_valid,
      .psk_ready,
      .psk_data,
      .random_valid(register_random),
      .random_ready,
      .random_data,
      .load_write,
      .load_index,
      .load_data,
      .load_commit,
      .load_done,
      .load_error,
      .restart,
      .zeroise,
      .status,
      .counts
  );

  assign random_valid   = register_random || s_random_valid;
  assign s_random_ready = random_ready && !register_random;

  sealwire_link #(
      .SUITE(SUITE),
      .ARCHITECTURE(ARCHITECTURE),
      .WORK_BYTES(WORK_BYTES),
      .DATA_BITS(DATA_BITS),
      .DROP_WHEN_FULL(DROP_WHEN_FULL),
      .OUTER_ETHERNET(OUTER_ETHERNET),
      .FIFO_BYTES(FIFO_BYTES),
      .STORE_BYTES(STORE_BYTES),
      .KIND(KIND),
      .N_MAX(N_MAX)
  ) u_link (
      .trusted_clk,
      .trusted_rst,
      .core_clk,
      .core_rst(core_rst || restart),
      .untrusted_clk,
      .untrusted_rst,
      .s_axis_trusted_tdata,
      .s_axis_trusted_tkeep,
      .s_axis_trusted_tvalid,
      .s_axis_trusted_tready,
      .s_axis_trusted_tlast,
      .m_axis_trusted_tdata,
      .m_axis_trusted_tkeep,
      .m_axis_trusted_tvalid,
      .m_axis_trusted_tready,
      .m_axis_trusted_tlast,
      .s_axis_untrusted_tdata,
      .s_axis_untrusted_tkeep,
      .s_axis_untrusted_tvalid,
      .s_axis_untrusted_tready,
      .s_axis_untrusted_tlast,
      .m_axis_untrusted_tdata,
      .m_axis_untrusted_tkeep,
      .m_axis_untrusted_tvalid,
      .m_axis_untrusted_tready,
      .m_axis_untrusted_tlast,
      .cfg_local_mac(settings.local_mac),
      .cfg_peer_mac(settings.peer_mac),
      .cfg_local_id(settings.local_id),
      .cfg_peer_id(settings.peer_id),
      .cfg_handshake(settings.handshake),
      .cfg_ms_cycles(settings.ms_cycles),
      .cfg_t_rekey_ms(settings.t_rekey_ms),
      .cfg_t_max_ms(settings.t_max_ms),
      .psk_valid,
      .psk_ready,
      .psk_data,
      .random_valid,
      .random_ready,
      .random_data(register_random ? random_data : s_random_data),
      .load_write,
      .load_index,
      .load_data,
      .load_commit,
      .load_ready(status.load_ready),
      .load_done,
      .load_error,
      .zeroise,
      .busy(status.busy),
      .resetting(status.resetting),
      .session_up(status.session_up),
      .status_alt_up(status.second_session),
      .status_initiator(status.initiator),
      .status_ids_bad(status.ids_bad),
      .status_psk(status.psk_held),
      .status_state(status.handshake_state),
      .status_cur_age_ms(status.session_age_ms),
      .status_cur_sent(session_sent),
      .status_cur_received(session_received),
      .status_own_sid(status.own_sid),
      .status_peer_sid(status.peer_sid),
      .mon_enc_busy(status.sealing),
      .mon_dec_busy(status.opening),
      .count_trusted_in,
      .count_trusted_in_bytes,
      .count_sealed,
      .count_sealed_bytes,
      .count_drop_trusted_overload,
      .count_drop_trusted_size,
      .count_drop_trusted_session,
      .count_untrusted_out,
      .count_untrusted_in,
      .count_untrusted_in_bytes,
      .count_delivered,
      .count_delivered_bytes,
      .count_keepalives_in,
      .count_keepalives_out,
      .count_drop_overload,
      .count_drop_short,
      .count_drop_version,
      .count_drop_type,
      .count_drop_suite,
      .count_drop_length,
      .count_drop_session,
      .count_drop_number,
      .count_drop_replay,
      .count_drop_auth,
      .count_drop_foreign,
      .count_handshakes_in,
      .count_handshakes_out,
      .count_drop_peer,
      .count_sessions_installed,
      .count_sessions_taken
  );
endmodule
