// SPDX-License-Identifier: Apache-2.0
// OCB, a block a cycle: the offset of every call (RFC 7253, section 4.2; docs/cores/ocb.md). Blocks with odd numbers take L_0;
// the others L_i from a table of all multiples of L_*, which is made once a key. As odd and even numbers alternate, a look-up has
// two cycles, and is made ahead of the block that needs it.
// Offset_0 is the stretched Ktop, shifted by six bits of the nonce in three steps.
// Byte order: byte i of every block in bits [8i+7:8i].
// Cycles: `offset` two edges after its order. The first order with `even` comes three cycles or more after `prime`. The table is
// filled one multiple a cycle from the second edge after `star_load` on, always before its look-up: block 2^i is the first to
// need L_i.
// Security: no data-dependent control but on the nonce, which is public; `clear` zeroises everything but the table, `table_clear`
// that, in 64 cycles, in which `table_wiping` is high. Hold `clear` as long.
module ocb_pipe_offsets
  import ocb_pipe_pkg::*, gf128_pkg::*;
(
    input  logic clk,
    input  logic clear,
    input  logic table_clear,  // pulse
    output logic table_wiping,

    input logic         star_load,  // L_* <= `made`, and the table is made anew
    input logic         top_load,   // Ktop <= `made`
    input logic [127:0] made,
    input logic [  5:0] bottom,     // of the nonce

    input  logic          rests,  // offset <= 0
    input  logic          prime,  // pulse: a string begins
    input  call_t         call,
    output logic  [127:0] offset
);

  localparam int unsigned INDEX_BITS = 48;  // RFC 7253, section 5.1: a key serves 2^48 blocks

  // ---- the table: word i holds L_(i+1) ----

  logic [127:0] star_q, multiple_q, even_multiple;
  logic [5:0] fill_address_q, number_q;
  logic star_new_q, fill_q, look_up;
  logic [127:0] l_dollar, l_zero;

  assign l_dollar = gf128_double(star_q);
  assign l_zero   = gf128_double(l_dollar);

  always_ff @(posedge clk) begin
    star_new_q <= star_load;
    if (star_load) star_q <= made;
    if (star_new_q) begin
      multiple_q     <= gf128_double(l_zero);
      fill_address_q <= '0;
      fill_q         <= 1'b1;
    end else if (fill_q) begin
      multiple_q     <= gf128_double(multiple_q);
      fill_address_q <= fill_address_q + 6'd1;
      if (fill_address_q == '1) begin
        multiple_q <= '0;
        fill_q     <= 1'b0;
      end
    end
    if (clear) begin
      star_q         <= '0;
      multiple_q     <= '0;
      fill_address_q <= '0;
      star_new_q     <= 1'b0;
      fill_q         <= 1'b0;
    end
  end

  aead_pipe_store #(
      .WIDTH(128),
      .DEPTH(64)
  ) u_table (
      .clk,
      .clear (table_clear),
      .wiping(table_wiping),
      .w_en  (fill_q),
      .w_addr(fill_address_q),
      .w_data(multiple_q),
      .r_en  (look_up),
      .r_zero(1'b0),
      .r_addr(number_q),
      .r_data(even_multiple)
  );

  // ---- which multiple comes next: zeros below the lowest one of half the block's number ----

  logic [INDEX_BITS-2:0] half_q, lowest_q;  // half an even number; the lowest one of the half before it
  logic prime_q;
  assign look_up = call.even || prime_q;

  function automatic logic [5:0] place(input logic [INDEX_BITS-2:0] one_hot);
    place = '0;
    for (int unsigned i = 0; i < INDEX_BITS - 1; i++) place |= 6'(i) & {6{one_hot[i]}};
  endfunction

  always_ff @(posedge clk) begin
    prime_q <= prime;
    if (look_up) begin
      number_q <= place(lowest_q);
      lowest_q <= half_q & (~half_q + 1'b1);
      half_q   <= half_q + 1'b1;
    end
    if (prime) begin
      number_q <= '0;  // of block 2, L_1
      lowest_q <= (INDEX_BITS - 1)'(2);  // of block 4
      half_q   <= (INDEX_BITS - 1)'(3);  // block 6
    end
    if (clear) begin
      prime_q  <= 1'b0;
      number_q <= '0;
      lowest_q <= '0;
      half_q   <= '0;
    end
  end

  // ---- Offset_0 ----

  logic [127:0] top;
  logic [191:0] stretch;
  logic [142:0] coarse_q;  // shifted by a multiple of 16; the rest comes into its upper bits
  logic [130:0] fine_q;  // and by one of 4
  logic [127:0] start_q;  // and to its place
  assign top = bytes128_reverse(made);
  assign stretch = {top, top[127:64] ^ top[119:56]};

  always_ff @(posedge clk) begin
    if (top_load) begin
      unique case (bottom[5:4])
        2'd0: coarse_q <= stretch[191-:143];
        2'd1: coarse_q <= stretch[175-:143];
        2'd2: coarse_q <= stretch[159-:143];
        default: coarse_q <= stretch[143-:143];
      endcase
    end
    unique case (bottom[3:2])
      2'd0: fine_q <= coarse_q[142-:131];
      2'd1: fine_q <= coarse_q[138-:131];
      2'd2: fine_q <= coarse_q[134-:131];
      default: fine_q <= coarse_q[130-:131];
    endcase
    unique case (bottom[1:0])
      2'd0: start_q <= bytes128_reverse(fine_q[130-:128]);
      2'd1: start_q <= bytes128_reverse(fine_q[129-:128]);
      2'd2: start_q <= bytes128_reverse(fine_q[128-:128]);
      default: start_q <= bytes128_reverse(fine_q[127-:128]);
    endcase
    if (clear) begin
      coarse_q <= '0;
      fine_q   <= '0;
      start_q  <= '0;
    end
  end

  // ---- offset ----

  logic [127:0] term_q;
  logic restart_q;

  always_ff @(posedge clk) begin
    term_q <= (l_zero & {128{call.odd}}) | (even_multiple & {128{call.even}}) | (star_q & {128{call.star}}) |
        (l_dollar & {128{call.dollar}});
    restart_q <= call.restart;
    offset <= (restart_q ? start_q : offset) ^ term_q;
    if (rests) offset <= '0;
    if (clear) begin
      term_q    <= '0;
      restart_q <= 1'b0;
      offset    <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, call, stretch[0]};

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_filled_before_use : assert (!(look_up && fill_q) || number_q < fill_address_q);
    end
  end
`endif

endmodule
