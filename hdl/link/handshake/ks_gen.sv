// SPDX-License-Identifier: Apache-2.0
//
// The handshake, both roles: hello, hello-reply, confirm, and the sessions that come of it.
// Specification: docs/wire-format.md, "Handshake" and receive rules 3 to 5. The initiator has states; the responder holds one R_r and
// nothing per hello. One job at a time: own timers first, then the message at the head of the queue.
// Cycles: a call of D (98 in suite 01, 27 in suite 02) to check a message, one more for a reply, four more for a session.
// Security: MACs are compared in constant time. A message that fails changes nothing. R_r is spent with the confirm that
// it passes; one R_r opens one session. No handshake without a pre-shared key and a fresh R. No secret is kept between jobs.

module ks_gen
  import link_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [7:0] KIND  = 8'h00   // 00 Ethernet, 01 IP from a TUN
) (
    input  logic                     clk,
    input  logic                     rst,
    input  logic                     wipe,             // level: forget the pre-shared key, R and everything in work
    input  logic                     enabled,          // handshakes are on, ids are good
    input  logic                     initiator,
    input  logic       [ 63:0]       id_i,
    input  logic       [ 63:0]       id_r,
    input  logic                     psk_valid,
    output logic                     psk_ready,
    input  logic       [511:0]       psk_data,
    output logic                     psk_known,
    input  logic                     random_valid,     // this end's R
    output logic                     random_ready,
    input  logic       [255:0]       random_data,
    input  logic                     wanted,           // no session, or it is old or nearly used up
    input  logic       [  1:0]       live,             // session slots
    input  logic       [  1:0][31:0] live_sid,         // this end's id in them
    input  logic                     tick,             // a millisecond
    input  logic                     heard,            // pulse: a valid data packet
    input  logic                     promoted,         // pulse: the first one in a new session
    input  logic                     msg_begun,        // handshake message, rules 1 and 2 passed: its header stands
    input  logic                     msg_valid,        // and all of it
    input  message_t                 msg,
    output logic                     msg_done,         // pulse
    output logic                     coming,           // level: it may open the session of msg.sid
    output logic                     send_valid,       // link packet out
    input  logic                     send_ready,
    output logic       [ 63:0]       send_data,
    output logic                     send_last,
    output logic                     knock,            // pulse: a keep-alive in `alt`, behind the confirm
    output logic                     derived,          // pulse: an output for next_session
    output logic       [  7:0]       derived_c,
    output logic       [511:0]       derived_data,
    output logic       [ 31:0]       derived_sid_i,
    output logic       [ 31:0]       derived_sid_r,
    output logic                     offer,            // level: install the session
    input  logic                     taken,            // pulse
    output logic                     clear_session,    // wipe next_session
    output handshake_e               state,
    output logic                     busy,
    output logic                     ev_accepted,      // pulses: a message in, by its fate
    output logic                     ev_drop_session,
    output logic                     ev_drop_peer,
    output logic                     ev_drop_number,
    output logic                     ev_drop_auth,
    output logic                     ev_sent           // pulse: a message out
);
  typedef enum logic [2:0] {
    S_IDLE,
    S_START,  // a call of D
    S_CALL,
    S_OFFER,
    S_SEND,
    S_FINISH  // wipe what was derived, let the message go
  } state_e;

  // What a call of D is for.
  typedef enum logic [3:0] {
    J_HELLO,
    J_HELLO_CHECK,
    J_REPLY,
    J_REPLY_CHECK,
    J_CONFIRM_CHECK,
    J_KEY_IR,
    J_KEY_RI,
    J_SALTS,
    J_CONFIRM
  } job_e;

  state_e state_q;
  job_e job_q;
  handshake_e hs_q;
  logic [127:0] mac_q;  // of the message to send
  logic mac_known_q;  // initiator: the message of this state is complete
  logic due_q;  // and was not sent yet
  logic [31:0] sid_r_q;  // for the confirm
  logic accepted_q;  // the message at the head of the queue was counted as accepted
  logic renounced_q;  // another session came alive meanwhile: what is derived is not wanted

  // ------------------------------------------------------------------------------------------------ parts
  logic have_r, forget_r, enter_hello, accept_confirm;
  logic [255:0] own_r;

  hs_random u_random (
      .clk,
      .rst,
      .forget(forget_r),
      .want(enabled && state_q == S_IDLE && (!initiator || hs_q == HS_HELLO)),
      .live,
      .live_sid,
      .random_valid,
      .random_ready,
      .random_data,
      .have(have_r),
      .r(own_r)
  );
  assign forget_r = wipe || enter_hello || accept_confirm;

  logic sent, confirming, resend, give_up, silent;
  hs_timers u_timers (
      .clk,
      .rst,
      .tick,
      .sent,
      .confirming,
      .heard,
      .resend,
      .give_up,
      .silent
  );

  logic d_ready, d_start, d_done;
  logic [7:0] d_c;
  logic [511:0] d_chain, digest, x;
  key_schedule #(
      .SUITE(SUITE),
      .KIND (KIND)
  ) u_schedule (
      .clk,
      .rst,
      .wipe,
      .id_i,
      .id_r,
      .psk_take(psk_valid && psk_ready),
      .psk_data,
      .psk_known,
      .ready(d_ready),
      .start(d_start),
      .c(d_c),
      .chain(d_chain),
      .done(d_done),
      .digest
  );
  assign x = initiator ? {msg.r, own_r} : {own_r, msg.r};
  assign d_start = state_q == S_START && d_ready;

  always_comb begin
    d_chain = x;
    unique case (job_q)
      J_HELLO: begin
        d_c = CTX_HELLO_MAC;
        d_chain = {256'd0, own_r};
      end
      J_HELLO_CHECK: begin
        d_c = CTX_HELLO_MAC;
        d_chain = {256'd0, msg.r};
      end
      J_REPLY, J_REPLY_CHECK: d_c = CTX_REPLY_MAC;
      J_KEY_IR: d_c = CTX_I_TO_R;
      J_KEY_RI: d_c = CTX_R_TO_I;
      J_SALTS: d_c = CTX_SALTS;
      default: d_c = CTX_CONFIRM_MAC;
    endcase
  end

  logic [3:0] send_kind, send_kind_q;  // the state may change while a message goes out
  assign send_kind = !initiator ? TYPE_REPLY : (hs_q == HS_CONFIRM) ? TYPE_CONFIRM : TYPE_HELLO;
  hs_send #(
      .SUITE(SUITE)
  ) u_send (
      .clk,
      .rst,
      .wipe,
      .send(state_q == S_SEND),
      .kind(send_kind_q),
      .sid(send_kind_q == TYPE_REPLY ? msg.r[31:0] : send_kind_q == TYPE_CONFIRM ? sid_r_q : 32'd0),
      .id(initiator ? id_i : id_r),
      .r(own_r),
      .mac(mac_q),
      .sent,
      .fifo_valid(send_valid),
      .fifo_ready(send_ready),
      .fifo_data(send_data),
      .fifo_last(send_last)
  );

  // ------------------------------------------------------------------------------------------------ rules 3 to 5
  logic bad_session, bad_peer, idle_job, judge, refused, mac_right, checked, is_check;
  always_comb begin
    unique case (msg.kind)
      TYPE_HELLO: bad_session = initiator || msg.sid != '0;
      TYPE_REPLY: bad_session = !initiator || hs_q != HS_HELLO || !have_r || msg.sid != own_r[31:0];
      TYPE_CONFIRM: bad_session = initiator || !have_r || msg.sid != own_r[31:0];
      default: bad_session = 1'b1;
    endcase
  end
  assign bad_peer = msg.id != (initiator ? id_r : id_i);
  assign judge = state_q == S_IDLE && !psk_valid && !idle_job && msg_valid && !wipe;
  assign refused = bad_session || bad_peer || msg.numbered || !psk_known;

  assign is_check = job_q inside {J_HELLO_CHECK, J_REPLY_CHECK, J_CONFIRM_CHECK};
  assign checked = state_q == S_CALL && d_done && is_check && !wipe;
  // No session with id 0, which comes from no honest end, even with the key.
  assign mac_right = digest[127:0] == msg.mac && (job_q == J_HELLO_CHECK || msg.r[31:0] != '0);
  logic late;  // a reply that was right when it came
  assign late = job_q == J_REPLY_CHECK && (hs_q != HS_HELLO || promoted);

  assign ev_accepted = checked && mac_right && !late;
  assign ev_drop_session = (judge && bad_session) || (checked && mac_right && late);
  assign ev_drop_peer = judge && !bad_session && bad_peer;
  assign ev_drop_number = judge && !bad_session && !bad_peer && msg.numbered;
  assign ev_drop_auth = (judge && !bad_session && !bad_peer && !msg.numbered && !psk_known) || (checked && !mac_right);
  assign ev_sent = sent;
  assign accept_confirm = ev_accepted && job_q == J_CONFIRM_CHECK;

  // ------------------------------------------------------------------------------------------------ jobs
  logic begin_hello, make_hello, say;
  assign begin_hello = enabled && initiator && psk_known && ((hs_q == HS_IDLE && (wanted || silent)) ||
      (hs_q == HS_CONFIRM && give_up));
  assign make_hello = enabled && hs_q == HS_HELLO && have_r && !mac_known_q;
  assign say = hs_q != HS_IDLE && mac_known_q && (due_q || resend);
  assign idle_job = begin_hello || make_hello || say;
  // A handshake under way begins anew with a new pre-shared key.
  assign enter_hello = state_q == S_IDLE && !promoted && !wipe && (psk_valid ? hs_q != HS_IDLE : begin_hello);

  assign psk_ready = state_q == S_IDLE && !rst && !wipe;
  assign derived = state_q == S_CALL && d_done && job_q inside {J_KEY_IR, J_KEY_RI, J_SALTS};
  assign derived_c = d_c;
  assign derived_data = digest;
  assign derived_sid_i = x[31:0];
  assign derived_sid_r = x[287:256];
  assign offer = state_q == S_OFFER && !renounced_q && !(promoted && initiator);
  assign confirming = offer && taken;
  assign clear_session = state_q == S_FINISH || wipe;
  assign msg_done = (judge && refused) || (checked && !ev_accepted) || state_q == S_FINISH;
  assign knock = sent && send_kind_q == TYPE_CONFIRM && hs_q == HS_CONFIRM && !promoted;
  assign state = hs_q;
  assign busy = state_q != S_IDLE;
  // Data waits for a confirm that may open its session, but not again after one that was forged: that would be a way to hold
  // up all data. What the forgery costs then is a keep-alive, which comes again after 250 ms.
  logic forged_q;
  assign coming = msg_begun && !initiator && msg.kind == TYPE_CONFIRM && msg.sid == own_r[31:0] && !forged_q;

  always_ff @(posedge clk) begin
    if (checked && !mac_right && job_q == J_CONFIRM_CHECK) forged_q <= 1'b1;
    if (accept_confirm || wipe || rst) forged_q <= 1'b0;
  end

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_IDLE: begin
        renounced_q <= 1'b0;
        send_kind_q <= send_kind;
        if (psk_valid || promoted || begin_hello) begin
          // The rest a cycle later, in the new state.
        end else if (make_hello) begin
          job_q   <= J_HELLO;
          state_q <= S_START;
        end else if (say) begin
          state_q <= S_SEND;
        end else if (msg_valid && !refused) begin
          job_q <= (msg.kind == TYPE_HELLO) ? J_HELLO_CHECK :
              (msg.kind == TYPE_REPLY) ? J_REPLY_CHECK : J_CONFIRM_CHECK;
          state_q <= S_START;
        end
      end
      S_START: if (d_ready) state_q <= S_CALL;
      S_CALL: begin
        if (d_done) begin
          state_q <= S_START;
          unique case (job_q)
            J_HELLO: begin
              mac_q       <= digest[127:0];
              mac_known_q <= 1'b1;
              due_q       <= 1'b1;
              state_q     <= S_IDLE;
            end
            J_HELLO_CHECK: begin
              job_q <= J_REPLY;
              if (!mac_right) state_q <= S_IDLE;
              else if (!have_r) state_q <= S_FINISH;  // no answer; the initiator asks again
            end
            J_REPLY: begin
              mac_q       <= digest[127:0];
              send_kind_q <= TYPE_REPLY;
              state_q     <= S_SEND;
            end
            J_REPLY_CHECK, J_CONFIRM_CHECK: begin
              job_q <= J_KEY_IR;
              if (!ev_accepted) state_q <= S_IDLE;
            end
            J_KEY_IR: job_q <= J_KEY_RI;
            J_KEY_RI: job_q <= J_SALTS;
            J_SALTS: begin
              job_q <= J_CONFIRM;
              if (!initiator) state_q <= S_OFFER;
            end
            default: begin
              mac_q   <= digest[127:0];
              state_q <= S_OFFER;
            end
          endcase
          if (renounced_q) state_q <= S_FINISH;
        end
      end
      S_OFFER: begin
        if (taken) begin
          state_q <= S_FINISH;
          if (initiator) begin
            sid_r_q     <= msg.r[31:0];
            hs_q        <= HS_CONFIRM;
            mac_known_q <= 1'b1;
            due_q       <= 1'b1;
          end
        end else if (renounced_q) begin
          state_q <= S_FINISH;
        end
      end
      S_SEND: begin
        if (sent) begin
          due_q   <= 1'b0;
          state_q <= (send_kind_q == TYPE_REPLY) ? S_FINISH : S_IDLE;
        end
      end
      default: state_q <= S_IDLE;
    endcase

    if (enter_hello) begin
      hs_q        <= HS_HELLO;
      mac_known_q <= 1'b0;
      due_q       <= 1'b0;
    end
    if (promoted && initiator) begin
      hs_q        <= HS_IDLE;
      mac_known_q <= 1'b0;
      // What was accepted and not yet installed would replace the session that has just become the old one.
      if ((state_q inside {S_START, S_CALL} && job_q inside {J_KEY_IR, J_KEY_RI, J_SALTS, J_CONFIRM}) ||
          state_q == S_OFFER)
        renounced_q <= 1'b1;
    end
    if (rst || wipe) begin
      // A message that was counted goes; one that was not is judged again, without a key.
      state_q     <= (accepted_q && state_q != S_FINISH && !rst) ? S_FINISH : S_IDLE;
      hs_q        <= HS_IDLE;
      mac_q       <= '0;
      mac_known_q <= 1'b0;
      due_q       <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (ev_accepted) accepted_q <= 1'b1;
    if (msg_done || rst) accepted_q <= 1'b0;
  end

`ifndef SYNTHESIS
  // What is installed was proved by a MAC under this end's own fresh R.
  always_ff @(posedge clk)
    if (!rst && offer)
      a_proved :
      assert (accepted_q)
      else $error("ks_gen: a session without proof");
`endif
endmodule
