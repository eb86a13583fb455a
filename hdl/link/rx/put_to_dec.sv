// SPDX-License-Identifier: Apache-2.0
//
// Feeds the opening core: reads a packet's header, judges receive rules 3 and 4, reserves room in the release store, gives the
// command, then the ciphertext, then the tag that stands right behind it. The next header is read and judged while the
// core works. Specification: docs/wire-format.md, "Rules on receive": session, number, replay.
// Byte order: byte i of every string is bits [8i+7:8i].
// The session id picks the slot; the command waits until the core holds that slot's key.
// A packet in the session that a confirm just ahead of it opens waits until that confirm is judged and the session installed.
// Security: a packet that fails costs no cryptographic work and no change of keys. No packet starts while `hold` is high.
// A core that wants the tag before the text cannot be fed from here (none of the suites does).

module put_to_dec
  import link_pkg::*;
  import link_types_pkg::*;
#(
    parameter logic [7:0] SUITE = 8'h01,
    parameter logic [63:0] N_MAX = 64'h0001_0000_0000_0000,
    parameter type beat_t = link_types_pkg::beat_t
) (
    input  logic            clk,
    input  logic            rst,
    input  order_t          order,
    input  slot_t    [ 1:0] slots,
    input  logic            coming,        // level: a session of this id may be in a slot soon
    input  logic     [31:0] coming_sid,
    input  beat_t           ctxt,          // link packets from fifo_ctxt, cut to their stated length
    output logic            ctxt_ready,
    output logic     [ 1:0] check_valid,   // replay windows, rule 4: answer two cycles after check_ready
    input  logic     [ 1:0] check_ready,
    input  logic     [ 1:0] check_fresh,
    input  logic            room_ok,       // the store takes one more packet of any size
    output logic            begins,        // pulse: cmd.packet starts; also reserves the room
    input  logic            begins_ready,
    output command_t        cmd,           // to the core: cmd.packet is judged, or waits for its turn
    input  logic            cmd_ready,
    output beat_t           msg,
    input  logic            msg_ready,
    output tag_t            tag_in,
    input  logic            tag_in_ready,
    output logic            idle,          // no packet between here and the core
    output counted_t        counted
);
  localparam suite_t INFO = suite_info(SUITE);
  localparam int unsigned TAG_BITS = 8 * INFO.tag_bytes;
  localparam int unsigned BYTES = $bits(ctxt.data) / 8;
  localparam int unsigned PLACE_BITS = $clog2(BYTES);
  localparam logic [PLACE_BITS:0] FULL = (PLACE_BITS + 1)'(BYTES);
  localparam bit LONG_HEADER = BYTES < HEADER_BYTES;  // of two beats

  typedef enum logic [3:0] {
    S_HEADER,
    S_NUMBER,   // the second beat of a long header
    S_LOOK,     // ask the replay window
    S_WAIT,
    S_JUDGE,
    S_COMMAND,
    S_TEXT,
    S_TAG,
    S_DRAIN     // the rest of a packet that is already counted
  } state_e;

  state_e state_q;
  logic [31:0] sid_q;
  logic [LEN_BITS-1:0] len_q, left_q;  // message bytes, those not yet given to the core
  logic [63:0] pn_q;
  logic [8*BYTES-1:0] last_q;  // beat before this one
  logic [PLACE_BITS-1:0] shift_q;  // bytes of the message in the beat where the tag starts
  logic [TAG_BITS-1:0] tag_q;
  logic tag_full_q;
  logic final_text, take;

  header_t header;  // version, type and suite were judged at the entrance
  logic unused;
  assign header = header_of(ctxt.data[63:0]);
  assign unused = &{1'b0, header.version, header.kind, header.suite, order, slots, ctxt};

  // What the rules say of a packet is known a cycle after they judged it, from a register: the marks of the windows are far away.
  typedef enum logic [1:0] {
    BEGINS,
    BAD_SESSION,
    BAD_NUMBER,
    BAD_REPLAY
  } fate_e;

  logic matched_q, slot_q;  // a session has this id, and its slot
  logic judged_q;
  fate_e fate, fate_q;
  logic judge, look;
  logic [1:0] match;
  logic awaited;
  assign match   = {slots[1].live && sid_q == slots[1].own_sid, slots[0].live && sid_q == slots[0].own_sid};
  assign awaited = coming && sid_q == coming_sid && match == 2'd0;
  assign judge   = state_q == S_JUDGE && !order.wipe;
  always_comb begin
    if (!matched_q) fate = BAD_SESSION;
    else if (pn_q >= N_MAX) fate = BAD_NUMBER;
    else if (!check_fresh[slot_q]) fate = BAD_REPLAY;
    else fate = BEGINS;
  end
  assign begins = judged_q && fate_q == BEGINS && !order.wipe;
  always_comb begin
    counted = '0;
    counted[COUNT_DROP_SESSION] = 5'(judged_q && (fate_q == BAD_SESSION || (fate_q == BEGINS && order.wipe)));
    counted[COUNT_DROP_NUMBER] = 5'(judged_q && fate_q == BAD_NUMBER);
    counted[COUNT_DROP_REPLAY] = 5'(judged_q && fate_q == BAD_REPLAY);
  end

  assign look = state_q == S_LOOK && !order.hold && !order.wipe && room_ok && begins_ready && !awaited;
  assign check_valid = look ? match : 2'd0;
  assign cmd = '{
          valid: state_q == S_COMMAND && !order.wipe,
          packet: '{slot: slot_q, sid: sid_q, number: pn_q, length: len_q}
      };
  assign final_text = left_q <= LEN_BITS'(BYTES);
  assign msg = '{
          valid: state_q == S_TEXT && ctxt.valid,
          data: ctxt.data,
          bytes: final_text ? {1'b0, left_q[PLACE_BITS-1:0] - PLACE_BITS'(1)} + (PLACE_BITS + 1)'(1) : FULL,
          last: final_text
      };
  assign tag_in = '{valid: tag_full_q, data: 256'(tag_q)};
  assign idle = !(state_q inside {S_WAIT, S_JUDGE, S_COMMAND, S_TEXT, S_TAG});

  always_comb begin
    unique case (state_q)
      S_HEADER, S_NUMBER, S_DRAIN: ctxt_ready = 1'b1;
      S_TEXT: ctxt_ready = msg_ready;
      S_TAG: ctxt_ready = !tag_full_q;
      default: ctxt_ready = 1'b0;
    endcase
  end
  assign take = ctxt.valid && ctxt_ready;

  // A tag word: the bytes behind the message in the last beat, filled up from this one.
  logic [8*BYTES-1:0] tag_word;
  assign tag_word = (shift_q == '0) ? ctxt.data : (8 * BYTES)'({ctxt.data, last_q} >> {shift_q, 3'd0});

  always_ff @(posedge clk) begin
    judged_q <= judge && !rst;
    fate_q   <= fate;
    if (tag_in_ready) tag_full_q <= 1'b0;
    if (take) last_q <= ctxt.data;
    unique case (state_q)
      S_HEADER: begin
        sid_q <= header.sid;
        len_q <= LEN_BITS'(header.length - 16'(INFO.tag_bytes));
        if (!LONG_HEADER) pn_q <= swap64(ctxt.data[8*BYTES-1-:64]);
        if (take) state_q <= LONG_HEADER ? S_NUMBER : S_LOOK;
      end
      S_NUMBER: begin
        pn_q <= swap64(ctxt.data[63:0]);
        if (take) state_q <= S_LOOK;
      end
      S_LOOK: begin
        matched_q <= match != 2'd0;
        slot_q    <= match[1];
        if (look && (match & ~check_ready) == 2'd0) state_q <= S_WAIT;
      end
      S_WAIT: state_q <= order.wipe ? S_LOOK : S_JUDGE;
      S_JUDGE: begin
        left_q  <= len_q;
        shift_q <= len_q[PLACE_BITS-1:0];
        state_q <= fate == BEGINS ? S_COMMAND : S_DRAIN;
        if (order.wipe) state_q <= S_LOOK;
      end
      S_COMMAND: if (cmd.valid && cmd_ready) state_q <= S_TEXT;
      S_TEXT: begin
        if (take) begin
          left_q <= left_q - LEN_BITS'(BYTES);
          if (final_text) state_q <= S_TAG;
        end
      end
      S_TAG: begin
        if (take) begin
          tag_q <= TAG_BITS'({tag_word, tag_q} >> (8 * BYTES));
          if (ctxt.last) begin
            tag_full_q <= 1'b1;
            state_q    <= S_HEADER;
          end
        end
      end
      S_DRAIN:   if (take && ctxt.last) state_q <= S_HEADER;
      default:   state_q <= S_HEADER;
    endcase
    if (order.wipe) begin
      tag_full_q <= 1'b0;
      if (state_q inside {S_COMMAND, S_TEXT, S_TAG}) state_q <= (take && ctxt.last) ? S_HEADER : S_DRAIN;
    end
    if (rst) begin
      state_q    <= S_HEADER;
      tag_full_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // A packet that starts finds the room that was looked at before it was judged.
  always_ff @(posedge clk)
    if (!rst)
      a_room :
      assert (!begins || (room_ok && begins_ready && state_q == S_COMMAND))
      else $error("put_to_dec: a packet starts without room");

  // fifo_ctxt holds exactly what the header states.
  int unsigned tag_beats;
  always_ff @(posedge clk) begin
    if (state_q != S_TAG) tag_beats <= 0;
    else if (take) tag_beats <= tag_beats + 1;
    if (!rst && !order.wipe && state_q == S_TAG && take)
      a_length :
      assert (ctxt.last == (tag_beats + 1 == INFO.tag_bytes / BYTES))
      else $error("put_to_dec: packet and stated length differ");
  end
`endif
endmodule
