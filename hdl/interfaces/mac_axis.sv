// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream around any MAC core of the port contract (docs/core-ports.md); layouts of the command, key and status words:
// docs/interfaces.md. The core sits outside, at the core_* ports.
// Byte i of every packet and string is in bits [8i+7:8i] of its beat. One command is in work at a time.
// Cycles: a block takes its beats and one more, or the core's cycles if they are more.
// Security: a tag leaves only for a computation whose packets were all legal; rst and clear wipe all registers, those of
// the core too.
module mac_axis #(
    parameter int unsigned AXIS_BITS = 64,  // tdata, status excepted: 64, or DATA_BITS if it is 192 or 320
    parameter int unsigned DATA_BITS = 320,  // beat of the core: 64, 192 or 320
    parameter int unsigned KEY_BITS = 128,  // 128
    parameter int unsigned TAG_BITS = 128,  // 128
    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1)
) (
    input logic clk,
    input logic rst,
    input logic clear,  // pulse: as rst; goes to the core too
    output logic busy,
    input logic [AXIS_BITS-1:0] s_axis_cmd_tdata,
    input logic [AXIS_BITS/8-1:0] s_axis_cmd_tkeep,
    input logic s_axis_cmd_tvalid,
    output logic s_axis_cmd_tready,
    input logic s_axis_cmd_tlast,
    input logic [AXIS_BITS-1:0] s_axis_key_tdata,
    input logic [AXIS_BITS/8-1:0] s_axis_key_tkeep,
    input logic s_axis_key_tvalid,
    output logic s_axis_key_tready,
    input logic s_axis_key_tlast,
    input logic [AXIS_BITS-1:0] s_axis_msg_tdata,
    input logic [AXIS_BITS/8-1:0] s_axis_msg_tkeep,
    input logic s_axis_msg_tvalid,
    output logic s_axis_msg_tready,
    input logic s_axis_msg_tlast,
    output logic [AXIS_BITS-1:0] m_axis_tdata,  // the tag of a computation
    output logic [AXIS_BITS/8-1:0] m_axis_tkeep,
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic m_axis_tlast,
    output logic [63:0] m_axis_status_tdata,  // one beat for each command and key
    output logic [7:0] m_axis_status_tkeep,
    output logic m_axis_status_tvalid,
    input logic m_axis_status_tready,
    output logic m_axis_status_tlast,

    // The core
    input  logic                  core_busy,
    output logic                  core_key_valid,
    input  logic                  core_key_ready,
    output logic [  KEY_BITS-1:0] core_key_data,
    output logic                  core_cmd_valid,
    input  logic                  core_cmd_ready,
    output logic                  core_cmd_verify,
    output logic                  core_msg_valid,
    input  logic                  core_msg_ready,
    output logic [ DATA_BITS-1:0] core_msg_data,
    output logic [BYTES_BITS-1:0] core_msg_bytes,
    output logic                  core_msg_last,
    output logic                  core_tag_in_valid,
    input  logic                  core_tag_in_ready,
    output logic [  TAG_BITS-1:0] core_tag_in_data,
    input  logic                  core_result_valid,
    output logic                  core_result_ready,
    input  logic                  core_result_ok,
    input  logic [  TAG_BITS-1:0] core_result_tag
);

  if (AXIS_BITS != 64 && (AXIS_BITS != DATA_BITS || (DATA_BITS != 192 && DATA_BITS != 320))) begin : g_bad_axis
    $fatal(1, "mac_axis: AXIS_BITS = %0d, allowed: 64, or DATA_BITS = %0d if that is 192 or 320", AXIS_BITS, DATA_BITS);
  end
  if (KEY_BITS != 128 || TAG_BITS != 128) begin : g_bad_sizes
    $fatal(1, "mac_axis: KEY_BITS = %0d, TAG_BITS = %0d, allowed: 128, 128", KEY_BITS, TAG_BITS);
  end

  localparam int unsigned HEAD_BYTES = 8;  // of a command, before the expected tag
  localparam int unsigned TAG_BYTES = TAG_BITS / 8;
  localparam int unsigned CMD_BITS = AXIS_BITS == 64 ? 8 * HEAD_BYTES + TAG_BITS : AXIS_BITS;
  localparam int unsigned KEY_WORD = AXIS_BITS == 64 ? KEY_BITS : AXIS_BITS;
  localparam int unsigned CMD_COUNT = $clog2(CMD_BITS / 8 + 1);
  localparam int unsigned KEY_COUNT = $clog2(KEY_WORD / 8 + 1);
  localparam int unsigned TAG_BEATS = AXIS_BITS == 64 ? 2 : 1;

  // Codes and operations are those of the AEAD adapter where they mean the same.
  localparam logic [7:0] OK = 8'd0, NOT_AUTH = 8'd1, REFUSED = 8'd2, BAD_COMMAND = 8'd3, BAD_STREAM = 8'd4;
  localparam logic [7:0] BAD_KEY = 8'd7;
  localparam logic [7:0] OP_COMPUTE = 8'd0, OP_VERIFY = 8'd1, OP_KEY = 8'd3, OP_NONE = 8'd255;

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
  logic [7:0] code, code_d, op, op_d;
  assign wipe = rst || clear;

  logic cmd_valid, cmd_ready, cmd_last, cmd_err, key_valid, key_ready, key_last, key_err;
  logic msg_valid, msg_ready, msg_last, msg_err;
  logic [ CMD_BITS-1:0] cmd_data;
  logic [ KEY_WORD-1:0] key_data;
  logic [CMD_COUNT-1:0] cmd_bytes;
  logic [KEY_COUNT-1:0] key_bytes;

  axis_gather #(
      .AXIS_BITS(AXIS_BITS),
      .WORD_BITS(CMD_BITS)
  ) u_cmd (
      .clk,
      .clear        (wipe),
      .s_axis_tdata (s_axis_cmd_tdata),
      .s_axis_tkeep (s_axis_cmd_tkeep),
      .s_axis_tvalid(s_axis_cmd_tvalid),
      .s_axis_tready(s_axis_cmd_tready),
      .s_axis_tlast (s_axis_cmd_tlast),
      .m_valid      (cmd_valid),
      .m_ready      (cmd_ready),
      .m_data       (cmd_data),
      .m_bytes      (cmd_bytes),
      .m_last       (cmd_last),
      .m_err        (cmd_err)
  );

  axis_gather #(
      .AXIS_BITS(AXIS_BITS),
      .WORD_BITS(KEY_WORD)
  ) u_key (
      .clk,
      .clear        (wipe),
      .s_axis_tdata (s_axis_key_tdata),
      .s_axis_tkeep (s_axis_key_tkeep),
      .s_axis_tvalid(s_axis_key_tvalid),
      .s_axis_tready(s_axis_key_tready),
      .s_axis_tlast (s_axis_key_tlast),
      .m_valid      (key_valid),
      .m_ready      (key_ready),
      .m_data       (key_data),
      .m_bytes      (key_bytes),
      .m_last       (key_last),
      .m_err        (key_err)
  );

  axis_gather #(
      .AXIS_BITS(AXIS_BITS),
      .WORD_BITS(DATA_BITS)
  ) u_msg (
      .clk,
      .clear        (wipe),
      .s_axis_tdata (s_axis_msg_tdata),
      .s_axis_tkeep (s_axis_msg_tkeep),
      .s_axis_tvalid(s_axis_msg_tvalid),
      .s_axis_tready(s_axis_msg_tready),
      .s_axis_tlast (s_axis_msg_tlast),
      .m_valid      (msg_valid),
      .m_ready      (msg_ready),
      .m_data       (core_msg_data),
      .m_bytes      (core_msg_bytes),
      .m_last       (msg_last),
      .m_err        (msg_err)
  );

  logic key_good, cmd_good;
  logic [7:0] wanted;
  assign wanted = cmd_bytes < CMD_COUNT'(2) || cmd_err ? OP_NONE : cmd_data[7:0];
  assign cmd_good = (wanted == OP_COMPUTE || wanted == OP_VERIFY) && cmd_last && cmd_data[63:8] == '0 &&
      cmd_bytes == CMD_COUNT'(wanted == OP_VERIFY ? HEAD_BYTES + TAG_BYTES : HEAD_BYTES);
  assign key_good = key_last && !key_err && key_bytes == KEY_COUNT'(KEY_BITS / 8);

  assign core_key_valid = state == S_KEY;
  assign core_key_data = key_data[KEY_BITS-1:0];
  assign core_cmd_valid = state == S_CMD;
  assign core_cmd_verify = op == OP_VERIFY;
  assign core_msg_valid = state == S_MSG && msg_valid && !msg_taken;  // the next message waits for its command
  assign core_msg_last = msg_last;
  assign core_tag_in_valid = state == S_MSG && op == OP_VERIFY && !tag_taken;
  assign core_tag_in_data = cmd_data[8*HEAD_BYTES+:TAG_BITS];
  assign msg_ready = (state == S_MSG && core_msg_ready && !msg_taken) || state == S_SWALLOW;
  assign busy = wipe || core_busy || state != S_IDLE || cmd_valid || key_valid || msg_valid;

  always_comb begin
    state_d = state;
    code_d = code;
    op_d = op;
    keyed_d = keyed;
    of_key_d = of_key;
    bad_d = bad;
    second_d = second;
    cmd_ready = 1'b0;
    key_ready = 1'b0;
    core_result_ready = 1'b0;

    unique case (state)
      S_IDLE: begin
        bad_d = 1'b0;
        second_d = 1'b0;
        of_key_d = key_valid;
        if (key_valid) begin
          op_d = OP_KEY;
          code_d = key_good ? OK : BAD_KEY;
          keyed_d = key_good;
          state_d = key_good ? S_KEY : S_DROP;
        end else if (cmd_valid && keyed) begin
          op_d = wanted;
          code_d = BAD_COMMAND;
          state_d = cmd_good ? S_CMD : S_DROP;
        end
      end

      S_KEY: begin
        if (core_key_ready) begin
          key_ready = 1'b1;
          state_d   = S_STATUS;
        end
      end

      S_DROP: begin
        key_ready = of_key;
        cmd_ready = !of_key;
        if (of_key ? key_valid && key_last : cmd_valid && cmd_last) begin
          state_d = of_key ? S_STATUS : S_SWALLOW;
        end
      end

      S_CMD: if (core_cmd_ready) state_d = S_MSG;

      S_MSG: begin
        if (msg_valid && msg_ready && msg_err) bad_d = 1'b1;
        if (core_result_valid) begin
          code_d = bad ? BAD_STREAM : core_result_ok ? OK : op == OP_VERIFY ? NOT_AUTH : REFUSED;
          cmd_ready = 1'b1;
          // A tag stays in the core until it has left.
          core_result_ready = op == OP_VERIFY || bad || !core_result_ok;
          state_d = S_STATUS;
        end
      end

      S_SWALLOW: if (msg_valid && msg_last) state_d = S_STATUS;

      S_STATUS: begin
        if (m_axis_status_tready) state_d = op == OP_COMPUTE && code == OK ? S_TAG : S_IDLE;
      end

      S_TAG: begin
        if (m_axis_tready) begin
          second_d = 1'b1;
          if (m_axis_tlast) begin
            core_result_ready = 1'b1;
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
    if (core_tag_in_valid && core_tag_in_ready) tag_taken <= 1'b1;
    if (core_msg_valid && core_msg_ready && msg_last) msg_taken <= 1'b1;
    if (wipe || state == S_IDLE) begin
      tag_taken <= 1'b0;
      msg_taken <= 1'b0;
    end
    if (wipe) begin
      state  <= S_IDLE;
      code   <= '0;
      op     <= '0;
      keyed  <= 1'b0;
      of_key <= 1'b0;
      bad    <= 1'b0;
      second <= 1'b0;
    end
  end

  assign m_axis_status_tvalid = state == S_STATUS;
  assign m_axis_status_tdata = state == S_STATUS ?
      {32'(op == OP_COMPUTE && code == OK ? TAG_BYTES : 0), 16'h0, op, code} : '0;
  assign m_axis_status_tkeep = '1;
  assign m_axis_status_tlast = 1'b1;

  assign m_axis_tvalid = state == S_TAG;
  assign m_axis_tlast = second || TAG_BEATS == 1;
  if (TAG_BEATS == 1) begin : g_whole
    assign m_axis_tdata = state == S_TAG ? AXIS_BITS'(core_result_tag) : '0;
    assign m_axis_tkeep = (AXIS_BITS / 8)'({TAG_BYTES{1'b1}});
  end else begin : g_halves
    assign m_axis_tdata = state != S_TAG ? '0 : second ? core_result_tag[TAG_BITS-1:64] : core_result_tag[63:0];
    assign m_axis_tkeep = '1;
  end

endmodule
