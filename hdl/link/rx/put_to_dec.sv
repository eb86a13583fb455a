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
#(
    parameter logic [ 7:0] SUITE = 8'h01,
    parameter logic [63:0] N_MAX = 64'h0001_0000_0000_0000
) (
    input logic clk,
    input logic rst,
    input logic wipe,  // level: forget the packet in work
    input logic hold,  // level: start no packet
    input logic [1:0] live,  // session slots
    input logic [1:0][31:0] own_sid,
    input logic [1:0][191:0] salt,
    input logic coming,  // level: a session of this id may be in a slot soon
    input logic [31:0] coming_sid,
    input logic s_valid,  // link packets from fifo_ctxt, cut to their stated length
    output logic s_ready,
    input logic [63:0] s_data,
    input logic s_last,
    output logic [1:0] check_valid,  // replay windows, rule 4: answer in the cycle after check_ready
    input logic [1:0] check_ready,
    output logic [63:0] check_pn,
    input logic [1:0] check_fresh,
    input logic room_ok,  // the store takes one more packet of any size
    output logic info_valid,  // to get_from_dec; also reserves the room
    input logic info_ready,
    output logic [LEN_BITS-1:0] info_len,  // message bytes
    output logic [63:0] info_pn,
    output logic info_place,
    output logic key_want,  // key_switch: level, a packet of this place is next
    output logic key_place,
    input logic key_right,
    output logic cmd_valid,  // the core
    input logic cmd_ready,
    output logic [255:0] cmd_nonce,
    output logic msg_valid,
    input logic msg_ready,
    output logic [63:0] msg_data,
    output logic [3:0] msg_bytes,
    output logic msg_last,
    output logic tag_in_valid,
    input logic tag_in_ready,
    output logic [255:0] tag_in_data,
    output logic idle,  // no packet between here and the core
    output logic ev_drop_session,  // pulses
    output logic ev_drop_number,
    output logic ev_drop_replay
);
  localparam suite_t INFO = suite_info(SUITE);
  localparam int unsigned TAG_BITS = 8 * INFO.tag_bytes;

  typedef enum logic [2:0] {
    S_HEADER,
    S_NUMBER,
    S_LOOK,     // ask the replay window
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
  logic [63:0] last_q;  // beat before this one
  logic [2:0] shift_q;  // bytes of the message in the beat where the tag starts
  logic [TAG_BITS-1:0] tag_q;
  logic tag_full_q;
  logic final_text, take;

  header_t header;  // version, type and suite were judged at the entrance
  logic unused;
  assign header = header_of(s_data);
  assign unused = &{1'b0, header.version, header.kind, header.suite};

  logic matched_q, place_q;  // a session has this id, and its place
  logic bad_session, bad_number, bad_replay, start, look;
  logic [1:0] match;
  logic awaited;
  assign match = {live[1] && sid_q == own_sid[1], live[0] && sid_q == own_sid[0]};
  assign awaited = coming && sid_q == coming_sid && match == 2'd0;
  assign bad_session = !matched_q;
  assign bad_number = pn_q >= N_MAX;
  assign bad_replay = !check_fresh[place_q];
  assign ev_drop_session = state_q == S_JUDGE && !wipe && bad_session;
  assign ev_drop_number = state_q == S_JUDGE && !wipe && !bad_session && bad_number;
  assign ev_drop_replay = state_q == S_JUDGE && !wipe && !bad_session && !bad_number && bad_replay;
  assign start = state_q == S_JUDGE && !wipe && !bad_session && !bad_number && !bad_replay;

  assign look = state_q == S_LOOK && !hold && !wipe && room_ok && info_ready && !awaited;
  assign check_valid = look ? match : 2'd0;
  assign check_pn = pn_q;
  assign info_valid = start;
  assign info_len = len_q;
  assign info_pn = pn_q;

  assign info_place = place_q;

  assign key_want = state_q == S_COMMAND && !wipe;
  assign key_place = place_q;
  assign cmd_valid = key_want && key_right;
  assign cmd_nonce = nonce_of(salt[place_q], pn_q);
  assign final_text = left_q <= LEN_BITS'(8);
  assign msg_valid = state_q == S_TEXT && s_valid;
  assign msg_data = s_data;
  assign msg_bytes = final_text ? {1'b0, left_q[2:0] - 3'd1} + 4'd1 : 4'd8;
  assign msg_last = final_text;
  assign tag_in_valid = tag_full_q;
  assign tag_in_data = 256'(tag_q);
  assign idle = !(state_q inside {S_JUDGE, S_COMMAND, S_TEXT, S_TAG});

  always_comb begin
    unique case (state_q)
      S_HEADER, S_NUMBER, S_DRAIN: s_ready = 1'b1;
      S_TEXT: s_ready = msg_ready;
      S_TAG: s_ready = !tag_full_q;
      default: s_ready = 1'b0;
    endcase
  end
  assign take = s_valid && s_ready;

  // A tag word: the bytes behind the message in the last beat, filled up from this one.
  logic [63:0] tag_word;
  assign tag_word = (shift_q == 3'd0) ? s_data : 64'({s_data, last_q} >> {shift_q, 3'd0});

  always_ff @(posedge clk) begin
    if (tag_in_ready) tag_full_q <= 1'b0;
    if (take) last_q <= s_data;
    unique case (state_q)
      S_HEADER: begin
        sid_q <= header.sid;
        len_q <= LEN_BITS'(header.length - 16'(INFO.tag_bytes));
        if (take) state_q <= S_NUMBER;
      end
      S_NUMBER: begin
        pn_q <= swap64(s_data);
        if (take) state_q <= S_LOOK;
      end
      S_LOOK: begin
        matched_q <= match != 2'd0;
        place_q   <= match[1];
        if (look && (match & ~check_ready) == 2'd0) state_q <= S_JUDGE;
      end
      S_JUDGE: begin
        left_q  <= len_q;
        shift_q <= len_q[2:0];
        state_q <= start ? S_COMMAND : S_DRAIN;
        if (wipe) state_q <= S_LOOK;
      end
      S_COMMAND: if (cmd_valid && cmd_ready) state_q <= S_TEXT;
      S_TEXT: begin
        if (take) begin
          left_q <= left_q - LEN_BITS'(8);
          if (final_text) state_q <= S_TAG;
        end
      end
      S_TAG: begin
        if (take) begin
          tag_q <= TAG_BITS'({tag_word, tag_q} >> 64);
          if (s_last) begin
            tag_full_q <= 1'b1;
            state_q    <= S_HEADER;
          end
        end
      end
      S_DRAIN:   if (take && s_last) state_q <= S_HEADER;
      default:   state_q <= S_HEADER;
    endcase
    if (wipe) begin
      tag_full_q <= 1'b0;
      if (state_q inside {S_COMMAND, S_TEXT, S_TAG}) state_q <= (take && s_last) ? S_HEADER : S_DRAIN;
    end
    if (rst) begin
      state_q    <= S_HEADER;
      tag_full_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  // fifo_ctxt holds exactly what the header states.
  int unsigned tag_beats;
  always_ff @(posedge clk) begin
    if (state_q != S_TAG) tag_beats <= 0;
    else if (take) tag_beats <= tag_beats + 1;
    if (!rst && !wipe && state_q == S_TAG && take)
      a_length :
      assert (s_last == (tag_beats + 1 == INFO.tag_bytes / 8))
      else $error("put_to_dec: packet and stated length differ");
  end
`endif
endmodule
