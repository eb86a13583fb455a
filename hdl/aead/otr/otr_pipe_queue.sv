// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: chunks of the message, of two blocks or one, and blocks of associated data, in order, until their calls
// are made. So what decides on calls has no way back to the ports: `take` asks a register.
// Cycles: a block that is taken shows four edges later as `head`; first and second block one edge after `pop`.
// Security: lengths are public. `wipe` zeroises the blocks, where `block` is zero: hold it for twice PACKETS cycles.
module otr_pipe_queue
  import aead_pkg::chunk_t, aead_pipe_pkg::packet_t, aead_pipe_pkg::PACKETS, otr_pipe_pkg::*;
(
    input logic clk,
    input logic wipe,

    input  chunk_t         chunk,   // a block in the intake
    input  logic           is_ad,
    input  logic   [127:0] block,   // the block itself, one cycle later
    output logic           take,    // it is taken
    input  logic           refuses, // pulse: a bad chunk of no block

    output logic            head_valid,
    output queued_t         head,
    input  logic            pop,         // pulse: the next one, please
    output logic    [127:0] first,       // blocks of the chunk that was popped in the cycle before: the first of two
    output logic    [127:0] second       // the last one
);

  localparam int unsigned DEPTH = PACKETS;  // chunks: the memories are those of a word a packet
  localparam int unsigned ADDR_BITS = $clog2(DEPTH);
  // `room` does not know of what is taken in this cycle and the one before.
  localparam int unsigned MOST = DEPTH - 3;
  typedef packet_t addr_t;

  logic room_q, half_q, pair, ends;
  logic [ADDR_BITS:0] count_q;  // chunks
  // To be written: the first of two blocks; the last one, and what is known of the chunk
  logic w_first_q, w_last_q;
  queued_t w_about_q;
  addr_t w_addr_q, about_addr_q, block_addr_q;
  queued_t about, next_q;
  logic next_valid_q, there, head_moves, next_moves;
  logic [127:0] first_read, second_read;

  logic unused;
  assign unused = &{1'b0, chunk};

  assign take   = chunk.full && room_q;
  assign pair   = take && !is_ad && !chunk.last && !chunk.bad && !half_q;
  assign ends   = (take && !pair) || refuses;

  (* ram_style = "distributed", no_rw_check *)
  queued_t abouts[DEPTH];
  always_ff @(posedge clk) if (w_last_q) abouts[w_addr_q] <= w_about_q;
  assign about = abouts[about_addr_q];

  aead_pipe_bank u_first (
      .clk,
      .wipe,
      .w_en  (w_first_q),
      .w_addr(w_addr_q),
      .w_data(block),
      .r_addr(block_addr_q),
      .r_data(first_read)
  );

  aead_pipe_bank u_second (
      .clk,
      .wipe,
      .w_en  (w_last_q),
      .w_addr(w_addr_q),
      .w_data(block),
      .r_addr(block_addr_q),
      .r_data(second_read)
  );

  assign there = about_addr_q != w_addr_q;
  assign head_moves = !head_valid || pop;
  assign next_moves = !next_valid_q || head_moves;

  always_ff @(posedge clk) begin
    room_q  <= count_q <= (ADDR_BITS + 1)'(MOST);
    count_q <= count_q + (ADDR_BITS + 1)'(ends) - (ADDR_BITS + 1)'(pop);
    if (ends) half_q <= 1'b0;
    if (pair) half_q <= 1'b1;

    w_first_q <= pair;
    w_last_q <= ends;
    w_about_q <= '{
        ad: is_ad && !refuses,
        last: chunk.last,
        two: half_q,
        partial: chunk.partial,
        empty: chunk.empty,
        bad: chunk.bad || refuses,
        bytes: 5'(chunk.last_bytes)
    };
    if (w_last_q) w_addr_q <= w_addr_q + addr_t'(1);

    if (head_moves) begin
      head       <= next_q;
      head_valid <= next_valid_q;
    end
    if (next_moves) begin
      next_q       <= about;
      next_valid_q <= there;
    end
    if (next_moves && there) about_addr_q <= about_addr_q + addr_t'(1);
    if (pop) block_addr_q <= block_addr_q + addr_t'(1);
    first  <= first_read;
    second <= second_read;

    if (wipe) begin
      room_q       <= 1'b0;
      count_q      <= '0;
      half_q       <= 1'b0;
      w_first_q    <= 1'b0;
      w_last_q     <= 1'b0;
      w_about_q    <= '0;
      w_addr_q     <= '0;
      head_valid   <= 1'b0;
      head         <= '0;
      next_valid_q <= 1'b0;
      next_q       <= '0;
      about_addr_q <= '0;
      block_addr_q <= '0;
      first        <= '0;
      second       <= '0;
    end
  end

endmodule
