// SPDX-License-Identifier: Apache-2.0
//
// Key schedule: from the pre-shared key, both ids and both random values to the keys, salts, ids and associated data of a
// session. Specification: docs/wire-format.md, "Key schedule": D(c, H) = F'(H, PSK || ctx(c, 0) || zeros), one call an output.
// Byte order: byte i of every string is bits [8i+7:8i]; ids compare as big-endian numbers, the smaller is the initiator.
// Cycles from session to derived: 3 calls of F' and about 8 (suite 01: 3 * 81, suite 02: 3 * 13).
// Security: a session is refused (`error`) without a pre-shared key, with ids zero or equal, with a session id of zero, with this
// end's last random value again, or with the session id that this end uses now. A value counts as used from here on, whatever
// becomes of the session. Derived secrets are zeroised when taken; the pre-shared key is used in nothing but D.

module ks_gen #(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [7:0] KIND  = 8'h00   // 00 Ethernet, 01 IP from a TUN
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         wipe,           // forget the pre-shared key and everything derived
    input  logic [ 63:0] cfg_local_id,
    input  logic [ 63:0] cfg_peer_id,
    input  logic         psk_valid,
    output logic         psk_ready,
    input  logic [511:0] psk_data,
    input  logic         session_valid,
    output logic         session_ready,
    input  logic [255:0] session_r_i,
    input  logic [255:0] session_r_r,
    input  logic         cur_up,         // a session is in use, with this id of this end
    input  logic [ 31:0] cur_own_sid,
    output logic         error,          // pulse: refused
    output logic         derived,        // level: the values below stand until taken
    input  logic         taken,
    output logic [511:0] key_tx,
    output logic [511:0] key_rx,
    output logic [191:0] salt_tx,
    output logic [191:0] salt_rx,
    output logic [ 31:0] own_sid,        // packets to this end carry it
    output logic [ 31:0] peer_sid,
    output logic [255:0] ad_tx,
    output logic [255:0] ad_rx,
    output logic         busy
);
  import link_pkg::*;

  typedef enum logic [2:0] {
    S_IDLE,
    S_JUDGE,    // may this session be?
    S_PREPARE,  // tell the compression function its key
    S_START,
    S_CALL,
    S_HOLD      // derived, waiting to be taken
  } state_e;

  state_e state_q;
  logic [511:0] psk_q;
  logic psk_known_q;
  logic [511:0] x_q;  // R_i || R_r
  logic [63:0] id_i_q, id_r_q;
  logic initiator_q, ids_bad_q;
  logic [7:0] c_q;  // which output is being computed
  logic [255:0] last_r_q;  // this end's random value of the last session
  logic last_r_known_q;
  logic [511:0] key_tx_q, key_rx_q;
  logic [191:0] salt_tx_q, salt_rx_q;

  logic [255:0] own_r;
  logic [31:0] sid_i, sid_r;
  logic refuse;
  assign own_r = initiator_q ? x_q[255:0] : x_q[511:256];
  assign sid_i = x_q[31:0];
  assign sid_r = x_q[287:256];
  assign own_sid = initiator_q ? sid_i : sid_r;
  assign peer_sid = initiator_q ? sid_r : sid_i;
  assign refuse = !psk_known_q || ids_bad_q || sid_i == '0 || sid_r == '0 || (last_r_known_q && own_r == last_r_q) ||
      (cur_up && own_sid == cur_own_sid);

  logic [255:0] ad_i_to_r, ad_r_to_i;
  assign ad_i_to_r = ctx(SUITE, CTX_I_TO_R, KIND, sid_r, id_i_q, id_r_q);
  assign ad_r_to_i = ctx(SUITE, CTX_R_TO_I, KIND, sid_i, id_i_q, id_r_q);
  assign ad_tx = initiator_q ? ad_i_to_r : ad_r_to_i;
  assign ad_rx = initiator_q ? ad_r_to_i : ad_i_to_r;

  logic f_start, f_key_new, f_ready;
  logic [511:0] f_digest;
  assign f_key_new = state_q == S_PREPARE;
  assign f_start   = state_q == S_START && f_ready;

  schedule_compress #(
      .SUITE(SUITE)
  ) u_compress (
      .clk,
      .clear(rst || wipe || state_q == S_HOLD),
      .key(psk_q),
      .key_new(f_key_new),
      .start(f_start),
      .chain(x_q),
      .msg({256'd0, ctx(SUITE, c_q, KIND, 32'd0, id_i_q, id_r_q)}),
      .ready(f_ready),
      .digest(f_digest)
  );

  assign psk_ready = state_q == S_IDLE && !rst && !wipe;
  assign session_ready = state_q == S_IDLE && !rst && !wipe;
  assign derived = state_q == S_HOLD;
  assign busy = state_q != S_IDLE;
  assign key_tx = key_tx_q;
  assign key_rx = key_rx_q;
  assign salt_tx = salt_tx_q;
  assign salt_rx = salt_rx_q;

  logic key_is_tx;
  assign key_is_tx = (c_q == CTX_I_TO_R) == initiator_q;

  always_ff @(posedge clk) begin
    error <= 1'b0;
    unique case (state_q)
      S_IDLE: begin
        if (psk_valid) begin
          psk_q       <= psk_data;
          psk_known_q <= 1'b1;
        end
        if (session_valid) begin
          x_q         <= {session_r_r, session_r_i};
          initiator_q <= swap64(cfg_local_id) < swap64(cfg_peer_id);
          ids_bad_q   <= cfg_local_id == cfg_peer_id || cfg_local_id == '0 || cfg_peer_id == '0;
          id_i_q      <= (swap64(cfg_local_id) < swap64(cfg_peer_id)) ? cfg_local_id : cfg_peer_id;
          id_r_q      <= (swap64(cfg_local_id) < swap64(cfg_peer_id)) ? cfg_peer_id : cfg_local_id;
          state_q     <= S_JUDGE;
        end
      end
      S_JUDGE: begin
        error   <= refuse;
        state_q <= refuse ? S_IDLE : S_PREPARE;
        c_q     <= CTX_I_TO_R;
        if (!refuse) begin
          last_r_q       <= own_r;
          last_r_known_q <= 1'b1;
        end
      end
      S_PREPARE: state_q <= S_START;
      S_START:   if (f_ready) state_q <= S_CALL;
      S_CALL: begin
        if (f_ready) begin
          c_q     <= c_q + 8'd1;
          state_q <= (c_q == CTX_SALTS) ? S_HOLD : S_START;
          if (c_q == CTX_SALTS) begin
            salt_tx_q <= initiator_q ? f_digest[191:0] : f_digest[447:256];
            salt_rx_q <= initiator_q ? f_digest[447:256] : f_digest[191:0];
          end else begin
            if (key_is_tx) key_tx_q <= f_digest;
            else key_rx_q <= f_digest;
          end
        end
      end
      S_HOLD: begin
        if (taken) begin
          state_q <= S_IDLE;
          {key_tx_q, key_rx_q, salt_tx_q, salt_rx_q} <= '0;
        end
      end
      default:   state_q <= S_IDLE;
    endcase
    if (rst || wipe) begin
      state_q <= S_IDLE;
      error <= wipe && !rst && (state_q != S_IDLE);  // a session under way ends here
      psk_q <= '0;
      psk_known_q <= 1'b0;
      {key_tx_q, key_rx_q, salt_tx_q, salt_rx_q} <= '0;
    end
    if (rst) begin
      last_r_q       <= '0;
      last_r_known_q <= 1'b0;
    end
  end
endmodule
