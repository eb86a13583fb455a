// SPDX-License-Identifier: Apache-2.0
// Interleaved OMD: memory of 512 output beats. A pass writes the words of a block in its own order, then gives them free.
// Cycles: one beat a cycle; the first shows three edges after the pass has ended.
// Security: what it holds in opening is not yet verified; while `clear` is held all of it goes to zero.
module omd_x_outlet (
    input logic       clk,
    input logic       clear,
    input logic [8:0] clear_walk,

    input  logic        write,
    input  logic [ 2:0] write_word,
    input  logic [71:0] write_beat,
    input  logic        write_end,
    input  logic [ 3:0] write_count,
    output logic        room,         // for two blocks of each context

    output logic        valid,
    input  logic        ready,
    output logic [71:0] beat
);

  (* ram_style = "block", no_rw_check *) logic [71:0] mem[512];
  logic [8:0] put_q, get_q, used;
  logic [8:0] mem_addr;
  logic [71:0] raw, next_q;
  logic reading_q, read, next_valid_q, pop;

  assign mem_addr = clear ? clear_walk : put_q + 9'(write_word);
  assign used     = put_q - get_q;
  assign pop      = valid && ready;
  // At most two beats are on their way or wait.
  assign read     = put_q != get_q && 2'(reading_q) + 2'(valid) + 2'(next_valid_q) < (pop ? 2'd3 : 2'd2);

  always_ff @(posedge clk) begin
    if (clear || write) mem[mem_addr] <= clear ? '0 : write_beat;
    raw <= mem[get_q];
  end

  always_ff @(posedge clk) begin
    room      <= used < 9'd384;
    reading_q <= read;
    if (read) get_q <= get_q + 9'd1;
    if (write_end) put_q <= put_q + 9'(write_count);

    if (pop || !valid) begin
      if (next_valid_q) begin
        beat         <= next_q;
        valid        <= 1'b1;
        next_valid_q <= reading_q;
        next_q       <= raw;
      end else begin
        beat  <= raw;
        valid <= reading_q;
      end
    end else if (reading_q) begin
      next_q       <= raw;
      next_valid_q <= 1'b1;
    end
    if (clear) begin
      {put_q, get_q, reading_q, valid, next_valid_q, room} <= '0;
      {beat, next_q} <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear) begin
      a_queue_has_room : assert (!write || used < 9'd500);
    end
  end
`endif

endmodule
