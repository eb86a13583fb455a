// SPDX-License-Identifier: Apache-2.0
// From every state each stage of blake2b_pipeline_x8 makes of the state in front of it what its part of a round of RFC 7693,
// 3.1 and 3.2, makes of v, with the message words that stand at it; in front of the turn v begins, goes on or ends as in 3.2,
// with t = 0 and f = 0. The eight parts, one behind the other, are the round for every v and all words. A stage looks at no
// state but that in front of it, so that contexts do not mix. blake2b_pipeline_order.sv has which words these are.
module blake2b_pipeline_stages (
    input logic clk,
    input logic clear,
    input logic [2:0] clear_walk,
    input logic hold,
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
    input logic [15:0][63:0] v,
    input logic [15:0][63:0] x  // message words in the order of use
);

  import rfc7693_pkg::START;


  typedef logic [15:0][63:0] state_t;

  function automatic logic [63:0] right(input logic [63:0] value, input int by);
    return 64'({value, value} >> by);
  endfunction

  // A line of G that adds is in two halves, the message word first.
  function automatic state_t mix(input state_t old, input int a, input int b, input int c, input int d,
                                 input logic [63:0] x_word, input logic [63:0] y_word);
    mix    = old;
    mix[a] = mix[a] + x_word + mix[b];
    mix[d] = right(mix[d] ^ mix[a], 32);
    mix[c] = mix[c] + mix[d];
    mix[b] = right(mix[b] ^ mix[c], 24);
    mix[a] = mix[a] + y_word + mix[b];
    mix[d] = right(mix[d] ^ mix[a], 16);
    mix[c] = mix[c] + mix[d];
    mix[b] = right(mix[b] ^ mix[c], 63);
  endfunction

  function automatic state_t round(input state_t old, input state_t words);
    round = mix(old, 0, 4, 8, 12, words[0], words[1]);
    round = mix(round, 1, 5, 9, 13, words[2], words[3]);
    round = mix(round, 2, 6, 10, 14, words[4], words[5]);
    round = mix(round, 3, 7, 11, 15, words[6], words[7]);
    round = mix(round, 0, 5, 10, 15, words[8], words[9]);
    round = mix(round, 1, 6, 11, 12, words[10], words[11]);
    round = mix(round, 2, 7, 8, 13, words[12], words[13]);
    round = mix(round, 3, 4, 9, 14, words[14], words[15]);
  endfunction

  // What the stage that writes register `stage` does of each G
  function automatic state_t part(input state_t old, input int stage, input state_t words);
    int a, b, c, d;
    part = old;
    for (int i = 0; i < 4; i++) begin
      a = i;
      b = stage > 4 ? 4 + (i + 1) % 4 : 4 + i;
      c = stage > 4 ? 8 + (i + 2) % 4 : 8 + i;
      d = stage > 4 ? 12 + (i + 3) % 4 : 12 + i;
      case (stage)
        1: part[a] = part[a] + words[2*i] + part[b];
        2, 6: begin
          if (stage == 2) part[d] = right(part[d] ^ part[a], 32);
          part[c] = part[c] + part[d];
          part[b] = right(part[b] ^ part[c], 24);
          part[a] = part[a] + words[stage==2?2*i+1 : 2*i+9];
        end
        3, 7: begin
          part[a] = part[a] + part[b];
          part[d] = right(part[d] ^ part[a], 16);
        end
        4, 8: begin
          part[c] = part[c] + part[d];
          part[b] = right(part[b] ^ part[c], 63);
          if (stage == 4) part[a] = part[a] + words[2*i+8];
        end
        default: begin
          part[a] = part[a] + part[b];
          part[d] = right(part[d] ^ part[a], 32);
        end
      endcase
    end
  endfunction

  state_t parts[9];
  assign parts[0] = v;
  for (genvar s = 1; s <= 8; s++) begin : g_part
    assign parts[s] = part(parts[s-1], s, x);
  end
  always_comb a_round : assert (parts[8] == round(v, x));

  logic ends_soon;
  logic [2:0] ends_soon_ctx, dec_ctx;
  logic [63:0] sum_data;
  blake2b_pipeline_x8 dut (.*);

  // Registers as v: from 4 to 7 a lane is a diagonal. Message words stand in the order of use.
  state_t at1, at2, at3, at4, at5, at6, at7, at8, used;
  for (genvar i = 0; i < 4; i++) begin : g_lane
    assign {at1[12+i], at1[8+i], at1[4+i], at1[i]} = {dut.d1[i], dut.c1[i], dut.b1[i], dut.a1[i]};
    assign {at2[12+i], at2[8+i], at2[4+i], at2[i]} = {dut.d2[i], dut.c2[i], dut.b2[i], dut.a2[i]};
    assign {at3[12+i], at3[8+i], at3[4+i], at3[i]} = {dut.d3[i], dut.c3[i], dut.b3[i], dut.a3[i]};
    assign {at8[12+i], at8[8+i], at8[4+i], at8[i]} = {dut.d8[i], dut.c8[i], dut.b8[i], dut.a8[i]};
    assign {at4[12+(i+3)%4], at4[8+(i+2)%4], at4[4+(i+1)%4], at4[i]} = {dut.d4[i], dut.c4[i], dut.b4[i], dut.a4[i]};
    assign {at5[12+(i+3)%4], at5[8+(i+2)%4], at5[4+(i+1)%4], at5[i]} = {dut.d5[i], dut.c5[i], dut.b5[i], dut.a5[i]};
    assign {at6[12+(i+3)%4], at6[8+(i+2)%4], at6[4+(i+1)%4], at6[i]} = {dut.d6[i], dut.c6[i], dut.b6[i], dut.a6[i]};
    assign {at7[12+(i+3)%4], at7[8+(i+2)%4], at7[4+(i+1)%4], at7[i]} = {dut.d7[i], dut.c7[i], dut.b7[i], dut.a7[i]};
    assign {used[2*i+1], used[2*i]} = {dut.y_col[i], dut.x_col[i]};
    assign {used[2*i+9], used[2*i+8]} = {dut.y_dia[i], dut.x_dia[i]};
  end

  // In front of the turn: a round goes on; a call ends with the sum of both halves of v and what comes from outside; or v
  // begins with what comes from outside. Both leave the lower half of v for a call to begin with, and its upper half is the IV.
  // Of an idle state nothing goes through the stages 6 and 7 but a sum that was kept, in halves.
  state_t done, turned, sixth, seventh, upper;
  logic idle7_q, row_whole;
  assign done = part(at7, 8, used);
  assign row_whole = dut.e7 == (dut.end7 ? dut.d7 : '0);
  always_comb begin
    turned = done;
    turned[7:0] = done[7:0] ^ dut.xy_q;
    if (dut.end7) turned[7:0] = done[7:0] ^ done[15:8] ^ dut.xy_q;
    if (dut.fresh7) turned[15:8] = START;

    sixth   = part(at5, 6, used);
    seventh = part(at6, 7, used);
    upper   = '0;
    for (int i = 0; i < 4; i++) begin
      if (!dut.ctl[5].run) begin
        sixth[i] = '0;
        sixth[4+(i+1)%4] = dut.start5[i];
      end
      if (dut.idle6) begin
        seventh[4+i] = '0;
        seventh[8+i] = '0;
        seventh[12+(i+3)%4] = dut.start6[i];
      end
      upper[12+(i+3)%4] = right(v[4+(i+1)%4], 1);
    end
    upper = part(upper, 8, x);
  end

  state_t is1, is2, is3, is4, is5, is6, is7, is8;
  logic known_q, whole_q, no_xy_q, apart_q, clean6_q, clean7_q, took4_q, took5_q, waits_q;
  logic [7:0][63:0] kept_q;
  initial {known_q, whole_q, no_xy_q, apart_q, clean6_q, clean7_q, took4_q, took5_q, waits_q} = '0;
  always_ff @(posedge clk) begin
    known_q <= 1'b1;
    idle7_q <= dut.idle6;
    whole_q <= row_whole && (dut.fresh7 || !dut.end7);
    apart_q <= !(dut.end6 && dut.idle6);
    no_xy_q <= !dut.xy6;
    // What is kept comes in only where nothing runs.
    clean6_q <= !dut.ctl[5].run || dut.start5 == '0;
    clean7_q <= dut.idle6 || dut.start6 == '0;
    took4_q <= dut.take4;
    took5_q <= dut.take5;
    waits_q <= dut.take5 && !dut.ctl[5].run;
    kept_q <= {dut.kept_high, dut.kept_low};
    is1 <= part(at8, 1, used);
    is2 <= part(at1, 2, used);
    is3 <= part(at2, 3, used);
    is4 <= part(at3, 4, used);
    is5 <= part(at4, 5, used);
    is6 <= sixth;
    is7 <= seventh;
    is8 <= turned;
  end

  always_comb begin
    a_stage1 : assert (!known_q || at1 == is1);
    a_stage2 : assert (!known_q || at2 == is2);
    a_stage3 : assert (!known_q || at3 == is3);
    a_stage4 : assert (!known_q || at4 == is4);
    a_stage5 : assert (!known_q || at5 == is5);
    a_stage6 : assert (!clean6_q || at6 == is6);
    a_stage7 : assert (!clean7_q || at7 == is7);
    a_row : assert (!known_q || row_whole);
    a_turn : assert (!whole_q || at8 == is8);
    a_sum : assert (dut.sum == at8[7:0]);
    a_fresh : assert (!known_q || dut.fresh7 == (dut.end7 || idle7_q));
    a_end_or_idle : assert (!known_q || !(dut.end6 && dut.idle6));
    a_end_or_idle_on : assert (!apart_q || !(dut.end7 && idle7_q));
    a_no_xy : assert (!no_xy_q || dut.xy_q == '0);
    a_lower : assert (!known_q || dut.start5 == (took4_q ? kept_q[3:0] : '0));
    for (int i = 0; i < 4; i++) begin
      a_upper : assert (!known_q || dut.start6[i] == (took5_q ? right(kept_q[4+(i+1)%4], 1) : '0));
    end
    a_upper_back : assert (upper[7:4] == v[7:4]);
    a_take : assert (!known_q || !dut.take5 || (took4_q && !dut.ctl[5].run));
    a_waits : assert (!waits_q || dut.idle6);
  end

endmodule
