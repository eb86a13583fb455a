// SPDX-License-Identifier: Apache-2.0
// AES-OTR data path over an AES of one round: all registers that hold secrets, but those of AES (docs/cores/otr.md,
// "Structure"). A chunk of two blocks passes the collector and as many places as AES has stages; its first block waits in one
// place more for the result of its second call. Every register of a place has one source, so moving costs no logic.
// Byte order: byte i of every string in bits [8i+7:8i].
// Cycles: every order acts on the next edge.
// Security: no data-dependent control; `clear` zeroises everything.
module otr_datapath
  import otr_pkg::*, otr_round_pkg::*, gf128_pkg::*;
#(
    parameter int unsigned DATA_BITS = 64,  // beat: 32, 64 or 128
    parameter int unsigned NONCE_BITS = 96,  // 8 to 120, whole bytes
    parameter int unsigned TAG_BITS = 128,  // 32 to 128, whole bytes
    parameter int unsigned AD_SERIAL = 0,  // 0: mode P, 1: mode S
    parameter int unsigned STAGES = 1,  // 1, 2
    localparam int unsigned BEATS = 256 / DATA_BITS,
    localparam int unsigned SLOT_BITS = $clog2(BEATS)
) (
    input logic  clk,
    input logic  clear,
    input load_t load,
    input take_t take,

    input logic nonce_take,  // nonce register <= nonce
    input logic [NONCE_BITS-1:0] nonce,

    input logic                   write,
    input logic [  SLOT_BITS-1:0] write_slot,
    input logic [  DATA_BITS-1:0] write_data,
    input logic [DATA_BITS/8-1:0] write_mask,
    input logic                   two,         // the chunk in the collector has a second block
    input logic                   cached,      // TA is that of the cache

    output logic [127:0] block,  // to AES
    output logic [15:0] chain,  // one stage: bytes of a first call's result, which AES adds to the block
    input logic [1:0][127:0] result,  // of first calls; of all others

    output logic [       127:0] out_block,  // padded
    output logic [TAG_BITS-1:0] tag
);

  localparam logic [127:0] NONCE_FRAME = nonce_frame(NONCE_BITS, TAG_BITS);

  logic [NONCE_BITS-1:0] nonce_q;
  logic [BEATS-1:0][DATA_BITS-1:0] chunk_q;
  logic [BEATS-1:0][DATA_BITS/8-1:0] chunk_mask_q;
  logic [127:0] first_q, second_q, late_q;
  logic [127:0] late_source, second;  // what late_q takes; second block of the chunk whose second call comes
  logic [15:0] text_q, input_pass_q;  // bytes
  logic [127:0] input_q, made_q, sum_q, q_q, a_q, ta_q, cache_q, computed_q;
  logic [127:0] source, mask, nonce_block, ta;

  assign nonce_block = NONCE_FRAME | (128'(nonce_q) << (128 - NONCE_BITS));
  assign ta = cached ? cache_q : ta_q;
  assign tag = computed_q[TAG_BITS-1:0];

  // The mask is always wanted, and the source is zero where the input is kept.
  always_comb begin
    unique case (load.source)
      X_FIRST:  source = first_q;
      X_SECOND: source = second;
      X_SUM:    source = sum_q;
      default:  source = made_q;
    endcase
  end

  if (STAGES == 1) begin : gen_one_place
    assign late_source = first_q;
    assign second = second_q;
    assign out_block = made_q;
    assign block = input_q;
    assign chain = input_pass_q;
    assign mask = a_q ^ (gf128_double(a_q) & {128{load.mask_twice}});
    logic unused;
    assign unused = &{1'b0, load.mask_earlier, load.to_second, take.made_move};
  end else begin : gen_two_places
    logic [127:0] first2_q, second2_q, out_q, earlier_a_q;
    assign late_source = first2_q;
    assign second = second2_q;
    assign out_block = out_q;
    assign block = input_q ^ (result[0] & spread(input_pass_q));
    assign chain = '0;
    assign mask = load.mask_earlier ? earlier_a_q ^ (a_q & {128{load.mask_twice}}) : a_q ^ (gf128_double(
        a_q
    ) & {128{load.mask_twice}});
    always_ff @(posedge clk) begin
      if (load.to_second) begin
        first2_q  <= first_q;
        second2_q <= second_q;
      end
      if (load.second_wipe) second2_q <= '0;
      if (take.made_move) out_q <= made_q;
      if (load.a_double) earlier_a_q <= a_q;
      if (load.a_clear) earlier_a_q <= '0;
      if (clear) begin
        first2_q    <= '0;
        second2_q   <= '0;
        out_q       <= '0;
        earlier_a_q <= '0;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (nonce_take) nonce_q <= nonce;

    for (int unsigned i = 0; i < BEATS; i++) begin
      if (write && write_slot == SLOT_BITS'(i)) begin
        chunk_q[i] <= write_data;
        chunk_mask_q[i] <= write_mask;
      end
    end
    if (load.chunk_clear || load.to_first) begin
      chunk_q      <= '0;
      chunk_mask_q <= '0;
    end
    if (load.to_first) begin
      {second_q, first_q} <= chunk_q;
      text_q              <= two ? chunk_mask_q[BEATS-1:BEATS/2] : chunk_mask_q[BEATS/2-1:0];
    end
    if (STAGES == 1 && load.second_wipe) second_q <= '0;
    if (load.to_late) late_q <= late_source;
    if (load.late_wipe) late_q <= '0;

    if (load.input_load) begin
      input_q      <= source ^ (input_q & {128{load.input_keep}}) ^ mask;
      input_pass_q <= passed(load.input_pass, text_q);
    end
    if (take.make) begin
      made_q <= take.make_late ? (result[1] & spread(passed(take.make_pass, text_q))) ^
          late_q : (result[0] & spread(passed(take.make_pass, text_q))) ^ second;
    end
    sum_q <= sum_q ^ (made_q & {128{take.sum_made}}) ^ (second & {128{take.sum_second}});
    if (load.sum_clear) sum_q <= '0;

    if (load.a_double) a_q <= gf128_double(a_q);
    if (load.a_q) a_q <= q_q;
    if (load.a_nonce) a_q <= nonce_block;
    if (load.a_result) a_q <= AD_SERIAL == 1 ? gf128_double(result[1] ^ ta) : result[1];
    if (load.a_clear) a_q <= '0;

    if (take.q_load) q_q <= result[1];
    if (take.ta_load) ta_q <= result[1];
    if (take.ta_clear) ta_q <= '0;
    if (take.cache_load) cache_q <= ta_q;
    if (take.tag_load) computed_q <= AD_SERIAL == 1 ? result[1] : result[1] ^ ta;
    if (take.tag_clear) computed_q <= '0;

    if (clear) begin
      nonce_q      <= '0;
      chunk_q      <= '0;
      chunk_mask_q <= '0;
      first_q      <= '0;
      second_q     <= '0;
      late_q       <= '0;
      text_q       <= '0;
      input_q      <= '0;
      input_pass_q <= '0;
      made_q       <= '0;
      sum_q        <= '0;
      q_q          <= '0;
      a_q          <= '0;
      ta_q         <= '0;
      cache_q      <= '0;
      computed_q   <= '0;
    end
  end

endmodule
