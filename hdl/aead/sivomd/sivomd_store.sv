// SPDX-License-Identifier: Apache-2.0
// SIV-OMD (experimental): holds the message of a command, which both passes read (docs/cores/siv-omd.md, "Store").
// Takes the message from the port whenever it comes, reads it out from the first beat as often as wanted, right behind the
// beats that come in, and lets a reader overwrite what it has read. Illegal beats and too long messages are taken to
// their end and named (`bad`); the rest of them is not kept.
// Byte order: byte i of a beat in bits [8i+7:8i].
// Cycles: one beat in and one out a cycle, one in every two while beats are overwritten; a beat can be read from the second cycle after it was taken.
// With FAST a beat is read a cycle later, and one out in two cycles.
// Security: `clear` zeroises the memory in at most 512 cycles (`wiping`). Until then it keeps the last message.
module sivomd_store #(
    parameter  int unsigned DATA_BITS     = 64,                     // beat
    parameter  int unsigned MAX_MSG_BYTES = 16384,                  // a power of two, at least four beats
    parameter  bit          FAST          = 1'b0,                   // a shorter cycle; `back_valid` is never set
    localparam int unsigned BEAT_BYTES    = DATA_BITS / 8,
    localparam int unsigned BYTES_BITS    = $clog2(BEAT_BYTES + 1)
) (
    input  logic clk,
    input  logic clear,
    output logic wiping,

    input  logic start,   // pulse: a new message comes
    input  logic stop,    // pulse: take no more, somebody else swallows the rest
    input  logic rewind,  // pulse: read from the first beat
    output logic bad,     // it is too long or has an illegal beat

    input  logic                  msg_valid,
    output logic                  msg_ready,
    input  logic [ DATA_BITS-1:0] msg_data,
    input  logic [BYTES_BITS-1:0] msg_bytes,
    input  logic                  msg_last,

    input  logic                 back_valid,  // overwrite the next beat, from the first on; only behind the reader
    output logic                 back_ready,
    input  logic [DATA_BITS-1:0] back_data,

    output logic                  read_valid,
    input  logic                  read_ready,
    output logic [ DATA_BITS-1:0] read_data,   // zero beyond the string
    output logic [BYTES_BITS-1:0] read_bytes,
    output logic                  read_last
);

  localparam logic [BYTES_BITS-1:0] FULL_BEAT = BYTES_BITS'(BEAT_BYTES);
  localparam int unsigned WORDS = MAX_MSG_BYTES / BEAT_BYTES;
  localparam int unsigned ADDR_BITS = $clog2(WORDS);
  typedef logic [ADDR_BITS:0] index_t;

  index_t stored_q, read_q, back_q;  // beats taken, read, overwritten
  logic [BYTES_BITS-1:0] last_bytes_q;

  // In from the port, which gives way for a cycle after a beat if there is something to overwrite
  logic yield_q;
  logic taking;  // its last beat has not come yet
  logic take, empty_string, legal, write_msg;
  logic [DATA_BITS-1:0] masked;
  assign msg_ready = taking && !yield_q;
  assign take = msg_valid && msg_ready;
  assign empty_string = msg_bytes == '0 && msg_last && (FAST ? gen_fast.first : stored_q == '0);
  assign legal = msg_bytes == FULL_BEAT || empty_string || (msg_last && msg_bytes != '0 && msg_bytes < FULL_BEAT);
  assign write_msg = take && legal && !bad && !stored_q[ADDR_BITS];
  always_comb begin
    for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
      masked[8*i+:8] = msg_data[8*i+:8] & {8{BYTES_BITS'(i) < msg_bytes}};
    end
  end

  assign back_ready = !write_msg;

  // Out. Whether a beat is the last is known once it is stored.
  logic fetch;
  if (FAST) begin : gen_fast
    logic due;  // what was fetched stands in the next cycle
    logic hold;  // nothing is fetched
    logic first;  // no beat has come yet
    assign hold = rewind || due;
    always_ff @(posedge clk) begin
      due <= fetch && !start && !clear;
      if (take) first <= 1'b0;
      if (start) first <= 1'b1;
      if (clear) first <= 1'b0;
    end
  end else begin : gen_fast
    // verilog_lint: waive-start parameter-name-style (it stands for a signal)
    localparam bit due = 1'b0;
    localparam bit hold = 1'b0;
    localparam bit first = 1'b0;
    // verilog_lint: waive-stop parameter-name-style
  end
  assign fetch = read_q != stored_q && (!read_valid || read_ready) && !(FAST ? gen_fast.hold : rewind);
  assign read_bytes = read_last ? last_bytes_q : FULL_BEAT;

  always_ff @(posedge clk) begin
    yield_q <= take && back_valid;
    if (take) begin
      taking <= !msg_last;
      bad    <= bad || !write_msg;
    end
    if (write_msg) begin
      stored_q     <= stored_q + 1'b1;
      last_bytes_q <= msg_bytes;
    end
    if (back_valid && back_ready) back_q <= back_q + 1'b1;

    if (fetch) begin
      read_q     <= read_q + 1'b1;
      read_valid <= !FAST;
      read_last  <= !taking && !bad && read_q + 1'b1 == stored_q;
    end else if (read_ready) begin
      read_valid <= 1'b0;
    end
    if (gen_fast.due) read_valid <= 1'b1;
    if (rewind || start) begin
      read_q     <= '0;
      read_valid <= 1'b0;
    end
    if (stop) begin
      taking  <= 1'b0;
      yield_q <= 1'b0;
    end
    if (start) begin
      taking   <= 1'b1;
      bad      <= 1'b0;
      stored_q <= '0;
      back_q   <= '0;
    end
    if (clear) begin
      yield_q      <= 1'b0;
      taking       <= 1'b0;
      bad          <= 1'b0;
      stored_q     <= '0;
      back_q       <= '0;
      read_q       <= '0;
      read_valid   <= 1'b0;
      read_last    <= 1'b0;
      last_bytes_q <= '0;
    end
  end

  // The read port runs through a wipe, so that nothing stays in its register.
  wiped_ram #(
      .WIDTH      (DATA_BITS),
      .DEPTH      (WORDS),
      .WIPE_CYCLES(512),
      .READ_LATE  (FAST)
  ) u_memory (
      .w_clk   (clk),
      .w_wipe  (clear),
      .w_wiping(wiping),
      .w_en    (write_msg || back_valid),
      .w_addr  (FAST ? stored_q[ADDR_BITS-1:0] : write_msg ? stored_q[ADDR_BITS-1:0] : back_q[ADDR_BITS-1:0]),
      .w_data  (FAST ? masked : write_msg ? masked : back_data),
      .r_clk   (clk),
      .r_en    (fetch || wiping),
      .r_addr  (read_q[ADDR_BITS-1:0]),
      .r_data  (read_data)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk) begin
    if (!clear && !wiping) begin
      a_fast_overwrites_nothing : assert (!(FAST && back_valid));
      a_read_stays_behind : assert (read_q <= stored_q);
      a_only_what_was_read_is_overwritten : assert (!back_valid || back_q < read_q);
    end
  end
`endif

endmodule
