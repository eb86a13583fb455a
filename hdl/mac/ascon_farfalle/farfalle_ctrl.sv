// SPDX-License-Identifier: Apache-2.0
// Ascon-Farfalle, control: what enters the pipeline, and what becomes of what leaves it.
// Specification: docs/cores/ascon-mac.md. A pass is six edges; blocks enter one a cycle, the passes of key and tag alone.
// Cycles: n + 17 for n padded blocks; 12 for a key.
// Security: the order depends on the length of the message only.
module farfalle_ctrl
  import farfalle_pkg::*;
(
    input  logic  clk,
    input  logic  clear,
    input  logic  key_valid,
    output logic  key_ready,
    input  logic  cmd_valid,
    output logic  cmd_ready,
    input  logic  cmd_verify,
    input  logic  msg_valid,
    output logic  msg_ready,
    input  logic  msg_last,
    input  logic  msg_full,      // the beat fills a block
    input  logic  tag_in_valid,
    output logic  tag_in_ready,
    input  logic  result_valid,
    output logic  busy,
    input  logic  flowing,       // something is between the first stage and the last
    input  logic  leaving,       // something is before the last stage
    output logic  absorb,        // the beat on msg
    output logic  alone,         // the block of padding
    output step_t step,
    output logic  verify         // the command compares
);

  typedef enum logic [2:0] {
    S_IDLE,
    S_KEY_EARLY,  // the first half of the derivation of k
    S_KEY_LATE,   // the second
    S_START,      // a command came with the key
    S_MSG,
    S_PAD,        // the block of padding enters
    S_SUM,        // the last blocks are on their way; then the sum enters for the first pass
    S_TAG         // the first pass, then the second
  } state_e;

  state_e state_q, state_d;
  logic key_ok, cmd_waits, cmd_taken, key_taken, second, second_d, empty;

  assign cmd_taken = cmd_valid && cmd_ready;
  assign key_taken = key_valid && key_ready;
  assign key_ready = state_q == S_IDLE && !result_valid && !clear;
  assign cmd_ready = state_q == S_IDLE && key_ok && !clear;
  assign msg_ready = state_q == S_MSG && !clear;
  assign tag_in_ready = state_q == S_TAG && second && leaving && verify && !result_valid && !clear;
  assign busy = state_q != S_IDLE || result_valid || clear;
  assign empty = !flowing;

  always_comb begin
    state_d  = state_q;
    second_d = second;
    absorb   = 1'b0;
    alone    = 1'b0;
    step     = '{take: leaving, default: '0};

    unique case (state_q)
      S_IDLE: begin
        second_d = 1'b0;
        if (key_taken) begin
          state_d = S_KEY_EARLY;
        end else if (cmd_taken) begin
          step.start = 1'b1;
          state_d = S_MSG;
        end
      end

      S_KEY_EARLY: begin
        step.early = 1'b1;
        step.enter = !second;  // once
        second_d   = 1'b1;
        if (leaving) begin
          second_d = 1'b0;
          state_d  = S_KEY_LATE;
        end
      end

      S_KEY_LATE: begin
        step.from_sum = 1'b1;
        step.enter = !second;
        second_d = 1'b1;
        if (leaving) begin
          second_d = 1'b0;
          step.key_done = 1'b1;
          state_d = cmd_waits ? S_START : S_IDLE;
        end
      end

      S_START: begin
        step.start = 1'b1;
        state_d = S_MSG;
      end

      S_MSG: begin
        step.add = 1'b1;
        absorb = msg_valid;
        step.enter = msg_valid;
        step.roll_mask = msg_valid;
        if (msg_valid && msg_last) state_d = msg_full ? S_PAD : S_SUM;
      end

      S_PAD: begin
        step.add = 1'b1;
        alone = 1'b1;
        step.enter = 1'b1;
        step.roll_mask = 1'b1;
        state_d = S_SUM;
      end

      S_SUM: begin
        step.add = 1'b1;
        step.from_sum = 1'b1;
        if (empty) begin
          step.enter = 1'b1;
          step.roll_mask = 1'b1;  // over the blank index
          state_d = S_TAG;
        end
      end

      S_TAG: begin
        step.from_sum = 1'b1;
        if (!second) begin
          if (empty) begin
            step.enter = 1'b1;
            second_d   = 1'b1;
          end
        end else begin
          step.take = 1'b0;  // it may have to wait
          if (leaving && !result_valid && (tag_in_valid || !verify)) begin
            step.finish = 1'b1;
            state_d = S_IDLE;
          end
        end
      end

      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    second  <= second_d;
    if (cmd_taken) verify <= cmd_verify;
    if (key_taken) begin
      key_ok <= 1'b1;
      cmd_waits <= cmd_taken;
    end
    if (clear) begin
      state_q   <= S_IDLE;
      second    <= 1'b0;
      verify    <= 1'b0;
      key_ok    <= 1'b0;
      cmd_waits <= 1'b0;
    end
  end

endmodule
