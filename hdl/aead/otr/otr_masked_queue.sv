// SPDX-License-Identifier: Apache-2.0
// AES-OTR, masked: queue of public blocks and of what they are for, in LUT memory.
// Cycles: what is pushed shows at an empty queue's head two edges later; an item a cycle.
// Security: no secrets but plaintext; `clear` starts a walk that writes `item` to every word, in DEPTH + 2 cycles. The user
// clears what `item` comes from at most two cycles later, so that all words end as zeros.
module otr_masked_queue #(
    parameter int unsigned WIDTH = 128,  // bits
    parameter int unsigned DEPTH = 16,  // items, a power of two
    localparam int unsigned ADDR_BITS = $clog2(DEPTH)
) (
    input  logic             clk,
    input  logic             clear,
    input  logic             push,   // not while clearing, nor into a full queue
    input  logic [WIDTH-1:0] item,
    input  logic             pop,    // only with `full`
    output logic             full,   // there is an item at the head
    output logic [WIDTH-1:0] head
);

  (* ram_style = "distributed", no_rw_check *)
  logic [WIDTH-1:0] mem[DEPTH];
  logic [ADDR_BITS:0] write_q, read_q, after_q, read_next;  // one bit more: full differs from empty
  logic [ADDR_BITS:0] walk_q;  // one bit more: it goes on, over the words that it wrote first
  logic wiping_q;

  assign read_next = pop ? after_q : read_q;

  always_ff @(posedge clk) begin
    if (push || wiping_q) mem[wiping_q?walk_q[ADDR_BITS-1:0] : write_q[ADDR_BITS-1:0]] <= item;
  end

  always_ff @(posedge clk) begin
    head   <= mem[read_next[ADDR_BITS-1:0]];
    full   <= read_next != write_q;
    read_q <= read_next;
    if (pop) after_q <= after_q + (ADDR_BITS + 1)'(1);
    if (push) write_q <= write_q + (ADDR_BITS + 1)'(1);
    if (wiping_q) begin
      walk_q   <= walk_q + (ADDR_BITS + 1)'(1);
      wiping_q <= walk_q != (ADDR_BITS + 1)'(DEPTH + 1);
    end
    if (clear || wiping_q) begin
      head    <= '0;
      full    <= 1'b0;
      read_q  <= '0;
      after_q <= (ADDR_BITS + 1)'(1);
      write_q <= '0;
    end
    if (clear) begin
      walk_q   <= '0;
      wiping_q <= 1'b1;
    end
  end

`ifndef SYNTHESIS
  logic known_q;  // a clear has come
  initial known_q = 1'b0;
  always_ff @(posedge clk) begin
    if (!clear && !wiping_q) begin
      a_there_is_room : assert (!push || write_q - read_q != (ADDR_BITS + 1)'(DEPTH));
      a_there_is_an_item : assert (!pop || full);
    end
    if (clear) known_q <= 1'b1;
    if (known_q && !clear && wiping_q && walk_q > (ADDR_BITS + 1)'(1)) begin
      a_zeros_are_written : assert (item == '0);
    end
  end
`endif

endmodule
