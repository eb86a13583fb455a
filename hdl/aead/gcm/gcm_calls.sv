// SPDX-License-Identifier: Apache-2.0
// AES-GCM: the calls of AES, which depend on counters alone and so run ahead of the message. While `run`, the blocks E(J0),
// E(J0 + 1) and so on come in order, each until it is popped; with `hash_key` there is one alone, E(0).
// With two stages calls go in turns of two.
// Cycles: a block every 10, as far as they are taken.
// Security: constant time; `clear` zeroises everything. No counter is used twice while `run` holds: the owner counts blocks.
module gcm_calls #(
    parameter int unsigned STAGES = 1  // of a round: 1, or 2 with two blocks in flight
) (
    input logic clk,
    input logic clear,

    input  logic         key_new,   // pulse: take `key`; only while idle
    input  logic [127:0] key,
    input  logic         run,       // level; rises only while idle
    input  logic         hash_key,  // level, beside it
    input  logic [ 95:0] nonce,     // held while `run`
    output logic         idle,      // no call is under way
    output logic         valid,     // a block stands
    output logic [127:0] stream,
    input  logic         pop        // pulse: it is used up
);

  localparam logic [4:0] SPAN = 5'(10 * STAGES);  // cycles from a start to the next
  // Blocks not used up when others start: those have two places, and the results of the others one each.
  localparam logic [2:0] MOST = 3'd2;

  logic [127:0] input_q;
  logic [31:0] counter_q;  // of the block after the one at the input
  logic ready_q;  // a block stands at the input
  logic key_ready, go, go1_q, start, lane, single_q;
  logic [4:0] phase_q;
  logic [2:0] blocks_q;  // started and not used up
  logic [1:0] flying, done, result_valid_q, valid_q, results_valid;
  logic [1:0][127:0] result, place_q;
  logic move, enter;

  function automatic logic [127:0] counter_block(input logic [95:0] n, input logic [31:0] number);
    return {number[7:0], number[15:8], number[23:16], number[31:24], n};
  endfunction

  if (STAGES == 2) begin : gen_halves
    aes_encrypt_p2 u_aes (
        .clk,
        .clear,
        .key_new,
        .key,
        .key_ready,
        .tick (go),
        .start,
        .lane,
        .block(input_q),
        .flying,
        .done,
        .result
    );
    assign start = go || go1_q;
    assign lane  = go1_q;
  end else begin : gen_whole
    logic unused;
    assign unused = &{1'b0, go1_q};
    aes_encrypt_r1 u_aes (
        .clk,
        .clear,
        .key_new,
        .key,
        .key_ready,
        .start,
        .lane,
        .block(input_q),
        .flying,
        .done,
        .result,
        .chain('0)
    );
    assign start = go;
    assign lane  = 1'b0;
  end

  // With two stages a start is decided on a cycle ahead, for it reaches the registers of a whole round.
  if (STAGES == 2) begin : gen_due
    logic due_q;
    always_ff @(posedge clk) begin
      due_q <= ready_q && key_ready && (phase_q == SPAN - 5'd1 || (phase_q == '0 && !due_q)) && blocks_q <= MOST;
      if (!run || clear) due_q <= 1'b0;
    end
  end else begin : gen_due
    // verilog_lint: waive-start parameter-name-style (it stands for a signal)
    localparam bit due_q = 1'b0;
    // verilog_lint: waive-stop parameter-name-style
  end

  assign go = STAGES == 2 ? run && gen_due.due_q :
      run && ready_q && key_ready && (phase_q == '0 || phase_q == SPAN) && blocks_q <= MOST;
  assign idle = flying == '0 && !go1_q;
  assign results_valid = result_valid_q | done;
  assign move = valid_q[0] && (!valid_q[1] || pop);
  assign enter = results_valid != '0 && (!valid_q[0] || move);
  assign valid = valid_q[1];
  assign stream = place_q[1];

  always_ff @(posedge clk) begin
    go1_q <= STAGES == 2 && go && !hash_key;
    if (go) phase_q <= 5'd1;
    else if (phase_q == SPAN) phase_q <= '0;
    else if (phase_q != '0) phase_q <= phase_q + 5'd1;

    // Input
    if (!run) begin
      input_q   <= '0;
      counter_q <= 32'd1;
      ready_q   <= 1'b0;
      single_q  <= 1'b0;
    end else if (start || !ready_q) begin
      ready_q <= !(start && hash_key) && !single_q;
      if (start) single_q <= hash_key;
      if (!hash_key) begin
        input_q   <= counter_block(nonce, counter_q);
        counter_q <= counter_q + 32'd1;
      end
    end

    // Results: those of lane 0 first
    result_valid_q <= results_valid;
    if (enter) begin
      place_q[0] <= results_valid[0] ? result[0] : result[1];
      result_valid_q <= results_valid[0] ? {results_valid[1], 1'b0} : 2'b00;
    end
    if (move) place_q[1] <= place_q[0];
    valid_q[0] <= enter || (valid_q[0] && !move);
    valid_q[1] <= move || (valid_q[1] && !pop);
    blocks_q   <= blocks_q + 3'(start) - 3'(pop);

    if (!run || clear) begin
      result_valid_q <= '0;
      valid_q        <= '0;
      blocks_q       <= '0;
      place_q        <= '0;
    end
    if (clear) begin
      go1_q     <= 1'b0;
      phase_q   <= '0;
      input_q   <= '0;
      counter_q <= '0;
      ready_q   <= 1'b0;
      single_q  <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  logic run_q;
  always_ff @(posedge clk) begin
    run_q <= run;
    if (!clear) begin
      a_start_what_is_there : assert (!go || (ready_q && key_ready && blocks_q <= MOST));
      a_run_from_idle : assert (run_q || !run || idle);
      a_pop_what_is_there : assert (!pop || valid);
      a_results_have_places : assert ((done & result_valid_q) == '0);
    end
  end
`endif

endmodule
