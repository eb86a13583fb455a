// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: everything between two compression calls of a context, one 64-bit word a cycle, in passes of eight
// cycles. A pass reads the last digest, Delta, L, the input and the AD sum of its context and writes the end mask and
// start value of the next call, its message words, Delta, the sum, and output (docs/cores/omd-x8.md, "Engine").
// Byte order: byte i of a word in bits [8i+7:8i]. Words go in an order that brings those first in opening that the
// next call uses first; L* goes 7 to 0, the order of doubling.
// Cycles: with the first word read in cycle e, message words are written in e + 2, Delta, sum and output in e + 3, start
// value in e + 4, end mask in e + 5; the next pass may begin in e + 8. Table of L: 400 cycles after L*.
// Security: constant time; the tag is compared to its end; while `clear` is held the memories go to zero, and with them, since
// no pass runs, the registers behind them.
module omd_x_engine
  import omd_x_pkg::*;
#(
    parameter int unsigned NONCE_BITS = 256,
    parameter int unsigned TAG_BITS = 256,
    parameter int unsigned CONTEXTS = 8,  // 2, 4, 8
    // The pipeline is that of SHA-2, which does its feed-forward itself, so that the end mask is Delta alone; starts from its
    // sum at once or from a start value; and takes words 0 to 3 and 4 to 7 by turns
    parameter bit SHA2 = 1'b0,
    localparam int unsigned CTX_BITS = $clog2(CONTEXTS)
) (
    input logic       clk,
    input logic       clear,
    input logic [8:0] clear_walk,

    input logic  start,  // the pass begins with the next cycle
    input pass_t pass,

    input logic [  CONTEXTS-1:0] nonce_write,
    input logic [NONCE_BITS-1:0] nonce,
    input logic [  CONTEXTS-1:0] tag_write,
    input logic [  TAG_BITS-1:0] tag_in,

    input logic        ad_write,
    input logic [ 9:0] ad_addr,    // {context, block, word}
    input logic [63:0] ad_data,
    input logic        msg_write,
    input logic [ 8:0] msg_addr,
    input logic [63:0] msg_data,
    input logic [ 3:0] msg_bytes,

    input logic        key_write,  // words of the key and of <tau>
    input logic [ 3:0] key_addr,
    input logic [63:0] key_data,

    omd_x_pipeline_if pipe,

    output logic                ev_sum,        // a call that starts from the sum may start
    output logic [CTX_BITS-1:0] ev_sum_ctx,
    output logic                ev_value,      // a call that starts from a start value may start
    output logic [CTX_BITS-1:0] ev_value_ctx,
    output logic                table_done,    // pulse: the table of L is complete

    output logic        block_write,
    output logic [ 2:0] block_word,
    output logic        block_end,    // the pass has written all of its words
    output logic [ 3:0] block_count,
    output logic [71:0] block_beat,   // {context, last, bytes, data}

    output logic                result_set,
    output logic [CTX_BITS-1:0] done_ctx,
    output logic                done_open,
    output logic                done_load_ad,
    output logic                done_bad,
    output logic                result_equal,  // the tag is the expected one
    output logic [TAG_BITS-1:0] tag
);

  localparam int unsigned BLOCK_BITS = 512;

  // Registers of its own, so that no net reaches everywhere
  logic clear_q, clear2_q;
  logic [8:0] walk_q;
  always_ff @(posedge clk) begin
    clear_q  <= clear;
    clear2_q <= clear_q;
    walk_q   <= clear_walk;
  end

  // Where the pass is
  pass_t p0, p1, p2, p3;
  logic [2:0] ctx4, ctx5;
  logic tag4, open4, load_ad4, bad4, tag5, open5, load_ad5, bad5;
  logic [2:0] k0, w0, w1, w2, w3, w4, w5;
  logic on0, on1, on2, on3, on4, on5;
  logic end0, end1, end2, end3, end4, end5;

  function automatic logic [2:0] word_of(input pass_e kind, input logic [2:0] k);
    return kind == P_LSTAR ? ~k : SHA2 ? {k[0], k[2:1]} : {k[1:0], k[2]};
  endfunction

  assign end0 = on0 && k0 == 3'd7;

  always_ff @(posedge clk) begin
    k0 <= k0 + 3'd1;
    w0 <= word_of(p0.kind, k0 + 3'd1);
    if (end0) on0 <= 1'b0;
    if (start) begin
      p0  <= pass;
      k0  <= '0;
      w0  <= word_of(pass.kind, '0);
      on0 <= 1'b1;
    end
    {p1, w1, on1, end1} <= {p0, w0, on0, end0};
    {p2, w2, on2, end2} <= {p1, w1, on1, end1};
    {p3, w3, on3, end3} <= {p2, w2, on2, end2};
    {w4, on4, end4}     <= {w3, on3, end3};
    ctx4                <= p3.ctx;
    tag4                <= p3.kind == P_TAG;
    open4               <= p3.open;
    load_ad4            <= p3.load_ad;
    bad4                <= p3.bad;
    {w5, on5, end5}     <= {w4, on4, end4};
    ctx5                <= ctx4;
    tag5                <= tag4;
    open5               <= open4;
    load_ad5            <= load_ad4;
    bad5                <= bad4;
    if (clear_q) begin
      k0 <= '0;
      w0 <= '0;
      p0 <= '0;
      {p0.delta_zero, p0.sum_zero} <= '1;  // or the memories would be written with what is read from them
      {on0, on1, on2, on3, on4, on5} <= '0;
      {end1, end2, end3, end4, end5} <= '0;
    end
  end

  // Fields of the last stage that nothing reads
  logic unused_pass;
  assign unused_pass   = &{1'b0, p3};

  assign pipe.sum_ctx  = p0.ctx;
  assign pipe.sum_word = w0;
  assign pipe.sum_keep = on2 && p2.from_sum && w2 == 3'd0;
  assign ev_sum        = !SHA2 && pipe.sum_keep;
  assign ev_sum_ctx    = CTX_BITS'(p2.ctx);
  assign ev_value      = end3 && !(p3.from_sum && !SHA2) && p3.kind != P_TAG && p3.kind != P_LSTAR;
  assign ev_value_ctx  = CTX_BITS'(p3.ctx);

  // ---- memories: read in the first cycle ------------------------------------------------------------------------------

  (* ram_style = "block", no_rw_check *) logic [63:0] left_mem[512], right_mem[512];
  (* ram_style = "block", no_rw_check *)logic [71:0] load_mem[512];
  (* ram_style = "block", no_rw_check *)logic [67:0] out_mem [512];
  (* ram_style = "block", no_rw_check *) logic [63:0] delta_mem[64], digests_mem[128], l_mem[512];

  function automatic logic [7:0] first_of(input logic [3:0] count);
    for (int unsigned i = 0; i < 8; i++) first_of[i] = 4'(i) < count;
  endfunction

  logic left_write, right_write;
  logic [8:0] half_addr;
  assign left_write  = clear_q || (ad_write && !ad_addr[3]);
  assign right_write = clear_q || (ad_write && ad_addr[3]);
  assign half_addr   = clear_q ? walk_q : {ad_addr[9:4], ad_addr[2:0]};
  logic msg_mem_write;
  logic [8:0] msg_mem_addr;
  assign msg_mem_write = clear_q || msg_write;
  assign msg_mem_addr  = clear_q ? walk_q : msg_addr;

  logic [63:0] left1, right1, delta1, digests1, l1;
  logic [71:0] load1;  // which bytes there are, data
  logic [67:0] out1;  // how many, data
  logic digests_write, l_write;
  logic [6:0] digests_addr;
  logic [5:0] delta_addr;
  logic [8:0] l_addr;
  logic [63:0] l_data, dn3, sn3;

  always_ff @(posedge clk) begin
    if (left_write) left_mem[half_addr] <= ad_data;
    left1 <= left_mem[{p0.ctx, p0.ad_block, w0}];
  end
  always_ff @(posedge clk) begin
    if (right_write) right_mem[half_addr] <= ad_data;
    right1 <= right_mem[{p0.ctx, p0.ad_block, w0}];
  end
  always_ff @(posedge clk) begin
    if (msg_mem_write) load_mem[msg_mem_addr] <= {first_of(msg_bytes), msg_data};
    load1 <= load_mem[{p0.ctx, p0.load_block, w0}];
  end
  always_ff @(posedge clk) begin
    if (msg_mem_write) out_mem[msg_mem_addr] <= {msg_bytes, msg_data};
    out1 <= out_mem[{p0.ctx, p0.msg_block, w0}];
  end
  assign delta_addr = clear_q ? walk_q[5:0] : {p3.ctx, w3};
  always_ff @(posedge clk) begin
    if (clear_q || on3) delta_mem[delta_addr] <= dn3;
    delta1 <= delta_mem[{p0.ctx, w0}];
  end
  always_ff @(posedge clk) begin
    if (clear_q || digests_write) digests_mem[digests_addr] <= sn3;
    digests1 <= digests_mem[{p0.sum_cache, p0.sum_cache?3'd0 : p0.ctx, w0}];
  end
  always_ff @(posedge clk) begin
    if (clear_q || l_write) l_mem[l_addr] <= l_data;
    l1 <= l_mem[{p0.l_number, w0}];
  end

  // Nonce and expected tag of each context, whole in one row, since every context may get them in any cycle. Words whose turn it is not
  // are reset as they are read, so that the word is the OR of all.
  localparam int unsigned NONCE_WORDS = (NONCE_BITS + 63) / 64;
  localparam int unsigned TAG_WORDS = (TAG_BITS + 63) / 64;
  logic [NONCE_BITS-1:0] nonce_q;
  logic [  TAG_BITS-1:0] tag_in_q;
  logic [NONCE_WORDS-1:0][63:0] nonce_words, nonce_words1;
  logic [TAG_WORDS-1:0][63:0] tag_words, tag_words1;
  assign nonce_words = (64 * NONCE_WORDS)'(nonce_q);
  assign tag_words   = (64 * TAG_WORDS)'(tag_in_q);
  logic nonce_write_q, tag_write_q;
  logic [2:0] nonce_ctx_q, tag_ctx_q;
  always_ff @(posedge clk) begin
    nonce_q       <= nonce;
    tag_in_q      <= tag_in;
    nonce_write_q <= |nonce_write;
    tag_write_q   <= |tag_write;
    nonce_ctx_q   <= '0;
    tag_ctx_q     <= '0;
    for (int unsigned c = 0; c < CONTEXTS; c++) begin
      if (nonce_write[c]) nonce_ctx_q <= 3'(c);
      if (tag_write[c]) tag_ctx_q <= 3'(c);
    end
    if (clear2_q) begin
      nonce_q       <= '0;
      tag_in_q      <= '0;
      nonce_write_q <= 1'b1;
      tag_write_q   <= 1'b1;
      nonce_ctx_q   <= walk_q[2:0];
      tag_ctx_q     <= walk_q[2:0];
    end
  end
  for (genvar w = 0; w < NONCE_WORDS; w++) begin : gen_nonce
    (* ram_style = "block", no_rw_check *) logic [63:0] mem[8];
    always_ff @(posedge clk) begin
      if (nonce_write_q) mem[nonce_ctx_q] <= nonce_words[w];
      if (p0.kind != P_NONCE || w0 != 3'(w)) nonce_words1[w] <= '0;
      else nonce_words1[w] <= mem[p0.ctx];
    end
  end
  for (genvar w = 0; w < TAG_WORDS; w++) begin : gen_tag
    (* ram_style = "block", no_rw_check *) logic [63:0] mem[8];
    always_ff @(posedge clk) begin
      if (tag_write_q) mem[tag_ctx_q] <= tag_words[w];
      if (w0 != 3'(w)) tag_words1[w] <= '0;
      else tag_words1[w] <= mem[p0.ctx];
    end
  end

  // ---- second cycle: choose, pad --------------------------------------------------------------------------------------

  logic [7:0][63:0] tag_masks;
  assign tag_masks = BLOCK_BITS'({TAG_BITS{1'b1}});

  logic [63:0] nonce_word1, tag_word1;
  always_comb begin
    nonce_word1 = '0;
    tag_word1   = '0;
    for (int unsigned w = 0; w < NONCE_WORDS; w++) nonce_word1 |= nonce_words1[w];
    for (int unsigned w = 0; w < TAG_WORDS; w++) tag_word1 |= tag_words1[w];
  end

  function automatic logic [63:0] spread(input logic [7:0] bytes);
    for (int unsigned i = 0; i < 8; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  // Which words there are, and where the padding is: known before the memories answer.
  logic is_ad0, load_in0, left_in0, right_in0, left_pad0, right_pad0, load_pad0;
  logic use_left1, use_right1, use_load1, out_in1, load_plain1, pad_left1, pad_nonce1;
  logic [63:0] extra1;  // padding, or a word of the key
  logic key_write1;
  logic [3:0] key_addr1;
  assign is_ad0 = p0.kind == P_AD;
  logic [7:0] load_in, out_in, ad_in;
  assign load_in    = first_of(p0.load_words);
  assign out_in     = first_of(p0.out_words);
  assign ad_in      = first_of({1'b0, p0.ad_words[2:0]});
  assign load_in0   = load_in[w0];
  assign left_in0   = p0.ad_words[4:3] != '0 || ad_in[w0];
  assign right_in0  = p0.ad_words[4] || (p0.ad_words[3] && ad_in[w0]);
  assign left_pad0  = p0.ad_pad && p0.ad_words == {2'b00, w0};
  assign right_pad0 = p0.ad_pad && p0.ad_words == {2'b01, w0};
  assign load_pad0  = p0.load_pad && p0.load_words == {1'b0, w0};
  always_ff @(posedge clk) begin
    use_left1   <= is_ad0 && left_in0;
    use_right1  <= is_ad0 && right_in0;
    use_load1   <= !is_ad0 && load_in0;
    out_in1     <= out_in[w0];
    load_plain1 <= p0.kind == P_MSG && p0.open && load_in0;
    pad_left1   <= is_ad0 && left_pad0;
    pad_nonce1  <= p0.kind == P_NONCE && w0 == 3'(NONCE_BITS / 64);
    extra1      <= key_write ? key_data : {56'd0, is_ad0 ? right_pad0 : load_pad0, 7'd0};
    key_write1  <= key_write;
    key_addr1   <= key_addr;
  end

  // Words to load and to output, AD sum, Delta, L, start value, expected tag. A block RAM takes half a cycle to answer: one
  // gate behind it.
  logic [63:0] a2, b2, s2, d2, l2, left2, nonce2, t2;
  logic [7:0] load_mask2;
  logic [3:0] out_bytes2;
  logic out_in2;
  logic load1_there, m_write2;
  logic [7:0] m_addr2;
  always_comb begin
    unique case (p1.kind)
      P_AD: load1_there = 1'b1;
      P_TAU, P_MSG: load1_there = p1.load_words != '0;
      default: load1_there = 1'b0;
    endcase
  end
  always_ff @(posedge clk) begin
    a2 <= ({64{use_right1}} & right1) | ({64{use_load1}} & load1[63:0]) | extra1;
    load_mask2 <= {8{load_plain1}} & load1[71:64];
    b2 <= out1[63:0];
    out_in2 <= out_in1;
    out_bytes2 <= out1[67:64];
    s2 <= p1.sum_zero ? '0 : digests1;
    d2 <= p1.delta_zero ? '0 : delta1;
    l2 <= p1.l_use ? l1 : '0;
    left2 <= {64{use_left1}} & left1;
    nonce2 <= nonce_word1 | {56'd0, pad_left1, 7'd0} | (64'(pad_nonce1) << (NONCE_BITS % 64 + 7));
    t2 <= tag_word1;
    // The decision is made here: the way to the memories of message words is long.
    m_write2 <= clear_q || key_write1 || (on1 && load1_there);
    m_addr2 <= clear_q ? walk_q[7:0] : key_write1 ? {4'b1000, key_addr1} : {1'b0, p1.bank, p1.ctx, w1};
  end

  // ---- third cycle: combine -------------------------------------------------------------------------------------------

  logic [7:0] out_mask2;
  assign out_mask2 = out_in2 ? first_of(out_bytes2) : '0;
  assign pipe.m_write = m_write2;
  assign pipe.m_addr = m_addr2;
  assign pipe.m_data = a2 ^ ((pipe.sum_data ^ d2) & spread(load_mask2));

  logic use_sum2, acc2, tau2;
  assign tau2     = p2.kind == P_TAU;
  assign use_sum2 = tau2 || p2.kind == P_MSG;
  assign acc2     = p2.digest_acc;

  logic [63:0] q3, o3, t3, h3;
  logic [3:0] out_bytes3;
  always_ff @(posedge clk) begin
    q3  <= use_sum2 ? pipe.sum_data : left2 | nonce2;
    o3  <= (b2 ^ pipe.sum_data ^ d2) & spread(out_mask2);
    dn3 <= d2 ^ l2 ^ (pipe.sum_data & {64{tau2}});
    sn3 <= s2 ^ (pipe.sum_data & {64{acc2}});
    h3  <= pipe.sum_data;
    if (!(on2 && p2.kind == P_LSTAR)) h3 <= '0;
    t3 <= t2;
    out_bytes3 <= out_in2 ? out_bytes2 : '0;
  end

  // ---- fourth cycle: write --------------------------------------------------------------------------------------------

  assign digests_write = on3 && (p3.kind == P_AD || p3.kind == P_NONCE || (p3.kind == P_TAG && p3.load_ad && !p3.bad));
  assign digests_addr = clear_q ? walk_q[6:0] : {p3.kind == P_TAG, p3.kind == P_TAG ? 3'd0 : p3.ctx, w3};

  assign block_write = on3 && ({1'b0, w3} < p3.out_words || (p3.out_empty && w3 == '0));
  assign block_word = w3;
  assign block_end = end3;
  assign block_count = p3.out_empty ? 4'd1 : p3.out_words;
  assign block_beat = {p3.ctx, p3.out_empty || (p3.out_last && {1'b0, w3} + 4'd1 == p3.out_words), out_bytes3, o3};

  // ---- start value and end mask ---------------------------------------------------------------------------------------

  logic [63:0] x4, y4, x5, diff4;
  always_ff @(posedge clk) begin
    x4    <= SHA2 ? dn3 & {64{!p3.last && p3.kind != P_AD}} : q3 ^ (dn3 & {64{!p3.last}});
    y4    <= q3 ^ (dn3 & {64{p3.kind == P_AD}});
    x5    <= x4;
    diff4 <= (sn3 ^ t3) & tag_masks[w3];
  end
  always_comb begin
    for (int unsigned w = 0; w < 8; w++) begin
      pipe.xy_write[w] = clear_q || (on4 && w4 == 3'(w)) || (on5 && w5 == 3'(w));
      pipe.xy_addr[w]  = clear_q ? walk_q[3:0] : (on4 && w4 == 3'(w)) ? {1'b1, ctx4} : {1'b0, ctx5};
    end
    for (int unsigned b = 0; b < 2; b++) pipe.xy_data[b] = (on4 && (SHA2 ? w4[2] : w4[1]) == 1'(b)) ? y4 : x5;
  end

  // ---- tag ------------------------------------------------------------------------------------------------------------

  logic [7:0][63:0] tag_q;
  logic differs_q;
  logic unused_tag;
  assign tag = TAG_BITS'(tag_q);
  assign unused_tag = &{1'b0, tag_q};
  always_ff @(posedge clk) begin
    differs_q <= (differs_q && !(w4 == 3'd0)) || diff4 != '0;
    for (int unsigned w = 0; w < 8; w++) begin
      if (on3 && p3.kind == P_TAG && w3 == 3'(w)) tag_q[w] <= sn3 & tag_masks[w];
      // Only a good seal shows its tag.
      if (on3 && p3.kind == P_TAG && !(p3.seal && !p3.bad)) tag_q[w] <= '0;
    end
    if (clear_q) tag_q <= '0;
  end
  assign result_set   = end5 && tag5;
  assign done_ctx     = CTX_BITS'(ctx5);
  assign done_open    = open5;
  assign done_load_ad = load_ad5;
  assign done_bad     = bad5;
  assign result_equal = !differs_q;

  // ---- table of L: each word of the last entry goes round in `ring`, doubled; at rest it is 0, and so is h3 -----------

  logic [7:0][63:0] ring_q;
  logic [5:0] number_q;
  logic [2:0] step_q;
  logic doubling_q, thrice_q, carry_q, lstar3;  // thrice_q: this one becomes 3 L*
  logic [63:0] twice, pushed;
  assign lstar3 = on3 && p3.kind == P_LSTAR;
  always_comb begin
    logic [63:0] n;
    for (int unsigned i = 0; i < 8; i++) n[8*i+:8] = ring_q[7][8*(7-i)+:8];
    n = {n[62:0], step_q != '0 && carry_q};
    if (doubling_q && step_q == '0 && ring_q[0][7]) n ^= 64'h125;
    for (int unsigned i = 0; i < 8; i++) twice[8*i+:8] = n[8*(7-i)+:8];
  end
  assign pushed = h3 ^ (thrice_q ? ring_q[7] : twice);
  always_ff @(posedge clk) begin
    l_write    <= lstar3 || doubling_q;
    l_addr     <= lstar3 ? {STAR_1, w3} : {number_q, ~step_q};
    l_data     <= h3 ^ twice ^ (ring_q[7] & {64{thrice_q}});
    table_done <= doubling_q && number_q == L_MAX && step_q == 3'd7;
    ring_q     <= {ring_q[6:0], pushed};
    if (!lstar3 && !doubling_q) ring_q <= '0;
    carry_q <= ring_q[7][7];
    if (lstar3 && end3) begin
      doubling_q <= 1'b1;
      thrice_q   <= 1'b1;
      number_q   <= STAR_3;
      step_q     <= '0;
    end else if (doubling_q) begin
      step_q <= step_q + 3'd1;
      if (step_q == 3'd7) begin
        thrice_q <= 1'b0;
        number_q <= thrice_q ? STAR_2 : number_q + 6'd1;
        if (number_q == L_MAX) doubling_q <= 1'b0;
      end
    end
    if (clear_q) begin
      l_write    <= 1'b0;
      l_addr     <= walk_q;
      l_data     <= '0;
      table_done <= 1'b0;
      thrice_q   <= 1'b0;
      number_q   <= '0;
      step_q     <= '0;
      doubling_q <= 1'b0;
      carry_q    <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_passes_do_not_overlap : assert (!start || !on0 || end0);
    end
  end
`endif

endmodule
