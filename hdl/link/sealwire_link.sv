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
    input  logic         trusted_rst,                  // any of the three resets restarts the whole link
    input  logic         core_clk,
    input  logic         core_rst,
    input  logic         untrusted_clk,
    input  logic         untrusted_rst,
    // trusted_clk
    input  logic [ 63:0] s_axis_trusted_tdata,         // plaintext Ethernet frames in, without FCS
    input  logic [  7:0] s_axis_trusted_tkeep,
    input  logic         s_axis_trusted_tvalid,
    output logic         s_axis_trusted_tready,
    input  logic         s_axis_trusted_tlast,
    output logic [ 63:0] m_axis_trusted_tdata,         // verified plaintext frames out
    output logic [  7:0] m_axis_trusted_tkeep,
    output logic         m_axis_trusted_tvalid,
    input  logic         m_axis_trusted_tready,
    output logic         m_axis_trusted_tlast,
    // untrusted_clk
    input  logic [ 63:0] s_axis_untrusted_tdata,       // link packets in
    input  logic [  7:0] s_axis_untrusted_tkeep,
    input  logic         s_axis_untrusted_tvalid,
    output logic         s_axis_untrusted_tready,
    input  logic         s_axis_untrusted_tlast,
    output logic [ 63:0] m_axis_untrusted_tdata,       // link packets out
    output logic [  7:0] m_axis_untrusted_tkeep,
    output logic         m_axis_untrusted_tvalid,
    input  logic         m_axis_untrusted_tready,
    output logic         m_axis_untrusted_tlast,
    // quasi-static: change only in reset
    input  logic [ 47:0] cfg_local_mac,                // outer header, byte 0 in bits 7:0
    input  logic [ 47:0] cfg_peer_mac,
    input  logic [ 63:0] cfg_local_id,                 // 8-byte strings, not zero, different
    input  logic [ 63:0] cfg_peer_id,
    input  logic         cfg_handshake,                // 1 sessions by handshake, 0 loaded by software
    input  logic [ 19:0] cfg_ms_cycles,                // cycles of core_clk a millisecond; 0: time stands still
    input  logic [ 31:0] cfg_t_rekey_ms,               // a new session after so long; at least 4,000
    input  logic [ 31:0] cfg_t_max_ms,                 // the end of a session; at least T_rekey + 4,000
    // core_clk
    input  logic         psk_valid,                    // pre-shared key, 64 bytes
    output logic         psk_ready,
    input  logic [511:0] psk_data,
    input  logic         random_valid,                 // this end's R, 32 bytes, fresh every time, over resets too
    output logic         random_ready,                 // level while one is wanted
    input  logic [255:0] random_data,
    input  logic         load_write,                   // pulses, with cfg_handshake = 0: a word of the next session
    input  logic [  5:0] load_index,                   // 0 to 45, order: session_t in link_pkg
    input  logic [ 31:0] load_data,
    input  logic         load_commit,                  // pulse: install it; answered by load_done or load_error
    output logic         load_ready,                   // level: writes and commits are taken
    output logic         load_done,                    // pulses
    output logic         load_error,
    input  logic         zeroise,                      // pulse: forget keys, session and packets in work
    output logic         busy,                         // judging a message, deriving, installing or zeroising
    output logic         resetting,                    // in reset, by any of the three
    output logic         session_up,                   // there is a current session: frames are sealed
    output logic         status_alt_up,                // and another one, new or old
    output logic         status_initiator,             // role of this end
    output logic         status_ids_bad,               // an id is zero, or both are the same: no session starts
    output logic         status_psk,                   // a pre-shared key is held
    output logic [  1:0] status_state,                 // initiator: 0 idle, 1 hello, 2 confirm
    output logic [ 31:0] status_cur_age_ms,            // of the current session
    output logic [ 63:0] status_cur_sent,              // packet numbers spent
    output logic [ 63:0] status_cur_received,          // highest accepted packet number + 1
    output logic [ 31:0] status_own_sid,
    output logic [ 31:0] status_peer_sid,
    output logic         mon_enc_busy,                 // a packet or a new key is in the sealing core
    output logic         mon_dec_busy,                 // a packet or a new key is in the opening core
    output logic [ 63:0] count_trusted_in,
    output logic [ 63:0] count_trusted_in_bytes,
    output logic [ 63:0] count_sealed,
    output logic [ 63:0] count_sealed_bytes,
    output logic [ 63:0] count_drop_trusted_overload,
    output logic [ 63:0] count_drop_trusted_size,
    output logic [ 63:0] count_drop_trusted_session,
    output logic [ 63:0] count_untrusted_out,
    output logic [ 63:0] count_untrusted_in,
    output logic [ 63:0] count_untrusted_in_bytes,
    output logic [ 63:0] count_delivered,
    output logic [ 63:0] count_delivered_bytes,
    output logic [ 63:0] count_keepalives_in,
    output logic [ 63:0] count_keepalives_out,
    output logic [ 63:0] count_handshakes_in,
    output logic [ 63:0] count_handshakes_out,
    output logic [ 63:0] count_sessions_installed,
    output logic [ 63:0] count_sessions_taken,
    output logic [ 63:0] count_drop_overload,
    output logic [ 63:0] count_drop_short,
    output logic [ 63:0] count_drop_version,
    output logic [ 63:0] count_drop_type,
    output logic [ 63:0] count_drop_suite,
    output logic [ 63:0] count_drop_length,
    output logic [ 63:0] count_drop_session,
    output logic [ 63:0] count_drop_peer,
    output logic [ 63:0] count_drop_number,
    output logic [ 63:0] count_drop_replay,
    output logic [ 63:0] count_drop_auth,
    output logic [ 63:0] count_drop_foreign
);
  import link_pkg::*;

  if (contexts_of(SUITE, ARCHITECTURE) == 0) begin : g_bad_suite
    $fatal(1, "sealwire_link: no core for SUITE = %02x, ARCHITECTURE = %0d: see link_pkg", SUITE, ARCHITECTURE);
  end
  if (DATA_BITS != 64) begin : g_bad_data_bits
    $fatal(1, "sealwire_link: DATA_BITS = %0d, must be 64", DATA_BITS);
  end
  if (FIFO_BYTES < 32768 || (FIFO_BYTES & (FIFO_BYTES - 1)) != 0) begin : g_bad_fifo
    $fatal(1, "sealwire_link: FIFO_BYTES = %0d, must be a power of two, 32768 or more", FIFO_BYTES);
  end
  if (N_MAX < 1 || N_MAX > suite_info(SUITE).max_packets) begin : g_bad_n_max
    $fatal(1, "sealwire_link: N_MAX = %0d, must be 1 to %0d", N_MAX, suite_info(SUITE).max_packets);
  end

  localparam int unsigned FIFO_BEATS = FIFO_BYTES / 8;
  localparam int unsigned EXIT_BEATS = 2048;  // fifo_dec: the release store does the storing
  localparam int unsigned LENGTHS = FIFO_BYTES / 64;  // frames in fifo_ptxt
  // What is known of packets in work: of those in an interleaved core, or of one in work and the next.
  localparam int unsigned IN_WORK = contexts_of(SUITE, ARCHITECTURE) > 1 ? 2 * LANE_PACKETS : 2;

  logic rst_trusted, rst_core, rst_untrusted;
  link_reset u_reset (
      .trusted_clk,
      .trusted_rst,
      .core_clk,
      .core_rst,
      .untrusted_clk,
      .untrusted_rst,
      .rst_trusted,
      .rst_core,
      .rst_untrusted
  );

  // ------------------------------------------------------------------------------------------------ sessions
  logic initiator, ids_bad, tick;
  logic [63:0] id_i, id_r;
  link_identity u_identity (
      .clk(core_clk),
      .cfg_local_id,
      .cfg_peer_id,
      .initiator,
      .bad(ids_bad),
      .id_i,
      .id_r
  );
  link_tick u_tick (
      .clk(core_clk),
      .rst(rst_core),
      .cfg_ms_cycles,
      .tick
  );

  logic work_idle, hold, wipe, clear, clear_enc, clear_dec, unclean;
  logic enc_core_busy, dec_core_busy, dec_wiping;
  logic good, good_place, promoted, cur, renew, taken, slots_busy;
  logic [1:0] live, heard, sealable, quiet, take, check_valid, check_ready, check_fresh, enc_holds, dec_holds;
  logic [1:0][31:0] age_ms, own_sid, peer_sid;
  logic [1:0][511:0] key_tx, key_rx;
  logic [1:0][255:0] ad_tx, ad_rx, nonce;
  logic [1:0][191:0] salt_rx;
  logic [1:0][63:0] pn, received;
  logic mark_valid, mark_done, mark_fresh;
  logic [63:0] check_pn, mark_pn;

  logic hq_valid, hq_ready, msg_begun, msg_valid, msg_done, coming;
  logic [63:0] hq_data;
  message_t msg;
  hs_take u_take (
      .clk(core_clk),
      .rst(rst_core),
      .s_valid(hq_valid),
      .s_ready(hq_ready),
      .s_data(hq_data),
      .begun(msg_begun),
      .valid(msg_valid),
      .message(msg),
      .done(msg_done)
  );

  logic hs_valid, hs_ready, hs_last, knock, ks_busy, ks_offer, ks_clear;
  logic [63:0] hs_data;
  logic derived;
  logic [7:0] derived_c;
  logic [511:0] derived_data;
  logic [31:0] derived_sid_i, derived_sid_r;
  handshake_e hs_state;
  logic ev_hs_in, ev_hs_out, hs_drop_session, hs_drop_peer, hs_drop_number, hs_drop_auth;

  ks_gen #(
      .SUITE(SUITE),
      .KIND (KIND)
  ) u_ks_gen (
      .clk(core_clk),
      .rst(rst_core),
      .wipe,
      .enabled(cfg_handshake && !ids_bad),
      .initiator,
      .id_i,
      .id_r,
      .psk_valid,
      .psk_ready,
      .psk_data,
      .psk_known(status_psk),
      .random_valid,
      .random_ready,
      .random_data,
      .wanted(renew),
      .live,
      .live_sid(own_sid),
      .tick,
      .heard(good),
      .promoted,
      .msg_begun,
      .msg_valid,
      .msg,
      .msg_done,
      .coming,
      .send_valid(hs_valid),
      .send_ready(hs_ready),
      .send_data(hs_data),
      .send_last(hs_last),
      .knock,
      .derived,
      .derived_c,
      .derived_data,
      .derived_sid_i,
      .derived_sid_r,
      .offer(ks_offer),
      .taken,
      .clear_session(ks_clear),
      .state(hs_state),
      .busy(ks_busy),
      .ev_accepted(ev_hs_in),
      .ev_drop_session(hs_drop_session),
      .ev_drop_peer(hs_drop_peer),
      .ev_drop_number(hs_drop_number),
      .ev_drop_auth(hs_drop_auth),
      .ev_sent(ev_hs_out)
  );

  logic load_taken, load_complete, load_offer, load_clear;
  session_t next;
  load_commit u_load_commit (
      .clk(core_clk),
      .rst(rst_core),
      .wipe,
      .enabled(!cfg_handshake && !ids_bad),
      .initiator,
      .live,
      .live_sid(own_sid),
      .write(load_write),
      .commit(load_commit),
      .ready(load_ready),
      .write_taken(load_taken),
      .complete(load_complete),
      .session(next),
      .offer(load_offer),
      .taken,
      .clear(load_clear),
      .done(load_done),
      .error(load_error)
  );

  next_session u_next_session (
      .clk(core_clk),
      .rst(rst_core),
      .clear(ks_clear || load_clear),
      .schedule(derived),
      .schedule_c(derived_c),
      .schedule_data(derived_data),
      .schedule_sid_i(derived_sid_i),
      .schedule_sid_r(derived_sid_r),
      .load(load_taken),
      .load_index,
      .load_data,
      .complete(load_complete),
      .session(next)
  );

  session_slots #(
      .SUITE(SUITE),
      .KIND (KIND),
      .N_MAX(N_MAX)
  ) u_slots (
      .clk(core_clk),
      .rst(rst_core),
      .zeroise,
      .initiator,
      .id_i,
      .id_r,
      .cfg_t_rekey_ms,
      .cfg_t_max_ms,
      .tick,
      .offer(ks_offer || load_offer),
      .taken,
      .next,
      .good,
      .good_place,
      .work_idle,
      .hold,
      .cur,
      .promoted,
      .renew,
      .live,
      .heard,
      .sealable,
      .quiet,
      .age_ms,
      .own_sid,
      .peer_sid,
      .key_tx,
      .key_rx,
      .ad_tx,
      .ad_rx,
      .salt_rx,
      .take,
      .pn,
      .nonce,
      .check_valid,
      .check_ready,
      .check_pn,
      .check_fresh,
      .mark_valid,
      .mark_place(good_place),
      .mark_pn,
      .mark_done,
      .mark_fresh,
      .received,
      .enc_holds,
      .dec_holds,
      .clear_enc,
      .clear_dec,
      .cores_busy(enc_core_busy || dec_core_busy),
      .clear,
      .wipe,
      .unclean,
      .busy(slots_busy)
  );

  logic ka_valid, ka_ready, ka_place;
  keepalives u_keepalives (
      .clk(core_clk),
      .rst(rst_core),
      .wipe,
      .initiator,
      .loaded(!cfg_handshake),
      .cur,
      .sealable,
      .heard,
      .quiet,
      .fresh({pn[1] == '0, pn[0] == '0}),
      .promoted,
      .knock,
      .valid(ka_valid),
      .place(ka_place),
      .ready(ka_ready)
  );

  assign session_up = live[cur];
  assign status_alt_up = live[!cur];
  assign status_initiator = initiator;
  assign status_ids_bad = ids_bad;
  assign status_state = hs_state;
  assign status_cur_age_ms = age_ms[cur];
  assign status_cur_sent = pn[cur];
  assign status_cur_received = live[cur] ? received[cur] : '0;
  assign status_own_sid = own_sid[cur];
  assign status_peer_sid = peer_sid[cur];
  assign busy = ks_busy || slots_busy || load_offer;
  assign resetting = rst_core;

  // ------------------------------------------------------------------------------------------------ trusted to untrusted
  logic rx_t_valid, rx_t_ready, rx_t_last, tx_t_valid, tx_t_ready, tx_t_last;
  logic [63:0] rx_t_data, tx_t_data;
  logic [3:0] rx_t_bytes, tx_t_bytes;

  ptxt_if u_ptxt_if (
      .s_axis_trusted_tdata,
      .s_axis_trusted_tkeep,
      .s_axis_trusted_tvalid,
      .s_axis_trusted_tready,
      .s_axis_trusted_tlast,
      .rx_valid(rx_t_valid),
      .rx_ready(rx_t_ready),
      .rx_data (rx_t_data),
      .rx_bytes(rx_t_bytes),
      .rx_last (rx_t_last),
      .tx_valid(tx_t_valid),
      .tx_ready(tx_t_ready),
      .tx_data (tx_t_data),
      .tx_bytes(tx_t_bytes),
      .tx_last (tx_t_last),
      .m_axis_trusted_tdata,
      .m_axis_trusted_tkeep,
      .m_axis_trusted_tvalid,
      .m_axis_trusted_tready,
      .m_axis_trusted_tlast
  );

  logic [  TRUSTED_EVENTS-1:0][3:0] trusted_add;
  logic [UNTRUSTED_EVENTS-1:0][3:0] untrusted_add;

  logic rp_valid, rp_ready, rp_last, rp_commit, rp_discard, rp_len_valid, rp_len_ready;
  logic [63:0] rp_data;
  logic [3:0] rp_bytes;
  logic [LEN_BITS-1:0] rp_len;
  logic t_in, t_overload, t_size;

  receive_ptxt #(
      .DROP_WHEN_FULL(DROP_WHEN_FULL)
  ) u_receive_ptxt (
      .clk(trusted_clk),
      .rst(rst_trusted),
      .s_valid(rx_t_valid),
      .s_ready(rx_t_ready),
      .s_data(rx_t_data),
      .s_bytes(rx_t_bytes),
      .s_last(rx_t_last),
      .fifo_valid(rp_valid),
      .fifo_ready(rp_ready),
      .fifo_data(rp_data),
      .fifo_bytes(rp_bytes),
      .fifo_last(rp_last),
      .fifo_commit(rp_commit),
      .fifo_discard(rp_discard),
      .len_valid(rp_len_valid),
      .len_ready(rp_len_ready),
      .len_data(rp_len),
      .ev_in(t_in),
      .ev_in_bytes(trusted_add[E_T_IN_BYTES]),
      .ev_overload(t_overload),
      .ev_size(t_size)
  );
  assign trusted_add[E_T_IN] = 4'(t_in);
  assign trusted_add[E_T_DROP_OVERLOAD] = 4'(t_overload);
  assign trusted_add[E_T_DROP_SIZE] = 4'(t_size);

  logic pt_valid, pt_ready, pt_last, pt_len_valid, pt_len_ready;
  logic [63:0] pt_data;
  logic [3:0] pt_bytes;
  logic [LEN_BITS-1:0] pt_len;

  packet_fifo_async #(
      .DATA_BITS(64),
      .DEPTH(FIFO_BEATS)
  ) u_fifo_ptxt (
      .s_clk(trusted_clk),
      .s_rst(rst_trusted),
      .s_valid(rp_valid),
      .s_ready(rp_ready),
      .s_data(rp_data),
      .s_bytes(rp_bytes),
      .s_last(rp_last),
      .s_commit(rp_commit),
      .s_discard(rp_discard),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m_valid(pt_valid),
      .m_ready(pt_ready),
      .m_data(pt_data),
      .m_bytes(pt_bytes),
      .m_last(pt_last)
  );

  stream_fifo_async #(
      .WIDTH(LEN_BITS),
      .DEPTH(LENGTHS)
  ) u_fifo_lengths (
      .s_clk  (trusted_clk),
      .s_rst  (rst_trusted),
      .s_valid(rp_len_valid),
      .s_ready(rp_len_ready),
      .s_data (rp_len),
      .m_clk  (core_clk),
      .m_rst  (rst_core),
      .m_valid(pt_len_valid),
      .m_ready(pt_len_ready),
      .m_data (pt_len)
  );

  logic ec_valid, ec_ready, em_valid, em_ready, em_last, eo_valid, eo_ready, eo_last, er_valid, er_ready;
  logic [63:0] em_data, eo_data;
  logic [3:0] em_bytes, eo_bytes;
  logic [255:0] er_tag;
  logic ei_put_valid, ei_put_ready, ei_put_frame, ei_valid, ei_ready, ei_frame, ei_empty, put_enc_idle;
  logic [LEN_BITS-1:0] ei_put_len, ei_len;
  logic [63:0] ei_put_pn, ei_pn;
  logic [31:0] ei_sid;
  logic start_place, enc_want, enc_want_place, enc_right;
  logic drop_t_session, drop_t_wiped;

  put_to_enc u_put_to_enc (
      .clk(core_clk),
      .rst(rst_core),
      .wipe,
      .hold,
      .cur,
      .sealable,
      .len_valid(pt_len_valid),
      .len_ready(pt_len_ready),
      .len_data(pt_len),
      .s_valid(pt_valid),
      .s_ready(pt_ready),
      .s_data(pt_data),
      .s_bytes(pt_bytes),
      .s_last(pt_last),
      .keepalive_valid(ka_valid),
      .keepalive_ready(ka_ready),
      .keepalive_place(ka_place),
      .start_place,
      .start_pn(pn[start_place]),
      .take,
      .key_want(enc_want),
      .key_place(enc_want_place),
      .key_right(enc_right),
      .cmd_valid(ec_valid),
      .cmd_ready(ec_ready),
      .msg_valid(em_valid),
      .msg_ready(em_ready),
      .msg_data(em_data),
      .msg_bytes(em_bytes),
      .msg_last(em_last),
      .info_valid(ei_put_valid),
      .info_ready(ei_put_ready),
      .info_frame(ei_put_frame),
      .info_len(ei_put_len),
      .info_pn(ei_put_pn),
      .idle(put_enc_idle),
      .ev_drop_session(drop_t_session)
  );

  link_queue #(
      .WIDTH(1 + LEN_BITS + 64 + 32),
      .DEPTH(IN_WORK)
  ) u_enc_queue (
      .clk(core_clk),
      .rst(rst_core),
      .s_valid(ei_put_valid),
      .s_ready(ei_put_ready),
      .s_data({ei_put_frame, ei_put_len, ei_put_pn, peer_sid[start_place]}),
      .m_valid(ei_valid),
      .m_ready(ei_ready),
      .m_data({ei_frame, ei_len, ei_pn, ei_sid}),
      .empty(ei_empty)
  );

  logic [7:0] enc_in_core_q, dec_in_core_q;
  logic enc_load, enc_loaded, enc_place, dec_load, dec_loaded, dec_place;
  key_switch u_enc_switch (
      .clk(core_clk),
      .rst(rst_core),
      .clear(clear_enc),
      .want(enc_want),
      .want_place(enc_want_place),
      .right(enc_right),
      .empty(enc_in_core_q == '0),
      .load(enc_load),
      .loaded(enc_loaded),
      .place(enc_place),
      .holds(enc_holds)
  );

  // The command of a packet comes after its length was put into the queue.
  logic [LEN_BITS-1:0] ec_len_q;
  always_ff @(posedge core_clk) if (ei_put_valid && ei_put_ready) ec_len_q <= ei_put_len;

  encrypt #(
      .SUITE(SUITE),
      .ARCHITECTURE(ARCHITECTURE),
      .WORK_BYTES(WORK_BYTES)
  ) u_encrypt (
      .clk(core_clk),
      .rst(rst_core),
      .clear(clear_enc),
      .busy(enc_core_busy),
      .load(enc_load),
      .load_key(key_tx[enc_place]),
      .load_ad(ad_tx[enc_place]),
      .loaded(enc_loaded),
      .cmd_valid(ec_valid),
      .cmd_ready(ec_ready),
      .cmd_nonce(nonce[enc_want_place]),
      .cmd_len(ec_len_q),
      .msg_valid(em_valid),
      .msg_ready(em_ready),
      .msg_data(em_data),
      .msg_bytes(em_bytes),
      .msg_last(em_last),
      .out_valid(eo_valid),
      .out_ready(eo_ready),
      .out_data(eo_data),
      .out_bytes(eo_bytes),
      .out_last(eo_last),
      .result_valid(er_valid),
      .result_ready(er_ready),
      .result_tag(er_tag)
  );

  logic ge_valid, ge_ready, ge_last, unused_ge_commit, unused_ge_discard;
  logic [63:0] ge_data;
  logic [ 3:0] ge_bytes;
  logic ev_sealed, ev_keepalive_out;
  logic [LEN_BITS-1:0] ev_sealed_bytes;

  get_from_enc #(
      .SUITE(SUITE)
  ) u_get_from_enc (
      .clk(core_clk),
      .rst(rst_core),
      .wipe,
      .peer_sid(ei_sid),
      .info_valid(ei_valid),
      .info_ready(ei_ready),
      .info_frame(ei_frame),
      .info_len(ei_len),
      .info_pn(ei_pn),
      .out_valid(eo_valid),
      .out_ready(eo_ready),
      .out_data(eo_data),
      .out_bytes(eo_bytes),
      .out_last(eo_last),
      .result_valid(er_valid),
      .result_ready(er_ready),
      .result_tag(er_tag),
      .fifo_valid(ge_valid),
      .fifo_ready(ge_ready),
      .fifo_data(ge_data),
      .fifo_bytes(ge_bytes),
      .fifo_last(ge_last),
      .fifo_commit(unused_ge_commit),
      .fifo_discard(unused_ge_discard),
      .ev_sealed,
      .ev_sealed_bytes,
      .ev_keepalive(ev_keepalive_out),
      .ev_drop_session(drop_t_wiped)
  );

  logic pm_valid, pm_ready, pm_last, pm_commit, pm_discard;
  logic [63:0] pm_data;
  logic [ 3:0] pm_bytes;
  packet_merge u_merge (
      .clk(core_clk),
      .rst(rst_core),
      .wipe,
      .a_valid(ge_valid),
      .a_ready(ge_ready),
      .a_data(ge_data),
      .a_bytes(ge_bytes),
      .a_last(ge_last),
      .b_valid(hs_valid),
      .b_ready(hs_ready),
      .b_data(hs_data),
      .b_last(hs_last),
      .fifo_valid(pm_valid),
      .fifo_ready(pm_ready),
      .fifo_data(pm_data),
      .fifo_bytes(pm_bytes),
      .fifo_last(pm_last),
      .fifo_commit(pm_commit),
      .fifo_discard(pm_discard)
  );

  logic fe_valid, fe_ready, fe_last, tx_u_valid, tx_u_ready, tx_u_last;
  logic [63:0] fe_data, tx_u_data;
  logic [3:0] fe_bytes, tx_u_bytes;

  packet_fifo_async #(
      .DATA_BITS(64),
      .DEPTH(FIFO_BEATS)
  ) u_fifo_enc (
      .s_clk(core_clk),
      .s_rst(rst_core),
      .s_valid(pm_valid),
      .s_ready(pm_ready),
      .s_data(pm_data),
      .s_bytes(pm_bytes),
      .s_last(pm_last),
      .s_commit(pm_commit),
      .s_discard(pm_discard),
      .m_clk(untrusted_clk),
      .m_rst(rst_untrusted),
      .m_valid(fe_valid),
      .m_ready(fe_ready),
      .m_data(fe_data),
      .m_bytes(fe_bytes),
      .m_last(fe_last)
  );

  logic u_out, unused_u_flushing, unused_u_flushed;
  logic [3:0] unused_u_bytes;
  link_send u_send_ctxt (
      .clk(untrusted_clk),
      .rst(rst_untrusted),
      .flush(1'b0),  // sealed packets are no secret: they leave
      .flushing(unused_u_flushing),
      .s_valid(fe_valid),
      .s_ready(fe_ready),
      .s_data(fe_data),
      .s_bytes(fe_bytes),
      .s_last(fe_last),
      .m_valid(tx_u_valid),
      .m_ready(tx_u_ready),
      .m_data(tx_u_data),
      .m_bytes(tx_u_bytes),
      .m_last(tx_u_last),
      .ev_out(u_out),
      .ev_out_bytes(unused_u_bytes),
      .ev_flushed(unused_u_flushed)
  );
  assign untrusted_add[E_U_OUT] = 4'(u_out);

  // ------------------------------------------------------------------------------------------------ untrusted to trusted
  logic rx_u_valid, rx_u_ready, rx_u_last;
  logic [63:0] rx_u_data;
  logic [ 3:0] rx_u_bytes;
  logic u_in, u_foreign, u_runt, u_overload, u_short, u_version, u_type, u_suite, u_length;

  ctxt_if #(
      .OUTER_ETHERNET(OUTER_ETHERNET)
  ) u_ctxt_if (
      .clk(untrusted_clk),
      .rst(rst_untrusted),
      .cfg_local_mac,
      .cfg_peer_mac,
      .s_axis_untrusted_tdata,
      .s_axis_untrusted_tkeep,
      .s_axis_untrusted_tvalid,
      .s_axis_untrusted_tready,
      .s_axis_untrusted_tlast,
      .rx_valid(rx_u_valid),
      .rx_ready(rx_u_ready),
      .rx_data(rx_u_data),
      .rx_bytes(rx_u_bytes),
      .rx_last(rx_u_last),
      .tx_valid(tx_u_valid),
      .tx_ready(tx_u_ready),
      .tx_data(tx_u_data),
      .tx_bytes(tx_u_bytes),
      .tx_last(tx_u_last),
      .m_axis_untrusted_tdata,
      .m_axis_untrusted_tkeep,
      .m_axis_untrusted_tvalid,
      .m_axis_untrusted_tready,
      .m_axis_untrusted_tlast,
      .ev_in(u_in),
      .ev_in_bytes(untrusted_add[E_U_IN_BYTES]),
      .ev_foreign(u_foreign),
      .ev_runt(u_runt)
  );

  logic initiator_u, handshake_u;
  logic handshake_q;
  always_ff @(posedge core_clk) handshake_q <= cfg_handshake && !ids_bad;
  sync_bits #(
      .WIDTH(2)
  ) u_role (
      .clk(untrusted_clk),
      .d  ({handshake_q, initiator}),
      .q  ({handshake_u, initiator_u})
  );

  logic hr_valid, hr_ready, hr_last, hr_commit, hr_discard;
  logic [63:0] hr_data;
  logic rc_valid, rc_ready, rc_last, rc_commit, rc_discard;
  logic [63:0] rc_data;
  logic [ 3:0] rc_bytes;

  receive_ctxt #(
      .SUITE(SUITE),
      .DROP_WHEN_FULL(DROP_WHEN_FULL)
  ) u_receive_ctxt (
      .clk(untrusted_clk),
      .rst(rst_untrusted),
      .s_valid(rx_u_valid),
      .s_ready(rx_u_ready),
      .s_data(rx_u_data),
      .s_bytes(rx_u_bytes),
      .s_last(rx_u_last),
      .handshake(handshake_u),
      .initiator(initiator_u),
      .fifo_valid(rc_valid),
      .fifo_ready(rc_ready),
      .fifo_data(rc_data),
      .fifo_bytes(rc_bytes),
      .fifo_last(rc_last),
      .fifo_commit(rc_commit),
      .fifo_discard(rc_discard),
      .hs_valid(hr_valid),
      .hs_ready(hr_ready),
      .hs_data(hr_data),
      .hs_last(hr_last),
      .hs_commit(hr_commit),
      .hs_discard(hr_discard),
      .ev_overload(u_overload),
      .ev_short(u_short),
      .ev_version(u_version),
      .ev_type(u_type),
      .ev_suite(u_suite),
      .ev_length(u_length)
  );
  assign untrusted_add[E_U_IN] = 4'(u_in);
  assign untrusted_add[E_U_DROP_OVERLOAD] = 4'(u_overload);
  assign untrusted_add[E_U_DROP_SHORT] = 4'(u_short) + 4'(u_runt);
  assign untrusted_add[E_U_DROP_VERSION] = 4'(u_version);
  assign untrusted_add[E_U_DROP_TYPE] = 4'(u_type);
  assign untrusted_add[E_U_DROP_SUITE] = 4'(u_suite);
  assign untrusted_add[E_U_DROP_LENGTH] = 4'(u_length);
  assign untrusted_add[E_U_DROP_FOREIGN] = 4'(u_foreign);

  // Handshake messages queue apart: four places of eight beats.
  logic unused_hq_last;
  logic [3:0] unused_hq_bytes;
  packet_fifo_async #(
      .DATA_BITS(64),
      .DEPTH(32)
  ) u_fifo_handshake (
      .s_clk(untrusted_clk),
      .s_rst(rst_untrusted),
      .s_valid(hr_valid),
      .s_ready(hr_ready),
      .s_data(hr_data),
      .s_bytes(4'd8),
      .s_last(hr_last),
      .s_commit(hr_commit),
      .s_discard(hr_discard),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m_valid(hq_valid),
      .m_ready(hq_ready),
      .m_data(hq_data),
      .m_bytes(unused_hq_bytes),
      .m_last(unused_hq_last)
  );

  logic ct_valid, ct_ready, ct_last;
  logic [63:0] ct_data;
  logic [ 3:0] unused_ct_bytes;

  packet_fifo_async #(
      .DATA_BITS(64),
      .DEPTH(FIFO_BEATS)
  ) u_fifo_ctxt (
      .s_clk(untrusted_clk),
      .s_rst(rst_untrusted),
      .s_valid(rc_valid),
      .s_ready(rc_ready),
      .s_data(rc_data),
      .s_bytes(rc_bytes),
      .s_last(rc_last),
      .s_commit(rc_commit),
      .s_discard(rc_discard),
      .m_clk(core_clk),
      .m_rst(rst_core),
      .m_valid(ct_valid),
      .m_ready(ct_ready),
      .m_data(ct_data),
      .m_bytes(unused_ct_bytes),  // the header's length says it
      .m_last(ct_last)
  );

  logic dc_valid, dc_ready, dm_valid, dm_ready, dm_last, dt_valid, dt_ready, do_valid, do_ready, do_last;
  logic dr_valid, dr_ready, dr_ok;
  logic [255:0] dc_nonce, dt_data;
  logic [63:0] dm_data, do_data;
  logic [3:0] dm_bytes, do_bytes;
  logic di_put_valid, di_put_ready, di_valid, di_ready, di_empty, put_dec_idle, room_ok;
  logic [LEN_BITS-1:0] di_put_len, di_len;
  logic [63:0] di_put_pn, di_pn;
  logic di_put_place, dec_want, dec_want_place, dec_right;
  logic drop_session, drop_number, drop_replay_early, drop_replay_late, drop_wiped, drop_auth, ev_keepalive_in;

  put_to_dec #(
      .SUITE(SUITE),
      .N_MAX(N_MAX)
  ) u_put_to_dec (
      .clk(core_clk),
      .rst(rst_core),
      .wipe,
      .hold,
      .live,
      .own_sid,
      .salt(salt_rx),
      .coming,
      .coming_sid(msg.sid),
      .s_valid(ct_valid),
      .s_ready(ct_ready),
      .s_data(ct_data),
      .s_last(ct_last),
      .check_valid,
      .check_ready,
      .check_pn,
      .check_fresh,
      .room_ok,
      .info_valid(di_put_valid),
      .info_ready(di_put_ready),
      .info_len(di_put_len),
      .info_pn(di_put_pn),
      .info_place(di_put_place),
      .key_want(dec_want),
      .key_place(dec_want_place),
      .key_right(dec_right),
      .cmd_valid(dc_valid),
      .cmd_ready(dc_ready),
      .cmd_nonce(dc_nonce),
      .msg_valid(dm_valid),
      .msg_ready(dm_ready),
      .msg_data(dm_data),
      .msg_bytes(dm_bytes),
      .msg_last(dm_last),
      .tag_in_valid(dt_valid),
      .tag_in_ready(dt_ready),
      .tag_in_data(dt_data),
      .idle(put_dec_idle),
      .ev_drop_session(drop_session),
      .ev_drop_number(drop_number),
      .ev_drop_replay(drop_replay_early)
  );

  link_queue #(
      .WIDTH(LEN_BITS + 64 + 1),
      .DEPTH(IN_WORK)
  ) u_dec_queue (
      .clk(core_clk),
      .rst(rst_core),
      .s_valid(di_put_valid),
      .s_ready(di_put_ready),
      .s_data({di_put_len, di_put_pn, di_put_place}),
      .m_valid(di_valid),
      .m_ready(di_ready),
      .m_data({di_len, di_pn, good_place}),
      .empty(di_empty)
  );

  key_switch u_dec_switch (
      .clk(core_clk),
      .rst(rst_core),
      .clear(clear_dec),
      .want(dec_want),
      .want_place(dec_want_place),
      .right(dec_right),
      .empty(dec_in_core_q == '0),
      .load(dec_load),
      .loaded(dec_loaded),
      .place(dec_place),
      .holds(dec_holds)
  );

  // The command of a packet comes after its length was put into the queue.
  logic [LEN_BITS-1:0] dc_len_q;
  always_ff @(posedge core_clk) if (di_put_valid && di_put_ready) dc_len_q <= di_put_len;

  decrypt #(
      .SUITE(SUITE),
      .ARCHITECTURE(ARCHITECTURE),
      .WORK_BYTES(WORK_BYTES)
  ) u_decrypt (
      .clk(core_clk),
      .rst(rst_core),
      .clear(clear_dec),
      .busy(dec_core_busy),
      .load(dec_load),
      .load_key(key_rx[dec_place]),
      .load_ad(ad_rx[dec_place]),
      .loaded(dec_loaded),
      .cmd_valid(dc_valid),
      .cmd_ready(dc_ready),
      .cmd_nonce(dc_nonce),
      .cmd_len(dc_len_q),
      .msg_valid(dm_valid),
      .msg_ready(dm_ready),
      .msg_data(dm_data),
      .msg_bytes(dm_bytes),
      .msg_last(dm_last),
      .tag_in_valid(dt_valid),
      .tag_in_ready(dt_ready),
      .tag_in_data(dt_data),
      .out_valid(do_valid),
      .out_ready(do_ready),
      .out_data(do_data),
      .out_bytes(do_bytes),
      .out_last(do_last),
      .result_valid(dr_valid),
      .result_ready(dr_ready),
      .result_ok(dr_ok)
  );

  logic exit_closed, gd_valid, gd_ready, gd_last, gd_commit, gd_discard;
  logic [63:0] gd_data;
  logic [ 3:0] gd_bytes;

  get_from_dec #(
      .STORE_BYTES(STORE_BYTES),
      .DESCRIPTORS(512)
  ) u_get_from_dec (
      .clk(core_clk),
      .rst(rst_core),
      .clear,
      .wipe,
      .wiping(dec_wiping),
      .info_valid(di_valid),
      .info_ready(di_ready),
      .info_len(di_len),
      .info_pn(di_pn),
      .room_ok,
      .out_valid(do_valid),
      .out_ready(do_ready),
      .out_data(do_data),
      .out_bytes(do_bytes),
      .out_last(do_last),
      .result_valid(dr_valid),
      .result_ready(dr_ready),
      .result_ok(dr_ok),
      .mark_valid,
      .mark_pn,
      .mark_done,
      .mark_fresh,
      .exit_closed,
      .fifo_valid(gd_valid),
      .fifo_ready(gd_ready),
      .fifo_data(gd_data),
      .fifo_bytes(gd_bytes),
      .fifo_last(gd_last),
      .fifo_commit(gd_commit),
      .fifo_discard(gd_discard),
      .ev_good(good),
      .ev_keepalive(ev_keepalive_in),
      .ev_drop_auth(drop_auth),
      .ev_drop_replay(drop_replay_late),
      .ev_drop_session(drop_wiped)
  );

  logic fd_valid, fd_ready, fd_last;
  logic [63:0] fd_data;
  logic [ 3:0] fd_bytes;

  packet_fifo_async #(
      .DATA_BITS(64),
      .DEPTH(EXIT_BEATS)
  ) u_fifo_dec (
      .s_clk(core_clk),
      .s_rst(rst_core),
      .s_valid(gd_valid),
      .s_ready(gd_ready),
      .s_data(gd_data),
      .s_bytes(gd_bytes),
      .s_last(gd_last),
      .s_commit(gd_commit),
      .s_discard(gd_discard),
      .m_clk(trusted_clk),
      .m_rst(rst_trusted),
      .m_valid(fd_valid),
      .m_ready(fd_ready),
      .m_data(fd_data),
      .m_bytes(fd_bytes),
      .m_last(fd_last)
  );

  logic flush, flushing, t_out, t_flushed;
  link_flush u_flush (
      .core_clk,
      .core_rst(rst_core),
      .wipe,
      .closed  (exit_closed),
      .trusted_clk,
      .flush,
      .flushing
  );

  link_send u_send_ptxt (
      .clk(trusted_clk),
      .rst(rst_trusted),
      .flush,
      .flushing,
      .s_valid(fd_valid),
      .s_ready(fd_ready),
      .s_data(fd_data),
      .s_bytes(fd_bytes),
      .s_last(fd_last),
      .m_valid(tx_t_valid),
      .m_ready(tx_t_ready),
      .m_data(tx_t_data),
      .m_bytes(tx_t_bytes),
      .m_last(tx_t_last),
      .ev_out(t_out),
      .ev_out_bytes(trusted_add[E_T_DELIVERED_BYTES]),
      .ev_flushed(t_flushed)
  );
  assign trusted_add[E_T_DELIVERED] = 4'(t_out);
  assign trusted_add[E_T_FLUSHED] = 4'(t_flushed);

  // ------------------------------------------------------------------------------------------------ what concerns both
  assign work_idle = put_enc_idle && ei_empty && put_dec_idle && di_empty;
  assign unclean = enc_core_busy || dec_core_busy || dec_wiping || !ei_empty || !di_empty;

  assign mon_enc_busy = enc_in_core_q != '0 || enc_load;
  assign mon_dec_busy = dec_in_core_q != '0 || dec_load;
  always_ff @(posedge core_clk) begin
    enc_in_core_q <= enc_in_core_q + 8'(ec_valid && ec_ready) - 8'(er_valid && er_ready);
    dec_in_core_q <= dec_in_core_q + 8'(dc_valid && dc_ready) - 8'(dr_valid && dr_ready);
    if (rst_core || wipe) begin
      enc_in_core_q <= '0;
      dec_in_core_q <= '0;
    end
  end

  logic moving;
  link_counters u_counters (
      .clk(core_clk),
      .rst(rst_core),
      .trusted_clk,
      .trusted_rst(rst_trusted),
      .untrusted_clk,
      .untrusted_rst(rst_untrusted),
      .trusted_add,
      .untrusted_add,
      .ev_sealed,
      .ev_sealed_bytes,
      .ev_keepalive_out,
      .add_drop_trusted_session(2'(drop_t_session) + 2'(drop_t_wiped)),
      .ev_keepalive_in,
      .ev_handshake_in(ev_hs_in),
      .ev_handshake_out(ev_hs_out),
      .ev_installed(taken),
      .ev_taken(promoted),
      .add_drop_session(2'(drop_session) + 2'(drop_wiped) + 2'(hs_drop_session)),
      .ev_drop_peer(hs_drop_peer),
      .add_drop_number(2'(drop_number) + 2'(hs_drop_number)),
      .add_drop_replay(2'(drop_replay_early) + 2'(drop_replay_late)),
      .add_drop_auth(2'(drop_auth) + 2'(hs_drop_auth)),
      .moving,
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
      .count_handshakes_in,
      .count_handshakes_out,
      .count_sessions_installed,
      .count_sessions_taken,
      .count_drop_overload,
      .count_drop_short,
      .count_drop_version,
      .count_drop_type,
      .count_drop_suite,
      .count_drop_length,
      .count_drop_session,
      .count_drop_peer,
      .count_drop_number,
      .count_drop_replay,
      .count_drop_auth,
      .count_drop_foreign
  );

  logic unused;
  assign unused = &{1'b0, unused_u_bytes, unused_u_flushing, unused_u_flushed, unused_ct_bytes, moving,
                    unused_ge_commit, unused_ge_discard, unused_hq_bytes, unused_hq_last};

`ifndef SYNTHESIS
  // Totals balance whenever nothing has moved for long enough for every count to arrive. Signals of the other domains are
  // only looked at here, for the length of the rest.
  logic [11:0] rest_q;
  logic stirs;
  assign stirs = moving || !work_idle || msg_begun || hq_valid || hs_valid || exit_closed || rst_core ||
      pt_valid || ct_valid || gd_valid || fd_valid || fe_valid ||
      s_axis_trusted_tvalid || s_axis_untrusted_tvalid || m_axis_trusted_tvalid || m_axis_untrusted_tvalid;
  always_ff @(posedge core_clk) begin
    rest_q <= stirs ? '0 : (rest_q == '1) ? rest_q : rest_q + 1'b1;
    if (!stirs && rest_q == '1) begin
      a_trusted_in :
      assert (count_trusted_in ==
              count_sealed + count_drop_trusted_overload + count_drop_trusted_size + count_drop_trusted_session)
      else $error("sealwire_link: trusted packets do not balance");
      a_untrusted_out :
      assert (count_untrusted_out == count_sealed + count_keepalives_out + count_handshakes_out)
      else $error("sealwire_link: packets out do not balance");
      a_untrusted_in :
      assert (count_untrusted_in == count_delivered + count_keepalives_in + count_handshakes_in + count_drop_overload +
              count_drop_short + count_drop_version + count_drop_type + count_drop_suite + count_drop_length +
              count_drop_session + count_drop_peer + count_drop_number +
              count_drop_replay + count_drop_auth + count_drop_foreign)
      else $error("sealwire_link: untrusted packets do not balance");
    end
  end
`endif
endmodule
