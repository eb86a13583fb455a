// SPDX-License-Identifier: Apache-2.0
//
// Feeds the sealing core: one command a frame (or keep-alive, the one byte 00), the next one ready while the core still
// works on the last. Frames without a session, or after the last packet number, are drained and counted here.
// Specification: docs/wire-format.md, "Sessions". Queues for get_from_enc what the packet's header needs. Frames are sealed in `cur`,
// a keep-alive in the slot that it is asked for; the command waits until the core holds that slot's key.
// Security: the packet number is spent when the core takes the command. No packet starts while `hold` is high.

module put_to_enc
  import link_pkg::*;
(
    input  logic                clk,
    input  logic                rst,
    input  logic                wipe,             // level: forget the packet in work
    input  logic                hold,             // level: start no packet
    input  logic                cur,              // place of the current session
    input  logic [         1:0] sealable,         // by place: a session with packet numbers left
    input  logic                len_valid,        // length of the frame that comes, bytes
    output logic                len_ready,
    input  logic [LEN_BITS-1:0] len_data,
    input  logic                s_valid,          // frames from fifo_ptxt
    output logic                s_ready,
    input  logic [        63:0] s_data,
    input  logic [         3:0] s_bytes,
    input  logic                s_last,
    input  logic                keepalive_valid,
    output logic                keepalive_ready,
    input  logic                keepalive_place,
    output logic                start_place,      // slot of the packet that starts now
    input  logic [        63:0] start_pn,         // its next packet number
    output logic [         1:0] take,             // by place: the number is spent
    output logic                key_want,         // key_switch: level, a packet of this place is next
    output logic                key_place,
    input  logic                key_right,
    output logic                cmd_valid,        // the core, with key_place's nonce
    input  logic                cmd_ready,
    output logic                msg_valid,
    input  logic                msg_ready,
    output logic [        63:0] msg_data,
    output logic [         3:0] msg_bytes,
    output logic                msg_last,
    output logic                info_valid,       // to get_from_enc
    input  logic                info_ready,
    output logic                info_frame,       // a frame, not a keep-alive
    output logic [LEN_BITS-1:0] info_len,
    output logic [        63:0] info_pn,
    output logic                idle,             // no packet between here and the core
    output logic                ev_drop_session   // pulse: a frame dropped
);
  typedef enum logic [2:0] {
    S_IDLE,
    S_COMMAND,
    S_FRAME,
    S_KEEPALIVE,
    S_DRAIN       // the rest of a frame that is already counted
  } state_e;

  state_e state_q;
  logic   frame_q;  // the packet in work is a frame
  logic   place_q;  // and its slot
  logic there, start_keepalive, start_frame, drop_frame;

  assign there = state_q == S_IDLE && len_valid && s_valid && !wipe && !hold;
  assign start_keepalive = keepalive_valid && keepalive_ready;
  assign start_frame = there && sealable[cur] && !keepalive_valid && info_ready;
  assign drop_frame = there && !sealable[cur] && !start_keepalive;  // one thing a cycle: the frame waits its turn
  assign start_place = keepalive_valid ? keepalive_place : cur;

  assign keepalive_ready = state_q == S_IDLE && !wipe && !hold && sealable[keepalive_place] && info_ready;
  assign len_ready = start_frame || drop_frame;
  assign ev_drop_session = drop_frame;

  assign info_valid = start_keepalive || start_frame;
  assign info_frame = start_frame;
  assign info_len = start_frame ? len_data : LEN_BITS'(1);
  assign info_pn = start_pn;

  assign key_want = state_q == S_COMMAND && !wipe;
  assign key_place = place_q;
  assign cmd_valid = key_want && key_right;
  assign take = (cmd_valid && cmd_ready) ? (2'd1 << place_q) : 2'd0;
  assign idle = state_q == S_IDLE || state_q == S_DRAIN;

  always_comb begin
    msg_valid = 1'b0;
    msg_data  = s_data;
    msg_bytes = s_bytes;
    msg_last  = s_last;
    s_ready   = 1'b0;
    unique case (state_q)
      S_FRAME: begin
        msg_valid = s_valid;
        s_ready   = msg_ready;
      end
      S_KEEPALIVE: begin
        msg_valid = 1'b1;
        msg_data  = '0;
        msg_bytes = 4'd1;
        msg_last  = 1'b1;
      end
      S_DRAIN: s_ready = 1'b1;
      default: ;
    endcase
  end

  always_ff @(posedge clk) begin
    unique case (state_q)
      S_IDLE: begin
        frame_q <= start_frame;
        place_q <= start_place;
        if (start_keepalive || start_frame) state_q <= S_COMMAND;
        if (drop_frame) state_q <= S_DRAIN;
      end
      S_COMMAND: begin
        if (wipe) state_q <= frame_q ? S_DRAIN : S_IDLE;
        else if (take != 2'd0) state_q <= frame_q ? S_FRAME : S_KEEPALIVE;
      end
      S_FRAME: begin
        if (s_valid && s_ready && s_last) state_q <= S_IDLE;
        else if (wipe) state_q <= S_DRAIN;
      end
      S_KEEPALIVE: if (msg_ready || wipe) state_q <= S_IDLE;
      S_DRAIN: if (s_valid && s_last) state_q <= S_IDLE;
      default: state_q <= S_IDLE;
    endcase
    if (rst) state_q <= S_IDLE;
  end

`ifndef SYNTHESIS
  // A packet that was announced is started next: announcements and packets stay in step.
  logic told_q;
  always_ff @(posedge clk) begin
    told_q <= info_valid && info_ready && !rst;
    if (!rst)
      a_in_step :
      assert (!told_q || state_q == S_COMMAND)
      else $error("put_to_enc: announced, not started");
  end
`endif
endmodule
