// SPDX-License-Identifier: Apache-2.0
// Modes that take a block a cycle: puts the output blocks in order and sends them, a beat each. The pipeline cannot stop, so a
// chunk may begin only when its places here are free (`room`); a slow receiver uses them up and so holds the input.
// With PAIRS a chunk has two blocks, an early and a late one, which completes it. Without, each block is a chunk, late and single.
// A chunk's last beat waits until another chunk has come, the string has ended, or it was cut off (`cut`): so a refused command
// still ends with a legal last beat, and no data follow the refusal. The next message's chunks may come at any time; they wait here
// until it may go out (`start`).
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: one a beat.
// Security: zero beyond the string and while nothing is valid. In opening it is not yet verified. `clear` wipes the memory in
// as many cycles as it holds blocks, in which `wiping` is high.
module aead_pipe_outlet
  import aead_pipe_pkg::*;
#(
    parameter bit PAIRS = 1'b1,  // chunks of two blocks, or of one
    parameter int unsigned SLOTS = 32  // chunks it has room for, a power of two
) (
    input  logic clk,
    input  logic clear,
    output logic wiping,

    input  logic       start,         // pulse: the next message may go out, when the one before has gone
    input  logic       empty,         // pulse: it is the empty string; only while idle
    input  logic       chunk_begins,  // pulse: one goes into the pipeline
    output logic       room,          // another may, with PAIRS two cycles after chunk_begins at the soonest
    input  logic       swap,          // of this last chunk, if it has two blocks, the late block goes first
    input  logic [4:0] last_bytes,    // bytes in its last block
    input  logic       cut,           // level: nothing more of the message comes

    input made_t made,

    output logic         idle,       // what was begun has gone
    output logic         sent,       // a whole message has gone, and the next one may not go yet
    output logic         out_valid,
    input  logic         out_ready,
    output logic [127:0] out_data,
    output logic [  4:0] out_bytes,
    output logic         out_last
);

  localparam int unsigned SLOT_BITS = $clog2(SLOTS);
  localparam int unsigned COUNT_BITS = SLOT_BITS + 1;
  // `room` does not know of a chunk that begins in the cycle before.
  localparam int unsigned MOST = PAIRS ? SLOTS : SLOTS - 1;

  logic [SLOT_BITS-1:0] early_q, late_q, read_q;  // chunk to be written, early and late block, and to be read
  logic second_q;  // its second beat is the next
  logic [COUNT_BITS-1:0] begun_q, there_q;  // chunks begun and not yet sent, and of these the ones that are complete
  logic ended_q;  // the message's last beat was read

  typedef struct packed {
    logic last;
    logic single;
    logic [4:0] bytes;
  } about_t;

  about_t about[SLOTS];  // chunks that are complete
  about_t head;

  logic w_second, at_end, one_left, at_last, read, chunk_goes, complete;

  assign w_second = !made.single && (made.late != (made.last && swap));
  assign complete = made.valid && made.late;

  logic [SLOT_BITS+32'(PAIRS)-1:0] w_addr, r_addr;
  if (PAIRS) begin : gen_pairs
    assign w_addr = {made.late ? late_q : early_q, w_second};
    assign r_addr = {read_q, second_q};
    assign at_end = second_q;
  end else begin : gen_single
    logic unused;
    assign unused = &{1'b0, w_second, early_q};
    assign w_addr = late_q;
    assign r_addr = read_q;
    assign at_end = 1'b1;
  end

  aead_pipe_store #(
      .WIDTH(128),
      .DEPTH(PAIRS ? 2 * SLOTS : SLOTS)
  ) u_store (
      .clk,
      .clear,
      .wiping,
      .w_en  (made.valid && !made.spent),
      .w_addr,
      .w_data(made.block),
      .r_en  (read),
      .r_zero(out_ready || empty),
      .r_addr,
      .r_data(out_data)
  );

  assign one_left = there_q == COUNT_BITS'(1);
  assign head = about[read_q];
  assign at_last = (head.last || (one_left && cut)) && (at_end || (head.last && head.single));
  assign read = there_q != '0 && !ended_q && (!at_end || !one_left || head.last || cut) && (!out_valid || out_ready);
  assign chunk_goes = read && (at_end || at_last);

  assign idle = begun_q == '0 && !out_valid;
  assign sent = ended_q && !out_valid;

  always_ff @(posedge clk) if (complete) about[late_q] <= '{made.last, made.single, last_bytes};

  always_ff @(posedge clk) begin
    if (made.valid && (!made.late || (made.single && !made.spent))) early_q <= early_q + SLOT_BITS'(1);
    if (complete) late_q <= late_q + SLOT_BITS'(1);
    if (start) ended_q <= 1'b0;
    begun_q <= begun_q + COUNT_BITS'(chunk_begins) - COUNT_BITS'(chunk_goes);
    there_q <= there_q + COUNT_BITS'(complete) - COUNT_BITS'(chunk_goes);
    room    <= begun_q < COUNT_BITS'(MOST);

    if (out_ready) out_valid <= 1'b0;
    if (read || empty) begin
      out_valid <= 1'b1;
      out_last  <= at_last || empty;
      out_bytes <= empty ? '0 : at_last && head.last ? head.bytes : 5'd16;
      ended_q   <= at_last || empty;
      second_q  <= read && !second_q;
      if (chunk_goes) begin
        read_q   <= read_q + SLOT_BITS'(1);
        second_q <= 1'b0;
      end
    end

    // Blocks that were under way when `clear` came are dropped: the data path forgets them one cycle later.
    if (clear || wiping) begin
      early_q  <= '0;
      late_q   <= '0;
      read_q   <= '0;
      second_q <= 1'b0;
      begun_q  <= '0;
      there_q  <= '0;
      ended_q  <= 1'b0;
    end
    if (clear || wiping) begin
      out_valid <= 1'b0;
      out_last  <= 1'b0;
      out_bytes <= '0;
      room      <= 1'b0;
    end
  end

endmodule
