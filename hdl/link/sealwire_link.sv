// SPDX-License-Identifier: Apache-2.0
//
// The link: an online encryption system between a trusted and an untrusted network, both directions. Either end of a link is one
// of these; the role follows from the ids. Specification: docs/wire-format.md; module map, clocks and resets: README.md.
// Byte order: byte i of every string is bits [8i+7:8i]; byte 0 of a packet is in the low byte of its first beat.
// Throughput: the core's packet(n), headers, checks and release overlap with it.
// Security: nothing leaves on the trusted side before its tag and its packet number were accepted; no keys after reset.

module sealwire_link #(
    parameter logic [7:0] SUITE = 8'h01,  // 01, 02 OMD, 03, 04 p-OMD, 11, 12 AES-OTR: link_pkg
    parameter logic [7:0] ARCHITECTURE = 8'd0,  // of the cores: link_pkg, ARCH_*
    parameter int unsigned LANES = 1,  // cores in each direction: 1, 2, 4
    parameter int unsigned WORK_BYTES = 131072,  // packets in interleaved cores or lanes; a power of two, 16384 or more
    parameter int unsigned DATA_BITS = 64,  // of a beat of each stream: 64, 128
    parameter bit DROP_WHEN_FULL = 1'b1,  // 1 never stalls an input, drops whole frames; 0 stalls, for lossless tests
    parameter bit OUTER_ETHERNET = 1'b1,  // 1 link packets in Ethernet frames of EtherType 88B5; 0 bare
    parameter int unsigned FIFO_BYTES = 32768,  // each entrance FIFO and fifo_enc; a power of two, 32768 or more
    parameter int unsigned STORE_BYTES = 131072,  // release store; a power of two, 32768 or more
    parameter int unsigned REPLAY_WINDOW = 64,  // packets that may come out of order; a power of two, 64 to 1024
    parameter bit FAST_SCHEDULE = 1'b0,  // key schedule of the handshake: 0 small, 1 fast
    parameter bit SLICES = 1'b0,  // 1: registers on the longest paths, for a faster clock
    parameter logic [7:0] KIND = 8'h00,  // what the messages are: 00 Ethernet, 01 IP
    parameter logic [63:0] N_MAX = link_pkg::suite_info(SUITE).max_packets,  // packets a key may seal, up to this
    localparam int unsigned KEEP_BITS = DATA_BITS / 8
) (
    input  logic                 trusted_clk,
    input  logic                 trusted_rst,                  // any of the three resets restarts the whole link
    input  logic                 core_clk,
    input  logic                 core_rst,
    input  logic                 untrusted_clk,
    input  logic                 untrusted_rst,
    // trusted_clk
    input  logic [DATA_BITS-1:0] s_axis_trusted_tdata,         // plaintext Ethernet frames in, without FCS
    input  logic [KEEP_BITS-1:0] s_axis_trusted_tkeep,
    input  logic                 s_axis_trusted_tvalid,
    output logic                 s_axis_trusted_tready,
    input  logic                 s_axis_trusted_tlast,
    input  logic                 s_axis_trusted_tuser,         // with tlast: the frame is damaged, drop it
    output logic [DATA_BITS-1:0] m_axis_trusted_tdata,         // verified plaintext frames out
    output logic [KEEP_BITS-1:0] m_axis_trusted_tkeep,
    output logic                 m_axis_trusted_tvalid,
    input  logic                 m_axis_trusted_tready,
    output logic                 m_axis_trusted_tlast,
    // untrusted_clk
    input  logic [DATA_BITS-1:0] s_axis_untrusted_tdata,       // link packets in
    input  logic [KEEP_BITS-1:0] s_axis_untrusted_tkeep,
    input  logic                 s_axis_untrusted_tvalid,
    output logic                 s_axis_untrusted_tready,
    input  logic                 s_axis_untrusted_tlast,
    input  logic                 s_axis_untrusted_tuser,       // with tlast: the frame is damaged, drop it
    output logic [DATA_BITS-1:0] m_axis_untrusted_tdata,       // link packets out
    output logic [KEEP_BITS-1:0] m_axis_untrusted_tkeep,
    output logic                 m_axis_untrusted_tvalid,
    input  logic                 m_axis_untrusted_tready,
    output logic                 m_axis_untrusted_tlast,
    // quasi-static: change only in reset
    input  logic [         47:0] cfg_local_mac,                // outer header, byte 0 in bits 7:0
    input  logic [         47:0] cfg_peer_mac,
    input  logic [         63:0] cfg_local_id,                 // 8-byte strings, not zero, different
    input  logic [         63:0] cfg_peer_id,
    input  logic                 cfg_handshake,                // 1 sessions by handshake, 0 loaded by software
    input  logic [         19:0] cfg_ms_cycles,                // cycles of core_clk a millisecond; 0: time stands still
    input  logic [         31:0] cfg_t_rekey_ms,               // a new session after so long; at least 4,000
    input  logic [         31:0] cfg_t_max_ms,                 // the end of a session; at least T_rekey + 4,000
    // core_clk
    input  logic                 psk_valid,                    // pre-shared key, 64 bytes
    output logic                 psk_ready,
    input  logic [        511:0] psk_data,
    input  logic [         63:0] psk_number,                   // initiator: its hellos have greater ones
    input  logic                 random_valid,                 // this end's R: 32 bytes, fresh, over resets too
    output logic                 random_ready,                 // level while one is wanted
    input  logic [        255:0] random_data,
    input  logic                 load_write,                   // pulses: a word of the next session
    input  logic [          5:0] load_index,                   // 0 to 45, order: link_types_pkg, session_t
    input  logic [         31:0] load_data,
    input  logic                 load_commit,                  // pulse: install it; answered by load_done or load_error
    output logic                 load_ready,                   // level: writes and commits are taken
    output logic                 load_done,                    // pulses
    output logic                 load_error,
    input  logic                 zeroise,                      // pulse: forget keys, session and packets in work
    output logic                 busy,                         // judging a message, deriving, installing or zeroising
    output logic                 resetting,                    // in reset, by any of the three
    output logic                 session_up,                   // there is a current session: frames are sealed
    output logic                 status_alt_up,                // and another one, new or old
    output logic                 status_initiator,             // role of this end
    output logic                 status_ids_bad,               // an id is zero, or both are the same: no session starts
    output logic                 status_psk,                   // a pre-shared key is held
    output logic [          1:0] status_state,                 // initiator: 0 idle, 1 hello, 2 confirm
    output logic [         31:0] status_cur_age_ms,            // of the current session
    output logic [         63:0] status_cur_sent,              // packet numbers spent
    output logic [         63:0] status_cur_received,          // highest accepted packet number + 1
    output logic [         31:0] status_own_sid,
    output logic [         31:0] status_peer_sid,
    output logic                 mon_enc_busy,                 // a packet or a new key is in the sealing core
    output logic                 mon_dec_busy,                 // a packet or a new key is in the opening core
    output logic [         63:0] count_trusted_in,
    output logic [         63:0] count_trusted_in_bytes,
    output logic [         63:0] count_sealed,
    output logic [         63:0] count_sealed_bytes,
    output logic [         63:0] count_drop_trusted_overload,
    output logic [         63:0] count_drop_trusted_size,
    output logic [         63:0] count_drop_trusted_session,
    output logic [         63:0] count_untrusted_out,
    output logic [         63:0] count_untrusted_in,
    output logic [         63:0] count_untrusted_in_bytes,
    output logic [         63:0] count_delivered,
    output logic [         63:0] count_delivered_bytes,
    output logic [         63:0] count_keepalives_in,
    output logic [         63:0] count_keepalives_out,
    output logic [         63:0] count_handshakes_in,
    output logic [         63:0] count_handshakes_out,
    output logic [         63:0] count_sessions_installed,
    output logic [         63:0] count_sessions_taken,
    output logic [         63:0] count_drop_overload,
    output logic [         63:0] count_drop_short,
    output logic [         63:0] count_drop_version,
    output logic [         63:0] count_drop_type,
    output logic [         63:0] count_drop_suite,
    output logic [         63:0] count_drop_length,
    output logic [         63:0] count_drop_session,
    output logic [         63:0] count_drop_peer,
    output logic [         63:0] count_drop_number,
    output logic [         63:0] count_drop_replay,
    output logic [         63:0] count_drop_auth,
    output logic [         63:0] count_drop_stale,
    output logic [         63:0] count_drop_surplus,
    output logic [         63:0] count_drop_trusted_bad,
    output logic [         63:0] count_drop_trusted_control,
    output logic [         63:0] count_drop_bad,
    output logic [         63:0] count_drop_foreign
);
  import link_types_pkg::*;

  settings_t settings;
  load_t load;
  status_t status;
  counts_t counts;
  counter_read_t count_read;  // none: every counter has its port
  logic count_done;
  logic [63:0] count;
  assign count_read = '0;

  link_end #(
      .BUILD(
      '{
          suite: SUITE,
          architecture: ARCHITECTURE,
          lanes: LANES,
          work_bytes: WORK_BYTES,
          data_bits: DATA_BITS,
          drop_when_full: DROP_WHEN_FULL,
          outer_ethernet: OUTER_ETHERNET,
          fifo_bytes: FIFO_BYTES,
          store_bytes: STORE_BYTES,
          replay_window: REPLAY_WINDOW,
          fast_schedule: FAST_SCHEDULE,
          slices: SLICES,
          count_ports: 1'b1,
          kind: KIND,
          n_max: N_MAX
      }
      )
  ) u_end (
      .*
  );

  assign settings = '{
          local_id: cfg_local_id,
          peer_id: cfg_peer_id,
          local_mac: cfg_local_mac,
          peer_mac: cfg_peer_mac,
          handshake: cfg_handshake,
          ms_cycles: cfg_ms_cycles,
          t_rekey_ms: cfg_t_rekey_ms,
          t_max_ms: cfg_t_max_ms
      };
  assign load = '{write: load_write, index: load_index, data: load_data, commit: load_commit};

  assign load_ready = status.ready;
  assign load_done = status.loaded;
  assign load_error = status.refused;
  assign busy = status.busy;
  assign resetting = status.resetting;
  assign session_up = status.session_up;
  assign status_alt_up = status.second_session;
  assign status_initiator = status.initiator;
  assign status_ids_bad = status.ids_bad;
  assign status_psk = status.psk_held;
  assign status_state = status.handshake_state;
  assign status_cur_age_ms = status.session_age_ms;
  assign status_cur_sent = counts[COUNT_SESSION_SENT];
  assign status_cur_received = counts[COUNT_SESSION_RECEIVED];
  assign status_own_sid = status.own_sid;
  assign status_peer_sid = status.peer_sid;
  assign mon_enc_busy = status.sealing;
  assign mon_dec_busy = status.opening;

  assign count_trusted_in = counts[COUNT_TRUSTED_IN];
  assign count_trusted_in_bytes = counts[COUNT_TRUSTED_IN_BYTES];
  assign count_sealed = counts[COUNT_SEALED];
  assign count_sealed_bytes = counts[COUNT_SEALED_BYTES];
  assign count_drop_trusted_overload = counts[COUNT_DROP_TRUSTED_OVERLOAD];
  assign count_drop_trusted_size = counts[COUNT_DROP_TRUSTED_SIZE];
  assign count_drop_trusted_session = counts[COUNT_DROP_TRUSTED_SESSION];
  assign count_untrusted_out = counts[COUNT_UNTRUSTED_OUT];
  assign count_untrusted_in = counts[COUNT_UNTRUSTED_IN];
  assign count_untrusted_in_bytes = counts[COUNT_UNTRUSTED_IN_BYTES];
  assign count_delivered = counts[COUNT_DELIVERED];
  assign count_delivered_bytes = counts[COUNT_DELIVERED_BYTES];
  assign count_keepalives_in = counts[COUNT_KEEPALIVES_IN];
  assign count_keepalives_out = counts[COUNT_KEEPALIVES_OUT];
  assign count_handshakes_in = counts[COUNT_HANDSHAKES_IN];
  assign count_handshakes_out = counts[COUNT_HANDSHAKES_OUT];
  assign count_sessions_installed = counts[COUNT_SESSIONS_INSTALLED];
  assign count_sessions_taken = counts[COUNT_SESSIONS_TAKEN];
  assign count_drop_overload = counts[COUNT_DROP_OVERLOAD];
  assign count_drop_short = counts[COUNT_DROP_SHORT];
  assign count_drop_version = counts[COUNT_DROP_VERSION];
  assign count_drop_type = counts[COUNT_DROP_TYPE];
  assign count_drop_suite = counts[COUNT_DROP_SUITE];
  assign count_drop_length = counts[COUNT_DROP_LENGTH];
  assign count_drop_session = counts[COUNT_DROP_SESSION];
  assign count_drop_peer = counts[COUNT_DROP_PEER];
  assign count_drop_number = counts[COUNT_DROP_NUMBER];
  assign count_drop_replay = counts[COUNT_DROP_REPLAY];
  assign count_drop_auth = counts[COUNT_DROP_AUTH];
  assign count_drop_stale = counts[COUNT_DROP_STALE];
  assign count_drop_surplus = counts[COUNT_DROP_SURPLUS];
  assign count_drop_trusted_bad = counts[COUNT_DROP_TRUSTED_BAD];
  assign count_drop_trusted_control = counts[COUNT_DROP_TRUSTED_CONTROL];
  assign count_drop_bad = counts[COUNT_DROP_BAD];
  assign count_drop_foreign = counts[COUNT_DROP_FOREIGN];

  wire unused = &{1'b0, count_done, count};
endmodule
