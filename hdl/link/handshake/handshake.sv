// SPDX-License-Identifier: Apache-2.0
//
// The handshake, both roles: hello, hello-reply, confirm, and the sessions that come of it.
// Specification: docs/wire-format.md, "Handshake" and receive rules 3 to 6. The initiator has states; the responder holds one R_r and
// of hellos only the greatest number. One job at a time: own timers first, then the message at the head of the queue.
// Cycles: a call of D (key_schedule: some 400 to 820, FAST 32 to 114) to check a message, one more for a reply, four more for a
// session.
// Security: MACs are compared in constant time. A message that fails changes nothing. R_r is spent with the confirm that
// it passes; one R_r opens one session. A hello is answered once, if its number is greater than all before. No handshake
// without a pre-shared key and a fresh R. No secret is kept between jobs.

module handshake
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE  = 8'h01,
    parameter logic [7:0] KIND   = 8'h00,  // 00 Ethernet, 01 IP from a TUN
    parameter bit         FAST   = 1'b0,   // F' of the key schedule a round a cycle
    parameter bit         SLICES = 1'b0    // registers on the longest paths of the key schedule
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               enabled,            // handshakes are on
    input  order_t             order,              // a wipe: forget the pre-shared key, R and everything in work
    input  identity_t          identity,
    input  slot_t      [  1:0] slots,
    input  progress_t          progress,
    input  logic               psk_valid,
    output logic               psk_ready,
    input  logic       [511:0] psk_data,
    input  logic       [ 63:0] psk_number,         // with psk_data; the initiator's hellos have greater ones
    output logic               psk_known,
    input  logic               random_valid,       // this end's R
    output logic               random_ready,
    input  logic       [255:0] random_data,
    input  beat_t              message_in,         // handshake messages, rules 1 to 4 passed as they came
    output logic               message_in_ready,
    output awaited_t           awaited,
    output logic               coming,             // level: the message in work may open the session of this id
    output logic       [ 31:0] coming_sid,
    output beat_t              message_out,        // handshake messages out
    input  logic               message_out_ready,
    output proposal_t          proposal,
    output handshake_e         state,
    output logic               handshake_busy,
    output logic               handshake_stirs,    // a message is in work: for assertions
    output counted_t           handshake_counted
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
  logic [1:0][63:0] mac_q;  // of the message to send
  logic mac_same_q;  // as far as it was compared, the MAC in work is that of the message
  logic mac_known_q;  // initiator: the message of this state is complete
  logic due_q;  // and was not sent yet
  logic [31:0] sid_r_q;  // for the confirm
  logic [63:0] number_q;  // initiator: of the newest hello; responder: the mark
  logic accepted_q;  // the message at the head of the queue was counted as accepted
  logic renounced_q;  // another session came alive meanwhile: what is derived is not wanted

  // ------------------------------------------------------------------------------------------------ parts
  logic wipe, initiator, promoted, taken;
  assign wipe = order.wipe;
  assign initiator = identity.initiator;
  assign promoted = progress.promoted;
  assign taken = progress.taken;

  logic [2:0] chain_at, word_at;
  logic [63:0] chain_word, word;
  message_t msg;
  logic [31:0] peer_sid;
  logic msg_begun, msg_valid, msg_done;
  logic [1:0] r_at, send_at;
  logic [63:0] r_word, own_r_word, mac_word;
  hs_take u_take (
      .*,
      .begun(msg_begun),
      .valid(msg_valid),
      .message(msg),
      .mac_at(word_at[0]),
      .done(msg_done)
  );

  logic may_run, may_take_psk, offer, have_r, forget_r, enter_hello, accept_confirm;
  logic [31:0] own_sid;

  hs_random u_random (
      .*,
      .forget(forget_r),
      .want(may_run && !wipe && state_q == S_IDLE && (!initiator || hs_q == HS_HELLO)),
      .have(have_r),
      .at(state_q == S_SEND ? send_at : r_at),
      .word(own_r_word)
  );
  assign forget_r = wipe || enter_hello || accept_confirm;

  logic sent, confirming, answered, resend, give_up, silent, exhausted;
  hs_timers u_timers (
      .*,
      .tick (progress.tick),
      .heard(progress.heard)
  );

  logic psk_taken, psk_same, d_ready, d_start, d_done, word_valid;
  logic [7:0] d_c;
  key_schedule #(
      .SUITE (SUITE),
      .KIND  (KIND),
      .FAST  (FAST),
      .SLICES(SLICES)
  ) u_schedule (
      .*,
      .psk_valid(psk_valid && may_take_psk),
      .ready(d_ready),
      .start(d_start),
      .c(d_c),
      .done(d_done)
  );
  assign d_start = state_q == S_START && d_ready;

  // X is R_i and R_r; of a hello the second half is its number, and zeros.
  logic of_hello;
  assign of_hello = job_q inside {J_HELLO, J_HELLO_CHECK};
  assign r_at = chain_at[1:0];
  always_comb begin
    chain_word = chain_at[2] == initiator ? r_word : own_r_word;
    if (of_hello && chain_at[2]) chain_word = r_at == '0 ? swap64(initiator ? number_q : msg.number) : '0;
    unique case (job_q)
      J_HELLO, J_HELLO_CHECK: d_c = CTX_HELLO_MAC;
      J_REPLY, J_REPLY_CHECK: d_c = CTX_REPLY_MAC;
      J_KEY_IR: d_c = CTX_I_TO_R;
      J_KEY_RI: d_c = CTX_R_TO_I;
      J_SALTS: d_c = CTX_SALTS;
      default: d_c = CTX_CONFIRM_MAC;
    endcase
  end

  logic [3:0] send_kind, send_kind_q;  // the state may change while a message goes out
  assign send_kind = !initiator ? TYPE_REPLY : (hs_q == HS_CONFIRM) ? TYPE_CONFIRM : TYPE_HELLO;
  message_t own_msg;
  assign own_msg = '{
          kind: send_kind_q,
          sid: send_kind_q == TYPE_REPLY ? peer_sid : send_kind_q == TYPE_CONFIRM ? sid_r_q : 32'd0,
          number: send_kind_q == TYPE_HELLO ? number_q : 64'd0
      };
  hs_send #(
      .SUITE(SUITE)
  ) u_send (
      .*,
      .send(state_q == S_SEND),
      .message(own_msg),
      .id(initiator ? identity.id_i : identity.id_r),
      .at(send_at),
      .r_word(own_r_word),
      .mac_word(mac_q[send_at[0]])
  );

  // ------------------------------------------------------------------------------------------------ rules 3 to 6
  // receive_ctxt judges rules 3 and 4 before a message takes a place. What is awaited may have changed while it waited.
  logic bad_session, idle_job, judge, refused, mac_right, checked, accepted, is_check;
  assign awaited = '{valid: have_r && (!initiator || hs_q == HS_HELLO), sid: own_sid};
  always_comb begin
    unique case (msg.kind)
      TYPE_HELLO: bad_session = initiator;
      TYPE_REPLY: bad_session = !initiator || !awaited.valid || msg.sid != awaited.sid;
      TYPE_CONFIRM: bad_session = initiator || !awaited.valid || msg.sid != awaited.sid;
      default: bad_session = 1'b1;
    endcase
  end
  assign judge = state_q == S_IDLE && !psk_valid && !idle_job && msg_valid && !wipe;
  assign refused = bad_session || !psk_known;

  assign is_check = job_q inside {J_HELLO_CHECK, J_REPLY_CHECK, J_CONFIRM_CHECK};
  assign checked = state_q == S_CALL && d_done && is_check && !wipe;
  // No session with id 0, which comes from no honest end, even with the key.
  assign mac_right = mac_same_q && (job_q == J_HELLO_CHECK || peer_sid != '0);
  logic late;  // a reply that was right when it came
  assign late = job_q == J_REPLY_CHECK && (hs_q != HS_HELLO || promoted);

  // Numbers grow: those that this end gives its hellos, and those that it answers. An end has one role, so one register does.
  logic [63:0] candidate;
  logic newer, newer_q, right_hello, fresh;
  assign candidate = initiator ? psk_number : msg.number;
  assign newer = candidate > number_q;  // both stand for cycles before it is asked for: a register cuts the path
  assign right_hello = checked && mac_right && job_q == J_HELLO_CHECK;
  assign fresh = job_q != J_HELLO_CHECK || (newer_q && !exhausted);
  assign answered = right_hello && fresh;

  // The first cause in the order of the rules; a message is judged and checked in different cycles.
  assign accepted = checked && mac_right && !late && fresh;
  always_comb begin
    handshake_counted = '0;
    handshake_counted[COUNT_HANDSHAKES_OUT] = 5'(sent);
    handshake_counted[COUNT_HANDSHAKES_IN] = 5'(accepted);
    if (judge) begin
      if (bad_session) handshake_counted[COUNT_DROP_SESSION] = 5'd1;
      else if (!psk_known) handshake_counted[COUNT_DROP_AUTH] = 5'd1;
    end
    if (checked && !mac_right) handshake_counted[COUNT_DROP_AUTH] = 5'd1;
    if (checked && mac_right && late) handshake_counted[COUNT_DROP_SESSION] = 5'd1;
    if (right_hello && !newer_q) handshake_counted[COUNT_DROP_STALE] = 5'd1;
    else if (right_hello && exhausted) handshake_counted[COUNT_DROP_SURPLUS] = 5'd1;
  end
  assign accept_confirm = accepted && job_q == J_CONFIRM_CHECK;

  // ------------------------------------------------------------------------------------------------ jobs
  logic begin_hello, make_hello, say;
  assign may_run = enabled && !identity.bad;
  assign begin_hello = may_run && initiator && psk_known && ((hs_q == HS_IDLE && (progress.renew || silent)) ||
      (hs_q == HS_CONFIRM && give_up));
  assign make_hello = may_run && hs_q == HS_HELLO && have_r && !mac_known_q && (due_q || resend);
  assign say = hs_q != HS_IDLE && mac_known_q && (due_q || resend);
  assign idle_job = begin_hello || make_hello || say;
  // A handshake under way begins anew with a new pre-shared key.
  assign enter_hello = state_q == S_IDLE && !promoted && !wipe && (psk_valid ? hs_q != HS_IDLE : begin_hello);

  assign may_take_psk = state_q == S_IDLE && !rst && !wipe;
  assign psk_ready = psk_taken && !rst && !wipe;
  assign proposal.derived = '{
          valid: state_q == S_CALL && word_valid && job_q inside {J_KEY_IR, J_KEY_RI, J_SALTS},
          c: d_c,
          at: word_at,
          data: word,
          own_sid: own_sid,
          peer_sid: peer_sid
      };
  assign offer = state_q == S_OFFER && !renounced_q && !(promoted && initiator);
  assign confirming = offer && taken;
  assign proposal.offer = offer;
  assign proposal.clear = state_q == S_FINISH || wipe;
  assign msg_done = (judge && refused) || (checked && !accepted) || state_q == S_FINISH;
  assign proposal.probe = sent && send_kind_q == TYPE_CONFIRM && hs_q == HS_CONFIRM && !promoted;
  assign state = hs_q;
  assign handshake_busy = state_q != S_IDLE;
  assign handshake_stirs = msg_begun || message_out.valid;
  // Data waits for a confirm that may open its session, but not again after one that was forged: that would be a way to hold
  // up all data. What the forgery costs then is a keep-alive, which comes again after 250 ms.
  logic forged_q;
  assign coming = msg_begun && !initiator && msg.kind == TYPE_CONFIRM && msg.sid == own_sid && !forged_q;
  assign coming_sid = msg.sid;

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
          job_q    <= J_HELLO;
          state_q  <= S_START;
          number_q <= number_q + 64'd1;
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
              mac_known_q <= 1'b1;
              due_q       <= 1'b1;
              state_q     <= S_IDLE;
            end
            J_HELLO_CHECK: begin
              job_q <= J_REPLY;
              if (!accepted) state_q <= S_IDLE;
              else if (!have_r) state_q <= S_FINISH;  // no answer; the initiator asks again
            end
            J_REPLY: begin
              send_kind_q <= TYPE_REPLY;
              state_q     <= S_SEND;
            end
            J_REPLY_CHECK, J_CONFIRM_CHECK: begin
              job_q <= J_KEY_IR;
              if (!accepted) state_q <= S_IDLE;
            end
            J_KEY_IR: job_q <= J_KEY_RI;
            J_KEY_RI: job_q <= J_SALTS;
            J_SALTS: begin
              job_q <= J_CONFIRM;
              if (!initiator) state_q <= S_OFFER;
            end
            default: begin
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
            sid_r_q     <= peer_sid;
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
          due_q <= 1'b0;
          if (send_kind_q == TYPE_HELLO) mac_known_q <= 1'b0;  // the next hello has another number
          state_q <= (send_kind_q == TYPE_REPLY) ? S_FINISH : S_IDLE;
        end
      end
      default: state_q <= S_IDLE;
    endcase

    // The two words of a MAC are among those of the output: compared, or kept to be sent.
    if (state_q == S_START) mac_same_q <= 1'b1;
    for (int unsigned i = 0; i < 2; i++) begin
      if (state_q == S_CALL && word_valid && word_at == 3'(i)) begin
        if (is_check) mac_same_q <= mac_same_q && word == mac_word;
        else if (job_q inside {J_HELLO, J_REPLY, J_CONFIRM}) mac_q[i] <= word;
      end
    end

    if (enter_hello) begin
      hs_q        <= HS_HELLO;
      mac_known_q <= 1'b0;
      due_q       <= 1'b1;
    end
    if (promoted && initiator) begin
      hs_q        <= HS_IDLE;
      mac_known_q <= 1'b0;
      // What was accepted and not yet installed would replace the session that has just become the old one.
      if ((state_q inside {S_START, S_CALL} && job_q inside {J_KEY_IR, J_KEY_RI, J_SALTS, J_CONFIRM}) ||
          state_q == S_OFFER)
        renounced_q <= 1'b1;
    end
    newer_q <= newer;
    // A mark goes with its key; the key that is held already, given again, changes none.
    if (newer_q && (initiator ? psk_taken : right_hello)) number_q <= candidate;
    if (rst || (psk_taken && !initiator && !psk_same)) number_q <= '0;
    if (rst || wipe) begin
      // A message that was counted goes; one that was not is judged again, without a key.
      state_q     <= (accepted_q && state_q != S_FINISH && !rst) ? S_FINISH : S_IDLE;
      hs_q        <= HS_IDLE;
      mac_q       <= '0;
      mac_same_q  <= 1'b0;
      mac_known_q <= 1'b0;
      due_q       <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (accepted) accepted_q <= 1'b1;
    if (msg_done || rst) accepted_q <= 1'b0;
  end

  wire unused = &{1'b0, order, progress};

`ifndef SYNTHESIS
  // What is installed was proved by a MAC under this end's own fresh R.
  always_ff @(posedge clk)
    if (!rst && offer)
      a_proved :
      assert (accepted_q)
      else $error("handshake: a session without proof");

  // A number is compared a cycle before the answer is used, and nothing moves in between.
  always_ff @(posedge clk)
    if (!rst && (right_hello || psk_taken))
      a_compared :
      assert (newer_q == newer)
      else $error("handshake: numbers of two cycles were compared");
`endif
endmodule
