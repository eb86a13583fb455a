// SPDX-License-Identifier: Apache-2.0
// AES-OTR, a block a cycle: puts the output blocks in order and sends them, a beat each. The pipeline cannot stop, so a chunk may
// begin only when its places here are free (`room`); a slow receiver uses them up and so holds the input.
// A chunk's last beat waits until another chunk has come, the string has ended, or it was cut off (`cut`): so a refused command
// still ends with a legal last beat, and no data follow the refusal. The next message's chunks may come at any time; they wait here
// until it may go out (`start`). Where reading may go on, and what is known of the chunk that is read, stand in registers.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: one a beat; the first one shows four edges after its chunk is complete.
// Security: zero beyond the string and while nothing is valid. In opening it is not yet verified. `clear` wipes the memory in
// as many cycles as it holds blocks, in which `wiping` is high.
module otr_pipe_outlet
  import aead_pipe_pkg::*;
#(
    parameter int unsigned SLOTS = 32  // chunks it has room for, a power of two
) (
    input  logic clk,
    input  logic clear,
    output logic wiping,

    input  logic       start,         // pulse: the next message may go out, when the one before has gone
    input  logic       empty,         // pulse: it is the empty string; only while nothing of it has come
    input  logic       chunk_begins,  // pulse: one goes into the pipeline
    output logic       room,          // another may, two cycles after chunk_begins at the soonest
    input  logic       swap,          // of this last chunk, if it has two blocks, the late block goes first
    input  logic [4:0] last_bytes,    // bytes in its last block
    input  logic       cut,           // level: nothing more of the message comes

    input made_t made,

    output logic         sent,       // a whole message has gone, and the next one may not go yet
    output logic         out_valid,
    input  logic         out_ready,
    output logic [127:0] out_data,
    output logic [  4:0] out_bytes,
    output logic         out_last
);

  localparam int unsigned SLOT_BITS = $clog2(SLOTS);
  localparam int unsigned COUNT_BITS = SLOT_BITS + 1;
  // `room` does not know of the chunk that begins in the cycle before it is asked.
  localparam int unsigned MOST = SLOTS - 1;
  typedef logic [SLOT_BITS:0] count_t;  // chunks, counted on; the slot is the lower bits
  typedef struct packed {
    count_t chunk;
    logic   second;
  } place_t;
  typedef struct packed {
    logic last;
    logic single;
    logic [4:0] bytes;
  } about_t;

  count_t early_q, late_q;  // chunk to be written, early and late block
  place_t read_q;  // beat to be read,
  count_t next_chunk_q;  // and the chunk behind it
  place_t end_q;  // beats before this one may be read
  logic [COUNT_BITS-1:0] begun_q;  // chunks begun and not yet sent
  logic ended_q;  // the message's last beat was read
  logic can_q, final_q;  // a beat may be read; it is the last one that may
  logic cut_q, cut_known_q;  // `end_q` knows of it, and so does `final_q`
  // A chunk is complete since the cycle before
  logic complete, complete_q, complete_last_q;
  count_t complete_chunk_q;
  about_t abouts[SLOTS];  // chunks that are complete
  about_t head_q, next_head_q;
  place_t place, following;
  logic w_second, chunk_ends, at_last, read, chunk_goes;

  assign w_second = !made.single && (made.late != (made.last && swap));
  assign complete = made.valid && made.late;
  assign place = '{chunk: made.late ? late_q : early_q, second: w_second};

  aead_pipe_store #(
      .WIDTH(128),
      .DEPTH(2 * SLOTS)
  ) u_store (
      .clk,
      .clear,
      .wiping,
      .w_en  (made.valid && !made.spent),
      .w_addr({place.chunk[SLOT_BITS-1:0], place.second}),
      .w_data(made.block),
      .r_en  (read),
      .r_zero(out_ready || empty),
      .r_addr({read_q.chunk[SLOT_BITS-1:0], read_q.second}),
      .r_data(out_data)
  );

  assign read = can_q && (!out_valid || out_ready);
  assign chunk_ends = read_q.second || head_q.single;
  assign chunk_goes = read && chunk_ends;
  assign at_last = (head_q.last && chunk_ends) || (cut_known_q && final_q);
  assign following = chunk_ends ? '{chunk: next_chunk_q, second: 1'b0} : '{chunk: read_q.chunk, second: 1'b1};

  assign sent = ended_q && !out_valid;

  always_ff @(posedge clk) if (complete) abouts[late_q[SLOT_BITS-1:0]] <= '{made.last, made.single, last_bytes};

  always_ff @(posedge clk) begin
    if (made.valid && (!made.late || (made.single && !made.spent))) early_q <= early_q + count_t'(1);
    if (complete) late_q <= late_q + count_t'(1);
    complete_q       <= complete;
    complete_last_q  <= made.last;
    complete_chunk_q <= late_q;
    cut_q            <= cut;
    cut_known_q      <= cut_q;
    if (complete_q) begin
      end_q <= complete_last_q ? '{chunk: late_q, second: 1'b0} : '{chunk: complete_chunk_q, second: 1'b1};
    end
    if (cut) end_q <= '{chunk: late_q, second: 1'b0};

    begun_q <= begun_q + COUNT_BITS'(chunk_begins) - COUNT_BITS'(chunk_goes);
    room <= begun_q < COUNT_BITS'(MOST) || (chunk_goes && begun_q == COUNT_BITS'(MOST));

    // A message that is cut off goes out a beat every other cycle, so that `final_q` knows.
    can_q <= (read ? following != end_q : read_q != end_q) && !(ended_q && !start) && !(read && (at_last || cut_q));
    final_q <= following == end_q && !read;
    // A chunk of one block is a message's last one: then there is time for `next_head_q`.
    next_head_q <= abouts[next_chunk_q[SLOT_BITS-1:0]];
    head_q <= chunk_goes ? next_head_q : abouts[read_q.chunk[SLOT_BITS-1:0]];
    if (read) read_q <= following;
    if (chunk_goes) next_chunk_q <= next_chunk_q + count_t'(1);

    if (start) ended_q <= 1'b0;
    if (out_ready) out_valid <= 1'b0;
    if (read || empty) begin
      out_valid <= 1'b1;
      out_last  <= at_last || empty;
      out_bytes <= empty ? '0 : head_q.last && chunk_ends ? head_q.bytes : 5'd16;
      ended_q   <= at_last || empty;
    end

    // Blocks that were under way when `clear` came are dropped: the data path forgets them one cycle later.
    if (clear || wiping) begin
      early_q      <= '0;
      late_q       <= '0;
      complete_q   <= 1'b0;
      end_q        <= '0;
      read_q       <= '0;
      next_chunk_q <= count_t'(1);
      begun_q      <= '0;
      ended_q      <= 1'b0;
      can_q        <= 1'b0;
      final_q      <= 1'b0;
      cut_q        <= 1'b0;
      cut_known_q  <= 1'b0;
      out_valid    <= 1'b0;
      out_last     <= 1'b0;
      out_bytes    <= '0;
      room         <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear && !wiping) begin
      a_no_more_than_there_is_room_for : assert (begun_q <= COUNT_BITS'(SLOTS));
      a_empty_only_when_nothing_has_come : assert (!empty || (begun_q == '0 && !out_valid));
    end
  end
`endif

endmodule
