// SPDX-License-Identifier: Apache-2.0
// AES-OTR data path: all registers that hold secrets, but those of AES (docs/cores/otr.md, "Structure").
// A chunk of two blocks passes three places: the collector's, stage A while its first call runs, stage B while its second
// call runs. Every register of a place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge.
// Security: no data-dependent control; `clear` zeroises everything.
module otr_datapath
  import otr_pkg::*, gf128_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64 or 128
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned AD_SERIAL = 0,  // 0: mode P, 1: mode S
    localparam int unsigned BEATS = 256 / DATA_BITS,
    localparam int unsigned SLOT_BITS = $clog2(BEATS)
) (
    input logic      clk,
    input logic      clear,
    input datapath_t ctl,

    input logic nonce_take,  // nonce register <= nonce
    input logic [NONCE_BITS-1:0] nonce,

    input logic                   write,
    input logic [  SLOT_BITS-1:0] write_slot,
    input logic [  DATA_BITS-1:0] write_data,
    input logic [DATA_BITS/8-1:0] write_mask,
    input logic                   two,         // the chunk in the collector has a second block

    output logic [127:0] block,  // to AES
    input logic [1:0][127:0] result,

    output logic [       127:0] early_block,  // first made of a chunk's output blocks; padded
    output logic [       127:0] late_block,
    output logic [TAG_BITS-1:0] tag
);

  // Formatted nonce: tag length in the first seven bits, a one just before the nonce at the end
  localparam logic [127:0] NONCE_FRAME = (128'(TAG_BITS % 128) << 1) | (128'd1 << (8 * (15 - NONCE_BITS / 8)));

  function automatic logic [127:0] spread(input logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction

  function automatic logic [15:0] passed(input pass_e pass, input logic [15:0] text);
    unique case (pass)
      PASS_ALL: return '1;
      PASS_TEXT: return text;
      PASS_BEYOND: return ~text;
      default: return '0;
    endcase
  endfunction

  logic [NONCE_BITS-1:0] nonce_q;
  logic [BEATS-1:0][DATA_BITS-1:0] chunk_q;
  logic [BEATS-1:0][DATA_BITS/8-1:0] chunk_mask_q;
  logic [127:0] a_first_q, a_second_q, b_first_q, b_early_q, early_q, late_q;
  logic [15:0] text_q, a_pass_q, a_sum_pass_q, b_pass_q;  // bytes
  logic [127:0] input_q, lane1_q, sum_q, q_q, l_q, mask0_q, mask1_ahead_q, ta_q, cache_q, computed_q;

  logic [127:0] source, early, first, second, nonce_block;
  logic [15:0] text;
  assign {second, first} = chunk_q;
  assign text = two ? chunk_mask_q[BEATS-1:BEATS/2] : chunk_mask_q[BEATS/2-1:0];

  assign nonce_block = NONCE_FRAME | (128'(nonce_q) << (128 - NONCE_BITS));

  // One level of logic for the choice, one for the mask: many long wires meet here.
  always_comb begin
    unique case (ctl.source)
      X_FIRST: source = first;
      X_LATE:  source = late_q;
      X_SUM:   source = sum_q;
      default: source = lane1_q;
    endcase
  end

  // Lane 1 takes up result 0 on its way in, lane 0 does not.
  logic [127:0] taken;
  assign taken = result[0] & spread(a_pass_q);
  assign early = a_second_q ^ taken;

  logic [15:0] input_pass_q;
  assign block = input_q ^ (result[0] & spread(input_pass_q));

  assign early_block = early_q;
  assign late_block = late_q;
  assign tag = computed_q[TAG_BITS-1:0];

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;

    for (int unsigned i = 0; i < BEATS; i++) begin
      if (write && write_slot == SLOT_BITS'(i)) begin
        chunk_q[i] <= write_data;
        chunk_mask_q[i] <= write_mask;
      end
    end
    if (ctl.to_a) begin
      chunk_q      <= '0;
      chunk_mask_q <= '0;
      a_first_q    <= first;
      a_second_q   <= second;
      text_q       <= text;
      a_pass_q     <= passed(ctl.a_pass, text);
      a_sum_pass_q <= passed(ctl.a_sum_pass, text);
    end else if (ctl.a_pass_set) begin
      a_pass_q     <= passed(ctl.a_pass, text_q);
      a_sum_pass_q <= passed(ctl.a_sum_pass, text_q);
    end
    if (ctl.to_b) begin
      b_first_q <= a_first_q;
      b_early_q <= early;
      b_pass_q  <= ctl.b_mask ? text_q : '1;
      if (ctl.b_wipe) b_first_q <= '0;
    end
    if (ctl.late_load) late_q <= (result[1] & spread(b_pass_q)) ^ b_first_q;
    if (ctl.early_load) early_q <= b_early_q;

    if (ctl.input_load) begin
      input_q      <= source ^ (mask0_q & {128{ctl.input_lane0}});
      input_pass_q <= a_pass_q & {16{!ctl.input_lane0}};
    end
    sum_q <= (sum_q & {128{ctl.sum_keep}}) ^ (first & {128{ctl.sum_first}}) ^ (a_second_q & {128{ctl.sum_second}}) ^
        (late_q & {128{ctl.sum_late}}) ^ (result[0] & spread(
        a_sum_pass_q & {16{ctl.sum_result}}
    ));

    if (ctl.q_load) q_q <= result[0];
    if (ctl.mask_nonce) l_q <= AD_SERIAL == 1 ? gf128_double(result[0] ^ ta_q) : result[0];
    else if (ctl.mask_q) l_q <= q_q;
    else if (ctl.mask_double) l_q <= gf128_double(l_q);
    if (ctl.mask0_load) begin
      mask0_q <= (mask0_q & {128{ctl.mask0_keep}}) ^ (l_q & {128{ctl.mask0_add}}) ^
          (nonce_block & {128{ctl.mask0_nonce}});
    end
    if (ctl.mask1_load) mask1_ahead_q <= (mask0_q & {128{!ctl.mask1_alone}}) ^ (l_q & {128{ctl.mask1_add}});
    if (ctl.to_a) lane1_q <= second ^ mask1_ahead_q;

    if (ctl.ta_restore) ta_q <= cache_q;
    else if (ctl.ta_load) ta_q <= result[0];
    if (ctl.ta_clear) ta_q <= '0;
    if (ctl.cache_load) cache_q <= ta_q;
    if (ctl.tag_load) computed_q <= AD_SERIAL == 1 ? result[0] : result[0] ^ ta_q;
    if (ctl.tag_clear) computed_q <= '0;

    if (clear) begin
      nonce_q       <= '0;
      chunk_q       <= '0;
      chunk_mask_q  <= '0;
      a_first_q     <= '0;
      a_second_q    <= '0;
      b_first_q     <= '0;
      b_early_q     <= '0;
      early_q       <= '0;
      late_q        <= '0;
      text_q        <= '0;
      a_pass_q      <= '0;
      a_sum_pass_q  <= '0;
      b_pass_q      <= '0;
      input_q       <= '0;
      lane1_q       <= '0;
      input_pass_q  <= '0;
      sum_q         <= '0;
      q_q           <= '0;
      l_q           <= '0;
      mask0_q       <= '0;
      mask1_ahead_q <= '0;
      ta_q          <= '0;
      cache_q       <= '0;
      computed_q    <= '0;
    end
  end

endmodule
