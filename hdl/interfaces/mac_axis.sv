// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream around any MAC core of the port contract (docs/core-ports.md); layouts of the command, key and status words:
// docs/interfaces.md; codes and operations equal those of the AEAD adapter where both have them. The core sits outside, at `core`.
// Byte i of every packet and string is in bits [8i+7:8i] of its beat. One command is in work at a time.
// Cycles: a block takes its beats and one more, or the core's cycles if they are more.
// Security: a tag leaves only for a computation whose packets were all legal; rst and clear wipe all registers, those of
// the core too.
module mac_axis
  import aead_adapter_pkg::*;
(
    input logic clk,
    input logic rst,
    input logic clear,  // pulse: as rst; goes to the core too
    output logic busy,
    axis_if.sink s_axis_cmd,  // all of one width, status excepted: 64, or the core's if key and tag fit
    axis_if.sink s_axis_key,
    axis_if.sink s_axis_msg,
    axis_if.source m_axis,  // the tag of a computation
    axis_if.source m_axis_status,  // 64 bits: one beat for each command and key
    mac_if.user core  // beat of 64, 192, 256 or 320 bits; tag of 128, key of 128 or of two shares with 128 each
);

  localparam int unsigned AXIS_BITS = m_axis.DATA_BITS;
  localparam int unsigned DATA_BITS = core.DATA_BITS;
  localparam int unsigned KEY_BITS = core.KEY_BITS;
  localparam int unsigned TAG_BITS = core.TAG_BITS;

  if (AXIS_BITS != 64 && (AXIS_BITS != DATA_BITS || DATA_BITS < 192 || DATA_BITS < KEY_BITS)) begin : g_bad_axis
    $fatal(
        1,
        "mac_axis: AXIS_BITS = %0d, allowed: 64, or DATA_BITS = %0d if that is 192 or more and KEY_BITS = %0d fit",
        AXIS_BITS,
        DATA_BITS,
        KEY_BITS
    );
  end
  if ((KEY_BITS != 128 && KEY_BITS != 256) || TAG_BITS != 128) begin : g_bad_sizes
    $fatal(1, "mac_axis: KEY_BITS = %0d, TAG_BITS = %0d, allowed: 128 or 256, 128", KEY_BITS, TAG_BITS);
  end

  localparam int unsigned HEAD_BYTES = 8;  // of a command, before the expected tag
  localparam int unsigned TAG_BYTES = TAG_BITS / 8;
  localparam int unsigned CMD_BITS = AXIS_BITS == 64 ? 8 * HEAD_BYTES + TAG_BITS : AXIS_BITS;
  localparam int unsigned KEY_WORD = AXIS_BITS == 64 ? KEY_BITS : AXIS_BITS;
  localparam int unsigned CMD_COUNT = $clog2(CMD_BITS / 8 + 1);
  localparam int unsigned KEY_COUNT = $clog2(KEY_WORD / 8 + 1);
  localparam int unsigned TAG_BEATS = AXIS_BITS == 64 ? 2 : 1;

  localparam logic [7:0] OP_COMPUTE = OP_SEAL, OP_VERIFY = OP_OPEN;  // numbered as what they are most like

  typedef enum logic [2:0] {
    S_IDLE,
    S_KEY,      // to the core
    S_CMD,      // to the core
    S_MSG,      // the message, and then the result
    S_DROP,     // the rest of a packet of key or command that is too long
    S_SWALLOW,  // the message of a command that is refused: every command has one, so none is taken for another's
    S_STATUS,
    S_TAG
  } state_e;

  state_e state, state_d;
  logic wipe, keyed, keyed_d, of_key, of_key_d, bad, bad_d, second, second_d;
  logic tag_taken;  // the expected one, by the core
  logic msg_taken;  // the whole message, by the core
  logic [7:0] op, op_d;
  code_e code, code_d;
  assign wipe = rst || clear;

  string_if #(.DATA_BITS(CMD_BITS)) cmd ();
  string_if #(.DATA_BITS(KEY_WORD)) key ();
  string_if #(.DATA_BITS(DATA_BITS)) msg ();

  axis_gather u_cmd (
      .clk,
      .clear (wipe),
      .s_axis(s_axis_cmd),
      .m     (cmd)
  );

  axis_gather u_key (
      .clk,
      .clear (wipe),
      .s_axis(s_axis_key),
      .m     (key)
  );

  axis_gather u_msg (
      .clk,
      .clear (wipe),
      .s_axis(s_axis_msg),
      .m     (msg)
  );

  logic key_good, cmd_good;
  logic [7:0] wanted;
  assign wanted = cmd.bytes < CMD_COUNT'(2) || cmd.code != OK ? OP_NONE : cmd.data[7:0];
  assign cmd_good = (wanted == OP_COMPUTE || wanted == OP_VERIFY) && cmd.last && cmd.data[63:8] == '0 &&
      cmd.bytes == CMD_COUNT'(wanted == OP_VERIFY ? HEAD_BYTES + TAG_BYTES : HEAD_BYTES);
  assign key_good = key.last && key.code == OK && key.bytes == KEY_COUNT'(KEY_BITS / 8);

  assign core.key = '{valid: state == S_KEY, data: key.data[KEY_BITS-1:0]};
  assign core.cmd = '{valid: state == S_CMD, verify: op == OP_VERIFY};
  assign core.msg = '{
          valid: state == S_MSG && msg.valid && !msg_taken,  // the next message waits for its command
          data: msg.data,
          bytes: msg.bytes,
          last: msg.last
      };
  assign core.tag_in = '{
          valid: state == S_MSG && op == OP_VERIFY && !tag_taken,
          data: cmd.data[8*HEAD_BYTES+:TAG_BITS]
      };
  assign msg.ready = (state == S_MSG && core.msg_ready && !msg_taken) || state == S_SWALLOW;
  assign busy = wipe || core.busy || state != S_IDLE || cmd.valid || key.valid || msg.valid;

  always_comb begin
    state_d = state;
    code_d = code;
    op_d = op;
    keyed_d = keyed;
    of_key_d = of_key;
    bad_d = bad;
    second_d = second;
    cmd.ready = 1'b0;
    key.ready = 1'b0;
    core.result_ready = 1'b0;

    unique case (state)
      S_IDLE: begin
        bad_d = 1'b0;
        second_d = 1'b0;
        of_key_d = key.valid;
        if (key.valid) begin
          op_d = OP_KEY;
          code_d = key_good ? OK : BAD_KEY;
          keyed_d = key_good;
          state_d = key_good ? S_KEY : S_DROP;
        end else if (cmd.valid && keyed) begin
          op_d = wanted;
          code_d = BAD_COMMAND;
          state_d = cmd_good ? S_CMD : S_DROP;
        end
      end

      S_KEY: begin
        if (core.key_ready) begin
          key.ready = 1'b1;
          state_d   = S_STATUS;
        end
      end

      S_DROP: begin
        key.ready = of_key;
        cmd.ready = !of_key;
        if (of_key ? key.valid && key.last : cmd.valid && cmd.last) begin
          state_d = of_key ? S_STATUS : S_SWALLOW;
        end
      end

      S_CMD: if (core.cmd_ready) state_d = S_MSG;

      S_MSG: begin
        if (msg.valid && msg.ready && msg.code != OK) bad_d = 1'b1;
        if (core.result.valid) begin
          code_d = bad ? BAD_STREAM : core.result.ok ? OK : op == OP_VERIFY ? NOT_AUTH : CORE_REFUSE;
          cmd.ready = 1'b1;
          // A tag stays in the core until it has left.
          core.result_ready = op == OP_VERIFY || bad || !core.result.ok;
          state_d = S_STATUS;
        end
      end

      S_SWALLOW: if (msg.valid && msg.last) state_d = S_STATUS;

      S_STATUS: begin
        if (m_axis_status.tready) state_d = op == OP_COMPUTE && code == OK ? S_TAG : S_IDLE;
      end

      S_TAG: begin
        if (m_axis.tready) begin
          second_d = 1'b1;
          if (m_axis.tlast) begin
            core.result_ready = 1'b1;
            state_d = S_IDLE;
          end
        end
      end

      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk) begin
    state  <= state_d;
    code   <= code_d;
    op     <= op_d;
    keyed  <= keyed_d;
    of_key <= of_key_d;
    bad    <= bad_d;
    second <= second_d;
    if (core.tag_in.valid && core.tag_in_ready) tag_taken <= 1'b1;
    if (core.msg.valid && core.msg_ready && msg.last) msg_taken <= 1'b1;
    if (wipe || state == S_IDLE) begin
      tag_taken <= 1'b0;
      msg_taken <= 1'b0;
    end
    if (wipe) begin
      state  <= S_IDLE;
      code   <= OK;
      op     <= '0;
      keyed  <= 1'b0;
      of_key <= 1'b0;
      bad    <= 1'b0;
      second <= 1'b0;
    end
  end

  assign m_axis_status.tvalid = state == S_STATUS;
  assign m_axis_status.tdata = state == S_STATUS ?
      {32'(op == OP_COMPUTE && code == OK ? TAG_BYTES : 0), 16'h0, op, 4'h0, code} : '0;
  assign m_axis_status.tkeep = '1;
  assign m_axis_status.tlast = 1'b1;

  assign m_axis.tvalid = state == S_TAG;
  assign m_axis.tlast = second || TAG_BEATS == 1;
  if (TAG_BEATS == 1) begin : g_whole
    assign m_axis.tdata = state == S_TAG ? AXIS_BITS'(core.result.tag) : '0;
    assign m_axis.tkeep = (AXIS_BITS / 8)'({TAG_BYTES{1'b1}});
  end else begin : g_halves
    assign m_axis.tdata = state != S_TAG ? '0 : second ? core.result.tag[TAG_BITS-1:64] : core.result.tag[63:0];
    assign m_axis.tkeep = '1;
  end

endmodule
