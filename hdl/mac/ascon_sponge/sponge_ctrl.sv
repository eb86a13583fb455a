// SPDX-License-Identifier: Apache-2.0
// Serial sponge MAC, control: which call of the permutation runs, and what is absorbed on the edge of its last round.
// Specification: docs/cores/ascon-mac.md. With a = CYCLES_A, b = CYCLES_B cycles a call and n padded blocks the command takes
// 2 a + (n - 1) b cycles, and another b with two squeezes.
// A call stands still in its last cycle while it waits for a block, for the tag to compare or for the result register.
// Security: the order of calls depends on the length of the message only.
module sponge_ctrl
  import sponge_pkg::*;
#(
    parameter int unsigned CYCLES_A = 12,  // of the first call and of the one after the last block
    parameter int unsigned CYCLES_B = 12,  // of the others; at most CYCLES_A
    parameter int unsigned SQUEEZES = 1,  // 1 or 2 halves of the tag, a call each
    localparam int unsigned LEFT_BITS = CYCLES_A > 1 ? $clog2(CYCLES_A) : 1
) (
    input  logic                  clk,
    input  logic                  clear,
    input  logic                  key_valid,
    output logic                  key_ready,
    input  logic                  cmd_valid,
    output logic                  cmd_ready,
    input  logic                  cmd_verify,
    input  logic                  msg_valid,
    output logic                  msg_ready,
    input  logic                  msg_last,
    input  logic                  msg_full,      // the beat fills a block
    input  logic                  tag_in_valid,
    output logic                  tag_in_ready,
    input  logic                  result_valid,
    output logic                  busy,
    output logic  [LEFT_BITS-1:0] left,          // cycles of the call after this one
    output logic                  absorb,        // the beat on msg, should it be there (else step.run is low)
    output logic                  alone,         // the block of padding
    output step_t                 step,
    output logic                  verify         // the command compares
);

  // Bit 2: a call runs. The datapath chooses by that bit alone, so no gate lies before its 130 multiplexers.
  typedef enum logic [2:0] {
    S_IDLE    = 3'b000,
    S_LOAD    = 3'b001,  // a key came with the command: its state is loaded a cycle later
    S_ABSORB  = 3'b100,  // a call, and then a beat
    S_PAD     = 3'b101,  // a call, and then the block of padding
    S_SQUEEZE = 3'b110,  // a call, and then the first half of the tag
    S_TAG     = 3'b111   // a call, and then the tag
  } state_e;

  localparam state_e S_AFTER_LAST = SQUEEZES == 2 ? S_SQUEEZE : S_TAG;

  state_e state_q, state_d;
  logic [LEFT_BITS-1:0] left_d;
  logic key_ok, cmd_taken, key_taken;
  logic last;  // cycle of a call

  assign cmd_taken = cmd_valid && cmd_ready;
  assign key_taken = key_valid && key_ready;
  assign last = CYCLES_A == 1 || left == '0;
  assign key_ready = state_q == S_IDLE && !result_valid && !clear;
  assign cmd_ready = state_q == S_IDLE && key_ok && !clear;
  assign msg_ready = state_q == S_ABSORB && last && !clear;
  assign tag_in_ready = state_q == S_TAG && last && verify && !result_valid && !clear;
  assign busy = state_q != S_IDLE || result_valid || clear;

  always_comb begin
    state_d = state_q;
    left_d  = left - 1'b1;
    absorb = 1'b0;
    alone = 1'b0;
    step    = '{fresh: !state_q[2], default: '0};

    unique case (state_q)
      S_IDLE: begin
        left_d = LEFT_BITS'(CYCLES_A - 1);
        if (cmd_taken) begin
          step.load = !key_taken;
          state_d   = key_taken ? S_LOAD : S_ABSORB;
        end
      end

      S_LOAD: begin
        left_d = LEFT_BITS'(CYCLES_A - 1);
        step.load = 1'b1;
        state_d = S_ABSORB;
      end

      S_ABSORB: begin
        step.run = !last || msg_valid;
        if (last) begin
          absorb = 1'b1;
          step.domain = msg_last && !msg_full;
          left_d = step.domain ? LEFT_BITS'(CYCLES_A - 1) : LEFT_BITS'(CYCLES_B - 1);
          if (msg_valid && msg_last) state_d = msg_full ? S_PAD : S_AFTER_LAST;
        end
      end

      S_PAD: begin
        step.run = 1'b1;
        if (last) begin
          alone = 1'b1;
          step.domain = 1'b1;
          left_d = LEFT_BITS'(CYCLES_A - 1);
          state_d = S_AFTER_LAST;
        end
      end

      S_SQUEEZE: begin
        step.run = 1'b1;
        if (last) begin
          step.squeeze = 1'b1;
          left_d = LEFT_BITS'(CYCLES_B - 1);
          state_d = S_TAG;
        end
      end

      S_TAG: begin
        step.run = !last;
        if (last && !result_valid && (tag_in_valid || !verify)) begin
          step.run = 1'b1;
          step.finish = 1'b1;
          state_d = S_IDLE;
        end
      end

      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    if (step.run || step.load) left <= left_d;
    if (cmd_taken) verify <= cmd_verify;
    if (key_taken) key_ok <= 1'b1;
    if (clear) begin
      state_q <= S_IDLE;
      left    <= '0;
      verify  <= 1'b0;
      key_ok  <= 1'b0;
    end
  end

endmodule
