// SPDX-License-Identifier: Apache-2.0
//
// What passes between the registers of a link and the link: its settings and its state.
// Byte order: byte i of every string is bits [8i+7:8i]. Nothing here is secret.

package link_control_pkg;

  // Inputs of sealwire_link that may change in its reset only.
  typedef struct packed {
    logic [63:0] local_id;
    logic [63:0] peer_id;
    logic [47:0] local_mac;
    logic [47:0] peer_mac;
    logic        handshake;
    logic [19:0] ms_cycles;
    logic [31:0] t_rekey_ms;
    logic [31:0] t_max_ms;
  } settings_t;

  typedef struct packed {
    logic        session_up;
    logic        busy;
    logic        resetting;
    logic        sealing;
    logic        opening;
    logic        load_ready;
    logic        second_session;
    logic        initiator;
    logic        ids_bad;
    logic        psk_held;
    logic [1:0]  handshake_state;
    logic [31:0] session_age_ms;
    logic [31:0] own_sid;
    logic [31:0] peer_sid;
  } link_status_t;

endpackage
