// SPDX-License-Identifier: Apache-2.0
// BLAKE2b compression function F'(chain, key || msg) with t = 0 and f = 0, half a round a cycle (RFC 7693, 3.2).
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: 24 after the edge that takes `start`; then `ready` is high, `digest` is valid and the next `start`
// may be taken on the next edge: 25 a call.
// Small: four Gs serve columns and diagonals by fixed wires alone. Lane i works on column i, then on diagonal -i mod 4; with
// the diagonals in this order the way from columns to diagonals is also the way back, so the state needs no multiplexers.
// The eight message words of a half round come through two layers of 4:1 multiplexers (24 in place of 8 of 16:1, or 40):
// inside each of four groups of words, then across the groups. GROUP is such that no two words of a half round collide.
// The words are chosen one half round ahead. The key half of the block is never copied: it is read where it lies.
// Security: constant time; `clear` zeroises everything. `digest` is meaningless while `ready` is low.
module blake2b_compress_h (
    input  logic         clk,
    input  logic         clear,  // zeroise, drop the call in flight
    input  logic [511:0] key,    // first half of the block, held by the user
    input  logic         start,  // pulse: take chain and msg; only while ready
    input  logic [511:0] chain,  // chaining value
    input  logic [511:0] msg,    // second half of the block
    output logic         ready,  // idle: start may come, digest is valid
    output logic [511:0] digest  // result of the last call
);

  import blake2b_pkg::*;

  localparam int unsigned HALVES = 2 * PERMUTATIONS;  // half rounds until the order of the words repeats
  localparam logic [4:0] LAST_HALF = 5'(2 * ROUNDS - 1);

  // Message words by group, and the output of its group from which each slot (word x or y of a lane: 2 lane, 2 lane + 1)
  // takes its word. Found by search; gen_collision checks it.
  localparam int unsigned GROUP[4][4] = '{'{0, 3, 5, 13}, '{1, 2, 10, 14}, '{4, 6, 9, 11}, '{7, 8, 12, 15}};
  localparam int unsigned OUTPUT[8] = '{0, 1, 0, 1, 2, 2, 3, 3};

  // Word that a slot takes in a half round
  function automatic int unsigned word_of(input int unsigned half, input int unsigned slot);
    int unsigned diagonal;
    diagonal = (4 - slot / 2) % 4;
    return half % 2 == 0 ? SIGMA[half/2][slot] : SIGMA[half/2][8+2*diagonal+slot%2];
  endfunction

  function automatic int unsigned group_of(input int unsigned word);
    group_of = 0;
    for (int unsigned u = 0; u < 4; u++) begin
      for (int unsigned i = 0; i < 4; i++) if (GROUP[u][i] == word) group_of = u;
    end
  endfunction

  function automatic int unsigned place_of(input int unsigned word);
    place_of = 0;
    for (int unsigned u = 0; u < 4; u++) begin
      for (int unsigned i = 0; i < 4; i++) if (GROUP[u][i] == word) place_of = i;
    end
  endfunction

  // Selections of both layers for all half rounds: place in a group for each of its outputs, and group for a slot
  typedef logic [HALVES-1:0][3:0][3:0][1:0] inner_t;
  typedef logic [HALVES-1:0][7:0][1:0] outer_t;

  function automatic inner_t inner_table();
    inner_table = '0;
    for (int unsigned h = 0; h < HALVES; h++) begin
      for (int unsigned s = 0; s < 8; s++) begin
        inner_table[h][group_of(word_of(h, s))][OUTPUT[s]] = 2'(place_of(word_of(h, s)));
      end
    end
  endfunction

  function automatic outer_t outer_table();
    for (int unsigned h = 0; h < HALVES; h++) begin
      for (int unsigned s = 0; s < 8; s++) outer_table[h][s] = 2'(group_of(word_of(h, s)));
    end
  endfunction

  localparam inner_t INNER = inner_table();
  localparam outer_t OUTER = outer_table();

  // Every slot must find its own word with these selections.
  function automatic logic collides();
    collides = 1'b0;
    for (int unsigned h = 0; h < HALVES; h++) begin
      for (int unsigned s = 0; s < 8; s++) begin
        if (GROUP[OUTER[h][s]][INNER[h][OUTER[h][s]][OUTPUT[s]]] != word_of(h, s)) collides = 1'b1;
      end
    end
  endfunction

  if (collides()) begin : gen_collision
    $fatal(1, "blake2b_compress_h: two words of a half round need the same multiplexer");
  end

  logic run_q;
  logic [4:0] half_q;
  logic [4:0] choice_q;  // half round whose words are chosen: the next one; 0 while idle
  state_t v_q;
  logic [7:0][63:0] x_q;  // message words of this half round
  logic [7:0][63:0] msg_q, chain_q;

  // Message words of the next half round
  state_t block;
  logic [3:0][3:0][63:0] words;  // by group
  logic [3:0][3:0][63:0] inner;
  logic [7:0][63:0] chosen;
  assign block = {msg_q, key};
  always_comb begin
    for (int unsigned u = 0; u < 4; u++) begin
      for (int unsigned i = 0; i < 4; i++) words[u][i] = block[GROUP[u][i]];
      for (int unsigned o = 0; o < 4; o++) begin
        inner[u][o] = words[u][INNER[choice_q][u][o]];
      end
    end
    for (int unsigned s = 0; s < 8; s++) chosen[s] = inner[OUTER[choice_q][s]][OUTPUT[s]];
  end

  // Half a round, and the wires to the next
  state_t v_next;
  logic [3:0][3:0][63:0] lane;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      lane[i] = g({v_q[12+i], v_q[8+i], v_q[4+i], v_q[i]}, x_q[2*i], x_q[2*i+1]);
    end
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned row = 0; row < 4; row++) v_next[4*row+i] = lane[(row+4-i)%4][row];
    end
  end

  always_ff @(posedge clk) begin
    x_q <= chosen;
    if (start) begin
      run_q    <= 1'b1;
      half_q   <= '0;
      choice_q <= 5'd1;
      v_q      <= {IV, chain};
      msg_q    <= msg;
    end else if (run_q) begin
      run_q  <= half_q != LAST_HALF;
      half_q <= half_q + 5'd1;
      v_q    <= v_next;
      if (choice_q == 5'(HALVES - 1) || half_q == LAST_HALF - 5'd1) choice_q <= '0;
      else if (half_q != LAST_HALF) choice_q <= choice_q + 5'd1;
      if (half_q == '0) chain_q <= v_q[7:0];
    end
    if (clear) begin
      run_q    <= 1'b0;
      half_q   <= '0;
      choice_q <= '0;
      v_q      <= '0;
      x_q      <= '0;
      msg_q    <= '0;
      chain_q  <= '0;
    end
  end

  assign ready  = !run_q;
  assign digest = chain_q ^ v_q[7:0] ^ v_q[15:8];

endmodule
