// SPDX-License-Identifier: Apache-2.0
//
// Feeds the sealing core: one command a frame (or keep-alive, the one byte 00), the next one ready while the core still
// works on the last. Frames without a session, or after the last packet number, are drained and counted here.
// Specification: docs/wire-format.md, "Sessions". Queues for get_from_enc what the packet's header needs. Frames are sealed in `cur`,
// a keep-alive in the slot that it is asked for; the command waits until the core holds that slot's key.
// Security: the packet number is spent when the core takes the command. No packet starts while `hold` is high.

module put_to_enc
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic                    clk,
    input  logic                    rst,
    input  order_t                  order,
    input  logic                    cur,              // slot of the current session
    input  slot_t    [         1:0] slots,
    input  logic                    len_valid,        // length of the frame that comes, bytes
    output logic                    len_ready,
    input  logic     [LEN_BITS-1:0] len_data,
    input  beat_t                   ptxt,             // frames from fifo_ptxt
    output logic                    ptxt_ready,
    input  logic                    keepalive_valid,
    output logic                    keepalive_ready,
    input  logic                    keepalive_slot,
    output logic     [         1:0] take,             // by slot: its packet number is spent
    output logic                    begins,           // pulse: cmd.packet starts
    input  logic                    begins_ready,
    output command_t                cmd,              // to the core, from registers
    input  logic                    cmd_ready,
    output beat_t                   msg,
    input  logic                    msg_ready,
    output logic                    idle,             // no packet between here and the core
    output counted_t                counted
);
  typedef enum logic [2:0] {
    S_IDLE,
    S_COMMAND,
    S_FRAME,
    S_KEEPALIVE,
    S_DRAIN       // the rest of a frame that is already counted
  } state_e;

  state_e state_q;
  logic frame_q;  // the packet in work is a frame
  logic slot_q;  // its slot
  logic [LEN_BITS-1:0] length_q;
  logic begin_q;  // the first cycle of a command
  logic there, start_keepalive, start_frame, drop_frame;

  assign there = state_q == S_IDLE && len_valid && ptxt.valid && !order.wipe && !order.hold;
  assign start_keepalive = keepalive_valid && keepalive_ready;
  assign start_frame = there && slots[cur].sealable && !keepalive_valid && begins_ready;
  assign drop_frame = there && !slots[cur].sealable && !start_keepalive;  // one thing a cycle: the frame waits its turn

  assign keepalive_ready = state_q == S_IDLE && !order.wipe && !order.hold && begins_ready &&
      slots[keepalive_slot].sealable;
  assign len_ready = start_frame || drop_frame;
  always_comb begin
    counted = '0;
    counted[COUNT_DROP_TRUSTED_SESSION] = 5'(drop_frame || (begin_q && order.wipe && frame_q));
  end

  assign begins = begin_q && !order.wipe;
  assign cmd = '{
          valid: state_q == S_COMMAND && !order.wipe,
          packet: '{slot: slot_q, sid: slots[slot_q].peer_sid, number: slots[slot_q].sent, length: length_q}
      };
  assign take = (cmd.valid && cmd_ready) ? (2'd1 << slot_q) : 2'd0;
  assign idle = state_q == S_IDLE || state_q == S_DRAIN;

  always_comb begin
    msg        = ptxt;
    msg.valid  = 1'b0;
    ptxt_ready = 1'b0;
    unique case (state_q)
      S_FRAME: begin
        msg.valid  = ptxt.valid;
        ptxt_ready = msg_ready;
      end
      S_KEEPALIVE: msg = '{valid: 1'b1, data: '0, bytes: ($bits(msg.bytes))'(1), last: 1'b1};
      S_DRAIN: ptxt_ready = 1'b1;
      default: ;
    endcase
  end

  always_ff @(posedge clk) begin
    begin_q <= (start_keepalive || start_frame) && !rst;
    unique case (state_q)
      S_IDLE: begin
        frame_q  <= start_frame;
        slot_q   <= keepalive_valid ? keepalive_slot : cur;
        length_q <= start_frame ? len_data : LEN_BITS'(1);
        if (start_keepalive || start_frame) state_q <= S_COMMAND;
        if (drop_frame) state_q <= S_DRAIN;
      end
      S_COMMAND: begin
        if (order.wipe) state_q <= frame_q ? S_DRAIN : S_IDLE;
        else if (take != 2'd0) state_q <= frame_q ? S_FRAME : S_KEEPALIVE;
      end
      S_FRAME: begin
        if (ptxt.valid && ptxt_ready && ptxt.last) state_q <= S_IDLE;
        else if (order.wipe) state_q <= S_DRAIN;
      end
      S_KEEPALIVE: if (msg_ready || order.wipe) state_q <= S_IDLE;
      S_DRAIN: if (ptxt.valid && ptxt.last) state_q <= S_IDLE;
      default: state_q <= S_IDLE;
    endcase
    if (rst) state_q <= S_IDLE;
  end

  wire unused = &{1'b0, order, slots};

`ifndef SYNTHESIS
  // A packet that starts finds the room that was looked at a cycle before.
  always_ff @(posedge clk)
    if (!rst)
      a_room :
      assert (!begins || (begins_ready && state_q == S_COMMAND))
      else $error("put_to_enc: a packet starts without room");
`endif
endmodule
