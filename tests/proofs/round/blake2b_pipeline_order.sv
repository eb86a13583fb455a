// SPDX-License-Identifier: Apache-2.0
// One context of blake2b_pipeline_x8, whichever it is, has calls of twelve rounds, in the stages that its turn says; each stage
// gets the message words of RFC 7693, 2.7 and 3.2, from the places of this context's block, and in front of the turn stands
// this context's mask or start value. Clears, loads and answers are free; `hold` comes only where nothing runs, starts or ends,
// and a clear lasts four cycles at least, as the ports ask. blake2b_pipeline_stages.sv has what the stages do with the words.
module blake2b_pipeline_order (
    input logic clk,
    input logic clear_wanted,
    input logic [2:0] clear_walk,
    input logic hold_wanted,
    input logic dec_chain,
    input logic dec_load,
    input logic dec_from_sum,
    input logic [1:0] dec_block,
    input logic m_write,
    input logic [7:0] m_addr,
    input logic [63:0] m_data,
    input logic [7:0] xy_write,
    input logic [7:0][3:0] xy_addr,
    input logic [1:0][63:0] xy_data,
    input logic [2:0] sum_ctx,
    input logic [2:0] sum_word,
    input logic sum_keep,
    input logic choose,
    input logic [2:0] ctx_wanted
);

  import rfc7693_pkg::ORDER;

  logic clear, hold, running, ends_soon;
  logic [2:0] ends_soon_ctx, dec_ctx;
  logic [63:0] sum_data;
  assign running = dut.ctl[1].run || dut.ctl[2].run || dut.ctl[3].run || dut.ctl[4].run || dut.ctl[5].run ||
      dut.ctl[6].run || dut.ctl[7].run || dut.ctl[8].run;
  assign hold = hold_wanted && !running && !dec_load && !dut.end6 && !dut.end7 && !dut.end8;
  blake2b_pipeline_x8 dut (.*);

  // For how many cycles `clear` was held before; there are four at least.
  logic [2:0] cleared_q;
  assign clear = clear_wanted || (cleared_q != '0 && cleared_q < 3'd4);
  always_ff @(posedge clk) cleared_q <= !clear ? '0 : cleared_q < 3'd4 ? cleared_q + 3'd1 : 3'd4;

  // The context that is followed, and in which register it is: 0 stands for 8, which is in front of the turn. A choice stands;
  // of a cycle that makes it anew nothing is asserted.
  logic [2:0] ctx_q, turn_q, at;
  always_ff @(posedge clk) begin
    if (choose) ctx_q <= ctx_wanted;
    turn_q <= clear || hold ? '0 : turn_q + 3'd1;
  end
  assign at = turn_q - ctx_q;

  // Its calls: what is decided at register 5 is how it next comes to the turn.
  logic run_q, ended_q, idle_q, from_sum_q, told_q, held_back_q;
  logic [3:0] round_q;
  logic [1:0] block_q;
  always_ff @(posedge clk) begin
    held_back_q <= hold || clear;
    if (at == 3'd5) begin
      ended_q    <= run_q && round_q == 4'd11;
      idle_q     <= !run_q;
      from_sum_q <= dec_from_sum;
      round_q    <= round_q + 4'd1;
      told_q     <= 1'b1;
      if (!run_q || round_q == 4'd11) begin
        run_q   <= run_q ? dec_chain : dec_load;
        round_q <= '0;
        block_q <= dec_block;
      end
    end
    if (clear || hold) told_q <= 1'b0;
    if (clear) {run_q, round_q} <= '0;
  end

  // Where a word of its block is: the key, its own bank or a block that all contexts share
  function automatic logic [7:0] place(input logic [3:0] p);
    logic [3:0] word;
    word = '0;
    for (int r = 0; r < 12; r++) if (round_q == 4'(r)) word = 4'(ORDER[r%10] >> (60 - 4 * 32'(p)));
    place = {5'b10000, word[2:0]};
    if (word >= 4'd8) begin
      unique case (block_q)
        2'd0: place = {2'b00, ctx_q, word[2:0]};
        2'd1: place = {2'b01, ctx_q, word[2:0]};
        2'd2: place = {5'b10001, word[2:0]};
        default: place = {5'b10010, word[2:0]};
      endcase
    end
  endfunction

  // A place of the message memories holds its own address.
  logic [15:0] raw_held, word_held;
  for (genvar p = 0; p < 16; p++) begin : g_word
    // The register at which the word's address is made
    localparam logic [2:0] ASKS = p % 2 == 0 ? (p < 8 ? 3'd6 : 3'd1) : (p < 8 ? 3'd7 : 3'd3);
    logic [63:0] word;
    if (p < 8) assign word = p % 2 == 0 ? dut.x_col[p/2] : dut.y_col[p/2];
    else assign word = p % 2 == 0 ? dut.x_dia[p/2-4] : dut.y_dia[p/2-4];
    assign raw_held[p]  = !run_q || at != 3'(ASKS + 3'd1) || dut.gen_words[p].raw == 64'(place(4'(p)));
    assign word_held[p] = !run_q || at != 3'(ASKS + 3'd2) || word == 64'(place(4'(p)));
  end

  // The memories of masks and start values hold their own addresses, too. All of these hold in the next cycle if they hold in one; behind a clear no call runs.
  logic calls_held, flags_held, ends_held, outer_held, start_held;
  logic [2:0] word_q;
  always_comb begin
    calls_held = dut.slot_q == turn_q && round_q < 4'd12 && (cleared_q == '0 || (!running && !told_q));
    for (int s = 1; s <= 8; s++) begin
      if (at == 3'(s)) begin
        calls_held &= dut.ctl[s].run == run_q;
        if (run_q) calls_held &= dut.ctl[s].round == round_q && dut.ctl[s].block == block_q;
      end
    end

    // What the stages in front of the turn are told
    flags_held = 1'b1;
    if (told_q && at == 3'd6) begin
      flags_held = dut.end6 == ended_q && dut.idle6 == idle_q && dut.xy6 == (ended_q || (idle_q && !from_sum_q));
    end
    if (told_q && at == 3'd7) begin
      flags_held = dut.end7 == ended_q && dut.fresh7 == (ended_q || idle_q);
    end
    if (told_q && at == 3'd0) flags_held = dut.end8 == ended_q;
    if (!told_q) begin
      flags_held = !(at == 3'd6 && dut.end6) && !(at == 3'd7 && dut.end7) && !(at == 3'd0 && dut.end8);
    end
    if (cleared_q != '0) begin
      flags_held = (cleared_q < 3'd2 || !dut.end6) && (cleared_q < 3'd3 || !dut.end7) &&
          (cleared_q < 3'd4 || !dut.end8);
    end

    outer_held = 1'b1;
    if (told_q && at == 3'd7) begin
      for (int w = 0; w < 8; w++) begin
        outer_held &= dut.xy_q[w] == (ended_q || (idle_q && !from_sum_q) ? 64'({idle_q, ctx_q}) : '0);
      end
    end
    // A kept sum is given to the context whose sum it is, where no call runs.
    start_held = !dut.take4 || held_back_q || ((at == 3'd4) == (dut.kept_ctx_q == ctx_q) && !(at == 3'd4 && run_q));
    ends_held  = at != 3'd3 || held_back_q || dut.ends_soon == (run_q && round_q == 4'd11);
    if (ends_soon && !held_back_q) ends_held &= ends_soon_ctx == turn_q - 3'd3;
  end

  logic calls_q, flags_q, raw_q;
  initial {calls_q, flags_q, raw_q} = '0;
  always_ff @(posedge clk) begin
    calls_q <= (calls_held || (clear && cleared_q == '0)) && !choose;
    flags_q <= (flags_held || (clear && cleared_q == '0)) && !choose;
    raw_q   <= &raw_held && !choose;
  end

  always_comb begin
    a_calls : assert (!calls_q || calls_held);
    a_flags : assert (!calls_q || !flags_q || flags_held);
    a_outer : assert (!calls_q || !flags_q || outer_held);
    a_raw : assert (!calls_q || &raw_held);
    a_word : assert (!calls_q || !raw_q || &word_held);
    a_ends : assert (!calls_q || ends_held);
    a_start : assert (!calls_q || start_held);
    a_asked : assert (!calls_q || held_back_q || dec_ctx == turn_q + 3'd4);
  end

endmodule
